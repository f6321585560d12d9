//! Makes foreign text safe to show to people: without control characters and marks that reorder text, and of bounded length.

/// One line of at most `most` characters, trimmed. A longer text ends with `…`.
pub fn clean(text: &str, most: usize) -> String {
    neutral(text, most).trim().to_owned()
}

/// The same without trimming, for a part of a line.
pub fn neutral(text: &str, most: usize) -> String {
    let mut shown = text.chars().map(blank).filter(|&c| is_shown(c));
    let mut line: String = shown.by_ref().take(most).collect();
    if shown.next().is_some() {
        line.push('…');
    }
    line
}

/// Whether a character may be shown: no control character, and no mark that reorders text. Joiners are kept, because some scripts
/// need them.
pub fn is_shown(c: char) -> bool {
    !c.is_control() && !is_mark(c)
}

/// Whether a character is an invisible mark that reorders or separates text. Such marks are often copied along with text.
pub fn is_mark(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{FEFF}')
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}')
}

/// The zeros of other scripts whose digits keyboards type: Arabic, Persian, Devanagari, Bengali and Thai.
const ZEROS: [char; 5] = ['\u{660}', '\u{6F0}', '\u{966}', '\u{9E6}', '\u{E50}'];

/// A one-time code in the form in which it is compared: letters and digits in ASCII, without spaces, dashes and invisible characters.
pub fn one_time_code(typed: &str) -> String {
    typed.chars().map(in_ascii).filter(|&c| is_shown(c) && !c.is_whitespace() && !is_dash(c)).collect()
}

/// Whether a character is a hyphen or a dash, which programs often put in the place of a typed hyphen.
pub fn is_dash(c: char) -> bool {
    c == '-' || matches!(c, '\u{2010}'..='\u{2015}')
}

fn in_ascii(c: char) -> char {
    // The full-width forms are in the order of ASCII.
    if matches!(c, '\u{FF01}'..='\u{FF5E}') {
        return char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c);
    }
    let value = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|value| *value < 10);
    ZEROS.iter().find_map(value).and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

/// Whether a name has a visible character. A name without one would be an empty line in a list.
pub fn is_visible(name: &str) -> bool {
    name.chars().any(|c| is_shown(c) && !c.is_whitespace() && !is_unseen(c))
}

/// Characters without a shape of their own (`Default_Ignorable_Code_Point` of Unicode), and the empty cell of braille.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{2800}' | '\u{3164}'
    ) || matches!(c, '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}')
        || matches!(c, '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}')
        || matches!(c, '\u{E0000}'..='\u{E0FFF}')
}

/// Line breaks and tabs become spaces, so that words do not run together.
fn blank(c: char) -> char {
    if matches!(c, '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_and_control_characters_never_reach_a_page() {
        assert_eq!(clean("a\u{202E}b\r\nc\u{0}\u{2066}", 80), "ab  c");
        assert_eq!(clean(&"x".repeat(10_000), 10), format!("{}…", "x".repeat(10)));
    }

    #[test]
    fn a_name_of_nothing_that_can_be_seen_is_told_from_others() {
        for blank in
            ["", " ", "\u{A0}\u{3000}", "\u{200B}", "\u{202E}\u{2069}", "\u{200D} \u{FEFF}", "\u{E0041}"]
        {
            assert!(!is_visible(blank), "{blank:?}");
        }
        for seen in ["a", " a ", "-", "می\u{200C}خواهم", "👩\u{200D}🚀", "\u{202E}a"] {
            assert!(is_visible(seen), "{seen:?}");
        }
    }

    #[test]
    fn a_code_is_one_however_it_is_typed_or_copied() {
        for typed in [
            "040812",
            " 040 812\n",
            "040-812",
            "040\u{2011}812",
            "\u{2068}040812\u{2069}",
            "\u{202A}040812\u{202C}",
            "\u{FEFF}040\u{A0}812\u{200B}",
            "\u{660}\u{664}\u{660}\u{668}\u{661}\u{662}",
            "\u{6F0}\u{6F4}\u{6F0}\u{6F8}\u{6F1}\u{6F2}",
            "\u{FF10}\u{FF14}\u{FF10}\u{3000}\u{FF18}\u{FF11}\u{FF12}",
            "\u{FF10}\u{FF14}\u{FF10}\u{FF0D}\u{FF18}\u{FF11}\u{FF12}",
        ] {
            assert_eq!(one_time_code(typed), "040812", "{typed:?}");
        }
        assert_eq!(one_time_code("\u{FF4B}3\u{FF38}9"), "k3X9");
        for other in ["04081", "040813", "O40812", "0408\u{B9}2", "040.812"] {
            assert_ne!(one_time_code(other), "040812", "{other:?}");
        }
    }

    #[test]
    fn a_part_of_a_line_keeps_the_space_around_it() {
        assert_eq!(neutral(" to\u{2067} ", 80), " to ");
    }
}
