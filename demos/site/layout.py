"""How does a page of Fernhill Outdoor look? One layout, from which a page departs only where it says so."""

ORIGIN = "https://fernhill.example"

NAVIGATION = [
    ("/", "Start"),
    ("/tents/", "Tents"),
    ("/boots/", "Boots"),
    ("/bags/", "Bags"),
    ("/cooking/", "Cooking"),
    ("/guides/", "Guides"),
]

FOOTER = [
    ("/about/", "About Fernhill"),
    ("/contact/", "Contact"),
    ("/delivery/", "Delivery"),
    ("/returns/", "Returns"),
    ("/stores/", "Our shops"),
    ("/careers/", "Work with us"),
    ("/newsletter/", "Newsletter"),
    ("/gift-cards/", "Gift cards"),
    ("/sizing/", "Find your size"),
    ("/search/", "Search"),
    ("/login/", "Sign in"),
    ("/privacy/", "Privacy"),
    ("/faq/", "Questions and answers"),
    ("/maps/", "Walking maps"),
    ("/reviews/", "Reviews"),
    ("/files/", "Downloads"),
]


def links(pairs):
    return "".join(f'<li><a href="{path}">{text}</a></li>' for path, text in pairs)


def layout(page):
    """The HTML of a page; every key that is left out has its sound default."""
    path = page["path"]
    said = lambda key, default: page[key] if key in page else default
    title = said("title", f'{page["name"]} for hill walkers | Fernhill Outdoor')
    description = said("description", None)
    if description is None:
        description = (
            f'{page["name"]} from Fernhill Outdoor: chosen and tested by walkers, fairly priced, '
            "delivered in two days and taken back for a whole year."
        )
    head = ['<meta charset="utf-8">']
    if title:
        head.append(f"<title>{title}</title>")
    if description:
        head.append(f'<meta name="description" content="{description}">')
    viewport = said("viewport", "width=device-width, initial-scale=1")
    if viewport:
        head.append(f'<meta name="viewport" content="{viewport}">')
    for canonical in said("canonical", [path]):
        head.append(f'<link rel="canonical" href="{ORIGIN}{canonical}">')
    if said("social", True):
        head.append(f'<meta property="og:title" content="{title or page["name"]}">')
        head.append('<meta property="og:type" content="website">')
        head.append(f'<meta property="og:url" content="{ORIGIN}{path}">')
        head.append(f'<meta property="og:image" content="{ORIGIN}/assets/card.png">')
        head.append(f'<meta property="og:description" content="{description or page["name"]}">')
    head.append('<link rel="icon" href="/assets/fern.svg">')
    head.append('<link rel="stylesheet" href="/assets/main.css">')
    head.append('<script src="/assets/shop.js" defer></script>')
    head.append(said("head", ""))
    language = said("language", ' lang="en"')
    heading = said("heading", f"<h1>{page['name']}</h1>")
    before, after = ("<main id=\"main\">", "</main>") if said("main", True) else ("<div id=\"main\">", "</div>")
    return (
        f"<!doctype html>\n<html{language}>\n<head>\n"
        + "\n".join(line for line in head if line)
        + "\n</head>\n<body>\n"
        + '<a class="skip" href="#main">Skip to the main part</a>\n'
        + f'<header><a class="logo" href="/">Fernhill Outdoor</a><nav aria-label="Shop"><ul>{links(NAVIGATION)}</ul></nav></header>\n'
        + f"{before}\n{heading}\n{page['body']}\n{after}\n"
        + f'<footer><nav aria-label="Service"><ul>{links(FOOTER)}</ul></nav><p>Fernhill Outdoor is an invented shop.</p></footer>\n'
        + "</body>\n</html>\n"
    )
