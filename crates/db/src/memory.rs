//! What a process remembers of the database, and how it takes in what a commit of its own has changed.

use std::pin::Pin;
use std::sync::Weak;

/// Records that a process keeps in memory.
pub trait Memory: Send + Sync {
    /// Whether anything of this table is kept.
    fn keeps(&self, table: &str) -> bool;
    /// Takes in what a transaction has just changed in these tables, before its operation goes on.
    fn take_in<'a>(&'a self, tables: &'a [&'static str]) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// The tables that a transaction writes, as far as its process keeps anything of them.
pub(crate) struct Remembered {
    memory: Option<Weak<dyn Memory>>,
    tables: Vec<&'static str>,
}

impl Remembered {
    pub fn new(memory: Option<Weak<dyn Memory>>) -> Self {
        Self { memory, tables: Vec::new() }
    }

    /// Notes the table that a statement writes, if it writes one.
    pub fn note(&mut self, text: &'static str) {
        let Some(table) = self.memory.as_ref().and_then(|_| written(text)) else { return };
        if !self.tables.contains(&table) {
            self.tables.push(table);
        }
    }

    /// Lets memory take in what has been committed.
    pub async fn refresh(self) {
        let Some(memory) = self.memory.and_then(|memory| memory.upgrade()) else { return };
        let mut tables = self.tables;
        tables.retain(|table| memory.keeps(table));
        if !tables.is_empty() {
            memory.take_in(&tables).await;
        }
    }
}

/// The table that a statement writes.
fn written(text: &'static str) -> Option<&'static str> {
    let starts = ["INSERT INTO ", "UPDATE ", "DELETE FROM "];
    let rest = starts.into_iter().find_map(|start| text.strip_prefix(start))?;
    rest.split_ascii_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_that_a_statement_writes_is_the_one_that_it_names_first() {
        let of = [
            ("INSERT INTO apps (tenant_id, id) VALUES ($1, $2)", Some("apps")),
            ("UPDATE tenants SET name = $1", Some("tenants")),
            ("DELETE FROM apis", Some("apis")),
            ("SELECT id FROM apps", None),
        ];
        for (text, table) in of {
            assert_eq!(written(text), table);
        }
    }
}
