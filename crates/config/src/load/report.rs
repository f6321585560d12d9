//! The key table as text: the outcome of a configuration, and the example file.

use std::fmt::Write as _;

use super::fault::Source;
use super::known::describe;
use super::reader::Entry;

const HEAD: &str = "\
# Every key of the service, with its default. Copy this file to svc.toml, or name it in SVC_CONFIG_FILE.
#
# Order: built-in defaults, then this file, then the environment, which wins. A key's variable is SVC_, the
# section, two underscores and the key, in capitals: SVC_SERVER__PORT. Lists are JSON arrays:
# SVC_SERVER__ALLOWED_HOSTS='[\"id.example.com\"]'. Shortcuts: DATABASE_URL, DATABASE_IDENTITY_URL,
# DATABASE_AUTH_URL, DATABASE_CONTROL_URL, DATABASE_ASYNC_URL, MIGRATION_DATABASE_URL and
# MAINTENANCE_DATABASE_URL. SVC_RUNTIME_PLANE selects the plane: all, auth, control or async.
#
# Uncomment a key by deleting its \"#\". An unknown key is refused. `svc-runtime config check` shows the
# outcome without secrets.
";

/// The text of `svc.example.toml`: every key commented out, with meaning, allowed values and default.
pub fn example() -> String {
    let mut out = HEAD.to_owned();
    for entry in describe() {
        out.push('\n');
        let _ = match entry {
            Entry::Section { path, doc, mark } => {
                comment(&mut out, doc);
                if mark.is_some() {
                    comment(&mut out, "This version does not implement this section.");
                }
                // A repeated section would become an entry, so its head is commented out too.
                writeln!(out, "{}{}", if path.ends_with("[]") { "#" } else { "" }, head(&path))
            }
            Entry::Key { path, doc, allowed, value, sample, mark, .. } => {
                comment(&mut out, doc);
                if mark.is_some() {
                    comment(&mut out, "Without effect in this version.");
                }
                let none = if value.is_none() { " Not set by default; for example:" } else { "" };
                let value = value.unwrap_or(sample);
                writeln!(out, "# Allowed: {allowed}.{none}\n#{} = {value}", name(&path))
            }
        };
    }
    out
}

/// Every effective key with its source; secrets are masked.
pub fn outcome(entries: &[Entry]) -> String {
    let mut out = String::new();
    for entry in entries {
        let _ = match entry {
            Entry::Section { path, .. } => write!(out, "\n{}\n", head(path)),
            Entry::Key { path, value: Some(value), source, .. } => {
                writeln!(out, "{} = {value} # {source}", name(path))
            }
            Entry::Key { path, value: None, .. } => writeln!(out, "# {} is not set", name(path)),
        };
    }
    out
}

/// The same as values.
pub fn effective(entries: &[Entry]) -> Vec<(String, serde_json::Value, String)> {
    let keys = entries.iter().filter_map(|entry| match entry {
        Entry::Key { path, value, source, .. } => {
            let value = serde_json::to_value(value).unwrap_or_default();
            Some((path.clone(), value, source.to_string()))
        }
        Entry::Section { .. } => None,
    });
    keys.collect()
}

/// Replaces the value of a default that depends on other keys.
pub fn derived(entries: &mut [Entry], key: &str, derived: impl Into<toml::Value>) {
    for entry in entries {
        if let Entry::Key { path, value, source: Source::Default, .. } = entry
            && path == key
        {
            *value = Some(derived.into());
            return;
        }
    }
}

/// Whether `key` was given by the file or the environment.
pub fn is_given(entries: &[Entry], key: &str) -> bool {
    entries
        .iter()
        .any(|entry| entry.path() == key && !matches!(entry, Entry::Key { source: Source::Default, .. }))
}

fn head(path: &str) -> String {
    match path.split_once('[') {
        Some((list, _)) => format!("[[{list}]]"),
        None => format!("[{path}]"),
    }
}

fn name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn comment(out: &mut String, doc: &str) {
    for line in doc.lines() {
        let _ = writeln!(out, "# {}", line.trim());
    }
}
