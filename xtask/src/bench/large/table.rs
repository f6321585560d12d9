//! The tables of a large deployment: one row per fact with one column per database, and of each the queries.

use std::fmt::Write;
use std::path::Path;

use super::fill::Size;
use super::queries;
use super::{Fact, Measured};
use crate::{Result, page};

const MARK: &str = "large";

/// What was measured.
#[derive(Default)]
pub struct Table {
    columns: Vec<(&'static str, Size, Measured)>,
}

impl Table {
    /// Adds a database.
    pub fn column(&mut self, name: &'static str, size: Size, measured: Measured) {
        self.columns.push((name, size, measured));
    }

    /// The tables.
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n\n", page::machine());
        for (name, size, _) in &self.columns {
            let _ = writeln!(text, "{name}: {size}.\n");
        }
        self.facts(&mut text);
        for (name, size, measured) in &self.columns {
            let _ = write!(text, "\n{}", queries::markdown(name, *size, &measured.queries));
        }
        text
    }

    fn facts(&self, text: &mut String) {
        let names: Vec<&str> = self.columns.iter().map(|(name, ..)| *name).collect();
        let _ =
            writeln!(text, "| | {} | wanted |\n|---|{}---|", names.join(" | "), "--:|".repeat(names.len()));
        let columns = || self.columns.iter().map(|(.., measured)| &measured.facts);
        for (row, Fact { what, wanted, .. }) in columns().next().into_iter().flatten().enumerate() {
            let values = columns().filter_map(|facts| facts.get(row));
            let values: Vec<String> = values.map(|fact| format!("{:.2}", fact.value)).collect();
            let _ = writeln!(text, "| {what} | {} | {wanted} |", values.join(" | "));
        }
    }

    /// Puts them between their marks.
    pub fn write(&self, path: &Path) -> Result<()> {
        page::put(path, MARK, &self.markdown())
    }
}
