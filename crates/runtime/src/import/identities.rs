//! Identities at other providers as exports have them: of well-known providers whose names for people are the same everywhere.

use serde_json::Value;
use svc_domain::people::imports::ImportedIdentity;

use super::record::{first, list};

/// What exports call a provider, what this deployment calls it, and what it calls itself.
const PROVIDERS: &[(&[&str], &str, &str)] = &[
    (&["google", "google-oauth2", "google.com"], "google", "https://accounts.google.com"),
    (&["apple", "apple.com"], "apple", "https://appleid.apple.com"),
    (&["github", "github.com"], "github", "https://github.com"),
    (&["gitlab"], "gitlab", "https://gitlab.com"),
    (&["discord"], "discord", "https://discord.com"),
];

/// Where a record has the identities of a person.
pub(super) struct Members<'a> {
    /// The list.
    pub list: &'a str,
    /// The provider.
    pub provider: &'a str,
    /// What the provider calls the person.
    pub subject: &'a str,
    /// What the person knows it by.
    pub label: &'a str,
}

/// The identities of a person. Those at other providers are left out: a name that is made for one client means no person here.
pub(super) fn of(record: &Value, members: &Members<'_>) -> Vec<ImportedIdentity> {
    list(record, members.list).iter().filter_map(|one| identity(one, members)).collect()
}

fn identity(said: &Value, members: &Members<'_>) -> Option<ImportedIdentity> {
    let called = first(said, &[members.provider])?;
    let (_, provider, issuer) = PROVIDERS.iter().find(|(names, ..)| names.contains(&called.as_str()))?;
    let subject = said.get(members.subject)?;
    let subject =
        subject.as_str().map(str::to_owned).or_else(|| subject.as_u64().map(|id| id.to_string()))?;
    Some(ImportedIdentity {
        provider: (*provider).to_owned(),
        issuer: (*issuer).to_owned(),
        subject,
        label: first(said, &[members.label]),
    })
}
