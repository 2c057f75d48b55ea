//! May this agent fetch this address? The rules of a robots.txt that count for one
//! agent, by RFC 9309: the longest pattern wins, and allowing wins a tie.

use std::borrow::Cow;
use std::fmt::Write as _;

use reqwest::Url;
use robotstxt::{RobotsParseHandler, parse_robotstxt};

/// More of a file than this is not looked at (RFC 9309, 2.5).
pub(crate) const MAX_BYTES: usize = 500 * 1024;
/// Lines end here; no address is longer.
const MAX_LINE: usize = 8 * 1024;

/// What a robots.txt says to one agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rules {
    all: Vec<Rule>,
    /// Seconds between requests, as far as the file says.
    pub(crate) crawl_delay: Option<f64>,
    pub(crate) sitemaps: Vec<String>,
    /// Did a group name this agent, or only `*`?
    pub(crate) named: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Rule {
    allow: bool,
    /// Spelt like the paths it is compared with.
    pattern: String,
    /// Octets of the pattern: the more, the more it counts.
    length: usize,
    line: u32,
}

/// The rule that decides, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) allowed: bool,
    /// The line of the file and its rule; none where no rule fits.
    pub(crate) rule: Option<(u32, String)>,
}

impl Rules {
    pub(crate) fn read(file: &[u8], agent: &str) -> Self {
        let text = String::from_utf8_lossy(file.get(..MAX_BYTES).unwrap_or(file));
        let text = with_short_lines(text.trim_start_matches('\u{feff}'));
        let mut reader = Reader::new(agent);
        parse_robotstxt(&text, &mut reader);
        reader.rules()
    }

    /// `/robots.txt` itself is always allowed.
    pub(crate) fn verdict(&self, url: &Url) -> Verdict {
        let path = path_of(url);
        let mut best: Option<(usize, &Rule)> = None;
        for rule in self.all.iter().filter(|_| path != "/robots.txt") {
            let Some(length) = rule.length(&path) else {
                continue;
            };
            let wins = best.is_none_or(|(longest, other)| {
                length > longest || (length == longest && rule.allow && !other.allow)
            });
            if wins {
                best = Some((length, rule));
            }
        }
        let written = |rule: &Rule| {
            let word = if rule.allow { "Allow" } else { "Disallow" };
            (rule.line, format!("{word}: {}", rule.pattern))
        };
        Verdict {
            allowed: best.is_none_or(|(_, rule)| rule.allow),
            rule: best.map(|(_, rule)| written(rule)),
        }
    }

    pub(crate) fn allows(&self, url: &Url) -> bool {
        self.verdict(url).allowed
    }
}

impl Rule {
    /// How specific the match is; none where the rule does not fit the path.
    fn length(&self, path: &str) -> Option<usize> {
        // An empty pattern fits nothing.
        if self.pattern.is_empty() {
            return None;
        }
        if fits(path, &self.pattern) {
            return Some(self.length);
        }
        // Who allows the index page means the folder too.
        let (folder, page) = self.pattern.rsplit_once('/')?;
        let folder = format!("{folder}/$");
        let is_index = self.allow && page.starts_with("index.htm");
        (is_index && fits(path, &folder)).then_some(folder.len())
    }
}

/// `*` stands for anything, `$` at the end for the end; otherwise a beginning. Takes
/// time in proportion to both lengths together where there is one `*`, and never
/// more than their product.
fn fits(path: &str, pattern: &str) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return !anchored || rest.is_empty();
    };
    for piece in pieces {
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    if anchored {
        rest.ends_with(last)
    } else {
        rest.contains(last)
    }
}

/// The part of a URL that rules are about, spelt in one way.
fn path_of(url: &Url) -> String {
    let path = match url.query() {
        Some(query) => Cow::Owned(format!("{}?{query}", url.path())),
        None => Cow::Borrowed(url.path()),
    };
    // In a path they stand for themselves, and a rule means them by their escapes.
    spelt_alike(&path).replace('*', "%2A").replace('$', "%24")
}

/// A `$` before the end of a pattern is a character like any other.
fn with_plain_dollars(pattern: &str) -> String {
    match pattern.strip_suffix('$') {
        Some(start) => format!("{}$", start.replace('$', "%24")),
        None => pattern.replace('$', "%24"),
    }
}

/// Escapes what must be escaped, does not escape what need not be, and writes the
/// digits of escapes large (RFC 9309, 2.2.2).
fn spelt_alike(text: &str) -> String {
    let mut spelt = String::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        let escaped = match tail {
            [high, low, ..] if byte == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        let value = match escaped {
            Some((high, low)) => {
                rest = tail.get(2..).unwrap_or_default();
                high * 16 + low
            }
            None => byte,
        };
        let unreserved =
            value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~');
        let plain = unreserved || (escaped.is_none() && value.is_ascii());
        if plain {
            spelt.push(char::from(value));
        } else {
            // Writing into a text cannot fail.
            let _written = write!(spelt, "%{value:02X}");
        }
    }
    spelt
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// The parser counts characters where it cuts long lines, and would cut inside one.
fn with_short_lines(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    for line in text.split(['\n', '\r']) {
        let mut end = line.len().min(MAX_LINE);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        short.push_str(line.get(..end).unwrap_or_default());
        short.push('\n');
    }
    short
}

/// Sorts the lines of a file into those for everyone and those for one agent.
struct Reader<'a> {
    agent: &'a str,
    everyone: Vec<Rule>,
    own: Vec<Rule>,
    delay_everyone: Option<f64>,
    delay_own: Option<f64>,
    sitemaps: Vec<String>,
    named: bool,
    /// Whom the group that is being read is for.
    for_everyone: bool,
    for_own: bool,
    /// A group's agents end where its first rule stands.
    in_rules: bool,
}

impl<'a> Reader<'a> {
    fn new(agent: &'a str) -> Self {
        Self {
            agent: product_token(agent),
            everyone: Vec::new(),
            own: Vec::new(),
            delay_everyone: None,
            delay_own: None,
            sitemaps: Vec::new(),
            named: false,
            for_everyone: false,
            for_own: false,
            in_rules: false,
        }
    }

    fn rules(self) -> Rules {
        let (rules, crawl_delay) = if self.named {
            (self.own, self.delay_own)
        } else {
            (self.everyone, self.delay_everyone)
        };
        Rules {
            all: rules,
            crawl_delay,
            sitemaps: self.sitemaps,
            named: self.named,
        }
    }

    fn add(&mut self, allow: bool, line: u32, pattern: &str) {
        if !self.for_everyone && !self.for_own {
            return;
        }
        self.in_rules = true;
        let pattern = spelt_alike(pattern);
        let rule = Rule {
            allow,
            length: pattern.len(),
            pattern: with_plain_dollars(&pattern),
            line,
        };
        if self.for_own {
            self.own.push(rule);
        } else {
            self.everyone.push(rule);
        }
    }
}

impl RobotsParseHandler for Reader<'_> {
    fn handle_robots_start(&mut self) {}

    fn handle_robots_end(&mut self) {}

    fn handle_user_agent(&mut self, _line: u32, agent: &str) {
        if self.in_rules {
            self.for_everyone = false;
            self.for_own = false;
            self.in_rules = false;
        }
        let rest = agent.strip_prefix('*');
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace)) {
            self.for_everyone = true;
        } else if product_token(agent).eq_ignore_ascii_case(self.agent) && !self.agent.is_empty() {
            self.for_own = true;
            self.named = true;
        }
    }

    fn handle_allow(&mut self, line: u32, pattern: &str) {
        self.add(true, line, pattern);
    }

    fn handle_disallow(&mut self, line: u32, pattern: &str) {
        self.add(false, line, pattern);
    }

    fn handle_sitemap(&mut self, _line: u32, address: &str) {
        // Sitemaps belong to no group, but they end one's list of agents.
        self.in_rules = true;
        if !address.is_empty() {
            self.sitemaps.push(address.to_owned());
        }
    }

    fn handle_unknown_action(&mut self, _line: u32, action: &str, value: &str) {
        self.in_rules = true;
        if !action.eq_ignore_ascii_case("crawl-delay") {
            return;
        }
        let seconds = value.parse::<f64>().ok();
        let seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        if self.for_own {
            self.delay_own = self.delay_own.or(seconds);
        } else if self.for_everyone {
            self.delay_everyone = self.delay_everyone.or(seconds);
        }
    }
}

/// `Holloway/2.1 (+https://…)` is known by `Holloway`.
pub(crate) fn product_token(agent: &str) -> &str {
    let end = agent.find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'));
    agent.get(..end.unwrap_or(agent.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests;
