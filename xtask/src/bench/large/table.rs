//! The table of a large deployment: one row per fact, one column per database.

use std::fmt::Write;
use std::path::Path;

use super::Fact;
use super::fill::Size;
use crate::{Result, page};

const MARK: &str = "large";

/// What was measured.
pub struct Table {
    size: Size,
    columns: Vec<(&'static str, Vec<Fact>)>,
}

impl Table {
    /// An empty one.
    pub fn new(size: Size) -> Self {
        Self { size, columns: Vec::new() }
    }

    /// Adds a database.
    pub fn column(&mut self, name: &'static str, facts: Vec<Fact>) {
        self.columns.push((name, facts));
    }

    /// The table.
    pub fn markdown(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let mut text =
            format!("{}. {}\n\n| | {} | wanted |\n", self.size, page::machine(), names.join(" | "));
        let _ = writeln!(text, "|---|{}---|", "--:|".repeat(names.len()));
        let Some((_, first)) = self.columns.first() else { return text };
        for (row, fact) in first.iter().enumerate() {
            let values = self.columns.iter().filter_map(|(_, facts)| facts.get(row));
            let values: Vec<String> = values.map(|fact| format!("{:.2}", fact.value)).collect();
            let _ = writeln!(text, "| {} | {} | {} |", fact.what, values.join(" | "), fact.wanted);
        }
        text
    }

    /// Puts it between its marks.
    pub fn write(&self, path: &Path) -> Result<()> {
        page::put(path, MARK, &self.markdown())
    }
}
