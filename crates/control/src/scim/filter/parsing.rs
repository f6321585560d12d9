//! The grammar of filters and paths (RFC 7644 §3.4.2.2, figures 1 and 7), read from left to right within bounds.

use serde_json::Value;
use svc_core::{Error, json};

use super::{AttributePath, Comparison, DEEPEST, Filter, LONGEST, MOST_TERMS, Target};
use crate::scim::schema::{Kind, Schema};

const COMPARISONS: &[(&str, Comparison)] = &[
    ("eq", Comparison::Equal),
    ("ne", Comparison::NotEqual),
    ("co", Comparison::Contains),
    ("sw", Comparison::Starts),
    ("ew", Comparison::Ends),
    ("gt", Comparison::Greater),
    ("ge", Comparison::GreaterOrEqual),
    ("lt", Comparison::Less),
    ("le", Comparison::LessOrEqual),
];

pub(super) fn filter(text: &str, schema: &Schema) -> Result<Filter, Error> {
    check_length(text)?;
    let mut parser = Parser { rest: text, schema, within: None, depth: 0, terms: 0 };
    let filter = parser.either()?;
    parser.expect_end()?;
    Ok(filter)
}

pub(super) fn target(text: &str, schema: &Schema) -> Result<Target, Error> {
    check_length(text)?;
    let mut parser = Parser { rest: text, schema, within: None, depth: 0, terms: 0 };
    let attribute = parser.path()?;
    let mut target = Target { attribute, of: None, part: None };
    if parser.take("[") {
        target.of = Some(parser.inside(&target.attribute)?);
        if parser.rest.starts_with('.') {
            parser.rest = parser.rest.get(1..).unwrap_or_default();
            target.part = Some(parser.part()?);
        }
    } else {
        target.part = target.attribute.part.take();
    }
    parser.expect_end()?;
    Ok(target)
}

pub(super) fn attribute(text: &str, schema: &Schema) -> Option<AttributePath> {
    let mut parser = Parser { rest: text, schema, within: None, depth: 0, terms: 0 };
    let path = parser.path().ok()?;
    parser.expect_end().ok().map(|()| path)
}

fn check_length(text: &str) -> Result<(), Error> {
    if text.len() > LONGEST {
        return Err(fault(format!("use at most {LONGEST} bytes")));
    }
    Ok(())
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::bad_request(format!("filter: {what}")).called("invalidFilter")
}

struct Parser<'a> {
    rest: &'a str,
    schema: &'a Schema,
    /// The attribute whose values are looked at.
    within: Option<AttributePath>,
    depth: usize,
    terms: usize,
}

impl<'a> Parser<'a> {
    fn either(&mut self) -> Result<Filter, Error> {
        let mut filter = self.both()?;
        while self.keyword("or") {
            filter = Filter::Or(Box::new(filter), Box::new(self.both()?));
        }
        Ok(filter)
    }

    fn both(&mut self) -> Result<Filter, Error> {
        let mut filter = self.single()?;
        while self.keyword("and") {
            filter = Filter::And(Box::new(filter), Box::new(self.single()?));
        }
        Ok(filter)
    }

    fn single(&mut self) -> Result<Filter, Error> {
        if self.is_negation() {
            self.keyword("not");
            return Ok(Filter::Not(Box::new(self.group()?)));
        }
        if self.peek() == Some('(') { self.group() } else { self.term() }
    }

    fn group(&mut self) -> Result<Filter, Error> {
        if !self.take("(") {
            return Err(self.unexpected("an opening parenthesis"));
        }
        self.deeper()?;
        let filter = self.either()?;
        self.depth -= 1;
        if self.take(")") { Ok(filter) } else { Err(self.unexpected("a closing parenthesis")) }
    }

    fn term(&mut self) -> Result<Filter, Error> {
        self.terms += 1;
        if self.terms > MOST_TERMS {
            return Err(fault(format!("use at most {MOST_TERMS} comparisons")));
        }
        let path = self.path()?;
        if self.take("[") {
            let inner = self.inside(&path)?;
            return self.after_values(path, inner);
        }
        self.compared(path)
    }

    /// The condition between brackets.
    fn inside(&mut self, path: &AttributePath) -> Result<Filter, Error> {
        if self.within.is_some() {
            return Err(fault("a value path has none inside"));
        }
        self.deeper()?;
        self.within = Some(path.clone());
        let inner = self.either()?;
        self.within = None;
        self.depth -= 1;
        if self.take("]") { Ok(inner) } else { Err(self.unexpected("a closing bracket")) }
    }

    /// Entra compares a part of the values found: `emails[type eq "work"].value eq "…"`.
    fn after_values(&mut self, path: AttributePath, inner: Filter) -> Result<Filter, Error> {
        let Some(rest) = self.rest.strip_prefix('.') else { return Ok(Filter::Has(path, Box::new(inner))) };
        self.rest = rest;
        self.within = Some(path.clone());
        let part = AttributePath { name: self.word().to_owned(), ..AttributePath::default() };
        let compared = self.check(&part).and_then(|()| self.compared(part));
        self.within = None;
        Ok(Filter::Has(path, Box::new(Filter::And(Box::new(inner), Box::new(compared?)))))
    }

    fn compared(&mut self, path: AttributePath) -> Result<Filter, Error> {
        let operator = self.word().to_ascii_lowercase();
        if operator == "pr" {
            return Ok(Filter::Present(path));
        }
        let Some((_, comparison)) = COMPARISONS.iter().find(|(name, _)| *name == operator) else {
            return Err(fault(format!(
                "expected eq, ne, co, sw, ew, gt, ge, lt, le or pr after {}",
                path.name
            )));
        };
        let value = self.value()?;
        self.check_comparison(&path, *comparison, &value)?;
        Ok(Filter::Compare(path, *comparison, value))
    }

    fn check_comparison(&self, path: &AttributePath, how: Comparison, value: &Value) -> Result<(), Error> {
        let is_equality = matches!(how, Comparison::Equal | Comparison::NotEqual);
        let kind = self.kind(path);
        let fits = match value {
            Value::Null => is_equality,
            Value::Bool(_) => is_equality && kind.is_none_or(|kind| kind == Kind::Boolean),
            // Entra compares truth values as texts.
            Value::String(text) if kind == Some(Kind::Boolean) => {
                is_equality && ["true", "false"].iter().any(|name| text.eq_ignore_ascii_case(name))
            }
            // Parts of a time are looked for as text; what it is compared with has to be one (RFC 7644 §3.4.2.2).
            Value::String(text) if kind == Some(Kind::DateTime) => {
                is_of_text(how) || super::matching::time(text).is_some()
            }
            Value::String(_) => !kind.is_some_and(is_number),
            Value::Number(_) => kind.is_none_or(is_number) && !is_of_text(how),
            _ => false,
        };
        if fits { Ok(()) } else { Err(fault(format!("{} does not compare so with this value", path.name))) }
    }

    /// The kind of what is compared; of an extension that is not known, nothing is.
    fn kind(&self, path: &AttributePath) -> Option<Kind> {
        let attribute = match &self.within {
            Some(outer) => {
                super::matching::inner(super::matching::attribute(self.schema, outer)?, &path.name)
            }
            None => super::matching::attribute(self.schema, path),
        }?;
        let part = match &path.part {
            Some(part) => attribute.part(part)?,
            None if attribute.kind == Kind::Complex => attribute.part("value")?,
            None => attribute,
        };
        Some(part.kind)
    }

    fn value(&mut self) -> Result<Value, Error> {
        self.skip_blanks();
        let token = if let Some(text) = self.rest.strip_prefix('"') {
            let end = string_end(text).ok_or_else(|| fault("a text has no end"))?;
            self.rest.get(..end + 2)
        } else {
            let end = self.rest.find([' ', ')', ']', '(']).unwrap_or(self.rest.len());
            self.rest.get(..end)
        };
        let token = token.unwrap_or_default();
        self.rest = self.rest.get(token.len()..).unwrap_or_default();
        let token = ["true", "false", "null"]
            .into_iter()
            .find(|word| token.eq_ignore_ascii_case(word))
            .unwrap_or(token);
        // Held to the rules of documents, as a text within one: an escaped NUL is none that a database could look up.
        let value = json::parse(token.as_bytes(), 0);
        value.map_err(|_| fault("expected a text in double quotes, a number, true, false or null"))
    }

    fn path(&mut self) -> Result<AttributePath, Error> {
        let token = self.word();
        let is_core = |id: &str| id.eq_ignore_ascii_case(&self.schema.id);
        let extension = self.schema.extended(token).map(|extension| &extension.id);
        let path = match (extension, token.rsplit_once(':')) {
            (Some(id), _) => AttributePath { extension: Some(id.to_string()), ..AttributePath::default() },
            (None, None) => self.placed(dotted(None, token)),
            (None, Some((id, name))) if is_core(id) => dotted(None, name),
            (None, Some((id, name))) => {
                let known = self.schema.extended(id).map_or(id, |extension| &*extension.id);
                dotted(Some(known), name)
            }
        };
        self.check(&path)?;
        Ok(path)
    }

    /// Entra asks for attributes of the enterprise extension, such as `manager`, without its URN.
    fn placed(&self, path: AttributePath) -> AttributePath {
        if self.within.is_some() || self.schema.attribute(&path.name).is_some() {
            return path;
        }
        let mut usual = self.schema.extensions.iter().filter(|extension| !extension.is_closed);
        let extension = usual.find(|extension| extension.attribute(&path.name).is_some());
        AttributePath { extension: extension.map(|extension| extension.id.to_string()), ..path }
    }

    /// Refuses an attribute that the schema does not have; of an extension that is not known, every one may be there.
    fn check(&self, path: &AttributePath) -> Result<(), Error> {
        let is_known = match (&self.within, &path.extension) {
            (Some(outer), None) => {
                let attribute = super::matching::attribute(self.schema, outer);
                let is_part = |outer| super::matching::inner(outer, &path.name).is_some();
                attribute.map_or(outer.extension.is_some(), is_part) && path.part.is_none()
            }
            (Some(_), Some(_)) => false,
            (None, Some(id)) if self.schema.extended(id).is_none() => id.starts_with("urn:"),
            (None, Some(_)) if path.name.is_empty() => true,
            (None, _) => super::matching::attribute(self.schema, path).is_some_and(|attribute| {
                path.part.as_ref().is_none_or(|part| attribute.part(part).is_some())
            }),
        };
        if is_known {
            return Ok(());
        }
        let part = path.part.iter().flat_map(|part| [".", part.as_str()]);
        let shown: String = std::iter::once(&*path.name).chain(part).flat_map(str::chars).take(60).collect();
        Err(fault(format!("{} has no attribute {shown:?}", self.schema.name)))
    }

    fn deeper(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(fault(format!("use at most {DEEPEST} groups in one another")));
        }
        Ok(())
    }

    /// A name, or nothing.
    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let is_name = |char: char| char.is_ascii_alphanumeric() || "-_$:.#/%+@".contains(char);
        let end = self.rest.find(|char| !is_name(char)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = rest;
        word
    }

    /// The name of one sub-attribute (RFC 7643 §2.1), `$ref` among them.
    fn part(&mut self) -> Result<String, Error> {
        let before = self.rest;
        let word = self.word();
        let is_name = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '$')
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"$-_".contains(&byte));
        if is_name {
            return Ok(word.to_owned());
        }
        self.rest = before;
        Err(self.unexpected("a sub-attribute"))
    }

    fn keyword(&mut self, word: &str) -> bool {
        let before = self.rest;
        if self.word().eq_ignore_ascii_case(word) {
            return true;
        }
        self.rest = before;
        false
    }

    fn is_negation(&mut self) -> bool {
        let before = self.rest;
        let found = self.keyword("not") && self.peek() == Some('(');
        self.rest = before;
        found
    }

    fn take(&mut self, text: &str) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.rest.chars().next()
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    fn expect_end(&mut self) -> Result<(), Error> {
        self.skip_blanks();
        if self.rest.is_empty() { Ok(()) } else { Err(self.unexpected("the end, and or or")) }
    }

    fn unexpected(&self, wanted: &str) -> Error {
        let shown: String = self.rest.chars().take(20).collect();
        fault(format!("expected {wanted} at {shown:?}"))
    }
}

fn is_of_text(how: Comparison) -> bool {
    matches!(how, Comparison::Contains | Comparison::Starts | Comparison::Ends)
}

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Decimal)
}

fn dotted(extension: Option<&str>, name: &str) -> AttributePath {
    let (name, part) =
        name.split_once('.').map_or((name, None), |(name, part)| (name, Some(part.to_owned())));
    AttributePath { extension: extension.map(str::to_owned), name: name.to_owned(), part }
}

/// Where a text ends whose opening quote was read.
fn string_end(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some(at),
            _ => {}
        }
    }
    None
}
