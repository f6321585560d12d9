//! Takes the given values key by key, falls back to defaults, and notes what was read and what was wrong.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use toml::Value;

use super::fault::{Fault, Source};
use super::setting::Setting;

/// A value that was given, not yet typed.
#[derive(Clone, Debug)]
pub struct Given {
    /// What was written.
    pub raw: Raw,
    /// Where.
    pub source: Source,
}

/// A value as its layer carries it.
#[derive(Clone, Debug)]
pub enum Raw {
    /// From the file: typed by its notation.
    Toml(Value),
    /// From the environment: the key's type decides.
    Text(String),
}

/// Given values by dotted key.
pub type Layers = BTreeMap<String, Given>;

/// What a section says about one of its keys.
pub struct Spec {
    /// The dotted key.
    pub path: String,
    /// What it means.
    pub doc: &'static str,
    /// The numbers that are allowed.
    pub range: Option<RangeInclusive<i64>>,
    /// What this version does with it instead of reading it.
    pub mark: Option<Mark>,
}

/// What this version does with a key that it does not implement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Setting it changes nothing, and earns a warning.
    Unused,
}

/// One line of the key table.
#[derive(Clone, Debug)]
pub enum Entry {
    /// The head of a section; a repeated one is written `[[…]]`.
    Section { path: String, doc: &'static str, mark: Option<Mark> },
    /// A key with its effective value.
    Key {
        path: String,
        doc: &'static str,
        allowed: String,
        value: Option<Value>,
        sample: Value,
        source: Source,
        mark: Option<Mark>,
        /// Whether the value differs from the default.
        is_changed: bool,
        /// Whether its text is never shown.
        is_secret: bool,
    },
}

impl Entry {
    /// The dotted path.
    pub fn path(&self) -> &str {
        match self {
            Self::Section { path, .. } | Self::Key { path, .. } => path,
        }
    }
}

/// Reads one configuration.
#[derive(Default)]
pub struct Reader {
    given: Layers,
    describes: bool,
    /// The mark of the section that is being read.
    mark: Option<Mark>,
    entries: Vec<Entry>,
    faults: Vec<Fault>,
}

impl Reader {
    /// Reads `given`.
    pub fn new(given: Layers) -> Self {
        Self { given, ..Self::default() }
    }

    /// Reads nothing, and visits repeated sections once so that every key there is appears in the entries.
    pub fn describing() -> Self {
        Self { describes: true, ..Self::default() }
    }

    /// What was read, what no section asked for, and what was wrong.
    pub fn finish(self) -> (Vec<Entry>, Layers, Vec<Fault>) {
        (self.entries, self.given, self.faults)
    }

    /// Notes the head of a section.
    pub fn section(&mut self, path: &str, doc: &'static str, mark: Option<Mark>) {
        self.mark = mark;
        self.entries.push(Entry::Section { path: path.to_owned(), doc, mark });
    }

    /// Reads one key.
    pub fn key<T: Setting>(&mut self, spec: Spec, default: T) -> T {
        let allowed = spec.range.as_ref().map_or_else(T::expects, |range| {
            format!("{} in {}..={}", T::expects(), range.start(), range.end())
        });
        let usual = default.show();
        let (value, source) = match self.given.remove(&spec.path) {
            None => (default, Source::Default),
            Some(given) => match typed::<T>(&given, spec.range.as_ref()) {
                Ok(value) => (value, given.source),
                Err(wrong) => {
                    self.faults
                        .push(Fault::new(&spec.path, wrong, format!("set {allowed}")).from(given.source));
                    (default, Source::Default)
                }
            },
        };
        let (path, doc, sample) = (spec.path, spec.doc, T::sample());
        let (mark, shown) = (spec.mark.or(self.mark), value.show());
        let is_changed = shown != usual;
        let is_secret = T::SECRET;
        let entry =
            Entry::Key { path, doc, allowed, value: shown, sample, source, mark, is_changed, is_secret };
        self.entries.push(entry);
        value
    }

    /// Reads a repeated section: an array of tables in TOML, a JSON array of objects in the environment.
    pub fn tables<T>(&mut self, path: &str, read: fn(&mut Self, &str) -> T) -> Vec<T> {
        if self.describes {
            return vec![read(self, &format!("{path}[]"))];
        }
        let Some(Given { raw, source }) = self.given.remove(path) else { return Vec::new() };
        let Some(items) = tables(raw) else {
            let fix = "write it as [[tables]], in the environment as a JSON array of objects";
            self.faults.push(Fault::new(path, "is not a list of tables", fix).from(source));
            return Vec::new();
        };
        let mut all = Vec::new();
        for (nth, item) in items.into_iter().enumerate() {
            let path = format!("{path}[{nth}]");
            for (key, value) in item {
                self.given
                    .insert(format!("{path}.{key}"), Given { raw: Raw::Toml(value), source: source.clone() });
            }
            all.push(read(self, &path));
        }
        all
    }
}

fn tables(raw: Raw) -> Option<Vec<toml::Table>> {
    let value = match raw {
        Raw::Toml(value) => value,
        Raw::Text(text) => super::setting::list(&text),
    };
    let Value::Array(items) = value else { return None };
    items.into_iter().map(|item| if let Value::Table(table) = item { Some(table) } else { None }).collect()
}

/// The value with the key's type, or what is wrong with it. Secret texts are not repeated.
fn typed<T: Setting>(given: &Given, range: Option<&RangeInclusive<i64>>) -> Result<T, String> {
    let value = match &given.raw {
        Raw::Toml(value) => value.clone(),
        Raw::Text(text) => T::from_env(text),
    };
    let shown = || if T::SECRET { "the value".to_owned() } else { value.to_string() };
    if let (Some(range), Some(number)) = (range, value.as_integer())
        && !range.contains(&number)
    {
        return Err(format!("{} is out of range", shown()));
    }
    T::read(&value).map_err(|wrong| format!("{} {wrong}", shown()))
}
