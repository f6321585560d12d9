//! Filters (RFC 7644 §3.4.2.2): what they say, and the paths that they share with changes (§3.5.2).

mod matching;
mod parsing;
#[cfg(test)]
mod tests;

use serde_json::Value;
use svc_core::Error;

pub(super) use self::matching::{chosen_at, compare_chosen, plain};
use super::schema::Schema;

/// Most groups and value paths in one another.
const DEEPEST: usize = 32;
/// Most comparisons of one filter.
const MOST_TERMS: usize = 100;
/// Most bytes of one filter.
const LONGEST: usize = 8 * 1024;

/// A condition on resources.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Filter {
    /// The attribute has a value.
    Present(AttributePath),
    /// The attribute compares so.
    Compare(AttributePath, Comparison, Value),
    /// A value of a multi-valued attribute meets a condition.
    Has(AttributePath, Box<Self>),
    /// Both.
    And(Box<Self>, Box<Self>),
    /// One of them, or both.
    Or(Box<Self>, Box<Self>),
    /// Not this.
    Not(Box<Self>),
}

/// How values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Contains,
    Starts,
    Ends,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

/// Which attribute: of the core schema or of an extension, or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AttributePath {
    /// The extension, where it is not the core schema.
    pub extension: Option<String>,
    /// The attribute; empty where the extension as a whole is meant.
    pub name: String,
    /// The sub-attribute.
    pub part: Option<String>,
}

/// What a change is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Target {
    /// The attribute.
    pub attribute: AttributePath,
    /// Which of its values.
    pub of: Option<Filter>,
    /// The sub-attribute of these.
    pub part: Option<String>,
}

impl Filter {
    /// Parses a filter on resources of a schema.
    pub(super) fn parse(text: &str, schema: &Schema) -> Result<Self, Error> {
        parsing::filter(text, schema)
    }

    /// Whether an attribute is compared.
    pub(super) fn mentions(&self, name: &str) -> bool {
        match self {
            Self::And(one, other) | Self::Or(one, other) => one.mentions(name) || other.mentions(name),
            Self::Not(inner) => inner.mentions(name),
            Self::Present(path) | Self::Compare(path, ..) | Self::Has(path, _) => {
                path.name.eq_ignore_ascii_case(name)
            }
        }
    }

    /// What a directory looks one resource up by: attributes that must equal these values.
    pub(super) fn equalities(&self) -> Vec<(String, &str)> {
        match self {
            Self::And(one, other) => [one.equalities(), other.equalities()].concat(),
            Self::Compare(path, Comparison::Equal, Value::String(value)) if path.extension.is_none() => {
                vec![(path.dotted(), value)]
            }
            Self::Has(path, inner) if path.extension.is_none() => {
                let inner = inner.equalities().into_iter();
                inner.map(|(part, value)| (format!("{}.{part}", path.dotted()), value)).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Target {
    /// Parses the path of a change.
    pub(super) fn parse(text: &str, schema: &Schema) -> Result<Self, Error> {
        parsing::target(text, schema)
    }
}

impl AttributePath {
    /// Parses an attribute as `attributes` and `sortBy` name one.
    pub(super) fn parse(text: &str, schema: &Schema) -> Option<Self> {
        parsing::attribute(text, schema)
    }

    /// The name in lower case, with its part; `value` is what a multi-valued attribute is compared by.
    fn dotted(&self) -> String {
        let name = self.name.to_ascii_lowercase();
        match &self.part {
            Some(part) => format!("{name}.{}", part.to_ascii_lowercase()),
            None => name,
        }
    }
}
