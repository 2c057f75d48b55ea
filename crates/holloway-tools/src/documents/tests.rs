//! Do the tools write what they were given, where they may, and read it back?

use serde_json::{Value, json};

use super::super::testing::{builtin, run, with_folder};

fn rows() -> Value {
    json!([{"city": "Oslo", "sum": 5, "day": "2026-11-14"}, {"city": "=Rome", "sum": 7.5, "day": "2026-11-15"}, {"city": "Łódź", "sum": null, "day": "2026-11-16"}])
}

#[tokio::test]
async fn a_built_report_is_written_in_every_format() {
    let (folder, toolbox) = with_folder();
    let built = builtin("report-build", json!({"title": "Week", "summary": "All **well**", "data": {"sales": {"rows": rows()}}, "scores": {"seo": 92}}))
        .await
        .unwrap();
    assert!(
        built["markdown"]
            .as_str()
            .unwrap()
            .starts_with("# Week\n\nAll **well**")
    );
    for (name, format, start) in [
        ("out/week.html", "html", "<!DOCTYPE html>"),
        ("out/week.pdf", "pdf", "%PDF-"),
        ("out/week.md", "markdown", "# Week"),
        ("out/week.xlsx", "xlsx", "PK"),
        ("out/week.json", "json", "{"),
    ] {
        // The whole result of report-build is as good as the report in it.
        for report in [&built["report"], &built] {
            let written = run(
                &toolbox,
                "builtin/report-write",
                json!({"report": report, "path": name}),
            )
            .await
            .unwrap();
            let bytes = std::fs::read(folder.path().join(name)).unwrap();
            assert_eq!(
                written,
                json!({"path": name, "bytes": bytes.len(), "format": format})
            );
            assert!(bytes.starts_with(start.as_bytes()), "{name}");
        }
    }
    assert_eq!(
        std::fs::read_dir(folder.path().join("out"))
            .unwrap()
            .count(),
        5
    );
}

#[tokio::test]
async fn what_cannot_be_written_is_told() {
    let (_folder, toolbox) = with_folder();
    let write = |arguments| run(&toolbox, "builtin/report-write", arguments);
    let odd = write(json!({"report": {"title": "x"}, "path": "x.doc"}))
        .await
        .unwrap_err();
    assert!(odd.hint.unwrap().contains(".xlsx"));
    let unfit = write(json!({"report": {"blocks": []}, "path": "x.pdf"}))
        .await
        .unwrap_err();
    assert!(unfit.message.contains("missing field `title`"), "{unfit}");
    let outside = write(json!({"report": {"title": "x"}, "path": "../x.pdf"}))
        .await
        .unwrap_err();
    assert!(
        outside.message.contains("outside the granted folders"),
        "{outside}"
    );
    let ungranted = builtin("pdf-write", json!({"markdown": "x", "path": "x.pdf"})).await;
    assert!(ungranted.is_err());
}

#[tokio::test]
async fn a_workbook_comes_back_as_it_went() {
    let (_folder, toolbox) = with_folder();
    let written = run(
        &toolbox,
        "builtin/xlsx-write",
        json!({"path": "a.xlsx", "sheets": {"Cities": rows(), "Empty": []}}),
    )
    .await
    .unwrap();
    assert_eq!(
        (&written["sheets"], &written["rows"]),
        (&json!(2), &json!(3))
    );
    let read = run(&toolbox, "builtin/xlsx-read", json!({"path": "a.xlsx"}))
        .await
        .unwrap();
    assert_eq!(read["rows"], rows());
    assert_eq!(read["columns"], json!(["city", "sum", "day"]));
    assert_eq!(read["sheets"][1]["name"], "Empty");
    let short = run(
        &toolbox,
        "builtin/xlsx-read",
        json!({"path": "a.xlsx", "sheet": "Cities", "max_rows": 1, "header": false}),
    )
    .await
    .unwrap();
    assert_eq!(
        (&short["rows"], &short["truncated"], &short["count"]),
        (&json!([["city", "sum", "day"]]), &json!(true), &json!(4))
    );
    let both = run(&toolbox, "builtin/xlsx-write", json!({"path": "a.xlsx"}))
        .await
        .unwrap_err();
    assert!(both.message.contains("either `rows` or `sheets`"));
}

#[tokio::test]
async fn csv_files_are_read_whatever_their_dialect() {
    let (folder, toolbox) = with_folder();
    let check = async |bytes: &[u8], expected: Value| {
        std::fs::write(folder.path().join("t.csv"), bytes).unwrap();
        let read = run(&toolbox, "builtin/csv-read", json!({"path": "t.csv"}))
            .await
            .unwrap();
        assert_eq!(
            json!([read["rows"], read["delimiter"], read["encoding"]]),
            expected
        );
    };
    check(
        "a,b\n1,x\n".as_bytes(),
        json!([[{"a": 1, "b": "x"}], ",", "UTF-8"]),
    )
    .await;
    check(
        "\u{feff}a;\"b,c,d\"\n1;ü\n".as_bytes(),
        json!([[{"a": 1, "b,c,d": "ü"}], ";", "UTF-8"]),
    )
    .await;
    check(
        b"a\tb\n1\t\xfc\n",
        json!([[{"a": 1, "b": "ü"}], "\t", "windows-1252"]),
    )
    .await;
    check(
        b"\xff\xfea\0,\0b\0\n\x001\0,\x002\0",
        json!([[{"a": 1, "b": 2}], ",", "UTF-16LE"]),
    )
    .await;
    check(
        b"sep=|\r\na|b\r\n1|x;y;z\r\n",
        json!([[{"a": 1, "b": "x;y;z"}], "|", "UTF-8"]),
    )
    .await;
    std::fs::write(folder.path().join("t.csv"), "sep=;\na;b\n1;2\n3\n").unwrap();
    let uneven = run(&toolbox, "builtin/csv-read", json!({"path": "t.csv"}))
        .await
        .unwrap_err();
    assert_eq!(
        uneven.message,
        "row 3 (line 4) has 1 fields, and 2 are expected as in the first row"
    );
    let safe = json!({"path": "s.csv", "rows": [["=1+1", -2, " @x"]], "columns": ["a", "=b", "c"], "spreadsheet_safe": true});
    run(&toolbox, "builtin/csv-write", safe).await.unwrap();
    assert_eq!(
        std::fs::read_to_string(folder.path().join("s.csv")).unwrap(),
        "a,'=b,c\n'=1+1,-2,' @x\n"
    );
    let named = json!({"path": "s.csv", "rows": [{"=a": "x"}], "spreadsheet_safe": true});
    run(&toolbox, "builtin/csv-write", named).await.unwrap();
    assert_eq!(
        std::fs::read_to_string(folder.path().join("s.csv")).unwrap(),
        "'=a\nx\n"
    );
}

#[tokio::test]
async fn a_chart_is_drawn_from_rows_or_values() {
    let (folder, toolbox) = with_folder();
    let drawn = run(
        &toolbox,
        "builtin/chart-draw",
        json!({"rows": rows(), "x": "day", "y": "sum", "path": "c.svg"}),
    )
    .await
    .unwrap();
    assert_eq!(
        (&drawn["kind"], &drawn["path"]),
        (&json!("line"), &json!("c.svg"))
    );
    assert_eq!(
        std::fs::read_to_string(folder.path().join("c.svg")).unwrap(),
        drawn["svg"]
    );
    let donut = builtin(
        "chart-draw",
        json!({"kind": "donut", "labels": ["a", "b"], "values": [1, 3]}),
    )
    .await
    .unwrap();
    assert_eq!(donut["description"], "Donut chart: 2 values from 1 to 3");
    let missing = builtin("chart-draw", json!({"rows": rows(), "x": "nowhere"}))
        .await
        .unwrap_err();
    assert!(
        missing
            .message
            .starts_with("there is no column `nowhere`; the columns are `city`"),
        "{missing}"
    );
    let said = builtin(
        "chart-draw",
        json!({"rows": rows(), "x": "Day", "y": ["SUM"]}),
    )
    .await;
    assert!(said.is_ok(), "{said:?}");
}

#[tokio::test]
async fn markdown_becomes_pages() {
    let (folder, toolbox) = with_folder();
    let html = builtin("markdown-to-html", json!({"markdown": "*a* <script>"}))
        .await
        .unwrap();
    assert_eq!(html["html"], "<p><em>a</em> &lt;script&gt;</p>\n");
    for (tool, path, start) in [
        ("html-write", "a.html", "<!DOCTYPE html>"),
        ("pdf-write", "a.pdf", "%PDF-"),
    ] {
        let arguments = json!({"markdown": "# Title\n\nText", "path": path, "date": "today"});
        run(&toolbox, &format!("builtin/{tool}"), arguments)
            .await
            .unwrap();
        assert!(
            std::fs::read(folder.path().join(path))
                .unwrap()
                .starts_with(start.as_bytes())
        );
    }
}
