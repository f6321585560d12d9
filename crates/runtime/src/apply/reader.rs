//! Reads the tables of a file one by one, so that every fault is reported at once, each at its key's own line.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_core::json;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::faults::Written;
use super::scopes::nearest;

/// What was wrong so far.
pub(super) struct Reader<'t> {
    text: &'t str,
    faults: Vec<(usize, String)>,
}

/// A table, and where it is.
pub(super) struct Place<'i> {
    /// The table.
    pub table: DeTable<'i>,
    /// Its bytes in the file.
    pub span: Range<usize>,
    /// What it is, for messages.
    pub name: String,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, faults: Vec::new() }
    }

    /// Every fault in the order of the file; nothing where there is none.
    pub(super) fn faults(mut self) -> Option<String> {
        self.faults.sort();
        let lines: Vec<_> =
            self.faults.into_iter().map(|(line, fault)| format!("line {line}: {fault}")).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Notes a fault of a table as a whole.
    pub(super) fn refuse(&mut self, place: &Place<'_>, fault: &str) {
        self.note(place.span.start, &place.name, fault);
    }

    /// Notes a fault of the table that begins at a line.
    pub(super) fn refuse_at(&mut self, line: usize, place: &str, fault: &str) {
        self.faults.push((line, format!("{place}: {fault}")));
    }

    /// Reads a table. What is faulty is noted and left out, until the rest can be read.
    pub(super) fn read<T: DeserializeOwned>(&mut self, place: &mut Place<'_>) -> Option<T> {
        let mut removed: Vec<String> = Vec::new();
        loop {
            let whole = Spanned::new(place.span.clone(), place.table.clone());
            let error = match T::deserialize(Deserializer::from(whole)) {
                Ok(read) => return removed.is_empty().then_some(read),
                Err(error) => error,
            };
            let at = error.span().unwrap_or_else(|| place.span.clone()).start;
            let is_consequence =
                removed.iter().any(|key| error.message() == format!("missing field `{key}`"));
            if is_consequence {
                return None;
            }
            let key = remove_at(&mut place.table, at);
            let (fault, meant) = shown(key.as_deref(), error.message());
            self.note(at, &place.name, &fault);
            // Without the misspelt key the one that was meant is missing.
            removed.extend(meant);
            removed.push(key?);
        }
    }

    /// What a key of a table within `place` holds as a text in JSON, for what TOML does not have; an empty table takes its place.
    pub(super) fn json(
        &mut self,
        (table, place): (&mut DeTable<'_>, &str),
        key: &str,
    ) -> Option<Map<String, Value>> {
        let value = table.get_mut(key)?;
        let (at, text) = (value.span().start, value.get_ref().as_str()?.to_owned());
        *value.get_mut() = DeValue::Table(DeTable::new());
        let object = json::object(text.as_bytes(), json::DEEPEST);
        object.map_err(|error| self.note(at, place, &format!("{key}: not an object in JSON: {error}"))).ok()
    }

    /// Where a table is, and every key in it.
    pub(super) fn written(&self, place: &Place<'_>) -> Written {
        let mut written = Written { line: self.line(place.span.start), ..Written::default() };
        self.keys(&place.table, "", &mut written);
        written
    }

    fn keys(&self, table: &DeTable<'_>, outer: &str, written: &mut Written) {
        for (key, value) in table {
            let (name, line) = (key.get_ref().to_string(), self.line(key.span().start));
            let path = if outer.is_empty() { name.clone() } else { format!("{outer}.{name}") };
            if let DeValue::Table(inner) = value.get_ref() {
                self.keys(inner, &path, written);
            }
            if !outer.is_empty() {
                written.keys.entry(name).or_insert(line);
            }
            written.keys.insert(path, line);
        }
    }

    fn line(&self, at: usize) -> usize {
        self.text.get(..at).unwrap_or(self.text).matches('\n').count() + 1
    }

    fn note(&mut self, at: usize, place: &str, fault: &str) {
        let line = self.line(at);
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        self.faults.push((line, format!("{place}{fault}")));
    }
}

/// Tables of an array, such as `[[tenant]]`, taken out of the one that they are in.
pub(super) fn taken<'i>(table: &mut DeTable<'i>, key: &str) -> Vec<Place<'i>> {
    let is_list = table.get(key).is_some_and(|value| {
        let items = value.get_ref().as_array();
        items.is_some_and(|items| items.iter().all(|item| item.get_ref().is_table()))
    });
    let taken = if is_list { table.remove(key) } else { None };
    let Some(DeValue::Array(items)) = taken.map(Spanned::into_inner) else { return Vec::new() };
    let places = items.into_iter().filter_map(|item| {
        let span = item.span();
        match item.into_inner() {
            DeValue::Table(table) => Some(Place { table, span, name: String::new() }),
            _ => None,
        }
    });
    places.collect()
}

impl Place<'_> {
    /// Part of the table: these keys, taken out of it.
    pub(super) fn split(&mut self, keys: &[&str]) -> Self {
        let taken = keys.iter().filter_map(|key| self.table.remove_entry(*key));
        Self { table: taken.collect(), span: self.span.clone(), name: self.name.clone() }
    }

    /// Part of a table within it: these keys, taken out of that table.
    pub(super) fn split_within(&mut self, inner: &str, keys: &[&str]) -> Self {
        let taken = match self.table.get_mut(inner).map(Spanned::get_mut) {
            Some(DeValue::Table(inner)) => keys.iter().filter_map(|key| inner.remove_entry(*key)).collect(),
            _ => DeTable::new(),
        };
        Self { table: taken, span: self.span.clone(), name: self.name.clone() }
    }

    /// The text of a key, where it has one.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.table.get(key)?.get_ref().as_str()
    }

    /// Names the place by what it is within another.
    pub(super) fn called(&mut self, outer: &str, kind: &str, key: &str) {
        let name = self.text(key).unwrap_or_default();
        let outer = if outer.is_empty() { String::new() } else { format!("{outer}: ") };
        self.name = format!("{outer}{kind} {name:?}");
    }
}

/// Removes the innermost key that `at` is in; returns its name.
fn remove_at(table: &mut DeTable<'_>, at: usize) -> Option<String> {
    let mut found = None;
    for (key, value) in table.iter_mut() {
        if key.span().contains(&at) {
            found = Some(key.get_ref().to_string());
            break;
        }
        let span = value.span();
        if let Some(inner) = within(value.get_mut(), at) {
            return Some(inner);
        }
        if span.contains(&at) {
            found = Some(key.get_ref().to_string());
        }
    }
    let found = found?;
    table.remove(found.as_str());
    Some(found)
}

fn within(value: &mut DeValue<'_>, at: usize) -> Option<String> {
    match value {
        DeValue::Table(table) => remove_at(table, at),
        DeValue::Array(items) => items.iter_mut().find_map(|item| within(item.get_mut(), at)),
        _ => None,
    }
}

/// A fault in words; a key that is not there comes with the one that it may stand for.
fn shown(key: Option<&str>, message: &str) -> (String, Option<String>) {
    let Some(key) = key else { return (message.to_owned(), None) };
    let unknown = message.strip_prefix("unknown field ").and_then(|rest| rest.split_once(", "));
    let Some((_, expected)) = unknown else { return (format!("{key}: {}", in_words(message)), None) };
    let known: Vec<_> = expected.split('`').skip(1).step_by(2).collect();
    let meant = nearest(key, known);
    let hint = meant.map(|known| format!("; did you mean {known}?")).unwrap_or_default();
    (format!("{key} is not a key here{hint}; {expected}"), meant.map(str::to_owned))
}

/// A message that names the bounds of a number in place of its type.
fn in_words(message: &str) -> String {
    let said = message.rsplit_once(", expected ");
    let bounded = said.and_then(|(fault, expected)| Some((fault, json::range(expected)?)));
    bounded.map_or_else(|| message.to_owned(), |(fault, range)| format!("{fault}, expected {range}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_its_bounds_is_answered_with_them() {
        let (fault, meant) = shown(Some("port"), "invalid value: integer `70000`, expected u16");
        assert_eq!(fault, "port: invalid value: integer `70000`, expected a whole number from 0 to 65535");
        assert_eq!(meant, None);
    }
}
