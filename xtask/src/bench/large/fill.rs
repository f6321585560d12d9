//! The rows of a large deployment: copies of the demo's tenant, person and application, made by the database itself.

use std::fmt;
use std::path::Path;
use std::process::Command;

use crate::postgres::Postgres;
use crate::tools::{self, Need};
use crate::{Result, process};

use super::DATABASE;

/// How much there is of everything.
#[derive(Clone, Copy)]
pub struct Size {
    /// Tenants, each with one person and one application.
    pub tenants: usize,
    /// People; those of no other tenant belong to the first.
    pub people: usize,
    /// Applications; those of no other tenant belong to the first.
    pub applications: usize,
}

impl Size {
    /// What is reported.
    pub const LARGE: Self = Self { tenants: 10_000, people: 100_000, applications: 50_000 };
    /// Shows that everything works.
    pub const SMALL: Self = Self { tenants: 100, people: 2_000, applications: 1_000 };
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tenants, {} people, {} applications", self.tenants, self.people, self.applications)
    }
}

/// Copies `n` of an id of the demo: the last eight characters are the number. All is a day old: what has just been changed is read
/// again by every process for a while.
const STATEMENTS: &str = "
INSERT INTO tenants (id, slug, name, custom_domain, status, settings, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {tenants})
SELECT {copy t.id}, t.slug || '-' || CAST(n AS TEXT), t.name, NULL, t.status, t.settings, t.created_at - {day}, t.updated_at - {day}, t.version
FROM tenants t, numbers WHERE t.slug = 'demo';

INSERT INTO apis (tenant_id, id, identifier, enabled, configuration, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {tenants})
SELECT {copy t.id}, {copy a.id}, a.identifier, a.enabled, a.configuration, a.created_at - {day}, a.updated_at - {day}, a.version
FROM tenants t, apis a, numbers WHERE t.slug = 'demo' AND a.tenant_id = t.id AND a.identifier = 'https://api.demo.example';

INSERT INTO apps (tenant_id, id, handle, enabled, secret_digest, configuration, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {applications})
SELECT CASE WHEN n <= {tenants} THEN {copy t.id} ELSE t.id END, {copy a.id}, a.handle || '-' || CAST(n AS TEXT), a.enabled,
    a.secret_digest, a.configuration, a.created_at - {day}, a.updated_at - {day}, a.version
FROM tenants t, apps a, numbers WHERE t.slug = 'demo' AND a.tenant_id = t.id AND a.handle = 'bench-large';

INSERT INTO accounts (id, status, email, email_key, email_verified, profile, password, credentials_changed_at, created_at, updated_at)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {people})
SELECT {copy a.id}, a.status, CAST(n AS TEXT) || a.email, CAST(n AS TEXT) || a.email_key, a.email_verified, a.profile, a.password,
    a.credentials_changed_at - {day}, a.created_at - {day}, a.updated_at - {day}
FROM accounts a, numbers WHERE a.id = (SELECT account_id FROM tenant_users WHERE username_key = 'ada');

INSERT INTO tenant_users (tenant_id, id, account_id, subject, username, username_key, status, roles, metadata, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {people})
SELECT CASE WHEN n <= {tenants} THEN {copy u.tenant_id} ELSE u.tenant_id END, {copy u.id}, {copy u.account_id}, {copy u.subject},
    u.username || CAST(n AS TEXT), u.username_key || CAST(n AS TEXT), u.status, u.roles, u.metadata, u.created_at - {day}, u.updated_at - {day}, u.version
FROM tenant_users u, numbers WHERE u.username_key = 'ada';

ANALYZE;
";

const DAY_MICROS: usize = 86_400_000_000;

/// The statements, the same for both engines.
fn statements(size: Size) -> String {
    let mut text = STATEMENTS.to_owned();
    for column in ["t.id", "a.id", "u.id", "u.tenant_id", "u.account_id", "u.subject"] {
        let copy =
            format!("substr({column}, 1, length({column}) - 8) || substr(CAST(100000000 + n AS TEXT), 2)");
        text = text.replace(&format!("{{copy {column}}}"), &copy);
    }
    let counts = [
        ("{day}", DAY_MICROS),
        ("{tenants}", size.tenants),
        ("{people}", size.people),
        ("{applications}", size.applications),
    ];
    counts.iter().fold(text, |text, (word, count)| text.replace(word, &count.to_string()))
}

/// Writes them while no server runs.
pub fn fill(file: &Path, postgres: Option<&Postgres>, size: Size) -> Result<()> {
    let text = statements(size);
    let mut command = if let Some(postgres) = postgres {
        let mut psql = postgres.client("psql", DATABASE);
        // Row-level security binds every other role to one tenant.
        psql.env("PGUSER", "postgres").args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", &text]);
        psql
    } else {
        tools::ensure(&[Need::Sqlite])?;
        let mut sqlite = Command::new("sqlite3");
        sqlite.arg("-bail").arg(file).arg(format!("PRAGMA synchronous = OFF; BEGIN; {text} COMMIT;"));
        sqlite
    };
    process::output(&mut command).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_in_braces_is_left_in_the_statements() {
        assert!(!statements(Size::SMALL).contains(['{', '}']), "{}", statements(Size::SMALL));
    }
}
