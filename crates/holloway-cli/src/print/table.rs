//! How do lines of words line up? Columns as wide as their widest cell, two
//! spaces apart, nothing at the end of a line.

use console::measure_text_width;

use super::paint::Paint;

/// Rows under a heading.
pub(crate) fn table<const N: usize>(
    heading: [&str; N],
    rows: &[[String; N]],
    paint: Paint,
) -> String {
    lines(
        &heading.map(str::to_owned),
        rows.iter().map(<[String; N]>::as_slice),
        paint,
    )
}

/// The same where the columns are known only now.
pub(crate) fn columns(heading: &[String], rows: &[Vec<String>], paint: Paint) -> String {
    lines(heading, rows.iter().map(Vec::as_slice), paint)
}

fn lines<'a>(
    heading: &[String],
    rows: impl Iterator<Item = &'a [String]> + Clone,
    paint: Paint,
) -> String {
    let mut widths: Vec<usize> = heading
        .iter()
        .map(|word| measure_text_width(word))
        .collect();
    for row in rows.clone() {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(measure_text_width(cell));
        }
    }
    let heading: Vec<String> = heading.iter().map(|word| paint.dim(word)).collect();
    let heading = std::iter::once(fit(line(&heading, &widths)));
    heading
        .chain(rows.map(|row| fit(line(row, &widths))))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A line that a terminal would break is cut; whatever reads a pipe gets all of it.
fn fit(line: String) -> String {
    let terminal = console::Term::stdout();
    // Colours would count as letters, and painted lines are short.
    if !terminal.is_term() || line.contains('\u{1b}') {
        return line;
    }
    let (_, width) = terminal.size();
    console::truncate_str(&line, usize::from(width), "…").into_owned()
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        line.push_str(cell);
        let gap = width.saturating_sub(measure_text_width(cell)) + 2;
        line.extend(std::iter::repeat_n(' ', gap));
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_the_letters_are() {
        let rows = [
            ["é✓".to_owned(), "b".to_owned()],
            ["long one".to_owned(), String::new()],
        ];
        let shown = table(["a", "b"], &rows, Paint::off());
        assert_eq!(shown, "a         b\né✓        b\nlong one");
    }
}
