//! Statements that carry the proof of whose rows they touch; a tenant statement without its tenant does not compile.

use crate::tx::{System, Tenant};
use crate::value::Value;

/// A statement on rows of one tenant: names `tenant_id = $1`, or inserts with `tenant_id` as first column.
#[derive(Clone, Copy)]
pub struct TenantSql(&'static str);

/// A statement on deployment-wide account rows (`accounts`, `account_…`), which every tenant's sign-in shares.
#[derive(Clone, Copy)]
pub struct AccountSql(&'static str);

/// A statement across tenants, for workers and operators.
#[derive(Clone, Copy)]
pub struct SystemSql(&'static str);

/// What a transaction of space `S` may run.
pub trait Statement<S> {
    /// The text, checked at compile time.
    fn text(&self) -> &'static str;
    /// What the transaction binds before the caller's arguments.
    fn first_bind(&self, space: &S) -> Option<Value>;
}

/// A statement on rows of one tenant; `$1` is the tenant and bound by the transaction.
#[macro_export]
macro_rules! sql {
    ($text:literal) => {{
        const STATEMENT: $crate::TenantSql = $crate::TenantSql::checked($text);
        STATEMENT
    }};
}

/// A statement on deployment-wide account rows.
#[macro_export]
macro_rules! account_sql {
    ($text:literal) => {{
        const STATEMENT: $crate::AccountSql = $crate::AccountSql::checked($text);
        STATEMENT
    }};
}

/// A statement across tenants.
#[macro_export]
macro_rules! system_sql {
    ($text:literal) => {{
        const STATEMENT: $crate::SystemSql = $crate::SystemSql::checked($text);
        STATEMENT
    }};
}

impl TenantSql {
    #[doc(hidden)]
    pub const fn checked(text: &'static str) -> Self {
        assert!(
            contains(text, "tenant_id = $1")
                || (starts_with(text, "INSERT INTO ") && contains(text, " (tenant_id, ")),
            "a tenant statement names `tenant_id = $1`, or inserts `(tenant_id, …`"
        );
        names_its_columns(text);
        Self(text)
    }
}

impl AccountSql {
    #[doc(hidden)]
    pub const fn checked(text: &'static str) -> Self {
        assert!(
            contains(text, " account") && !contains(text, "tenant_"),
            "an account statement touches `account…` tables only, never a tenant's"
        );
        names_its_columns(text);
        Self(text)
    }
}

impl SystemSql {
    /// A text that is made at run time, for tests.
    #[doc(hidden)]
    pub const fn new(text: &'static str) -> Self {
        Self(text)
    }

    #[doc(hidden)]
    pub const fn checked(text: &'static str) -> Self {
        names_its_columns(text);
        Self(text)
    }
}

impl Statement<Tenant> for TenantSql {
    fn text(&self) -> &'static str {
        self.0
    }
    fn first_bind(&self, space: &Tenant) -> Option<Value> {
        Some(Value::from(space.0))
    }
}

impl<S> Statement<S> for AccountSql {
    fn text(&self) -> &'static str {
        self.0
    }
    fn first_bind(&self, _: &S) -> Option<Value> {
        None
    }
}

impl Statement<System> for SystemSql {
    fn text(&self) -> &'static str {
        self.0
    }
    fn first_bind(&self, _: &System) -> Option<Value> {
        None
    }
}

/// A column that a newer version adds changes the shape of a `*`, and with it breaks a statement that is prepared already.
const fn names_its_columns(text: &str) {
    assert!(!contains(text, "SELECT *") && !contains(text, "RETURNING *"), "a statement names its columns");
}

const fn starts_with(text: &str, start: &str) -> bool {
    matches_at(text.as_bytes(), start.as_bytes(), 0)
}

const fn contains(text: &str, needle: &str) -> bool {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    let mut at = 0;
    while at + needle.len() <= text.len() {
        if matches_at(text, needle, at) {
            return true;
        }
        at += 1;
    }
    false
}

#[expect(
    clippy::indexing_slicing,
    reason = "slices have no other access in a const function; bounds are checked"
)]
const fn matches_at(text: &[u8], needle: &[u8], at: usize) -> bool {
    if at + needle.len() > text.len() {
        return false;
    }
    let mut offset = 0;
    while offset < needle.len() {
        if text[at + offset] != needle[offset] {
            return false;
        }
        offset += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_statement_without_its_tenant_is_refused() {
        assert!(
            std::panic::catch_unwind(|| TenantSql::checked("SELECT id FROM apps WHERE id = $2")).is_err()
        );
        assert!(
            std::panic::catch_unwind(|| TenantSql::checked("INSERT INTO apps (id) VALUES ($1)")).is_err()
        );
    }

    #[test]
    fn a_statement_that_does_not_name_its_columns_is_refused() {
        let all = || TenantSql::checked("SELECT * FROM apps WHERE tenant_id = $1");
        let returned = || SystemSql::checked("DELETE FROM mails WHERE due_at < $1 RETURNING *");
        assert!(std::panic::catch_unwind(all).is_err() && std::panic::catch_unwind(returned).is_err());
    }

    #[test]
    fn an_account_statement_cannot_reach_into_a_tenant() {
        assert!(std::panic::catch_unwind(|| AccountSql::checked("SELECT id FROM tenant_users")).is_err());
        assert!(std::panic::catch_unwind(|| AccountSql::checked("SELECT id FROM apps")).is_err());
    }
}
