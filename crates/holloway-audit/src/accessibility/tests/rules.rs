//! One test per family; every rule of the catalogue occurs in one of them.

use super::*;

#[test]
fn alt_text() {
    check_rule("image-alt", &["<img src=a>", "<img src=a alt=' '>"], &["<img alt=''>", "<img alt=x>", "<img title=x>", "<img role=presentation>", "<div hidden><img></div>", "<template><img></template>", "<noscript><img></noscript>"]);
    check_rule("role-img-alt", &["<div role=img></div>"], &["<div role=img aria-label=x></div>"]);
    check_rule("svg-img-alt", &["<svg role=img></svg>"], &["<svg role=img><title>x</title></svg>", "<svg></svg>"]);
    check_rule("input-image-alt", &["<input type=image>"], &["<input type=image alt=x>"]);
    check_rule("area-alt", &["<img usemap=#m alt=x><map name=m><area href=/></map>"], &["<img usemap=#m alt=x><map name=m><area href=/ alt=x></map>"]);
    check_rule("object-alt", &["<object data=x></object>"], &["<object data=x title=x></object>"]);
    check_rule("image-redundant-alt", &["<a href=/>Home<img alt=home></a>"], &["<a href=/>Home<img alt=''></a>", "<a href=/><img alt=home></a>"]);
    check_rule("server-side-image-map", &["<img ismap alt=x>"], &["<img alt=x>"]);
}

#[test]
fn labels() {
    check_rule("label", &["<input>", "<textarea></textarea>", "<label><input></label>", "<label for=a></label><input id=a>"], &["<input aria-label=x>", "<label>x<input></label>", "<label for=a>x</label><input id=a>", "<input placeholder=x>", "<input type=hidden>"]);
    check_rule("select-name", &["<select></select>"], &["<label>x<select></select></label>"]);
    check_rule("button-name", &["<button></button>", "<button><span hidden>x</span></button>"], &["<button>x</button>", "<button aria-label=x></button>", "<button><img alt=x></button>"]);
    check_rule("input-button-name", &["<input type=button>", "<input type=submit value=''>"], &["<input type=submit>", "<input type=button value=x>"]);
    check_rule("link-name", &["<a href=/></a>", "<a href=/><img alt=''></a>"], &["<a href=/>x</a>", "<a href=/><img alt=x></a>", "<a></a>"]);
    check_rule("summary-name", &["<details><summary></summary></details>"], &["<details><summary>x</summary></details>"]);
    check_rule("label-title-only", &["<input title=x>"], &["<label>x<input title=x></label>"]);
    check_rule("form-field-multiple-labels", &["<label for=a>x</label><label for=a>y</label><input id=a>"], &["<label for=a>x</label><input id=a>"]);
    check_rule("autocomplete-valid", &["<input autocomplete=mail aria-label=x>"], &["<input autocomplete=email aria-label=x>"]);
    check_rule("aria-command-name", &["<div role=button></div>"], &["<div role=button>x</div>", "<a href=/ role=button></a>"]);
    check_rule("aria-input-field-name", &["<div role=textbox></div>", "<div role=slider aria-valuenow=1></div>"], &["<div role=textbox aria-label=x></div>"]);
    check_rule("aria-toggle-field-name", &["<div role=switch aria-checked=true></div>"], &["<div role=switch aria-checked=true>x</div>"]);
    check_rule("aria-dialog-name", &["<div role=dialog>x</div>"], &["<div role=dialog aria-label=x>x</div>"]);
    check_rule("aria-meter-name", &["<div role=meter aria-valuenow=1></div>"], &["<div role=meter aria-valuenow=1 aria-label=x></div>"]);
    check_rule("aria-progressbar-name", &["<div role=progressbar></div>"], &["<div role=progressbar aria-label=x></div>"]);
    check_rule("aria-tab-name", &["<div role=tablist><div role=tab></div></div>"], &["<div role=tablist><div role=tab>x</div></div>"]);
    check_rule("aria-tooltip-name", &["<div role=tooltip></div>"], &["<div role=tooltip>x</div>"]);
    check_rule("aria-treeitem-name", &["<div role=tree><div role=treeitem></div></div>"], &["<div role=tree><div role=treeitem>x</div></div>"]);
    check_rule("label-content-name-mismatch", &["<button aria-label=Close>Cancel it</button>"], &["<button aria-label='Cancel it now'>Cancel it</button>"]);
}

#[test]
fn landmarks() {
    check_rule("landmark-no-duplicate-main", &["<main>x</main>"], &["<p>x</p>"]);
    check_rule("landmark-main-is-top-level", &["<main>x</main>"], &["<p>x</p>"]);
    check_rule("landmark-no-duplicate-banner", &["</main><header>a</header><header>b</header>"], &["</main><header>a</header>", "<header>a</header><header>b</header>"]);
    check_rule("landmark-no-duplicate-contentinfo", &["</main><footer>a</footer><footer>b</footer>"], &["</main><footer>a</footer>"]);
    check_rule("landmark-banner-is-top-level", &["<div role=banner>x</div>"], &["</main><header>x</header>"]);
    check_rule("landmark-contentinfo-is-top-level", &["<div role=contentinfo>x</div>"], &["</main><footer>x</footer>"]);
    check_rule("landmark-unique", &["<nav>a</nav><nav>b</nav>"], &["<nav aria-label=a>a</nav><nav aria-label=b>b</nav>"]);
    check_rule("region", &["</main><p>outside</p>"], &["</main><footer>x</footer>"]);
    check_rule("skip-link", &["<a href=#gone style='position:absolute;left:-999px'>Skip</a>"], &["<a id=x href=#x style='position:absolute;left:-999px'>Skip</a>"]);
    check_rule("heading-order", &["<h3>x</h3>"], &["<h2>x</h2><h3>y</h3><h2>z</h2>"]);
    check_rule("empty-heading", &["<h2></h2>"], &["<h2>x</h2>", "<h2><img alt=x></h2>"]);
    let page = |body: &str| broken_page(&format!("<!doctype html><html lang=en><title>T</title>{body}"));
    assert_eq!(page("<div><a href=/x>x</a></div>"), ["bypass", "landmark-one-main", "page-has-heading-one", "region"]);
    assert_eq!(page("<main><h1>x</h1></main>"), Vec::<String>::new());
    for rule in ["bypass", "landmark-one-main", "page-has-heading-one"] {
        assert!(find_rule(rule).is_some());
    }
}

#[test]
fn aria() {
    check_rule("aria-roles", &["<div role=buton>x</div>", "<div role=widget>x</div>"], &["<div role=note>x</div>", "<div role=''>x</div>", "<div role='x note'>x</div>"]);
    check_rule("aria-deprecated-role", &["<div role=directory>x</div>"], &["<div role=note>x</div>"]);
    check_rule("aria-allowed-role", &["<main role=button>x</main>", "<h2 role=button>x</h2>"], &["<a href=/ role=button>x</a>", "<div role=button>x</div>"]);
    check_rule("aria-valid-attr", &["<p aria-labell=x>x</p>"], &["<p aria-live=polite>x</p>"]);
    check_rule("aria-valid-attr-value", &["<p aria-live=loud>x</p>", "<button aria-expanded=x>x</button>", "<p aria-owns=gone>x</p>", "<h2 aria-level=0>x</h2>"], &["<p aria-live=polite>x</p>", "<button aria-expanded=false aria-controls=gone>x</button>", "<h2 aria-level=2>x</h2>"]);
    check_rule("aria-allowed-attr", &["<p aria-expanded=true>x</p>", "<a href=/ aria-pressed=true>x</a>"], &["<button aria-expanded=true>x</button>"]);
    check_rule("aria-conditional-attr", &["<input type=checkbox aria-checked=true aria-label=x>"], &["<input type=checkbox checked aria-checked=true aria-label=x>"]);
    check_rule("aria-prohibited-attr", &["<span aria-label=x></span>"], &["<span role=img aria-label=x></span>", "<section aria-label=x></section>"]);
    check_rule("aria-required-attr", &["<div role=checkbox>x</div>"], &["<div role=checkbox aria-checked=true>x</div>", "<input type=checkbox role=switch aria-label=x>"]);
    check_rule("aria-required-children", &["<div role=list><p tabindex=0>x</p></div>", "<div role=list>x</div>"], &["<div role=list><div role=listitem>x</div></div>", "<div role=list></div>"]);
    check_rule("aria-required-parent", &["<div role=tab>x</div>"], &["<div role=tablist><div role=tab>x</div></div>", "<div role=list aria-owns=a></div><div id=a role=listitem>x</div>"]);
    check_rule("aria-hidden-focus", &["<div aria-hidden=true><a href=/>x</a></div>"], &["<div aria-hidden=true><a href=/ tabindex=-1>x</a></div>", "<div aria-hidden=true hidden><a href=/>x</a></div>"]);
    check_rule("aria-text", &["<p role=text><a href=/>x</a></p>"], &["<p role=text>x</p>"]);
    check_rule("presentation-role-conflict", &["<img alt='' tabindex=0>", "<ul role=none aria-live=polite></ul>"], &["<img alt=''>"]);
    check_rule("duplicate-id-aria", &["<i id=a>x</i><i id=a>y</i><b role=img aria-labelledby=a></b>"], &["<i id=a>x</i><i id=a>y</i>"]);
    assert!(broken_page("<body aria-hidden=true><p>x").contains(&"aria-hidden-body".to_owned()));
}

#[test]
fn keyboard() {
    check_rule("tabindex", &["<a href=/ tabindex=2>x</a>"], &["<a href=/ tabindex=0>x</a>"]);
    check_rule("accesskeys", &["<a href=/ accesskey=s>x</a><a href=/ accesskey=S>y</a>"], &["<a href=/ accesskey=s>x</a>"]);
    check_rule("nested-interactive", &["<button><a href=/>x</a></button>"], &["<button><b>x</b></button>"]);
    check_rule("click-without-keyboard", &["<div onclick='go()'>x</div>"], &["<button onclick='go()'>x</button>", "<div onclick='go()' tabindex=0>x</div>", "<div onclick='go()'><a href=/>x</a></div>"]);
    check_rule("keyboard-trap", &["<div tabindex=0 onkeydown=\"if (event.key === 'Tab') event.preventDefault()\">x</div>", "<input aria-label=x onkeydown='return false'>"], &["<input aria-label=x onkeydown=\"if (event.key === 'Enter') event.preventDefault()\">"]);
    check_rule("focus-outline-removed", &["<style>a:focus{outline:none}</style><a href=/>x</a>", "<style>*{outline:0}</style><a href=/>x</a>"], &["<style>a:focus{outline:none;box-shadow:0 0 2px red}</style><a href=/>x</a>", "<style>a{outline:none}a:focus-visible{outline:2px solid}</style><a href=/>x</a>", "<style>b:focus{outline:none}</style><a href=/>x</a>", "<style>:focus:not(:focus-visible){outline:none}</style><a href=/>x</a>"]);
    check_rule("target-size", &["<button style='width:16px;height:16px'>x</button>"], &["<button style='width:24px;height:24px'>x</button>", "<button>x</button>"]);
    check_rule("meta-refresh", &["<meta http-equiv=refresh content='30; url=/'>"], &["<meta http-equiv=refresh content='0; url=/'>"]);
    check_rule("meta-viewport", &["<meta name=viewport content='user-scalable=no'>", "<meta name=viewport content='maximum-scale=1.0'>"], &["<meta name=viewport content='width=device-width'>"]);
    check_rule("meta-viewport-large", &["<meta name=viewport content='maximum-scale=3'>"], &["<meta name=viewport content='maximum-scale=5'>"]);
}

#[test]
fn contrast() {
    check_rule(
        "color-contrast",
        &[
            "<p style='color:#777'>Text</p>",
            "<p style='opacity:.5'>Text</p>",
            "<div style='background:#000'><p style='color:#555'>Text</p></div>",
            "<style>p{color:#000}p.x{color:#999}</style><p class=x>Text</p>",
            "<style>:root{--c:#999}p{color:var(--c)}</style><p>Text</p>",
            "<input aria-label=x value=typed style='color:#aaa'>",
        ],
        &[
            "<p style='color:#767676'>Text</p>",
            "<p style='color:#949494;font-size:24px'>Text</p>",
            "<p style='color:#fff'>Text</p>",
            "<p style='color:#999' hidden>Text</p>",
            "<button disabled style='color:#999'>Text</button>",
            "<style>@media print{p{color:#999}}</style><p>Text</p>",
            "<p style='color:#999;position:absolute;left:-9999px'>Text</p>",
            "<style>p:hover{color:#999}</style><p>Text</p>",
        ],
    );
    check_rule(
        "link-in-text-block",
        &["<p style='color:#222'>Some words around <a href=/ style='color:#444;text-decoration:none'>link</a> and more</p>"],
        &[
            "<p>Some words around <a href=/>link</a> and more</p>",
            "<p style='color:#222'>Some words around <a href=/ style='color:#444;text-decoration:none;font-weight:bold'>link</a> and more</p>",
            "<p style='color:#222'><a href=/ style='color:#444;text-decoration:none'>link</a></p>",
        ],
    );
    check_rule("small-text", &["<p style='font-size:8px'>Text</p>"], &["<p style='font-size:12px'>Text</p>"]);
}

#[test]
fn structure() {
    check_rule("valid-lang", &["<p lang=xx>x</p>"], &["<p lang=de>x</p>", "<p lang=xx></p>"]);
    check_rule("frame-title", &["<iframe></iframe>"], &["<iframe title=x></iframe>", "<iframe tabindex=-1></iframe>"]);
    check_rule("frame-title-unique", &["<iframe title=x></iframe><iframe title=x></iframe>"], &["<iframe title=x></iframe><iframe title=y></iframe>"]);
    check_rule("list", &["<ul><p>x</p></ul>", "<ol>x</ol>"], &["<ul><li>x</li></ul>", "<ul role=menu><p>x</p></ul>"]);
    check_rule("listitem", &["<li>x</li>"], &["<ul><li>x</li></ul>"]);
    check_rule("definition-list", &["<dl><p>x</p></dl>", "<dl><dd>x</dd></dl>"], &["<dl><dt>x</dt><dd>y</dd></dl>", "<dl><div><dt>x</dt><dd>y</dd></div></dl>"]);
    check_rule("dlitem", &["<dt>x</dt>"], &["<dl><dt>x</dt><dd>y</dd></dl>"]);
    check_rule("td-headers-attr", &["<table><tr><th id=a>A</th></tr><tr><td headers=b>x</td></tr></table>"], &["<table><tr><th id=a>A</th></tr><tr><td headers=a>x</td></tr></table>"]);
    check_rule("th-has-data-cells", &["<table><tr><th>A</th></tr></table>"], &["<table><tr><th>A</th></tr><tr><td>x</td></tr></table>", "<table><tr><th>A</th><td>x</td></tr></table>"]);
    check_rule("scope-attr-valid", &["<table><tr><th scope=x>A</th><td>x</td></tr></table>", "<table><tr><th>A</th><td scope=row>x</td></tr></table>"], &["<table><tr><th scope=row>A</th><td>x</td></tr></table>"]);
    check_rule("empty-table-header", &["<table><tr><th></th><td>x</td></tr></table>"], &["<table><tr><th>A</th><td>x</td></tr></table>"]);
    check_rule("table-duplicate-name", &["<table summary=x><caption>x</caption></table>"], &["<table summary=y><caption>x</caption></table>"]);
    check_rule("blink", &["<blink>x</blink>"], &["<b>x</b>"]);
    check_rule("marquee", &["<marquee>x</marquee>"], &["<b>x</b>"]);
    check_rule("video-caption", &["<video src=a></video>"], &["<video src=a><track kind=captions></video>"]);
    check_rule("no-autoplay-audio", &["<video src=a autoplay></video>"], &["<video src=a autoplay muted></video>", "<video src=a></video>"]);
    check_rule("identical-links-same-purpose", &["<a href=/a>More</a><a href=/b>More</a>"], &["<a href=/a>More</a><a href=/a>More</a>"]);
    assert_eq!(broken_page("<main><h1>x</h1></main>"), ["document-title", "html-has-lang"]);
    assert_eq!(broken_page("<html lang=xx><title>x</title><main><h1>x</h1></main>"), ["html-lang-valid"]);
    assert_eq!(broken_page("<html lang=de xml:lang=en><title>x</title><main><h1>x</h1></main>"), ["html-xml-lang-mismatch"]);
}

#[test]
fn every_rule_is_tested() {
    let tests = include_str!("rules.rs");
    for (rule, _) in RULES {
        assert!(tests.contains(&format!("\"{}\"", rule.name)), "{} has no test", rule.name);
    }
}
