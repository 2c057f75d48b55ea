//! Are prices found in many notations, and only prices? A case is a text and what is in
//! it: kind unless plain, amount, currency, unit, and `?` where it is flagged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use holloway_data::price::{Decimal, Hints, PriceKind, extract};

fn shown(text: &str, hints: &Hints) -> String {
    let prices = extract(text, &[], hints).unwrap();
    let one = |price: &holloway_data::price::Price| {
        let kind = match price.kind {
            PriceKind::Price => String::new(),
            kind => format!("{kind:?} ").to_lowercase(),
        };
        let currency = price.currency.as_deref().unwrap_or("-");
        let per = price
            .per
            .as_ref()
            .map(|per| format!("/{per}"))
            .unwrap_or_default();
        let flag = if price.ambiguous { " ?" } else { "" };
        format!("{kind}{} {currency}{per}{flag}", price.amount)
    };
    prices.iter().map(one).collect::<Vec<_>>().join(", ")
}

const FOUND: [(&str, &str); 116] = [
    ("€ 1.234,56", "1234.56 EUR"),
    ("$1,234.56", "1234.56 USD"),
    ("1 234,56 kr", "1234.56 - ?"),
    ("1 234,56 SEK", "1234.56 SEK"),
    ("12.99 USD", "12.99 USD"),
    ("USD 12.99", "12.99 USD"),
    ("GBP 5", "5 GBP"),
    ("£5", "5 GBP"),
    ("19,–", "19 - ?"),
    ("19,– €", "19 EUR"),
    ("CHF 19.-", "19 CHF"),
    ("Fr. 19.90", "19.9 CHF"),
    ("CHF 1'234.50", "1234.5 CHF"),
    ("from $9.99", "from 9.99 USD"),
    ("ab 9,99 €", "from 9.99 EUR"),
    ("Starting at £20", "from 20 GBP"),
    ("was $20 now $15", "was 20 USD, now 15 USD"),
    ("was 20, now 15", "was 20 - ?, now 15 - ?"),
    (
        "statt 29,99 € jetzt 19,99 €",
        "was 29.99 EUR, now 19.99 EUR",
    ),
    ("UVP 59,95 €", "was 59.95 EUR"),
    ("RRP: £49.99", "was 49.99 GBP"),
    ("Now only: 5 €", "now 5 EUR"),
    ("2,99 €/kg", "2.99 EUR/kg"),
    ("2,99 € / kg", "2.99 EUR/kg"),
    ("$4.50 per lb", "4.5 USD/lb"),
    ("0,89 € je 100 g", "0.89 EUR/100 g"),
    ("$10/month", "10 USD/month"),
    ("9.99 EUR pro Monat", "9.99 EUR/monat"),
    ("$3 each", "3 USD/each"),
    ("$5-$10", "low 5 USD, high 10 USD"),
    ("$5–10", "low 5 USD, high 10 USD"),
    ("5–10 €", "low 5 EUR, high 10 EUR"),
    ("$5-10", "low 5 USD, high 10 USD"),
    ("$5-10, or $12", "low 5 USD, high 10 USD, 12 USD"),
    ("$1,000-2,500.50", "low 1000 USD, high 2500.5 USD"),
    ("€5 - 10", "low 5 EUR, high 10 EUR"),
    ("5-10 €", "low 5 EUR, high 10 EUR"),
    ("5–10€ each", "low 5 EUR, high 10 EUR/each"),
    ("5 €-10 €", "low 5 EUR, high 10 EUR"),
    ("$5-10-2024", "5 USD"),
    ("10 to 20 EUR", "low 10 EUR, high 20 EUR"),
    ("from 5 to 10 €", "low 5 EUR, high 10 EUR"),
    ("1.234 €", "1234 EUR ?"),
    ("1,234 USD", "1234 USD ?"),
    ("1.234 € oder 9,99 €", "1234 EUR, 9.99 EUR"),
    ("1.459 € der Liter, sonst 9.99 €", "1.459 EUR ?, 9.99 EUR"),
    ("¥1,500", "1500 JPY"),
    ("1.500 Ft", "1500 HUF"),
    ("1.234.567 €", "1234567 EUR"),
    ("$1,234,567.89", "1234567.89 USD"),
    ("0.125 EUR", "0.125 EUR"),
    ("R$ 1.234,56", "1234.56 BRL"),
    ("US$ 12", "12 USD"),
    ("A$12.50", "12.5 AUD"),
    ("C$ 9.99", "9.99 CAD"),
    ("HK$100", "100 HKD"),
    ("$12 USD", "12 USD"),
    ("$12 CAD and $15", "12 CAD, 15 CAD"),
    ("12,50 zł", "12.5 PLN"),
    ("499 Kč", "499 CZK"),
    ("₹ 1,499.00", "1499 INR"),
    ("Rs. 500", "500 INR"),
    ("₩15,000", "15000 KRW"),
    ("1 500 ₽", "1500 RUB"),
    ("25 лв", "25 BGN"),
    ("99 lei", "99 RON"),
    ("5 euros", "5 EUR"),
    ("20 dollars", "20 USD"),
    ("5 € 10 €", "5 EUR, 10 EUR"),
    ("$5 $10", "5 USD, 10 USD"),
    ("Total 3 items: $45.00.", "45 USD"),
    ("save $5", "saving 5 USD"),
    ("$5 off", "saving 5 USD"),
    ("Price: 12.99", "12.99 - ?"),
    ("Preis 12,99, Versand 4,99 €", "12.99 EUR ?, 4.99 EUR"),
    ("$5 million", "5000000 USD"),
    ("€1.2bn", "1200000000 EUR"),
    ("$5k", "5000 USD"),
    ("(EUR 7.50)", "7.5 EUR"),
    ("-€3.50", "-3.5 EUR"),
    ("EUR5", "5 EUR"),
    ("\u{202f}1\u{202f}299,00\u{a0}€", "1299 EUR"),
    ("12€50", "12.5 EUR"),
    ("12€50/kg", "12.5 EUR/kg"),
    ("$-5 to $-3", "low -5 USD, high -3 USD"),
    ("price: -5", "-5 - ?"),
    ("-5 to 10 €", "low -5 EUR, high 10 EUR"),
    ("5€-10€", "low 5 EUR, high 10 EUR"),
    ("save 20% $50", "50 USD"),
    ("EUR -12.50", "-12.5 EUR"),
    ("$20 10:30", "20 USD"),
    ("5€10€", "5 EUR, 10 EUR"),
    ("20% off $50", "50 USD"),
    ("€-3.50", "-3.5 EUR"),
    ("−5 €", "-5 EUR"),
    ("refund: -$20.00", "-20 USD"),
    ("5 € -10 €", "low 5 EUR, high 10 EUR"),
    ("$19 99", "19 USD ?"),
    ("$19 99 pieces", "19 USD"),
    ("₹1,23,456.78", "123456.78 INR"),
    ("Rs. 1,23,456.00", "123456 INR"),
    ("299:-", "299 - ?"),
    ("12.-", "12 - ?"),
    ("5.–", "5 - ?"),
    ("$.99", "0.99 USD"),
    ("USD$5", "5 USD"),
    ("AUD$7.50", "7.5 AUD"),
    ("zł 12,34", "12.34 PLN"),
    ("1,000,000₫", "1000000 VND"),
    ("Rp 15.000", "15000 IDR"),
    ("Rp. 15.000", "15000 IDR"),
    ("50¢", "0.5 USD"),
    ("57 ¢", "0.57 USD"),
    ("99p", "0.99 GBP ?"),
    ("￥１，２００", "1200 JPY"),
    ("１２８０円", "1280 JPY"),
];

/// Not one of these names a price.
const NOTHING: [&str; 52] = [
    "12.05.2024",
    "2024-05-12",
    "05/12/2024",
    "+49 30 1234567",
    "030 / 123 45 67",
    "(555) 123-4567",
    "v1.2.3",
    "version 10.15.7",
    "192.168.0.1",
    "20 %",
    "20%",
    "20.5 percent",
    "was 20 years old",
    "now 15 minutes",
    "from 9 to 5",
    "between 10 and 20",
    "12:30",
    "12.30 Uhr",
    "page 12",
    "#1234",
    "ISBN 978-3-16-148410-0",
    "1234567890123456 EUR",
    "3 x 5",
    "5 ft",
    "100 kg",
    "1080p",
    "10 krimis",
    "EURO 2024",
    "EUROPE 24",
    "audit 5",
    "save 20%",
    "1.2.3 €",
    "var$5",
    "Chapter 3. Krieg",
    "5G network",
    "room 12a",
    "36.6 °C",
    "a 24\" screen",
    "1/2 cup",
    "50 pounds of flour",
    "in 1999, the",
    "score 3-2",
    "720p",
    "1.- First",
    "12.– 14. May",
    "12.-14. May",
    "EUR-5 pallet",
    "5:-)",
    "p. 12-14",
    "version 1.99p",
    "xUSD$5",
    "section .99",
];

#[test]
fn prices_are_found() {
    for (text, expected) in FOUND {
        assert_eq!(shown(text, &Hints::default()), expected, "{text}");
    }
}

#[test]
fn what_is_no_price_is_left_alone() {
    for text in NOTHING {
        assert_eq!(shown(text, &Hints::default()), "", "{text}");
    }
}

#[test]
fn hints_decide_what_the_text_leaves_open() {
    let with = |currency: Option<&str>, decimal| Hints {
        currency: currency.map(str::to_owned),
        decimal,
    };
    for (text, hints, expected) in [
        ("1.234 €", with(None, Some(Decimal::Comma)), "1234 EUR"),
        ("1.234 €", with(None, Some(Decimal::Point)), "1.234 EUR"),
        ("1,234 €", with(None, Some(Decimal::Comma)), "1.234 EUR"),
        ("99 kr", with(Some("DKK"), None), "99 DKK"),
        ("$99", with(Some("AUD"), None), "99 AUD"),
        ("¥99", with(Some("CNY"), None), "99 CNY"),
        ("£99", with(Some("AUD"), None), "99 GBP"),
        ("19,–", with(Some("EUR"), None), "19 EUR"),
    ] {
        assert_eq!(shown(text, &hints), expected, "{text}");
    }
    let unknown = extract("5", &[], &with(Some("XXX"), None)).unwrap_err();
    assert_eq!(unknown.message, "`XXX` is no currency known here");
}

#[test]
fn places_are_counted_in_characters() {
    let text = "Größe: 5 €/kg, also £7";
    let prices = extract(text, &[], &Hints::default()).unwrap();
    let cut = |from: usize, to: usize| text.chars().skip(from).take(to - from).collect::<String>();
    let found: Vec<_> = prices
        .iter()
        .map(|price| cut(price.start, price.end))
        .collect();
    assert_eq!(found, ["5 €/kg", "£7"]);
    let written = |text: &str| {
        let prices = extract(text, &[], &Hints::default()).unwrap();
        let texts = prices.into_iter().map(|price| price.text);
        texts.collect::<Vec<_>>()
    };
    assert_eq!(written("5€10€ 12€50"), ["5€", "10€", "12€50"]);
    assert_eq!(
        written("$.99, -€3, €-4, USD$5, 50¢, 7:-"),
        ["$.99", "-€3", "€-4", "USD$5", "50¢", "7:-"]
    );
}

#[test]
fn what_is_crossed_out_was_the_price() {
    let prices = extract(
        "20 € 15 €",
        std::slice::from_ref(&(0..6)),
        &Hints::default(),
    )
    .unwrap();
    let kinds: Vec<_> = prices.iter().map(|price| price.kind).collect();
    assert_eq!(kinds, [PriceKind::Was, PriceKind::Price]);
}

#[test]
fn wide_digits_keep_their_places() {
    let text = "定価 ￥１，２００ 特価 ￥９８０";
    let old = text.find('￥').unwrap();
    let span = old..old + 18;
    let prices = extract(text, std::slice::from_ref(&span), &Hints::default()).unwrap();
    let found: Vec<_> = prices
        .iter()
        .map(|price| (price.text.as_str(), price.kind, price.start, price.end))
        .collect();
    assert_eq!(
        found,
        [
            ("￥１，２００", PriceKind::Was, 3, 9),
            ("￥９８０", PriceKind::Price, 13, 17)
        ]
    );
}

#[test]
fn hostile_texts_end() {
    let digits = "1 234 ".repeat(20_000);
    extract(&digits, &[], &Hints::default()).unwrap();
    for group in [" 234", "'234", ",234", ".2", " 2345"] {
        let long = format!("1{}", group.repeat(40_000));
        assert_eq!(extract(&long, &[], &Hints::default()).unwrap(), []);
        extract(&format!("{long}5 €"), &[], &Hints::default()).unwrap();
    }
    let marks = "$€£".repeat(20_000);
    assert_eq!(extract(&marks, &[], &Hints::default()).unwrap(), []);
    let many = "5 € ".repeat(20_001);
    assert!(
        extract(&many, &[], &Hints::default())
            .unwrap_err()
            .message
            .contains("more than")
    );
    let long = "x".repeat(5 * 1024 * 1024);
    assert!(extract(&long, &[], &Hints::default()).is_err());
}
