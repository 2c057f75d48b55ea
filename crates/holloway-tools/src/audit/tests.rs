//! Do the tools fit together? The results of checks go into scores and plans as they are.

use serde_json::{Value, json};

use super::super::testing::builtin;

const CHECKS: [&str; 16] = [
    "meta-tags-check",
    "headings-check",
    "internal-links-check",
    "keyword-density",
    "structured-data-check",
    "page-speed-check",
    "assets-check",
    "caching-check",
    "blocking-check",
    "web-vitals-check",
    "security-headers-check",
    "cookies-check",
    "mixed-content-check",
    "forms-check",
    "vulnerability-scan",
    "security-scan",
];

fn site() -> Value {
    json!({
        "pages": [
            {
                "url": "https://example.com/", "html": "<html><h1>Shoes</h1><a href=/b>more</a><img src=a.jpg>",
                "headers": {"server": "Apache/2.4.1"}, "cookies": ["session=x"]
            },
            {"url": "https://example.com/b", "html": "<title>B</title><form method=get><input type=password></form>"}
        ],
        "assets": [{"url": "https://example.com/a.jpg", "kind": "image", "bytes": 900_000}]
    })
}

#[tokio::test]
async fn results_of_checks_become_scores_and_a_plan() {
    let mut results = vec![Value::Null];
    for check in CHECKS {
        let result = builtin(check, site()).await.unwrap();
        assert_eq!(result["pages"], json!(2), "{check}");
        assert_eq!(
            result["summary"]["total"],
            json!(result["findings"].as_array().unwrap().len())
        );
        assert!(result["rows"].is_array(), "{check}");
        results.push(result);
    }
    let arguments = json!({"results": results, "pages": 2});
    let score = builtin("audit-score", arguments.clone()).await.unwrap();
    let plan = builtin("action-plan", arguments.clone()).await.unwrap();
    let whole = builtin("site-audit", site()).await.unwrap();
    let own = |domains: &Value| {
        let rows = domains.as_array().unwrap().iter();
        let rows = rows.filter(|row| row["domain"] != "accessibility");
        rows.map(|row| (row["domain"].clone(), row["score"].clone()))
            .collect::<Vec<_>>()
    };
    // One call or many: the same pages have the same score.
    assert_eq!(own(&score["domains"]), own(&whole["domains"]));
    for (domain, expected) in own(&score["domains"]) {
        let name = format!("{}-score", domain.as_str().unwrap());
        let single = builtin(&name, arguments.clone()).await.unwrap();
        assert_eq!(single["score"], expected, "{name}");
    }
    assert_eq!(plan["actions"][0]["rank"], 1);
    assert_eq!(
        plan["count"],
        json!(plan["actions"].as_array().unwrap().len())
    );
}

#[tokio::test]
async fn the_plan_can_be_cut() {
    let result = builtin("site-audit", site()).await.unwrap();
    let arguments = json!({"results": [result], "pages": 2, "limit": 3});
    let plan = builtin("action-plan", arguments).await.unwrap();
    assert_eq!(plan["actions"].as_array().unwrap().len(), 3);
    assert!(plan["count"].as_u64().unwrap() > 3);
}

#[tokio::test]
async fn nothing_checked_is_no_perfect_score() {
    for arguments in [
        json!({"results": [{"findings": []}], "pages": 0}),
        json!({"results": [Value::Null], "pages": 3}),
        json!({"results": [], "pages": 3}),
    ] {
        for tool in ["audit-score", "seo-score"] {
            let failure = builtin(tool, arguments.clone()).await.unwrap_err();
            assert!(failure.message.contains("nothing was checked"), "{failure}");
        }
    }
    let failure = builtin("site-audit", json!({"pages": []})).await;
    let failure = failure.unwrap_err();
    assert!(failure.message.contains("nothing was checked"), "{failure}");
}

#[tokio::test]
async fn results_without_findings_are_refused_with_a_hint() {
    for wrong in [
        json!({"rows": []}),
        json!({"findings": [{"rule": 1}]}),
        json!(7),
    ] {
        let arguments = json!({"results": [wrong], "pages": 1});
        for tool in ["action-plan", "audit-score", "seo-score"] {
            let failure = builtin(tool, arguments.clone()).await.unwrap_err();
            assert_eq!(failure.name.as_str(), "Validation failed", "{failure}");
            assert!(failure.message.contains("results[0]"), "{failure}");
        }
    }
}
