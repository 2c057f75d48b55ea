"""What does each page say, and what is planted on it? A fault stands beside the page that has it."""

SEO, PERFORMANCE, ACCESSIBILITY, SECURITY = "seo", "performance", "accessibility", "security"

# Plain paragraphs, so that pages have something to read; each is used with the subject of its page.
TEXTS = [
    "Before anything reaches our shelves, somebody at Fernhill has carried {it} over wet ground for at least a week. "
    "We write down what chafes, what leaks and what breaks, and we send those notes to the people who made it. "
    "Only when the second version does better do we order a first small number for the shop.",
    "Choosing {it} is mostly a matter of where you go and how long you stay. For a day on marked paths nearly anything "
    "will do. For several days above the tree line it pays to look closely at seams, at weight and at how quickly "
    "something dries when the weather turns in the afternoon.",
    "Looking after {it} takes a few minutes and adds years. Brush off dry mud, rinse with lukewarm water, and let "
    "everything dry in the air and out of the sun. Wax or proofing goes on last, in a thin layer, and is left to "
    "settle over night before the next walk.",
    "If you are unsure about {it}, write to us or come by. The people in our shops have walked most of the long paths "
    "in the country and will gladly talk you out of buying something you do not need. What you do buy can come back "
    "within a year, used or not, for your money or for something that fits better.",
    "Prices change when our makers change theirs, and never because a visitor looked twice. The price on the page for "
    "{it} is the price in every shop, with tax, and delivery within the country is free from forty pounds upwards.",
    "Repairs are done in our own workshop behind the shop in Alder Street. A zip takes two days, a new sole about two "
    "weeks. We keep spare parts for {it} for ten years after the last one was sold, and we teach the simple repairs "
    "on the first Saturday of every month.",
]


def prose(it, count=6):
    return "\n".join(f"<p>{text.format(it=it)}</p>" for text in TEXTS[:count])


def product(name, price, image, extra=""):
    return (
        f'<img src="/assets/{image}.svg" alt="{name} on a grey background" width="320" height="240">\n'
        f'<p class="price">{price} pounds</p>\n'
        f'<button type="button" class="buy">Put into the basket</button>\n{extra}'
    )


def fault(rule, domain, what):
    return {"rule": rule, "domain": domain, "what": what}


PAGES = [
    {"path": "/", "name": "Fernhill Outdoor", "title": "Fernhill Outdoor: tents, boots and bags for hill walkers",
     "heading": "<h1>Tents, boots and bags for hill walkers</h1>", "body":
        '<img src="/assets/hill.svg" alt="A green hill with a path and a tent" width="640" height="240">\n'
        + prose("tents, boots and bags")
        + '<h2>New this month</h2><ul><li><a href="/tents/dune-2/">The Dune 2 tent</a></li><li><a href="/boots/ridge/">The Ridge boot</a></li>'
          '<li><a href="/bags/harrier-40/">The Harrier 40 bag</a></li></ul>'},
    {"path": "/tents/", "name": "Tents", "body":
        '<ul><li><a href="/tents/dune-2/">Dune 2, for two people</a></li><li><a href="/tents/moor-3/">Moor 3, for three people</a></li></ul>' + prose("tents"),
     "head": '<script src="/assets/vendor.js"></script>',
     "faults": [fault("script-blocking", PERFORMANCE, "vendor.js in the head without defer holds up the page"),
                fault("text-uncompressed", PERFORMANCE, "vendor.js is sent without compression")]},
    {"path": "/tents/dune-2/", "name": "Dune 2 tent", "description": "A light tent for two people with a porch, a floor that stays dry and four pegs to spare; taken back within a whole year if it leaks.",
     "body": product("Dune 2 tent", 289, "tent") + prose("the Dune 2 tent", 5),
     "head": '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Dune 2 tent",}</script>',
     "faults": [fault("structured-data-syntax", SEO, "the JSON-LD has a comma too many"),
                fault("description-duplicate", SEO, "the same description as the Moor 3 tent")]},
    {"path": "/tents/moor-3/", "name": "Moor 3 tent", "description": "A light tent for two people with a porch, a floor that stays dry and four pegs to spare; taken back within a whole year if it leaks.",
     "body": '<img src="/assets/noise.png" alt="The Moor 3 tent beside a lake" width="640" height="400" loading="lazy">\n' + prose("the Moor 3 tent", 5),
     "faults": [fault("lcp-image-lazy", PERFORMANCE, "the first large image is loaded lazily"),
                fault("image-oversized", PERFORMANCE, "the photograph weighs several hundred kilobytes"),
                fault("description-duplicate", SEO, "the same description as the Dune 2 tent")]},
    {"path": "/boots/", "name": "Walking boots", "body":
        '<ul><li><a href="/boots/ridge/">Ridge, for rocky paths</a></li><li><a href="/boots/fell/">Fell, for wet grass</a></li></ul>' + prose("boots")},
    {"path": "/boots/ridge/", "name": "Ridge boot", "title": "Leather boots for hill walkers | Fernhill Outdoor",
     "body": product("Ridge boot", 164, "boot") + prose("the Ridge boot", 5),
     "head": '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "image": "/assets/boot.svg"}</script>',
     "faults": [fault("title-duplicate", SEO, "the same title as the Fell boot"),
                fault("structured-data-incomplete", SEO, "a Product without a name")]},
    {"path": "/boots/fell/", "name": "Fell boot", "title": "Leather boots for hill walkers | Fernhill Outdoor",
     "body": product("Fell boot", 149, "boot") + prose("the Fell boot", 5),
     "faults": [fault("title-duplicate", SEO, "the same title as the Ridge boot")]},
    {"path": "/bags/", "name": "Bags", "body":
        '<div class="card" onclick="location.href=\'/bags/harrier-40/\'">Harrier 40</div>\n<p><a href="/bags/harrier-40/">Harrier 40 rucksack</a></p>\n'
        + "<p>" + "Cheap bags, hiking bags, best bags, bags sale, buy bags, bags online. " * 14 + "</p>",
     "faults": [fault("click-without-keyboard", ACCESSIBILITY, "a card that only a mouse can open"),
                fault("inline-handler", SECURITY, "a script in an onclick attribute"),
                fault("keyword-stuffing", SEO, "the word bags in nearly every second place")]},
    {"path": "/bags/harrier-40/", "name": "Harrier 40 rucksack", "body":
        '<img src="/assets/bag.svg">\n<p class="price">119 pounds</p>' + prose("the Harrier 40 rucksack", 5),
     "faults": [fault("image-alt", ACCESSIBILITY, "the product image has no alternative text"),
                fault("cls-image-unsized", PERFORMANCE, "the product image has no width and height")]},
    {"path": "/cooking/", "name": "Camp cooking", "body":
        '<p><a href="/old-stoves">All our camp stoves in one place</a></p>' + prose("stoves and pots"),
     "head": '<script src="/assets/jquery-1.12.4.min.js" defer></script>',
     "faults": [fault("link-redirected", SEO, "a link to an address that redirects"),
                fault("library-vulnerable", SECURITY, "jQuery 1.12.4, which has known holes")]},
    {"path": "/cooking/ember-stove/", "name": "Ember stove", "body": product("Ember stove", 54, "stove") + prose("the Ember stove", 5)},
    {"path": "/maps/", "name": "Walking maps", "head": '<meta name="robots" content="noindex">',
     "body": "<script>document.write('<p>Maps of the week</p>')</script>" + prose("maps", 5),
     "headers": {"content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'; form-action 'self'; require-trusted-types-for 'script'"},
     "faults": [fault("noindex-listed", SEO, "a page in the sitemap that asks not to be listed"),
                fault("document-write", PERFORMANCE, "a script that writes into the page while it loads"),
                fault("csp-unsafe-inline", SECURITY, "a policy that allows scripts in the page")]},
    {"path": "/guides/", "name": "Guides for walkers", "canonical": [], "body":
        '<ul><div>For the first time</div><li><a href="/guides/first-night/">Your first night outside</a></li><li><a href="/guides/layering/">Layers against wind and rain</a></li>'
        '<li><a href="/guides/knots/">Four knots that hold</a></li><li><a href="/guides/water/">Finding and cleaning water</a></li></ul>' + prose("a good plan"),
     "faults": [fault("canonical-missing", SEO, "no canonical address"),
                fault("list", ACCESSIBILITY, "a div directly inside a list")]},
    {"path": "/guides/first-night/", "name": "Your first night outside", "body":
        '<p>What to take along stands in our list: <a href="/guides/layering/">click here</a>.</p>\n'
        '<video src="/assets/night.mp4" controls width="320" height="180"></video>' + prose("a night outside", 5),
     "faults": [fault("link-text-vague", SEO, "a link that only says click here"),
                fault("video-caption", ACCESSIBILITY, "a video without captions"),
                fault("asset-broken", PERFORMANCE, "the video is not there")]},
    {"path": "/guides/layering/", "name": "Layers against wind and rain", "body":
        '<h2>The inner layer</h2><p>Wool or something that dries quickly.</p><h5>In summer</h5><p>Thinner.</p>'
        '<p><a href="https://outside.example/guides/" target="_blank" rel="opener">The weather on the hills</a> <a href="https://outside.example/closed-hut/">The hut on the pass</a></p>' + prose("layers", 5),
     "faults": [fault("heading-level-skipped", SEO, "from h2 to h5"),
                fault("heading-order", ACCESSIBILITY, "from h2 to h5"),
                fault("link-external-broken", SEO, "the page about the hut is gone"),
                fault("link-opener-exposed", SECURITY, "a foreign page gets hold of this one")]},
    {"path": "/guides/knots/", "name": "Four knots that hold", "body": prose("knots")},
    {"path": "/guides/water/", "name": "Finding and cleaning water", "body": prose("water")},
    {"path": "/about/", "name": "About Fernhill", "heading": "<h1>About Fernhill</h1><h1>Since 1987</h1>", "body": prose("a shop like ours", 5),
     "head": '<meta name="generator" content="WordPress 5.2.1">',
     "headers": {"server": "Apache/2.4.29 (Ubuntu)", "x-powered-by": "PHP/7.1.3", "cache-control": "no-store"},
     "faults": [fault("heading-first-repeated", SEO, "two headings of the first level"),
                fault("generator-version-shown", SECURITY, "the version of the content system"),
                fault("server-version-shown", SECURITY, "the versions of server and language"),
                fault("page-no-store", PERFORMANCE, "a public page that may not be kept")]},
    {"path": "/contact/", "name": "Contact", "heading": "<h2>Contact</h2>", "body": prose("a question", 5),
     "headers": {"x-frame-options": None, "content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; require-trusted-types-for 'script'"},
     "faults": [fault("heading-first-missing", SEO, "no heading of the first level"),
                fault("page-has-heading-one", ACCESSIBILITY, "no heading of the first level"),
                fault("framing-allowed", SECURITY, "any site may put this page into a frame")]},
    {"path": "/delivery/", "name": "Delivery", "language": "", "body":
        '<p>To the islands it takes longer: <a href="/delivery/islands/">delivery to the islands</a>.</p>' + prose("delivery", 5),
     "headers": {"referrer-policy": "unsafe-url"},
     "faults": [fault("language-missing", SEO, "no language"),
                fault("html-has-lang", ACCESSIBILITY, "no language"),
                fault("link-broken", SEO, "the page about islands is not there"),
                fault("referrer-policy-unsafe", SECURITY, "whole addresses go to other sites")]},
    {"path": "/returns/", "name": "Returns", "description": "", "body": prose("returns", 5),
     "head": '<link rel="alternate" hreflang="english" href="https://fernhill.example/returns/">',
     "faults": [fault("description-missing", SEO, "no description"),
                fault("hreflang-invalid", SEO, "english is no language code")]},
    {"path": "/stores/", "name": "Our shops", "description": "Where we are.", "viewport": "width=device-width, initial-scale=1, user-scalable=no",
     "head": '<link rel="stylesheet" href="/assets/legacy.css">',
     "body": '<img src="/assets/map-missing.png" alt="Map of our shops" width="300" height="200">\n<iframe src="/assets/map.html"></iframe>' + prose("a visit", 5),
     "headers": {"content-security-policy": None, "access-control-allow-origin": "*", "access-control-allow-credentials": "true"},
     "faults": [fault("description-length", SEO, "a description of three words"),
                fault("meta-viewport", ACCESSIBILITY, "zooming is switched off"),
                fault("frame-title", ACCESSIBILITY, "a frame without a title"),
                fault("cls-frame-unsized", PERFORMANCE, "a frame without width and height"),
                fault("asset-broken", PERFORMANCE, "the map is not there"),
                fault("style-import", PERFORMANCE, "legacy.css imports another sheet"),
                fault("asset-not-cached", PERFORMANCE, "legacy.css may not be kept"),
                fault("font-display-missing", PERFORMANCE, "a font without font-display"),
                fault("csp-missing", SECURITY, "no content security policy"),
                fault("cors-any-origin-credentials", SECURITY, "any site may read this with the visitor's cookies")]},
    {"path": "/careers/", "name": "Work with us", "canonical": ["/careers/", "/jobs/"],
     "body": '<!-- staging login: admin password: Tr4il-mix! -->\n<p><a href="/contact/"></a> Write to us, or read <a href="/careers/workshop/">what the workshop does</a>.</p>\n<div role="buton" tabindex="0">Send</div>' + prose("work", 5),
     "headers": {"x-content-type-options": None},
     "faults": [fault("canonical-repeated", SEO, "two canonical addresses"),
                fault("link-name", ACCESSIBILITY, "a link without text"),
                fault("link-broken", SEO, "a page that no sitemap lists is not there"),
                fault("aria-roles", ACCESSIBILITY, "buton is no role"),
                fault("comment-secret", SECURITY, "a password in a comment"),
                fault("content-type-sniffing", SECURITY, "browsers may guess types")]},
    {"path": "/newsletter/", "name": "Newsletter", "viewport": "",
     "head": '<link rel="icon" href="/assets/letter.ico">',
     "body": '<form action="/newsletter/" method="post"><input type="email" name="email" tabindex="3" aria-describedby="hint">'
             '<p id="hint">We write once a month.</p><p id="hint">You can leave at any time.</p><button>Subscribe</button></form>' + prose("our letter", 5),
     "faults": [fault("viewport-missing", SEO, "no viewport"),
                fault("favicon-broken", PERFORMANCE, "an icon of its own that is not there"),
                fault("label", ACCESSIBILITY, "a field without a label"),
                fault("tabindex", ACCESSIBILITY, "an order of its own"),
                fault("duplicate-id-aria", ACCESSIBILITY, "two elements with one id")]},
    {"path": "/gift-cards/", "name": "Gift cards", "title": "",
     "body": '<p style="color: #bbbbbb; background-color: #ffffff">A gift card never runs out and counts in every shop.</p>' + prose("a gift", 5),
     "headers": {"content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'; form-action 'self'; require-trusted-types-for 'script'"},
     "faults": [fault("title-missing", SEO, "no title"),
                fault("document-title", ACCESSIBILITY, "no title"),
                fault("color-contrast", ACCESSIBILITY, "light grey on white")]},
    {"path": "/sizing/", "name": "Find your size", "title": "Sizes", "main": False,
     "head": '<script src="/assets/sizes.js" defer></script>',
     "body": '<form><select name="size"><option>38</option><option>39</option></select></form>' + prose("a good fit", 5),
     "faults": [fault("title-length", SEO, "a title of one word"),
                fault("script-unminified", PERFORMANCE, "sizes.js is sent as it was written"),
                fault("landmark-one-main", ACCESSIBILITY, "no main part"),
                fault("select-name", ACCESSIBILITY, "a choice without a label")]},
    {"path": "/search/", "name": "Search", "social": False,
     "body": '<form><label for="q">What are you looking for?</label><input id="q" name="q"><button><img src="/assets/glass.svg" alt="" width="16" height="16"></button></form>'
             '<div aria-hidden="true"><a href="/tents/">Tents</a></div>',
     "delay_ms": 1000,
     "faults": [fault("open-graph-missing", SEO, "no words for social media"),
                fault("button-name", ACCESSIBILITY, "a button without a name"),
                fault("aria-hidden-focus", ACCESSIBILITY, "a hidden link that takes the focus"),
                fault("first-byte-slow", PERFORMANCE, "a second until the first byte")]},
    {"path": "/login/", "name": "Sign in",
     "body": '<form action="https://accounts.example.net/login" method="get"><label for="user">Name</label><input id="user" name="user" autocomplete="username">'
             '<label for="pass">Password</label><input id="pass" type="password" name="pass" autocomplete="current-password"><button>Sign in</button></form>' + prose("an account", 5),
     "cookies": ["session=5f2c1e; Path=/"],
     "faults": [fault("password-in-address", SECURITY, "the password becomes part of the address"),
                fault("form-action-foreign", SECURITY, "the password goes to another site"),
                fault("cookie-readable-by-scripts", SECURITY, "the session cookie is not HttpOnly"),
                fault("cookie-same-site-missing", SECURITY, "the session cookie has no SameSite")]},
    {"path": "/privacy/", "name": "Privacy", "body": prose("your data")},
    {"path": "/faq/", "name": "Questions and answers",
     "headers": {"content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'; form-action 'self'"},
     "body": '<button type="button" style="width: 16px; height: 16px; padding: 0">?</button><button type="button" aria-expanded="maybe" aria-controls="a1">How long does it take?</button><p id="a1">Two days.</p>' + prose("an answer", 5),
     "faults": [fault("trusted-types-missing", SECURITY, "scripts may turn any text into markup"),
                fault("target-size", ACCESSIBILITY, "a button of 16 by 16 pixels"),
                fault("aria-valid-attr-value", ACCESSIBILITY, "aria-expanded is maybe")]},
    {"path": "/reviews/", "name": "Reviews",
     "body": '<img src="/assets/card.png" alt="A walker with a tent" width="320" height="160">' "<p><b>Fatal error</b>: Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused in /var/www/shop/reviews.php on line 41</p>" + prose("a review", 5),
     "headers": {"cross-origin-opener-policy": None},
     "faults": [fault("image-low-resolution", PERFORMANCE, "a picture of 40 by 20 pixels, shown eight times as large"),
                fault("coop-missing", SECURITY, "other sites keep hold of the window"),
                fault("error-details", SECURITY, "an error with paths of the server")]},
    {"path": "/files/", "name": "Index of /files", "title": "Index of /files", "heading": "<h1>Index of /files</h1>",
     "body": '<pre><a href="/">Parent Directory</a>\n<a href="/privacy/">prices.xls</a> 2026-01-04 18:22  31K</pre>',
     "faults": [fault("directory-listing", SECURITY, "a folder shows what is in it")]},
    {"path": "/clearance/", "name": "Clearance", "head": '<meta http-equiv="refresh" content="30; url=/tents/">', "body": prose("what is left", 5),
     "faults": [fault("page-orphaned", SEO, "in the sitemap, but no page links here"),
                fault("meta-refresh", ACCESSIBILITY, "the page leaves by itself")]},
    {"path": "/winter-sale/", "name": "Winter sale", "body": prose("the winter sale", 5), "listed": False,
     "faults": [fault("redirect-chain", PERFORMANCE, "three redirects from /sale until the page comes")]},
    {"path": "/cooking/all-stoves/", "name": "All our camp stoves", "body":
        '<p><a href="/cooking/ember-stove/">The Ember stove</a></p>' + prose("camp stoves", 5), "listed": False},
]

# Addresses that send visitors on, and those of the sitemap that are no pages.
REDIRECTS = {"/old-stoves": "/cooking/all-stoves/", "/sale": "/sale-2025", "/sale-2025": "/sale-2026", "/sale-2026": "/winter-sale/"}
ALSO_LISTED = ["/sale", "/old-stoves", "/delivery/islands/"]
