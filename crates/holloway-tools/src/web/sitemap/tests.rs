//! Are the pages of a site found wherever it lists them? Sites on loopback, each
//! with another habit.

use super::super::server::{Answer, Request, Server};
use super::*;

const OPEN: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";

fn urlset(host: &str, paths: &[&str]) -> String {
    let entries = paths
        .iter()
        .map(|path| format!("<url><loc>http://{host}{path}</loc></url>"));
    format!("{OPEN}{}</urlset>", entries.collect::<String>())
}

fn index(host: &str, paths: &[&str]) -> String {
    let entries = paths
        .iter()
        .map(|path| format!("<sitemap><loc>http://{host}{path}</loc></sitemap>"));
    format!(
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</sitemapindex>",
        entries.collect::<String>()
    )
}

async fn site(answer: impl Fn(&str, &str) -> Answer + Send + Sync + 'static) -> Server {
    Server::start(move |request: &Request| answer(request.path(), request.header("host"))).await
}

async fn discover(server: &Server, mut arguments: Value) -> Value {
    arguments["delay_ms"] = json!(0);
    if arguments.get("url").is_none() {
        arguments["url"] = json!(server.url("/"));
    }
    let text = server
        .call("sitemap-discover", arguments)
        .await
        .unwrap()
        .to_string();
    serde_json::from_str(&text.replace(&server.address, "site")).unwrap()
}

#[tokio::test]
async fn what_robots_names_is_read_with_all_it_lists() {
    let server = site(|path, host| match path {
        "/robots.txt" => Answer::text(&format!(
            "Sitemap: http://{host}/all.xml\nSitemap: /more.txt\n"
        )),
        "/all.xml" => Answer::xml(&index(
            host,
            &[
                "/one.xml",
                "/two.xml",
                "/gone.xml",
                "/all.xml",
                "/broken.xml",
            ],
        )),
        "/one.xml" => Answer::xml(&urlset(host, &["/", "/tents"])),
        "/two.xml" => Answer::xml(&urlset(host, &["/tents", "/boots"])),
        "/more.txt" => Answer::text(&format!("http://{host}/about\n")),
        "/broken.xml" => Answer::status(403),
        _ => Answer::status(404),
    })
    .await;
    let told = discover(&server, json!({})).await;
    assert_eq!(
        told["urls"],
        json!([
            "http://site/about",
            "http://site/",
            "http://site/tents",
            "http://site/boots"
        ])
    );
    assert_eq!(
        (&told["found_by"], &told["count"]),
        (&json!("sitemap"), &json!(4))
    );
    assert_eq!(
        told["sitemaps"],
        json!([
            {"url": "http://site/all.xml", "kind": "index", "count": 5},
            {"url": "http://site/more.txt", "kind": "text", "count": 1},
            {"url": "http://site/one.xml", "kind": "urlset", "count": 2},
            {"url": "http://site/two.xml", "kind": "urlset", "count": 2},
        ])
    );
    assert_eq!(
        told["problems"],
        json!([
            "robots.txt names the sitemap `/more.txt` without its host",
            "http://site/broken.xml: Tool failed: the sitemap answers 403",
        ])
    );
}

#[tokio::test]
async fn the_usual_place_is_tried() {
    let server = site(|path, host| match path {
        "/sitemap.xml" => Answer::xml(&urlset(host, &["/a", "/b", "/c"])),
        _ => Answer::status(404),
    })
    .await;
    let told = discover(
        &server,
        json!({"url": server.url("/deep/page"), "limit": 2}),
    )
    .await;
    assert_eq!(told["urls"], json!(["http://site/a", "http://site/b"]));
    assert_eq!(
        told["problems"][0],
        "there are more than 2 addresses; raise `limit` for the rest"
    );
}

#[tokio::test]
async fn indexes_without_end_end() {
    let server = site(|path, host| {
        let number: usize = path
            .trim_matches(|c: char| !c.is_ascii_digit())
            .parse()
            .unwrap_or(0);
        match path {
            "/robots.txt" => Answer::status(404),
            _ => Answer::xml(&index(host, &[&format!("/s{}.xml", number + 1)])),
        }
    })
    .await;
    let told = discover(
        &server,
        json!({"crawl": false, "url": server.url("/s0.xml")}),
    )
    .await;
    assert_eq!(
        (&told["found_by"], &told["count"]),
        (&json!("nothing"), &json!(0))
    );
    assert_eq!(
        told["problems"],
        json!(["http://site/s2.xml lists sitemaps more than 3 levels deep"])
    );
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn without_a_sitemap_links_are_followed() {
    let server = site(|path, _| match path {
        "/" => Answer::html("<a href=/a>a</a><a href='/b#x'>b</a><a href='http://other.example/'>o</a><a href=/p.pdf>p</a>"),
        "/a" => Answer::html("<a href=/>home</a><a href=/c>c</a>"),
        "/b" | "/c" => Answer::html("end"),
        _ => Answer::html("<title>Not found</title>").with("x", "y"),
    })
    .await;
    // This server says 200 to everything, so robots.txt and the sitemap are pages.
    let told = discover(&server, json!({})).await;
    assert_eq!(
        told["urls"],
        json!([
            "http://site/",
            "http://site/a",
            "http://site/b",
            "http://site/c"
        ])
    );
    assert_eq!(
        (&told["found_by"], &told["problems"]),
        (&json!("links"), &json!([]))
    );
}

#[tokio::test]
async fn a_large_file_is_not_read_to_its_end() {
    let server = site(|path, _| match path {
        "/sitemap.xml" => Answer::xml(&"<".repeat(11 * 1024 * 1024)),
        _ => Answer::status(404),
    })
    .await;
    let told = discover(&server, json!({"crawl": false})).await;
    assert_eq!(
        told["problems"],
        json!([
            "http://site/sitemap.xml: Limit exceeded: the sitemap is larger than 10485760 bytes"
        ])
    );
}
