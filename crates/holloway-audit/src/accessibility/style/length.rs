//! How long is a length in pixels? Sizes as CSS writes them, with `calc`, `min`, `max`
//! and `clamp`, measured in a window of a usual width.

use cssparser::{Parser, Token};

/// The window that media queries and viewport units are measured by.
pub(crate) const WIDTH: f32 = 1280.0;
pub(crate) const HEIGHT: f32 = 720.0;

/// A size that still depends on the font around it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Length {
    Sum {
        px: f32,
        em: f32,
        rem: f32,
        share: f32,
    },
    Least(Vec<Length>),
    Most(Vec<Length>),
}

impl Length {
    pub(crate) const ZERO: Self = Self::px(0.0);

    pub(crate) const fn px(px: f32) -> Self {
        Self::Sum {
            px,
            em: 0.0,
            rem: 0.0,
            share: 0.0,
        }
    }

    /// In pixels, where `em`, `rem` and 100 % are these.
    pub(crate) fn resolve(&self, em_px: f32, rem_px: f32, whole: f32) -> f32 {
        let resolved = |length: &Self| length.resolve(em_px, rem_px, whole);
        match self {
            Self::Sum { px, em, rem, share } => px + em * em_px + rem * rem_px + share * whole,
            Self::Least(all) => all.iter().map(resolved).fold(f32::INFINITY, f32::min),
            Self::Most(all) => all.iter().map(resolved).fold(f32::NEG_INFINITY, f32::max),
        }
    }

    fn scaled(self, factor: f32) -> Option<Self> {
        match self {
            Self::Sum { px, em, rem, share } => Some(Self::Sum {
                px: px * factor,
                em: em * factor,
                rem: rem * factor,
                share: share * factor,
            }),
            _ => None,
        }
    }

    fn plus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (
                Self::Sum { px, em, rem, share },
                Self::Sum {
                    px: more_px,
                    em: more_em,
                    rem: more_rem,
                    share: more_share,
                },
            ) => Some(Self::Sum {
                px: px + more_px,
                em: em + more_em,
                rem: rem + more_rem,
                share: share + more_share,
            }),
            _ => None,
        }
    }
}

/// The next component as a length; none where it is something else.
pub(crate) fn parse(input: &mut Parser) -> Option<Length> {
    match term(input)? {
        Term::Length(length) => Some(length),
        Term::Number(0.0) => Some(Length::ZERO),
        Term::Number(_) => None,
    }
}

enum Term {
    Number(f32),
    Length(Length),
}

fn term(input: &mut Parser) -> Option<Term> {
    match input.next().ok()?.clone() {
        Token::Number { value, .. } => Some(Term::Number(value)),
        Token::Percentage { unit_value, .. } => Some(Term::Length(Length::Sum {
            px: 0.0,
            em: 0.0,
            rem: 0.0,
            share: unit_value,
        })),
        Token::Dimension { value, unit, .. } => dimension(value, &unit).map(Term::Length),
        Token::ParenthesisBlock => nested(input, sum),
        Token::Function(name) => match name.to_ascii_lowercase().as_str() {
            "calc" => nested(input, sum),
            "min" => nested(input, |input| {
                list(input).map(Length::Least).map(Term::Length)
            }),
            "max" => nested(input, |input| {
                list(input).map(Length::Most).map(Term::Length)
            }),
            "clamp" => nested(input, |input| {
                let mut parts = list(input)?.into_iter();
                let (low, middle, high) = (parts.next()?, parts.next()?, parts.next()?);
                let upper = Length::Least(vec![middle, high]);
                Some(Term::Length(Length::Most(vec![low, upper])))
            }),
            _ => None,
        },
        _ => None,
    }
}

fn nested<T>(input: &mut Parser, inner: impl FnOnce(&mut Parser) -> Option<T>) -> Option<T> {
    let parsed = input.parse_nested_block(|input| Ok::<_, cssparser::ParseError<()>>(inner(input)));
    parsed.ok().flatten()
}

fn list(input: &mut Parser) -> Option<Vec<Length>> {
    let mut lengths = Vec::new();
    loop {
        match sum(input)? {
            Term::Length(length) => lengths.push(length),
            Term::Number(0.0) => lengths.push(Length::ZERO),
            Term::Number(_) => return None,
        }
        if input.expect_comma().is_err() || lengths.len() > 16 {
            return Some(lengths);
        }
    }
}

fn sum(input: &mut Parser) -> Option<Term> {
    let mut total = product(input)?;
    loop {
        let before = input.state();
        let sign = match input.next() {
            Ok(Token::Delim('+')) => 1.0,
            Ok(Token::Delim('-')) => -1.0,
            _ => {
                input.reset(&before);
                return Some(total);
            }
        };
        total = match (total, product(input)?) {
            (Term::Number(one), Term::Number(two)) => Term::Number(one + sign * two),
            (Term::Length(one), Term::Length(two)) => Term::Length(one.plus(two.scaled(sign)?)?),
            _ => return None,
        };
    }
}

fn product(input: &mut Parser) -> Option<Term> {
    let mut total = term(input)?;
    loop {
        let before = input.state();
        let times = match input.next() {
            Ok(Token::Delim('*')) => true,
            Ok(Token::Delim('/')) => false,
            _ => {
                input.reset(&before);
                return Some(total);
            }
        };
        total = match (total, term(input)?, times) {
            (Term::Number(one), Term::Number(two), true) => Term::Number(one * two),
            (Term::Number(one), Term::Number(two), false) => Term::Number(one / two),
            (Term::Length(one), Term::Number(two), true)
            | (Term::Number(two), Term::Length(one), true) => Term::Length(one.scaled(two)?),
            (Term::Length(one), Term::Number(two), false) => Term::Length(one.scaled(1.0 / two)?),
            _ => return None,
        };
    }
}

fn dimension(value: f32, unit: &str) -> Option<Length> {
    let sum = |px, em, rem| Length::Sum {
        px,
        em,
        rem,
        share: 0.0,
    };
    let px = |px| Some(sum(px, 0.0, 0.0));
    match unit.to_ascii_lowercase().as_str() {
        "px" => px(value),
        "pt" => px(value * 4.0 / 3.0),
        "pc" => px(value * 16.0),
        "in" => px(value * 96.0),
        "cm" => px(value * 96.0 / 2.54),
        "mm" => px(value * 9.6 / 2.54),
        "em" => Some(sum(0.0, value, 0.0)),
        "ex" | "ch" => Some(sum(0.0, value * 0.5, 0.0)),
        "rem" => Some(sum(0.0, 0.0, value)),
        "vw" | "svw" | "lvw" | "dvw" | "vi" => px(value * WIDTH / 100.0),
        "vh" | "svh" | "lvh" | "dvh" | "vb" => px(value * HEIGHT / 100.0),
        "vmin" => px(value * HEIGHT / 100.0),
        "vmax" => px(value * WIDTH / 100.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<f32>) {
        let length = parse(&mut Parser::new(text));
        let pixels = length.map(|length| length.resolve(20.0, 16.0, 100.0));
        assert_eq!(pixels, expected, "{text}");
    }

    #[test]
    fn lengths_become_pixels() {
        check("12px", Some(12.0));
        check("0", Some(0.0));
        check("3", None);
        check("12pt", Some(16.0));
        check("1.5em", Some(30.0));
        check("2rem", Some(32.0));
        check("50%", Some(50.0));
        check("10vw", Some(128.0));
        check("calc(1rem + 2px * 3)", Some(22.0));
        check("calc((1rem + 4px) / 2)", Some(10.0));
        check("min(10px, 1em)", Some(10.0));
        check("clamp(10px, 5em, 40px)", Some(40.0));
        check("auto", None);
        check("calc(1px * 1px)", None);
    }
}
