//! Text that others wrote, as people may be shown it: no control characters, nothing that reorders it, bounded.

/// One line of text for people, without space around it.
pub fn clean(text: &str, most: usize) -> String {
    neutral(text, most).trim().to_owned()
}

/// A part of such a line: the space around it stays.
pub fn neutral(text: &str, most: usize) -> String {
    let mut shown = text.chars().map(blank).filter(|&c| is_shown(c));
    let mut line: String = shown.by_ref().take(most).collect();
    if shown.next().is_some() {
        line.push('…');
    }
    line
}

/// Control characters and the marks that reorder text are dropped; joiners stay, scripts need them.
pub fn is_shown(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{FEFF}')
        && !matches!(c, '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}')
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
    fn a_part_of_a_line_keeps_the_space_around_it() {
        assert_eq!(neutral(" to\u{2067} ", 80), " to ");
    }
}
