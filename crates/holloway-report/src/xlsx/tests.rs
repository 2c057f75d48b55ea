//! Does a workbook hold what was written, cell by cell?

use super::*;

fn written(report: &Value) -> Vec<Sheet> {
    let report: Report = serde_json::from_value(report.clone()).unwrap();
    let bytes = write(&report).unwrap();
    assert_eq!(
        bytes,
        write(&report).unwrap(),
        "the same report gives the same bytes"
    );
    read(&bytes, None, true, 1000).unwrap()
}

#[test]
fn cells_keep_their_types() {
    let rows = json!([
        {"text": "a", "number": 1.5, "day": "2024-02-29", "moment": "2024-02-29T13:45:00", "truth": true, "mixed": "2024-01-01"},
        {"text": "=1+1", "number": -3, "day": "1999-12-31", "moment": "2024-03-01", "truth": false, "mixed": "word"},
        {"text": "@x\u{0}\nü", "number": null, "day": null, "moment": null, "truth": null, "mixed": 12_345_678_901_234_567_890_u64},
    ]);
    let sheets = written(
        &json!({"title": "T", "blocks": [{"type": "table", "title": "Data", "rows": rows, "note": "n"}]}),
    );
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    assert_eq!(names, ["Overview", "Data"]);
    assert_eq!(
        sheets[1].columns,
        ["Text", "Number", "Day", "Moment", "Truth", "Mixed"]
    );
    assert_eq!(
        sheets[1].rows[..3],
        [
            json!({"Text": "a", "Number": 1.5, "Day": "2024-02-29", "Moment": "2024-02-29T13:45:00", "Truth": true, "Mixed": "2024-01-01"}),
            json!({"Text": "=1+1", "Number": -3, "Day": "1999-12-31", "Moment": "2024-03-01", "Truth": false, "Mixed": "word"}),
            json!({"Text": "@x\nü", "Number": null, "Day": null, "Moment": null, "Truth": null, "Mixed": "12345678901234567890"}),
        ]
    );
}

#[test]
fn a_formula_is_never_made_from_data() {
    let table = Table {
        rows: vec![json!(["=HYPERLINK(\"http://x.example\")"])],
        ..Table::default()
    };
    let bytes = write_sheets(&[table]).unwrap().bytes;
    let sheets = read(&bytes, None, false, 10).unwrap();
    assert_eq!(
        sheets[0].rows[1],
        json!(["=HYPERLINK(\"http://x.example\")"])
    );
    let mut workbook = calamine::open_workbook_auto_from_rs(std::io::Cursor::new(&bytes)).unwrap();
    let formulas = calamine::Reader::worksheet_formula(&mut workbook, "Sheet").unwrap();
    assert!(formulas.is_empty());
}

#[test]
fn every_block_with_rows_gets_a_sheet() {
    let sheets = written(&json!({"title": "T", "summary": "All **well**", "blocks": [
        {"type": "figures", "items": [{"label": "Pages", "value": 24}]},
        {"type": "scores", "items": [{"name": "SEO", "value": 92}]},
        {"type": "actions", "items": [{"title": "Do it", "effort": "1 h"}]},
        {"type": "findings", "items": [{"rule": "r", "severity": "critical", "where": {"page": "p"}}]},
        {"type": "chart", "kind": "bar", "title": "Sales", "labels": ["a", "b"], "series": [{"name": "s", "values": [1, null]}]},
        {"type": "chart", "kind": "scatter", "title": "Sales", "series": [{"points": [{"x": 1, "y": 2, "outlier": true}]}]},
    ]}));
    let shown: Vec<String> = sheets
        .iter()
        .map(|sheet| format!("{} {:?} {}", sheet.name, sheet.columns, json!(sheet.rows)))
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn a_missing_sheet_and_a_file_of_another_kind_are_told() {
    let bytes = write_sheets(&[]).unwrap().bytes;
    let missing = read(&bytes, Some("Nope"), true, 10).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "there is no sheet `Nope`; the file has: Sheet"
    );
    assert!(read(b"no workbook", None, true, 10).is_err());
    assert!(read(&bytes[..bytes.len() / 2], None, true, 10).is_err());
}

#[test]
fn many_rows_are_written_and_the_reader_stops_where_told() {
    let table = Table {
        rows: (0..100_000).map(|number| json!([number, "text"])).collect(),
        ..Table::default()
    };
    let bytes = write_sheets(&[table]).unwrap().bytes;
    let sheets = read(&bytes, None, true, 10).unwrap();
    assert_eq!((sheets[0].rows.len(), sheets[0].count), (10, 100_000));
}

#[test]
fn only_what_no_cell_can_hold_is_cut_and_long_numbers_keep_their_digits() {
    let table = Table {
        rows: vec![
            json!([
                "x".repeat(32_767),
                9_007_199_254_740_993_u64,
                "1234567890123456789"
            ]),
            json!([
                "y".repeat(32_768),
                1_234_567_890_123_456_u64,
                999_999_999_999_999_u64
            ]),
            json!(["\u{1f980}".repeat(16_384), -1, 0.5]),
        ],
        ..Table::default()
    };
    let written = write_sheets(&[table]).unwrap();
    assert_eq!(written.cut, 2);
    let sheets = read(&written.bytes, None, true, 10).unwrap();
    let row = |index: usize| {
        sheets[0].rows[index]
            .as_object()
            .unwrap()
            .values()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(row(0)[0].as_str().unwrap().chars().count(), 32_767);
    assert!(row(1)[0].as_str().unwrap().ends_with("yy…"));
    assert_eq!(
        row(0)[1..],
        [json!("9007199254740993"), json!("1234567890123456789")]
    );
    assert_eq!(
        row(1)[1..],
        [json!("1234567890123456"), json!(999_999_999_999_999_u64)]
    );
}
