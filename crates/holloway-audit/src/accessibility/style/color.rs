//! Which colour is meant, and how well do two of them contrast? Colours as CSS writes
//! them, alpha blending, and the contrast ratio of WCAG 2.2.

mod mix;

use std::sync::LazyLock;

use cssparser::{Parser, Token};

/// Channels from 0 to 255, alpha from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Color {
    pub(crate) red: f32,
    pub(crate) green: f32,
    pub(crate) blue: f32,
    pub(crate) alpha: f32,
}

/// Light of the channels that are whole numbers, as nearly all are.
static WHOLE: LazyLock<[f64; 256]> =
    LazyLock::new(|| std::array::from_fn(|channel| linear(channel as f32)));

/// How much light a channel gives, from 0 to 1.
fn linear(channel: f32) -> f64 {
    let share = f64::from(channel) / 255.0;
    if share <= 0.03928 {
        share / 12.92
    } else {
        ((share + 0.055) / 1.055).powf(2.4)
    }
}

/// What a property for a colour says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    Solid(Color),
    Current,
    /// Something that only a browser can work out.
    Unknown,
}

impl Color {
    pub(crate) const BLACK: Self = Self::rgb(0, 0, 0);
    pub(crate) const WHITE: Self = Self::rgb(255, 255, 255);
    pub(crate) const CLEAR: Self = Self {
        alpha: 0.0,
        ..Self::BLACK
    };

    pub(crate) const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self {
            red: red as f32,
            green: green as f32,
            blue: blue as f32,
            alpha: 1.0,
        }
    }

    /// This colour laid over another.
    pub(crate) fn over(self, below: Self) -> Self {
        let alpha = self.alpha + below.alpha * (1.0 - self.alpha);
        if alpha <= 0.0 {
            return Self::CLEAR;
        }
        let mix = |above: f32, under: f32| {
            ((above * self.alpha + under * below.alpha * (1.0 - self.alpha)) / alpha).round()
        };
        Self {
            red: mix(self.red, below.red),
            green: mix(self.green, below.green),
            blue: mix(self.blue, below.blue),
            alpha,
        }
    }

    pub(crate) fn faded(self, opacity: f32) -> Self {
        Self {
            alpha: self.alpha * opacity,
            ..self
        }
    }

    fn luminance(self) -> f64 {
        let part = |channel: f32| {
            let whole = WHOLE.get(channel as usize);
            let whole = whole.filter(|_| channel >= 0.0 && channel.fract() == 0.0);
            whole.copied().unwrap_or_else(|| linear(channel))
        };
        0.2126 * part(self.red) + 0.7152 * part(self.green) + 0.0722 * part(self.blue)
    }

    /// From 1 (the same) to 21 (black on white).
    pub(crate) fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    pub(crate) fn hex(self) -> String {
        let part = |channel: f32| channel.round().clamp(0.0, 255.0) as u8;
        format!(
            "#{:02x}{:02x}{:02x}",
            part(self.red),
            part(self.green),
            part(self.blue)
        )
    }
}

/// The next component as a colour; none where it is something else.
pub(crate) fn parse(input: &mut Parser) -> Option<Paint> {
    let token = input.next().ok()?.clone();
    match token {
        Token::Hash(value) | Token::IDHash(value) => {
            let (red, green, blue, alpha) =
                cssparser::color::parse_hash_color(value.as_bytes()).ok()?;
            let color = Color::rgb(red, green, blue);
            Some(Paint::Solid(Color { alpha, ..color }))
        }
        Token::Ident(name) => named(&name),
        Token::Function(name) => {
            let name = name.to_ascii_lowercase();
            input
                .parse_nested_block(|input| {
                    let color = function(&name, input);
                    // What was not understood must not make the whole block invalid.
                    while input.next().is_ok() {}
                    Ok::<_, cssparser::ParseError<()>>(color)
                })
                .ok()?
        }
        _ => None,
    }
}

fn named(name: &str) -> Option<Paint> {
    if let Ok((red, green, blue)) = cssparser::color::parse_named_color(name) {
        return Some(Paint::Solid(Color::rgb(red, green, blue)));
    }
    let system = |red, green, blue| Some(Paint::Solid(Color::rgb(red, green, blue)));
    match name.to_ascii_lowercase().as_str() {
        "transparent" => Some(Paint::Solid(Color::CLEAR)),
        "currentcolor" => Some(Paint::Current),
        "canvas" | "field" | "window" | "highlighttext" => system(255, 255, 255),
        "canvastext" | "fieldtext" | "buttontext" | "windowtext" => system(0, 0, 0),
        "buttonface" => system(239, 239, 239),
        "linktext" => system(0, 0, 238),
        "graytext" => system(128, 128, 128),
        _ => None,
    }
}

/// A number in a colour function, with what it is a share of.
#[derive(Clone, Copy)]
enum Part {
    Number(f32),
    Share(f32),
}

impl Part {
    /// The value where 100 % means `whole`.
    fn of(self, whole: f32) -> f32 {
        match self {
            Self::Number(number) => number,
            Self::Share(share) => share * whole,
        }
    }
}

fn function(name: &str, input: &mut Parser) -> Option<Paint> {
    match name {
        "color-mix" => return Some(mix::parse(input).map_or(Paint::Unknown, Paint::Solid)),
        // The window is in a light scheme.
        "light-dark" => return parse(input),
        _ => {}
    }
    let space = (name == "color").then(|| input.expect_ident().map(ToString::to_string));
    let mut parts = Vec::new();
    while let Ok(token) = input.next() {
        match token {
            Token::Number { value, .. } => parts.push(Part::Number(*value)),
            Token::Percentage { unit_value, .. } => parts.push(Part::Share(*unit_value)),
            Token::Dimension { value, unit, .. } => parts.push(Part::Number(degrees(*value, unit))),
            Token::Ident(word) if word.eq_ignore_ascii_case("none") => {
                parts.push(Part::Number(0.0))
            }
            Token::Comma | Token::Delim('/') => {}
            // Relative colours, calculations and mixtures.
            _ => return Some(Paint::Unknown),
        }
        if parts.len() > 4 {
            return None;
        }
    }
    let &[first, second, third, ..] = parts.as_slice() else {
        return Some(Paint::Unknown);
    };
    let alpha = parts.get(3).map_or(1.0, |part| part.of(1.0));
    let [red, green, blue] = match name {
        "rgb" | "rgba" => [first.of(255.0), second.of(255.0), third.of(255.0)],
        "hsl" | "hsla" => from_hsl(first.of(360.0), percent(second), percent(third)),
        "hwb" => from_hwb(first.of(360.0), percent(second), percent(third)),
        "oklab" => from_oklab(first.of(1.0), second.of(0.4), third.of(0.4)),
        "oklch" => {
            let (chroma, hue) = (second.of(0.4), third.of(360.0).to_radians());
            from_oklab(first.of(1.0), chroma * hue.cos(), chroma * hue.sin())
        }
        "color" if space.is_some_and(|space| space.is_ok_and(|space| space == "srgb")) => {
            [first, second, third].map(|part| part.of(1.0) * 255.0)
        }
        _ => return Some(Paint::Unknown),
    };
    Some(Paint::Solid(Color {
        red: red.clamp(0.0, 255.0),
        green: green.clamp(0.0, 255.0),
        blue: blue.clamp(0.0, 255.0),
        alpha: alpha.clamp(0.0, 1.0),
    }))
}

fn degrees(value: f32, unit: &str) -> f32 {
    match unit.to_ascii_lowercase().as_str() {
        "turn" => value * 360.0,
        "rad" => value.to_degrees(),
        "grad" => value * 0.9,
        _ => value,
    }
}

/// Old and new syntax: `50%` and `50` mean the same.
fn percent(part: Part) -> f32 {
    match part {
        Part::Number(number) => number / 100.0,
        Part::Share(share) => share,
    }
}

fn from_hsl(hue: f32, saturation: f32, lightness: f32) -> [f32; 3] {
    let (saturation, lightness) = (saturation.clamp(0.0, 1.0), lightness.clamp(0.0, 1.0));
    let reach = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|shift| {
        let position = (shift + hue.rem_euclid(360.0) / 30.0) % 12.0;
        let wave = (position - 3.0).min(9.0 - position).clamp(-1.0, 1.0);
        ((lightness - reach * wave) * 255.0).round()
    })
}

fn from_hwb(hue: f32, white: f32, black: f32) -> [f32; 3] {
    if white + black >= 1.0 {
        return [(white / (white + black) * 255.0).round(); 3];
    }
    let pure = from_hsl(hue, 1.0, 0.5);
    pure.map(|channel| (channel * (1.0 - white - black) + white * 255.0).round())
}

fn from_oklab(lightness: f32, a: f32, b: f32) -> [f32; 3] {
    let long = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let medium = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let short = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * long - 3.307_711_6 * medium + 0.230_969_94 * short,
        -1.268_438 * long + 2.609_757_4 * medium - 0.341_319_4 * short,
        -0.004_196_086_3 * long - 0.703_418_6 * medium + 1.707_614_7 * short,
    ];
    linear.map(|channel: f32| {
        let curved = if channel <= 0.003_130_8 {
            12.92 * channel
        } else {
            1.055 * channel.powf(1.0 / 2.4) - 0.055
        };
        (curved * 255.0).round()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match parse(&mut Parser::new(text)) {
            Some(Paint::Solid(color)) if color.alpha < 1.0 => {
                format!("{} {:.2}", color.hex(), color.alpha)
            }
            Some(Paint::Solid(color)) => color.hex(),
            other => format!("{other:?}"),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn colours_in_every_notation() {
        check("#fff", "#ffffff");
        check("#0008", "#000000 0.53");
        check("RebeccaPurple", "#663399");
        check("transparent", "#000000 0.00");
        check("currentColor", "Some(Current)");
        check("rgb(10, 20, 30)", "#0a141e");
        check("rgb(10 20 30 / 50%)", "#0a141e 0.50");
        check("rgba(100%, 0%, 0%, .25)", "#ff0000 0.25");
        check("hsl(120, 100%, 25%)", "#008000");
        check("hsl(0.5turn 100% 50%)", "#00ffff");
        check("hwb(0 20% 20%)", "#cc3333");
        check("oklch(62.8% 0.2577 29.23)", "#ff0000");
        check("color(srgb 1 0 0)", "#ff0000");
        check("color-mix(in srgb, red, blue)", "#800080");
        check("color-mix(in srgb, red 25%, white)", "#ffbfbf");
        check("color-mix(in srgb, #000 40%, transparent)", "#000000 0.40");
        check("color-mix(in oklab, white, black)", "#636363");
        check("color-mix(in lch, red, blue)", "Some(Unknown)");
        check("light-dark(#123456, #fff)", "#123456");
        check("rgb(from red r g b)", "Some(Unknown)");
        check("12px", "None");
        check("nonsense", "None");
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        let gray = Color::rgb(0x76, 0x76, 0x76);
        assert!((Color::BLACK.contrast(Color::WHITE) - 21.0).abs() < 1e-9);
        assert!((gray.contrast(Color::WHITE) - 4.54).abs() < 0.01);
        let half = Color::BLACK.faded(0.5).over(Color::WHITE);
        assert_eq!(half.hex(), "#808080");
    }
}
