//! What stands below the answer? Key figures and a table that fits on the first page, a chart per
//! product, what comes next, and the prices that look wrong.

use holloway_report::chart::{Chart, Kind, Point, Series};
use holloway_report::model::{Align, Block, Column, Figure, Heading, Table, Tone};
use serde_json::{Value, json};

use super::figures::{Item, Line, Prices};
use super::words::{money, percent, trend_of};

/// More lines cannot be told apart.
const MOST_LINES: usize = 8;
const MOST_ITEMS: usize = 40;
const MOST_OUTLIERS: usize = 60;
/// What a forecast is, and what it is not.
const AHEAD: &str = "If things go on as before. The error is how far the method was off, on average, over the last weeks when they \
    were kept from it. It knows nothing of causes; a forecast closer to today than its error says nothing for sure.";

pub(super) fn blocks(prices: &Prices) -> Vec<Block> {
    let mut blocks = vec![
        Block::Figures {
            items: key_figures(prices),
        },
        heading("Products"),
        Block::Table(products(prices)),
    ];
    let charts: Vec<Block> = prices
        .items
        .iter()
        .filter(|item| item.weeks.len() > 1)
        .take(MOST_ITEMS)
        .map(|item| Block::Chart(chart(item, &prices.unit)))
        .collect();
    if !charts.is_empty() {
        blocks.push(Block::PageBreak);
        blocks.push(heading("How prices ran"));
        blocks.push(Block::Paragraph {
            text: "Weekly medians; prices that stand apart are ringed and left out of the lines."
                .to_owned(),
        });
        blocks.extend(charts);
    }
    blocks.extend(ahead(prices));
    blocks.extend(wrong(prices));
    blocks.push(heading("How this was calculated"));
    blocks.push(Block::Paragraph {
        text: method(prices),
    });
    blocks
}

fn heading(text: &str) -> Block {
    Block::Heading(Heading {
        text: text.to_owned(),
        level: 1,
    })
}

fn key_figures(prices: &Prices) -> Vec<Figure> {
    let directions: Vec<&str> = prices.items.iter().map(|item| trend_of(item).1).collect();
    let count = |wanted: &str| directions.iter().filter(|one| **one == wanted).count();
    let apart: usize = prices.series().map(|(_, line)| line.outliers.len()).sum();
    let figure = |label: &str, value: usize, tone| Figure {
        label: label.to_owned(),
        value: json!(value),
        tone,
        ..Figure::default()
    };
    vec![
        figure("Products that rise", count("rising"), Tone::Neutral),
        figure("Products that fall", count("falling"), Tone::Neutral),
        figure(
            "Without a common direction",
            prices.items.len() - count("rising") - count("falling"),
            Tone::Neutral,
        ),
        figure(
            "Prices that look wrong",
            apart,
            if apart == 0 { Tone::Good } else { Tone::Fair },
        ),
    ]
}

fn column(key: &str, title: &str, align: Align) -> Column {
    Column {
        key: key.to_owned(),
        title: title.to_owned(),
        align,
        ..Column::default()
    }
}

/// One line per product: what it costs where, and how it moves.
fn products(prices: &Prices) -> Table {
    let left_out = prices.items.len().saturating_sub(MOST_ITEMS);
    let shown = prices.items.iter().take(MOST_ITEMS);
    Table {
        columns: product_columns(prices),
        rows: shown.map(|item| product(item, &prices.unit)).collect(),
        note: match left_out {
            0 => String::new(),
            count => format!("{count} more products stand in the workbook."),
        },
        ..Table::default()
    }
}

fn product(item: &Item, unit: &str) -> Value {
    let price = |line: &Line| line.now.unwrap_or(f64::INFINITY);
    let mut lines: Vec<&Line> = item
        .lines
        .iter()
        .filter(|line| line.now.is_some())
        .collect();
    lines.sort_by(|one, other| price(one).total_cmp(&price(other)));
    let (middle, direction) = trend_of(item);
    let shown =
        |line: Option<&&Line>| line.map_or_else(|| "–".to_owned(), |line| money(price(line), unit));
    json!({
        "item": item.name,
        "low": shown(lines.first()),
        "where": lines.first().map(|line| line.name.as_str()).unwrap_or_default(),
        "high": shown(lines.last()),
        "trend": middle.map_or_else(|| "–".to_owned(), percent),
        "direction": direction,
    })
}

fn product_columns(prices: &Prices) -> Vec<Column> {
    let several = prices.items.iter().any(|item| item.lines.len() > 1);
    let mut columns = vec![column("item", "Product", Align::Left)];
    let low = if several { "Lowest now" } else { "Now" };
    columns.push(column("low", low, Align::Right));
    if several {
        columns.push(column("where", "At", Align::Left));
        columns.push(column("high", "Highest now", Align::Right));
    }
    columns.push(column("trend", "Trend", Align::Right));
    columns.push(column("direction", "Direction", Align::Left));
    columns
}

fn chart(item: &Item, unit: &str) -> Chart {
    let series = item.lines.iter().take(MOST_LINES).map(|line| Series {
        name: if line.name.is_empty() {
            item.name.clone()
        } else {
            line.name.clone()
        },
        values: item
            .weeks
            .iter()
            .map(|week| line.weekly.get(week).copied())
            .collect(),
        points: line
            .outliers
            .iter()
            .map(|apart| Point {
                y: apart.price,
                at: apart.day.clone(),
                label: line.name.clone(),
                outlier: true,
                ..Point::default()
            })
            .collect(),
        ..Series::default()
    });
    Chart {
        kind: Kind::Line,
        title: item.name.clone(),
        labels: item.weeks.clone(),
        series: series.collect(),
        unit: unit.to_owned(),
        ..Chart::default()
    }
}

/// Forecasts of the series that have enough weeks.
fn ahead(prices: &Prices) -> Vec<Block> {
    let all = prices.series().count();
    let unit = &prices.unit;
    let rows = prices.series().filter_map(|(item, line)| {
        let ahead = line.forecast.as_ref()?;
        Some(json!({
            "item": item.name,
            "line": line.name,
            "now": line.now.map_or_else(|| "–".to_owned(), |now| money(now, unit)),
            "then": money(ahead.price, unit),
            "error": format!("±{:.1} %", ahead.error),
            "method": ahead.method,
        }))
    });
    let rows: Vec<Value> = rows.collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut note = AHEAD.to_owned();
    let without = all - rows.len();
    if without > 0 {
        note = format!("{note} {without} series have too few weeks for a forecast.");
    }
    let named = rows.iter().any(|row| row.get("line") != Some(&json!("")));
    let then = format!("In {} weeks", prices.steps);
    let mut columns = vec![
        column("item", "Product", Align::Left),
        column("line", "Seller", Align::Left),
        column("now", "Now", Align::Right),
        column("then", &then, Align::Right),
        column("error", "Usual error", Align::Right),
        column("method", "By", Align::Left),
    ];
    columns.retain(|column| named || column.key != "line");
    vec![
        heading("What comes next"),
        Block::Table(Table {
            columns,
            rows,
            note,
            ..Table::default()
        }),
    ]
}

fn wrong(prices: &Prices) -> Vec<Block> {
    let rows: Vec<Value> = prices
        .series()
        .flat_map(|(item, line)| line.outliers.iter().map(move |apart| (item, line, apart)))
        .map(|(item, line, apart)| {
            json!({
                "day": apart.day,
                "item": item.name,
                "line": line.name,
                "price": money(apart.price, &prices.unit),
                "usual": line.now.map_or_else(|| "–".to_owned(), |now| money(now, &prices.unit)),
            })
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let left_out = rows.len().saturating_sub(MOST_OUTLIERS);
    let mut rows = rows;
    rows.truncate(MOST_OUTLIERS);
    vec![
        heading("Prices that look wrong"),
        Block::Table(Table {
            columns: vec![
                column("day", "Date", Align::Left),
                column("item", "Product", Align::Left),
                column("line", "Seller", Align::Left),
                column("price", "Price", Align::Right),
                column("usual", "Usual now", Align::Right),
            ],
            rows,
            note: match left_out {
                0 => String::new(),
                count => format!("{count} more stand in the workbook."),
            },
            ..Table::default()
        }),
    ]
}

fn method(prices: &Prices) -> String {
    let mut text = "A price stands apart if it lies more than 3.5 robust deviations from the middle of its own series. ".to_owned();
    if prices.has_time {
        text.push_str(
            "A trend is named where the Mann–Kendall test finds one at 5 % and the Theil–Sen slope agrees; its percentage is that \
             slope over the whole time, so that a few wild prices do not move it. A product has the direction that most of its \
             sellers have. ",
        );
    }
    text.push_str("The rows behind this report stand in the workbook, where one was written.");
    text
}
