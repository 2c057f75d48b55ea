//! Which letters look like others? Folds styled and foreign letters to the Latin
//! ones they can be taken for.

/// The Latin letter a character can be taken for, else the character in lower case.
pub(super) fn folded(c: char) -> char {
    let plain = styled(c).unwrap_or(c);
    let lower = plain.to_lowercase().next().unwrap_or(plain);
    twin(lower).unwrap_or(lower)
}

/// Is it a letter of another script that looks Latin?
pub(super) fn is_twin(c: char) -> bool {
    let lower = c.to_lowercase().next().unwrap_or(c);
    styled(c).is_some() || twin(lower).is_some()
}

/// Letters made for mathematics, full width, in circles and squares.
fn styled(c: char) -> Option<char> {
    let code = c as u32;
    let letter = |index: u32| char::from_u32(u32::from(b'a') + index % 26);
    match code {
        // Capitals and small letters take turns, 26 each.
        0x1D400..=0x1D6A3 => letter(code - 0x1D400),
        0x1D7CE..=0x1D7FF => char::from_u32(u32::from(b'0') + (code - 0x1D7CE) % 10),
        0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0),
        0x24B6..=0x24E9 => letter(code - 0x24B6),
        0x249C..=0x24B5 => letter(code - 0x249C),
        0x1F130..=0x1F149 => letter(code - 0x1F130),
        0x1F150..=0x1F169 => letter(code - 0x1F150),
        0x1F170..=0x1F189 => letter(code - 0x1F170),
        0x1F1E6..=0x1F1FF => letter(code - 0x1F1E6),
        0x210A..=0x2134 => letterlike(c),
        _ => None,
    }
}

fn letterlike(c: char) -> Option<char> {
    Some(match c {
        'ℊ' => 'g',
        'ℋ' | 'ℌ' | 'ℍ' | 'ℎ' => 'h',
        'ℐ' | 'ℑ' => 'i',
        'ℒ' | 'ℓ' => 'l',
        'ℕ' => 'n',
        'ℙ' => 'p',
        'ℚ' => 'q',
        'ℛ' | 'ℜ' | 'ℝ' => 'r',
        'ℤ' | 'ℨ' => 'z',
        'ℬ' => 'b',
        'ℭ' => 'c',
        'ℯ' | 'ℰ' => 'e',
        'ℱ' => 'f',
        'ℳ' => 'm',
        'ℴ' => 'o',
        _ => return None,
    })
}

/// Cyrillic, Greek, Armenian and small-capital letters, in lower case.
fn twin(c: char) -> Option<char> {
    Some(match c {
        'а' | 'α' | 'ɑ' | 'ᴀ' => 'a',
        'ь' | 'ʙ' | 'в' | 'β' => 'b',
        'с' | 'ϲ' | 'ᴄ' => 'c',
        'ԁ' | 'ᴅ' | 'ɗ' => 'd',
        'е' | 'ε' | 'ҽ' | 'ᴇ' | 'є' => 'e',
        'ғ' | 'ƒ' => 'f',
        'ɡ' | 'ɢ' | 'ց' => 'g',
        'һ' | 'ʜ' | 'հ' | 'н' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' | 'ɪ' | 'ⅰ' => 'i',
        'ј' | 'ϳ' | 'ᴊ' => 'j',
        'к' | 'κ' | 'ᴋ' => 'k',
        'ӏ' | 'ʟ' | 'ⅼ' | 'ǀ' => 'l',
        'м' | 'ᴍ' | 'ⅿ' => 'm',
        'ո' | 'ɴ' | 'η' | 'ռ' => 'n',
        'о' | 'ο' | 'օ' | 'ᴏ' | 'σ' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ԛ' | 'զ' => 'q',
        'ʀ' | 'г' => 'r',
        'ѕ' | 'ꜱ' | 'ʂ' => 's',
        'т' | 'τ' | 'ᴛ' => 't',
        'υ' | 'ս' | 'ᴜ' | 'μ' => 'u',
        'ѵ' | 'ν' | 'ᴠ' | 'ⅴ' => 'v',
        'ԝ' | 'ω' | 'ᴡ' | 'ա' => 'w',
        'х' | 'χ' | 'ⅹ' => 'x',
        'у' | 'γ' | 'ʏ' | 'ү' => 'y',
        'ᴢ' | 'ʐ' => 'z',
        _ => return None,
    })
}

/// What a name looks like at a glance: equal for names that are easily confused.
pub(super) fn glance(name: &str) -> String {
    let letters: String = name
        .chars()
        .map(folded)
        .filter(|c| c.is_alphanumeric())
        .map(|c| match c {
            'i' | '1' | '|' | 'j' => 'l',
            '0' => 'o',
            '5' => 's',
            c => c,
        })
        .collect();
    letters
        .replace("rn", "m")
        .replace("vv", "w")
        .replace("cl", "d")
}
