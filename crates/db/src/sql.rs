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

/// A write that means something to a tenant. It runs only together with the record of what it means: `svc_domain::log`
/// alone takes the statement out.
#[derive(Clone, Copy)]
pub struct Change<Q>(Q);

impl<Q> Change<Q> {
    /// The statement alone; banned by `clippy.toml` where its meaning is not recorded.
    pub fn without_its_meaning(self) -> Q {
        self.0
    }
}

/// Reads rows of one tenant; `$1` is the tenant and bound by the transaction. Like all of these, it takes the text in one
/// piece or several: a macro that ends in `_sql` may give the first piece of several statements.
#[macro_export]
macro_rules! sql {
    ($($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::TenantSql = $crate::TenantSql::reading(concat!($($part),+));
        STATEMENT
    }};
}

/// Reads deployment-wide account rows.
#[macro_export]
macro_rules! account_sql {
    ($($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::AccountSql = $crate::AccountSql::reading(concat!($($part),+));
        STATEMENT
    }};
}

/// Reads across tenants.
#[macro_export]
macro_rules! system_sql {
    ($($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::SystemSql = $crate::SystemSql::reading(concat!($($part),+));
        STATEMENT
    }};
}

/// Changes rows of one tenant, together with an audit entry that says what the change means.
#[macro_export]
macro_rules! change_sql {
    ($($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::Change<$crate::TenantSql> = $crate::TenantSql::changing(concat!($($part),+));
        STATEMENT
    }};
}

/// Changes deployment-wide account rows, together with an audit entry.
#[macro_export]
macro_rules! change_account_sql {
    ($($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::Change<$crate::AccountSql> = $crate::AccountSql::changing(concat!($($part),+));
        STATEMENT
    }};
}

/// Changes rows across tenants, together with an audit entry.
#[macro_export]
macro_rules! change_system_sql {
    ($($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::Change<$crate::SystemSql> = $crate::SystemSql::changing(concat!($($part),+));
        STATEMENT
    }};
}

/// Writes rows of one tenant without an audit entry; the first argument says why there is none.
#[macro_export]
macro_rules! quiet_sql {
    ($why:literal, $($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::TenantSql = $crate::TenantSql::quiet($why, concat!($($part),+));
        STATEMENT
    }};
}

/// Writes deployment-wide account rows without an audit entry; the first argument says why there is none.
#[macro_export]
macro_rules! quiet_account_sql {
    ($why:literal, $($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::AccountSql = $crate::AccountSql::quiet($why, concat!($($part),+));
        STATEMENT
    }};
}

/// Writes across tenants without an audit entry; the first argument says why there is none.
#[macro_export]
macro_rules! quiet_system_sql {
    ($why:literal, $($part:literal),+ $(,)?) => {{
        const STATEMENT: $crate::SystemSql = $crate::SystemSql::quiet($why, concat!($($part),+));
        STATEMENT
    }};
}

/// The three ways of making a statement of one kind: each checks what all statements of the kind must be.
macro_rules! kinds {
    ($($kind:ident)+) => {$(
        impl $kind {
            #[doc(hidden)]
            pub const fn reading(text: &'static str) -> Self {
                assert!(!writes(text), "a statement that writes is `change_…sql!`, or `quiet_…sql!` with a reason");
                Self::checked(text)
            }

            #[doc(hidden)]
            pub const fn changing(text: &'static str) -> Change<Self> {
                assert!(writes(text), "a statement that only reads is `sql!`");
                Change(Self::checked(text))
            }

            #[doc(hidden)]
            pub const fn quiet(why: &'static str, text: &'static str) -> Self {
                assert!(!why.is_empty(), "a quiet write says why nothing is recorded");
                assert!(writes(text), "a statement that only reads is `sql!`");
                Self::checked(text)
            }
        }
    )+};
}

kinds! { TenantSql AccountSql SystemSql }

impl TenantSql {
    const fn checked(text: &'static str) -> Self {
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
    const fn checked(text: &'static str) -> Self {
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

    const fn checked(text: &'static str) -> Self {
        names_its_columns(text);
        Self(text)
    }
}

/// Whether a statement writes: all do but those that start with `SELECT`, and those that start with `WITH` and have no
/// `INSERT`, `UPDATE` or `DELETE` in any of their parts.
const fn writes(text: &str) -> bool {
    let is_with = starts_with(text, "WITH ");
    if is_with {
        return contains(text, "INSERT INTO ") || contains(text, "UPDATE ") || contains(text, "DELETE FROM ");
    }
    !starts_with(text, "SELECT ")
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
    fn a_statement_that_writes_is_never_taken_for_one_that_reads() {
        let update = "WITH due AS (SELECT id FROM mails) UPDATE mails SET state = 'sent'";
        let modifying = "WITH gone AS (DELETE FROM mails RETURNING id) SELECT id FROM gone";
        let select = "WITH due AS (SELECT id FROM mails) SELECT id FROM due";
        for write in ["INSERT INTO a VALUES (1)", "UPDATE a SET b = 1", "DELETE FROM a", update, modifying] {
            assert!(std::panic::catch_unwind(|| SystemSql::reading(write)).is_err(), "{write}");
            assert_eq!(SystemSql::changing(write).0.0, write);
            assert_eq!(SystemSql::quiet("a test", write).0, write);
        }
        for read in ["SELECT id FROM mails", select] {
            assert_eq!(SystemSql::reading(read).0, read);
            assert!(std::panic::catch_unwind(|| SystemSql::changing(read)).is_err(), "{read}");
            assert!(std::panic::catch_unwind(|| SystemSql::quiet("a test", read)).is_err(), "{read}");
        }
    }

    #[test]
    fn a_quiet_write_without_a_reason_is_refused() {
        assert!(std::panic::catch_unwind(|| SystemSql::quiet("", "DELETE FROM mails")).is_err());
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
