//! What is there where the request is made? The tables it names with their columns and values,
//! and the folders among its words. Whoever may read files looks before planning; without it
//! a request is read by its words alone.

/// What is known beforehand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    pub tables: Vec<Table>,
    /// Words of the request that are folders, as written.
    pub folders: Vec<String>,
}

/// A table that the request names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// As the request writes it.
    pub file: String,
    pub columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub name: String,
    pub holds: Holds,
    /// The different values of texts and dates, as far as they were looked at.
    pub values: Vec<String>,
    /// Whether a value stands in more than one row.
    pub repeats: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    Numbers,
    /// Written 2026-01-31.
    Dates,
    Texts,
}

impl Column {
    /// Whether its numbers are worth adding up: ids, years and codes are not.
    pub(crate) fn is_measure(&self) -> bool {
        const LABELS: [&str; 11] = [
            "id", "ids", "year", "month", "day", "zip", "code", "number", "no", "nr", "index",
        ];
        let name = self.name.to_lowercase();
        let mut words = name.split(|letter: char| !letter.is_alphanumeric());
        self.holds == Holds::Numbers && !words.any(|word| LABELS.contains(&word))
    }

    /// Whether it is called like a sum of money.
    pub(crate) fn is_money(&self) -> bool {
        const MONEY: [&str; 22] = [
            "amount", "price", "cost", "costs", "total", "revenue", "sales", "value", "salary",
            "pay", "wage", "income", "fee", "budget", "balance", "spend", "spent", "profit",
            "turnover", "payment", "paid", "sum",
        ];
        let name = self.name.to_lowercase();
        let mut words = name.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| MONEY.contains(&word))
    }

    /// Whether a sum of it says something: of prices and ages it does not.
    pub(crate) fn adds_up(&self) -> bool {
        const LEVELS: [&str; 14] = [
            "price",
            "rate",
            "age",
            "score",
            "rating",
            "temperature",
            "percent",
            "share",
            "average",
            "mean",
            "height",
            "weight",
            "speed",
            "margin",
        ];
        let name = self.name.to_lowercase();
        let mut words = name.split(|letter: char| !letter.is_alphanumeric());
        self.is_measure() && !words.any(|word| LEVELS.contains(&word))
    }

    /// Whether it says who a row is about.
    pub(crate) fn is_person(&self) -> bool {
        const PEOPLE: [&str; 14] = [
            "name",
            "customer",
            "person",
            "employee",
            "user",
            "client",
            "buyer",
            "seller",
            "author",
            "student",
            "member",
            "owner",
            "salesperson",
            "player",
        ];
        let name = self.name.to_lowercase();
        let mut words = name.split(|letter: char| !letter.is_alphanumeric());
        let is_id = name.ends_with("id");
        self.holds == Holds::Texts && !is_id && words.any(|word| PEOPLE.contains(&word))
    }
}

/// A name without case, blanks and marks.
pub(crate) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// One and many of the same.
pub(crate) fn singular(name: &str) -> String {
    if let Some(stem) = name.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    match name.strip_suffix('s') {
        Some(one) if one.len() > 2 && !one.ends_with('s') => one.to_owned(),
        _ => name.to_owned(),
    }
}
