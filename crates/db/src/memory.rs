//! Records of the database that a process caches, and how its own commits update that cache.

use std::pin::Pin;
use std::sync::Weak;

use crate::call::Call;
use crate::value::Value;

/// Records that a process keeps in memory.
pub trait Memory: Send + Sync {
    /// Whether anything of this table is kept.
    fn keeps(&self, table: &str) -> bool;
    /// Updates the records by the writes of a committed transaction, before its operation returns.
    fn take_in<'a>(&'a self, written: &'a [Written]) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// What a statement has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The table.
    pub table: &'static str,
    /// Which of its rows.
    pub rows: Rows,
    /// The statement.
    pub text: &'static str,
}

/// Rows that a statement has written, as far as its text says which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Inserted ones. With `ON CONFLICT … DO UPDATE` they may have been there before.
    New,
    /// The one with this key; a statement names it by `WHERE id = $1` or `WHERE tenant_id = $1 AND id = $2`.
    One {
        /// Its tenant, where its key has one.
        tenant: Option<String>,
        /// Its id.
        id: String,
    },
    /// Any.
    Any,
}

/// What a transaction writes, as far as its process keeps anything of it.
pub(crate) struct Remembered {
    memory: Option<Weak<dyn Memory>>,
    written: Vec<Written>,
}

impl Remembered {
    pub fn new(memory: Option<Weak<dyn Memory>>) -> Self {
        Self { memory, written: Vec::new() }
    }

    /// Notes what a statement writes, if it writes anything.
    pub fn note(&mut self, call: &Call) {
        let Some(table) = self.memory.as_ref().and_then(|_| table(call.text)) else { return };
        let written = Written { table, rows: rows(call), text: call.text };
        if !self.written.contains(&written) {
            self.written.push(written);
        }
    }

    /// Updates memory by the writes that were committed.
    pub async fn refresh(self) {
        let Some(memory) = self.memory.and_then(|memory| memory.upgrade()) else { return };
        let mut written = self.written;
        written.retain(|written| memory.keeps(written.table));
        if !written.is_empty() {
            memory.take_in(&written).await;
        }
    }
}

/// The table that a statement writes.
fn table(text: &'static str) -> Option<&'static str> {
    let starts = ["INSERT INTO ", "UPDATE ", "DELETE FROM "];
    let rest = starts.into_iter().find_map(|start| text.strip_prefix(start))?;
    rest.split_ascii_whitespace().next()
}

fn rows(call: &Call) -> Rows {
    if call.text.starts_with("INSERT INTO ") {
        return Rows::New;
    }
    match call.args.as_slice() {
        [Value::Text(Some(tenant)), Value::Text(Some(id)), ..]
            if names_row(call.text, " WHERE tenant_id = $1 AND id = $2") =>
        {
            Rows::One { tenant: Some(tenant.clone()), id: id.clone() }
        }
        [Value::Text(Some(id)), ..] if names_row(call.text, " WHERE id = $1") => {
            Rows::One { tenant: None, id: id.clone() }
        }
        _ => Rows::Any,
    }
}

/// Whether the statement's only condition begins so, and nothing after it can widen it again.
fn names_row(text: &str, condition: &str) -> bool {
    let is_only = text.matches(" WHERE ").count() == 1;
    let rest = text.split_once(condition).map(|(_, rest)| rest);
    is_only && rest.is_some_and(|rest| (rest.is_empty() || rest.starts_with(' ')) && !widens(rest))
}

/// Whether a condition has an alternative outside parentheses.
fn widens(condition: &str) -> bool {
    condition.match_indices(" OR ").any(|(at, _)| {
        let before = condition.get(..at).unwrap_or_default();
        before.matches('(').count() == before.matches(')').count()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;

    #[test]
    fn the_table_that_a_statement_writes_is_the_one_that_it_names_first() {
        let of = [
            ("INSERT INTO apps (tenant_id, id) VALUES ($1, $2)", Some("apps")),
            ("UPDATE tenants SET name = $1", Some("tenants")),
            ("DELETE FROM apis", Some("apis")),
            ("SELECT id FROM apps", None),
        ];
        for (text, name) in of {
            assert_eq!(table(text), name);
        }
    }

    #[test]
    fn a_statement_that_names_its_row_by_id_writes_that_row_and_any_other_may_write_all() {
        let one = |tenant: Option<&str>, id: &str| Rows::One {
            tenant: tenant.map(str::to_owned),
            id: id.to_owned(),
        };
        for (text, expected) in [
            ("INSERT INTO users (tenant_id, id) VALUES ($1, $2)", Rows::New),
            ("UPDATE users SET name = $3 WHERE tenant_id = $1 AND id = $2", one(Some("first"), "second")),
            (
                "UPDATE users SET name = $3 WHERE tenant_id = $1 AND id = $2 AND version = $3",
                one(Some("first"), "second"),
            ),
            (
                "UPDATE users SET a = $3 WHERE tenant_id = $1 AND id = $2 AND (a = $3 OR b = $3)",
                one(Some("first"), "second"),
            ),
            ("DELETE FROM accounts WHERE id = $1", one(None, "first")),
            ("UPDATE users SET name = $2 WHERE tenant_id = $1", Rows::Any),
            ("UPDATE users SET name = $3 WHERE tenant_id = $1 AND id = $2 OR name = $3", Rows::Any),
            ("UPDATE users SET name = $2 WHERE tenant_id = $1 AND id = $20", Rows::Any),
            (
                "UPDATE users SET name = (SELECT name FROM kinds WHERE id = $1 AND old) WHERE age = $2",
                Rows::Any,
            ),
        ] {
            let call = Call { text, args: args!["first", "second", "third"].to_vec() };
            assert_eq!(rows(&call), expected, "{text}");
        }
    }
}
