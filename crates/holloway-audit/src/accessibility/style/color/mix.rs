//! Which colour does `color-mix()` make? Mixing in sRGB and Oklab, which sheets use for
//! shades; other spaces are left to the browser.

use cssparser::{Parser, Token};

use super::{Color, Paint, from_oklab};

/// What is inside the parentheses: `in srgb, red 30%, white`.
pub(super) fn parse(input: &mut Parser) -> Option<Color> {
    input.expect_ident_matching("in").ok()?;
    let space = input.expect_ident().ok()?.to_ascii_lowercase();
    input.expect_comma().ok()?;
    let (first, first_share) = part(input)?;
    input.expect_comma().ok()?;
    let (second, second_share) = part(input)?;
    let (one, two) = match (first_share, second_share) {
        (None, None) => (0.5, 0.5),
        (Some(one), None) => (one, 1.0 - one),
        (None, Some(two)) => (1.0 - two, two),
        (Some(one), Some(two)) => (one, two),
    };
    let sum = one + two;
    if sum <= 0.0 {
        return None;
    }
    let mixed = match space.as_str() {
        "srgb" => blend(first, second, one / sum, two / sum, plain, |channels| {
            channels
        }),
        "oklab" | "oklch" => blend(
            first,
            second,
            one / sum,
            two / sum,
            to_oklab,
            |[l, a, b]| from_oklab(l, a, b),
        ),
        _ => return None,
    };
    Some(mixed.faded(sum.min(1.0)))
}

/// A colour with its share, which may stand on either side.
fn part(input: &mut Parser) -> Option<(Color, Option<f32>)> {
    let before = share(input);
    let Paint::Solid(color) = super::parse(input)? else {
        return None;
    };
    let after = share(input);
    Some((color, before.or(after)))
}

fn share(input: &mut Parser) -> Option<f32> {
    let start = input.state();
    if let Ok(Token::Percentage { unit_value, .. }) = input.next() {
        return Some(unit_value.clamp(0.0, 1.0));
    }
    input.reset(&start);
    None
}

/// Channels weighed by alpha, so that a transparent part adds no colour of its own.
fn blend(
    first: Color,
    second: Color,
    one: f32,
    two: f32,
    into: fn(Color) -> [f32; 3],
    back: fn([f32; 3]) -> [f32; 3],
) -> Color {
    let alpha = first.alpha * one + second.alpha * two;
    if alpha <= 0.0 {
        return Color::CLEAR;
    }
    let (first_part, second_part) = (first.alpha * one / alpha, second.alpha * two / alpha);
    let mut mixed = into(first).map(|channel| channel * first_part);
    for (channel, other) in mixed.iter_mut().zip(into(second)) {
        *channel += other * second_part;
    }
    let [red, green, blue] = back(mixed).map(|channel| channel.round().clamp(0.0, 255.0));
    Color {
        red,
        green,
        blue,
        alpha,
    }
}

fn plain(color: Color) -> [f32; 3] {
    [color.red, color.green, color.blue]
}

fn to_oklab(color: Color) -> [f32; 3] {
    let [red, green, blue] = plain(color).map(|channel| {
        let share = channel / 255.0;
        if share <= 0.040_45 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    });
    let long = (0.412_221_46 * red + 0.536_332_55 * green + 0.051_445_995 * blue).cbrt();
    let medium = (0.211_903_5 * red + 0.680_699_5 * green + 0.107_396_96 * blue).cbrt();
    let short = (0.088_302_46 * red + 0.281_718_85 * green + 0.629_978_7 * blue).cbrt();
    [
        0.210_454_26 * long + 0.793_617_8 * medium - 0.004_072_047 * short,
        1.977_998_5 * long - 2.428_592_2 * medium + 0.450_593_7 * short,
        0.025_904_037 * long + 0.782_771_77 * medium - 0.808_675_77 * short,
    ]
}
