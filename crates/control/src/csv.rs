//! CSV (RFC 4180) that a spreadsheet opens without running anything of it.

/// What a spreadsheet takes for the beginning of a formula, in the wide forms of East Asian texts too.
const FORMULA: &[char] =
    &['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// A field of RFC 4180 §2. What a spreadsheet would take for a formula gets an apostrophe before it.
pub(crate) fn field(text: &str) -> String {
    let is_formula = text.starts_with(FORMULA);
    let shown = if is_formula { format!("'{text}") } else { text.to_owned() };
    if shown.contains([',', '"', '\r', '\n']) { format!("\"{}\"", shown.replace('"', "\"\"")) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_text_for_a_spreadsheet_whatever_is_in_it() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("\n=1", "\"'\n=1\""),
            ("\u{ff1d}1+1", "'\u{ff1d}1+1"),
            ("=HYPERLINK(\"http://x\",1)", "\"'=HYPERLINK(\"\"http://x\"\",1)\""),
        ] {
            assert_eq!(field(text), expected);
        }
    }
}
