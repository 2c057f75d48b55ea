//! Is this the code of a language? The two-letter codes of ISO 639-1, and any code of
//! three letters, since nearly all of them are taken.

const CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co \
    cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi \
    ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr \
    ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn \
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so \
    sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi \
    yo za zh zu";

pub(crate) fn is_known(tag: &str) -> bool {
    let base = tag.trim().split('-').next().unwrap_or_default();
    let base = base.to_ascii_lowercase();
    let letters = base.bytes().all(|byte| byte.is_ascii_lowercase());
    match base.len() {
        2 => CODES.split_ascii_whitespace().any(|code| code == base),
        3 => letters,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn codes_of_languages() {
        for (tag, expected) in [
            ("en", true),
            ("de-AT", true),
            ("zh-Hant-TW", true),
            ("gsw", true),
            ("xx", false),
            ("english", false),
            ("en_US", false),
            ("", false),
        ] {
            assert_eq!(is_known(tag), expected, "{tag}");
        }
    }
}
