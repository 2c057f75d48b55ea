//! How is a style sheet read? Level by level: the top, the inside of a condition, or of a rule.

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser,
};

use super::super::{media, value};
use super::{Declaration, Kind, Sheet};

/// Reads one level of a sheet: the top, the inside of a condition, or of a rule.
pub(super) struct Reader<'s> {
    sheet: &'s mut Sheet,
    layer: u16,
    /// The selector around, in which declarations may stand.
    parent: Option<String>,
    pub(super) declarations: Vec<Declaration>,
}

impl<'s> Reader<'s> {
    pub(super) fn new(sheet: &'s mut Sheet, layer: u16, parent: Option<String>) -> Self {
        Self {
            sheet,
            layer,
            parent,
            declarations: Vec::new(),
        }
    }

    /// The selector with what `&` stands for.
    fn resolve(&self, selector: &str) -> String {
        match &self.parent {
            Some(parent) if selector.contains('&') => {
                selector.replace('&', &format!(":is({parent})"))
            }
            Some(parent) => format!(":is({parent}) {}", selector.trim()),
            None => selector.to_owned(),
        }
    }
}

/// All that is left of the input, as it is written.
fn rest<'i>(input: &mut Parser<'i>) -> &'i str {
    let start = input.position();
    while input.next().is_ok() {}
    input.slice_from(start).trim()
}

pub(super) enum Condition {
    Holds,
    Fails,
    Layer(String),
}

type Fault = ParseError<()>;

impl<'i> AtRuleParser<'i> for Reader<'_> {
    type Prelude = Condition;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<Condition, Fault> {
        let text = rest(input);
        Ok(match name.to_ascii_lowercase().as_str() {
            "media" if media::holds(text) => Condition::Holds,
            // What a sheet asks for is nearly always there by now.
            "supports" if !text.trim_start().starts_with("not") => Condition::Holds,
            "layer" => Condition::Layer(text.to_owned()),
            _ => Condition::Fails,
        })
    }

    fn rule_without_block(&mut self, prelude: Condition, _: &ParserState) -> Result<(), ()> {
        if let Condition::Layer(names) = prelude {
            for name in names.split(',') {
                self.sheet.layer(name.trim());
            }
        }
        Ok(())
    }

    fn parse_block(
        &mut self,
        prelude: Condition,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), Fault> {
        let layer = match prelude {
            Condition::Holds => self.layer,
            Condition::Fails => return Ok(()),
            Condition::Layer(name) => self.sheet.layer(&name),
        };
        let mut inner = Reader::new(self.sheet, layer, self.parent.clone());
        for _ in RuleBodyParser::new(input, &mut inner) {}
        let declarations = inner.declarations;
        self.declarations.extend(declarations);
        Ok(())
    }
}

impl<'i> QualifiedRuleParser<'i> for Reader<'_> {
    type Prelude = String;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<String, Fault> {
        let selector = self.resolve(rest(input));
        // Nesting can double the selector at every level.
        if selector.len() > 20_000 {
            return Err(ParseError::custom(()));
        }
        Ok(selector)
    }

    fn parse_block(
        &mut self,
        selector: String,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), Fault> {
        self.sheet.order += 1;
        let order = self.sheet.order;
        let mut inner = Reader::new(self.sheet, self.layer, Some(selector));
        for _ in RuleBodyParser::new(input, &mut inner) {}
        let declarations = inner.declarations;
        let selector = inner.parent.unwrap_or_default();
        self.sheet.add(&selector, declarations, self.layer, order);
        Ok(())
    }
}

impl<'i> DeclarationParser<'i> for Reader<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<(), Fault> {
        let property = value::property(&name);
        let custom = name.starts_with("--");
        if property.is_none() && !custom {
            return Err(ParseError::custom(()));
        }
        let (text, important) = without_important(rest(input));
        let kinds = match property {
            None => vec![Kind::Variable(name.to_string(), text.to_owned())],
            Some(property) if text.contains("var(") => {
                vec![Kind::Pending(property, text.to_owned())]
            }
            Some(property) => {
                let values = value::parse(property, &mut Parser::new(text));
                values.into_iter().map(Kind::Known).collect()
            }
        };
        let declarations = kinds
            .into_iter()
            .map(|kind| Declaration { kind, important });
        self.declarations.extend(declarations);
        Ok(())
    }
}

impl RuleBodyItemParser<'_, (), ()> for Reader<'_> {
    fn parse_declarations(&self) -> bool {
        self.parent.is_some()
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

fn without_important(text: &str) -> (&str, bool) {
    match text.rsplit_once('!') {
        Some((value, word)) if word.trim().eq_ignore_ascii_case("important") => {
            (value.trim(), true)
        }
        _ => (text, false),
    }
}
