//! Every statement of the workspace, as the compiler sees it: written out where it is used, or with pieces that a macro of its
//! file gives to several (`people_sql!`).

use std::ops::Range;

use crate::workspace::{root, sources};

/// A statement with the place that it was found at.
pub struct Found {
    /// The file, from the root of the workspace.
    pub file: String,
    line: usize,
    /// Whether it is on rows of one tenant.
    pub is_tenants: bool,
    pub text: String,
    /// Why nothing is recorded of a quiet write.
    pub quiet: Option<String>,
}

impl Found {
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

const MACROS: [&str; 9] = [
    "sql!(",
    "account_sql!(",
    "system_sql!(",
    "change_sql!(",
    "change_account_sql!(",
    "change_system_sql!(",
    "quiet_sql!(",
    "quiet_account_sql!(",
    "quiet_system_sql!(",
];

/// Every statement of the workspace outside tests.
pub fn statements() -> Vec<Found> {
    let mut found = Vec::new();
    for file in sources(&root().join("crates")) {
        let whole = std::fs::read_to_string(&file).unwrap();
        let text = whole.split("#[cfg(test)]\nmod tests {").next().unwrap();
        of_file(&file.strip_prefix(root()).unwrap().display().to_string(), text, &mut found);
    }
    found
}

fn of_file(file: &str, text: &str, found: &mut Vec<Found>) {
    let families = families(text);
    let is_in_family = |at: usize| families.iter().any(|family| family.body.contains(&at));
    let mut add = |at: usize, written: &Written, pieces: Vec<String>| {
        let mut pieces = pieces.into_iter();
        let quiet = written.name.starts_with("quiet_").then(|| pieces.next().unwrap());
        let is_tenants = ["sql!(", "change_sql!(", "quiet_sql!("].contains(&written.name);
        let line = text[..at].lines().count();
        found.push(Found { file: file.to_owned(), line, is_tenants, text: pieces.collect(), quiet });
    };
    for written in written(text, 0..text.len()).iter().filter(|written| !is_in_family(written.at)) {
        add(written.at, written, pieces(&written.arguments, &[]));
    }
    for family in &families {
        for (at, _) in calls(text, &format!("{}!(", family.name)).filter(|(at, _)| !is_in_family(*at)) {
            let given = arguments(&text[at + family.name.len() + 2..]);
            let given: Vec<_> = family.parameters.iter().map(String::as_str).zip(given).collect();
            for written in written(text, family.body.clone()) {
                add(at, &written, pieces(&written.arguments, &given));
            }
        }
    }
}

/// A macro that makes statements of pieces.
struct Family {
    name: String,
    parameters: Vec<String>,
    body: Range<usize>,
}

fn families(text: &str) -> Vec<Family> {
    let family = |(start, opening): (usize, &str)| {
        let (head, _) = text[start + opening.len()..].split_once(") => {")?;
        let (name, parameters) = head.split_once(" {")?;
        let named = parameters.split('$').skip(1).filter_map(|part| part.split_once(':'));
        Some(Family {
            name: name.to_owned(),
            parameters: named.map(|(name, _)| name.to_owned()).collect(),
            body: start..start + text[start..].find("\n}\n")?,
        })
    };
    text.match_indices("macro_rules! ").filter_map(family).collect()
}

/// A statement as it is written.
struct Written {
    at: usize,
    name: &'static str,
    arguments: Vec<Argument>,
}

fn written(text: &str, place: Range<usize>) -> Vec<Written> {
    let of_name = |name: &'static str| {
        let calls = calls(text, name).filter(|(at, _)| place.contains(at));
        calls.map(move |(at, rest)| Written { at, name, arguments: arguments(rest) }).collect::<Vec<_>>()
    };
    let all = MACROS.into_iter().flat_map(of_name);
    all.filter(|written| matches!(written.arguments.first(), Some(Argument::Text(_)))).collect()
}

/// Where a macro is called, with what follows its opening parenthesis.
fn calls<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let is_part = |before: char| before.is_alphanumeric() || before == '_';
    let whole = text.match_indices(name).filter(move |(at, _)| !text[..*at].ends_with(is_part));
    whole.map(move |(at, _)| (at, &text[at + name.len()..]))
}

/// An argument of a macro.
#[derive(Clone, Debug, PartialEq)]
enum Argument {
    /// A literal.
    Text(String),
    /// A parameter of the macro around it.
    Parameter(String),
    /// Anything else.
    Other,
}

/// The arguments up to the closing parenthesis.
fn arguments(mut rest: &str) -> Vec<Argument> {
    let mut arguments = Vec::new();
    loop {
        rest = rest.trim_start_matches(|char: char| char.is_whitespace() || char == ',');
        if rest.is_empty() || rest.starts_with(')') {
            return arguments;
        } else if let Some(literal) = rest.strip_prefix('"') {
            let (text, after) = unquoted(literal);
            arguments.push(Argument::Text(text));
            rest = after;
        } else {
            let end = rest.find([',', ')']).unwrap_or(rest.len());
            let parameter = rest[..end].trim().strip_prefix('$').map(str::to_owned);
            arguments.push(parameter.map_or(Argument::Other, Argument::Parameter));
            rest = &rest[end..];
        }
    }
}

/// The pieces of a statement, those of the macro around it put in.
fn pieces(arguments: &[Argument], given: &[(&str, Argument)]) -> Vec<String> {
    let piece = |argument: &Argument| match argument {
        Argument::Text(text) => text.clone(),
        Argument::Parameter(name) => match given.iter().find(|(given, _)| given == name) {
            Some((_, Argument::Text(text))) => text.clone(),
            other => panic!("${name} is no literal: {other:?}"),
        },
        Argument::Other => panic!("a statement is made of literals: {arguments:?}"),
    };
    arguments.iter().map(piece).collect()
}

/// The text of a string literal whose opening quote is gone, and what follows the literal.
fn unquoted(literal: &str) -> (String, &str) {
    let (mut text, mut chars) = (String::new(), literal.chars());
    while let Some(char) = chars.next() {
        match char {
            '"' => break,
            '\\' => match chars.next() {
                Some('\n') => chars = chars.as_str().trim_start().chars(),
                Some(escaped) => text.push(escaped),
                None => break,
            },
            other => text.push(other),
        }
    }
    (text, chars.as_str())
}

#[test]
fn the_scan_reads_literals_as_the_compiler_does() {
    let (text, rest) = unquoted("SELECT \\\"a\\\" \\\n        FROM b\") and more");
    assert_eq!((text.as_str(), rest), ("SELECT \"a\" FROM b", ") and more"));
}

#[test]
fn the_scan_puts_the_pieces_of_a_macro_into_its_statements() {
    let text = "
macro_rules! family {
    ($table:literal, $kind:expr) => {
        (sql!(\"SELECT id FROM \", $table, \" WHERE tenant_id = $1\"), $kind)
    };
}

const ONE: _ = family!(\"codes\", Kind::Code);
const OTHER: _ = quiet_sql!(\"a test\", \"DELETE FROM codes WHERE \", \"tenant_id = $1\");
";
    let mut found = Vec::new();
    of_file("a.rs", text, &mut found);
    let told = found.iter().map(|found| (found.text.as_str(), found.quiet.as_deref(), found.line));
    let mut told: Vec<_> = told.collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            ("DELETE FROM codes WHERE tenant_id = $1", Some("a test"), 9),
            ("SELECT id FROM codes WHERE tenant_id = $1", None, 8),
        ]
    );
}
