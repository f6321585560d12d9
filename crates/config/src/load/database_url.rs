//! The address of a database, shown without its password.

use std::fmt;

use toml::Value;
use url::Url;

use super::setting::{Setting, text};
use svc_core::Secret;

/// The address of a database: `postgres://…`, `postgresql://…` or `sqlite:…`. Shown without its password.
#[derive(Clone)]
pub struct DatabaseUrl(Secret);

/// The kinds of database that the service runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A `PostgreSQL` server.
    Postgres,
    /// A local `SQLite` file, or memory.
    Sqlite,
}

impl DatabaseUrl {
    /// The address with its password; every call is a place to review.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// The engine behind it.
    pub fn engine(&self) -> Engine {
        if self.expose().starts_with("sqlite:") { Engine::Sqlite } else { Engine::Postgres }
    }

    /// Whether it is an `SQLite` database that lives in memory only.
    pub fn is_in_memory(&self) -> bool {
        let url = self.expose();
        self.engine() == Engine::Sqlite && (url.contains(":memory:") || url.contains("mode=memory"))
    }

    /// Whether the address demands TLS (`Some(true)`), lets connections do without (`Some(false)`), or leaves it to
    /// `database.require_ssl`.
    pub fn demands_tls(&self) -> Option<bool> {
        let query = self.expose().split_once('?').map_or("", |(_, query)| query);
        // As the driver reads it: by either name, decoded, and the last one counts.
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        let modes = pairs.filter(|(name, _)| matches!(&**name, "sslmode" | "ssl-mode"));
        modes.last().map(|(_, mode)| matches!(&*mode, "require" | "verify-ca" | "verify-full"))
    }

    /// The file of an `SQLite` database.
    pub fn file(&self) -> Option<&str> {
        let path = self.expose().strip_prefix("sqlite:").filter(|_| !self.is_in_memory())?;
        let path = path.strip_prefix("//").unwrap_or(path);
        path.split('?').next()
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&masked(self.expose()))
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The part of an address that holds no secret: scheme, host, path. User info and query may hold a password.
fn masked(url: &str) -> String {
    let (base, rest) = url.split_once('?').unwrap_or((url, ""));
    let query = if url.contains('?') { "?…" } else { "" };
    // A password with an unescaped "?" ends at an "@" behind it: all before it may be of the password.
    if let Some((scheme, _)) = base.split_once("://").filter(|_| rest.contains('@')) {
        return format!("{scheme}://…");
    }
    match base.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?.1))) {
        Some((scheme, host)) => format!("{scheme}://…@{host}{query}"),
        None => format!("{base}{query}"),
    }
}

impl Setting for DatabaseUrl {
    const SECRET: bool = true;

    fn read(value: &Value) -> Result<Self, String> {
        if value.as_str() == Some("") {
            return Err("is empty, and a database URL is required".to_owned());
        }
        let url = text(value)?;
        let is_postgres = ["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme));
        // A fragment is nearly always a password with an unescaped "#".
        let is_whole = || Url::parse(url).is_ok_and(|parsed| parsed.fragment().is_none());
        let is_sqlite = url.strip_prefix("sqlite:").is_some_and(|path| !path.is_empty());
        if is_sqlite || (is_postgres && is_whole()) {
            return Ok(Self(Secret::new(url)));
        }
        Err("is not a PostgreSQL or SQLite address (special characters in a password are written as %XX)"
            .to_owned())
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.to_string()))
    }

    fn expects() -> String {
        "\"postgres://user:password@host/name\" or \"sqlite:path/to/file.db\"".to_owned()
    }

    fn sample() -> Value {
        Value::String("postgres://user:password@localhost/svc".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str) -> Result<DatabaseUrl, String> {
        DatabaseUrl::read(&Value::String(url.to_owned()))
    }

    #[test]
    fn an_address_that_is_empty_is_missing() {
        assert_eq!(read("").unwrap_err(), "is empty, and a database URL is required");
    }

    #[test]
    fn a_password_never_prints() {
        for url in [
            "postgres://svc:hunter2@db.internal:5432/svc",
            "postgresql://svc:a@hunter2@db/svc",
            "postgres://db/svc?user=svc&password=hunter2",
            "postgres://svc:1/hunter2@db/svc",
            "postgres://svc:a@hunter2?b@db/svc",
            "postgres://svc:a@b/hunter2?c@db/svc",
            "postgres://hunter2?b@db/svc",
        ] {
            let url = read(url).unwrap();
            assert!(!format!("{url} {url:?} {:?}", url.show()).contains("hunter2"), "{url}");
        }
        assert_eq!(
            read("postgres://svc:hunter2@db:5432/svc").unwrap().to_string(),
            "postgres://…@db:5432/svc"
        );
        assert_eq!(read("sqlite:data/a@b.db").unwrap().to_string(), "sqlite:data/a@b.db");
    }

    #[test]
    fn other_databases_are_refused() {
        for bad in [
            "mysql://a/b",
            "postgres:a",
            "sqlite:",
            "svc.db",
            "postgres://u:p?ss@h/db",
            "postgres://a/b#c",
            "",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sslmode_and_memory_are_seen() {
        assert_eq!(read("postgres://a/b?x=1&sslmode=verify-full").unwrap().demands_tls(), Some(true));
        assert_eq!(read("postgres://a/sslmode=x").unwrap().demands_tls(), None);
        for weak in ["disable", "allow", "prefer", ""] {
            assert_eq!(read(&format!("postgres://a/b?sslmode={weak}")).unwrap().demands_tls(), Some(false));
        }
        assert_eq!(read("sqlite:///var/svc.db?mode=rwc").unwrap().file(), Some("/var/svc.db"));
        assert!(read("sqlite::memory:").unwrap().is_in_memory());
        assert!(!read("sqlite:svc.db").unwrap().is_in_memory());
    }
}
