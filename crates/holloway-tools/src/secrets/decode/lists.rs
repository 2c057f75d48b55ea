//! Which bytes does a list of numbers stand for? `104, 117, 110` in decimal, `150 165 156` in
//! octal, in any brackets and with any separators.

use super::{SHORTEST, View};

pub(super) fn numbers(view: &View) -> Vec<View> {
    let mut found = Vec::new();
    let mut run = Run::default();
    let mut index = 0;
    while let Some(byte) = view.bytes.get(index) {
        let rest = view.bytes.get(index..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            if !is_between(*byte) {
                found.extend(std::mem::take(&mut run).ended());
            }
            index += 1;
            continue;
        }
        let digits = rest.get(..length).unwrap_or_default();
        match view.place(index, index + length - 1) {
            Some(from) if length <= 3 => run.push(digits, from),
            _ => found.extend(std::mem::take(&mut run).ended()),
        }
        index += length;
    }
    found.extend(run.ended());
    found
}

fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || br#",;:-|_[](){}&#"'\/."#.contains(&byte)
}

/// Numbers that follow each other, read in both ways.
#[derive(Default)]
struct Run {
    decimal: View,
    octal: View,
}

impl Run {
    fn push(&mut self, digits: &[u8], from: (usize, usize)) {
        let read = |radix: u32| {
            let mut number = 0_u32;
            for digit in digits {
                number = number * radix + char::from(*digit).to_digit(radix)?;
            }
            u8::try_from(number).ok()
        };
        // What is no byte stands for none that a secret has.
        self.decimal.push(read(10).unwrap_or(0xff), from);
        self.octal.push(read(8).unwrap_or(0xff), from);
    }

    fn ended(self) -> Vec<View> {
        if self.decimal.bytes.len() < SHORTEST {
            return Vec::new();
        }
        vec![self.decimal, self.octal]
    }
}
