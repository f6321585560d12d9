//! What a text may be before the language's own reader sees it: its size, its nesting, the number of its operators. The
//! reader and the evaluator recurse over both, and a pattern costs its length for each letter that it is held against.

use super::language::Fault;

/// Most bytes of the text of a policy.
pub(super) const MOST_TEXT: usize = 32 << 10;
/// Most bytes of a schema.
pub(super) const MOST_SCHEMA: usize = 16 << 10;
/// Most statements of a document.
const MOST_STATEMENTS: usize = 200;
/// Most brackets inside each other.
const DEEPEST: usize = 32;
/// Most operators of a statement; one of two letters counts twice.
const MOST_OPERATORS: usize = 200;
/// Most patterns (`like`) of a document.
const MOST_PATTERNS: usize = 50;
/// Most bytes of a text in quotation marks.
const LONGEST_LITERAL: usize = 512;

/// Refuses a text that would cost too much to read or to evaluate; returns the most operators of any of its statements.
pub(super) fn check(text: &str, most: usize) -> Result<usize, Fault> {
    if text.len() > most {
        return Err(Fault::at(text, most, format!("the text is longer than {most} bytes; divide it")));
    }
    let mut scan = Scan { text, depth: 0, operators: 0, most_operators: 0, patterns: 0, statements: 0 };
    for (token, at) in tokens(text) {
        scan.take(token, at)?;
        scan.most_operators = scan.most_operators.max(scan.operators);
    }
    Ok(scan.most_operators)
}

/// Where the first slot of a text is, such as `?principal`.
pub(super) fn first_slot(text: &str) -> Option<usize> {
    tokens(text).find(|(token, _)| *token == "?").map(|(_, at)| at)
}

struct Scan<'a> {
    text: &'a str,
    depth: usize,
    operators: usize,
    most_operators: usize,
    patterns: usize,
    statements: usize,
}

impl Scan<'_> {
    fn take(&mut self, token: &str, at: usize) -> Result<(), Fault> {
        match token {
            "(" | "[" | "{" => {
                self.depth += 1;
                self.operators += 1;
                self.within(self.depth, DEEPEST, at, "brackets inside each other")
            }
            ")" | "]" | "}" => {
                self.depth = self.depth.saturating_sub(1);
                Ok(())
            }
            ";" if self.depth == 0 => {
                (self.operators, self.statements) = (0, self.statements + 1);
                self.within(self.statements, MOST_STATEMENTS, at, "statements")
            }
            "like" => {
                self.patterns += 1;
                self.within(self.patterns, MOST_PATTERNS, at, "patterns (`like`)")
            }
            "&" | "|" | "+" | "-" | "*" | "!" | "." | "<" | ">" | "=" | "if" | "has" | "in" | "is" => {
                self.operators += 1;
                self.within(self.operators, MOST_OPERATORS, at, "operators in one statement")
            }
            token if token.starts_with('"') => {
                self.within(token.len(), LONGEST_LITERAL, at, "bytes of a text in quotation marks")
            }
            _ => Ok(()),
        }
    }

    fn within(&self, number: usize, most: usize, at: usize, what: &str) -> Result<(), Fault> {
        if number <= most {
            return Ok(());
        }
        Err(Fault::at(self.text, at, format!("there are more than {most} {what}; make it simpler")))
    }
}

/// The tokens of a text, each with the byte at which it begins.
fn tokens(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let at = text.len() - rest.len();
        let (found, after) = rest.split_at_checked(token(rest, first)).unwrap_or((rest, ""));
        rest = after;
        Some((found, at))
    })
}

/// The bytes of the first token: a comment, a text in quotation marks, a word, or one sign.
fn token(rest: &str, first: char) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if first == '"' {
        return quoted(rest);
    }
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    if is_word(first) {
        return rest.find(|char| !is_word(char)).unwrap_or(rest.len());
    }
    first.len_utf8()
}

fn quoted(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        check(text, MOST_TEXT).unwrap_err().message
    }

    #[test]
    fn what_would_cost_too_much_is_refused_with_its_place() {
        let deep = format!(
            "permit(principal, action, resource) when {{ {}true{} }};",
            "(".repeat(40),
            ")".repeat(40)
        );
        assert!(refused(&deep).contains("32 brackets"));
        let long =
            format!("permit(principal, action, resource) when {{ {} }};", vec!["true"; 300].join(" && "));
        assert!(refused(&long).contains("operators in one statement"));
        assert!(refused(&format!("\"{}\"", "x".repeat(600))).contains("quotation marks"));
        assert!(refused(&"permit(principal, action, resource);".repeat(300)).contains("200 statements"));
        assert!(refused(&"context.a like \"*a*\" ".repeat(60)).contains("patterns"));
        let fault = check(&format!("a\n{}", " ".repeat(MOST_TEXT)), MOST_TEXT).unwrap_err();
        assert_eq!(
            (fault.place.map(|place| place.line), fault.message.contains("longer than")),
            (Some(2), true)
        );
    }

    #[test]
    fn comments_and_texts_are_no_operators() {
        let quiet = format!(
            "// {}\nforbid(principal, action, resource) when {{ context.a == \"((((\\\"((((\" }};",
            "(".repeat(900)
        );
        assert!(check(&quiet, MOST_TEXT).is_ok());
        assert!(check("\"never ends", MOST_TEXT).is_ok());
    }
}
