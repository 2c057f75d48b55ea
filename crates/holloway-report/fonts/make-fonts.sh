#!/bin/sh
# How were the fonts in this folder made? From the npm package inter-ui 4.1.1 and Debian's
# fonts-dejavu-core, cut down to the scripts a report needs.
# Needs: npm, python3 with fonttools and brotli. Usage: make-fonts.sh <folder with DejaVuSans*.ttf>
set -eu
dejavu=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --ignore-scripts inter-ui@4.1.1 >/dev/null && tar xzf inter-ui-4.1.1.tgz)

# Latin with its extensions, accents, Greek, Cyrillic, Vietnamese, punctuation, currencies, arrows, mathematics, shapes.
letters=U+0020-007E,U+00A0-024F,U+0250-02AF,U+02B0-036F,U+0370-03FF,U+0400-052F,U+1E00-1FFF
signs=U+2000-206F,U+2070-209F,U+20A0-20CF,U+2100-214F,U+2150-218F,U+2190-21FF,U+2200-22FF,U+25A0-25FF,U+2713-2718,U+FFFD
others=U+0590-05FF,U+0600-06FF,U+FB1D-FB4F,U+FB50-FBFF,U+FE70-FEFF,U+0530-058F,U+10A0-10FF,U+2300-23FF,U+2460-24FF,U+2500-259F,U+2600-27BF,U+2B00-2BFF

cut() { # source target unicodes features
    # Decompressed first: the subsetter would keep the web format.
    python3 -c 'import sys; from fontTools.ttLib import TTFont; f = TTFont(sys.argv[1]); f.flavor = None; f.save(sys.argv[2])' "$1" "$work/plain.ttf"
    python3 -m fontTools.subset "$work/plain.ttf" --output-file="$here/$2" --unicodes="$3" --layout-features="$4" \
        --no-hinting --desubroutinize --name-IDs='0,1,2,3,4,5,6,13,14' --notdef-outline --no-glyph-names
}
cut "$work/package/web/Inter-Regular.woff2" Inter-Regular.ttf "$letters,$signs" kern,mark,mkmk,ccmp,locl,tnum
cut "$work/package/web/Inter-SemiBold.woff2" Inter-SemiBold.ttf "$letters,$signs" kern,mark,mkmk,ccmp,locl,tnum
cut "$work/package/web/Inter-Italic.woff2" Inter-Italic.ttf "$letters,$signs" kern,mark,mkmk,ccmp,locl,tnum
cut "$dejavu/DejaVuSansMono.ttf" DejaVuSansMono.ttf "U+0020-007E,U+00A0-024F,U+0370-03FF,U+0400-04FF,U+2010-206F,U+20A0-20CF,U+2190-21FF,U+2500-25FF,U+FFFD" mark,mkmk,ccmp
cut "$dejavu/DejaVuSans.ttf" DejaVuSans.ttf "U+0020-0040,U+00A0,$others,U+FFFD" init,medi,fina,isol,rlig,liga,mark,mkmk,ccmp
cp "$work/package/LICENSE.txt" "$here/Inter-LICENSE.txt"
