//! The claims of a provider about a person: who they are there, and which address it has proven to be theirs.

use serde_json::{Map, Number, Value};
use svc_core::{Error, Result, Timestamp};
use svc_domain::people::accounts::Email;
use svc_domain::people::credentials::identities::Identity;
use svc_http::{HostCx, Params};

use super::provider::{Belief, Provider};
use crate::signin::provider::{Proven, Speaks, fetch};

/// Longest line that is read.
const LONGEST: usize = 200;
/// Longest name of an identity: that of a credential.
const LONGEST_LABEL: usize = 60;
/// From here on, numbers that are read as fractions are rounded.
const ROUNDED: f64 = 9_007_199_254_740_992.0;

/// The claims of a provider about a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserClaims {
    /// Who that is there.
    pub identity: Identity,
    /// The address that the provider has proven to be theirs.
    pub email: Option<Email>,
    /// An address that it has not.
    pub hint: Option<String>,
    /// The full name.
    pub name: Option<String>,
    /// When the person last proved who they are there, where the provider says so.
    pub seen_at: Option<Timestamp>,
}

/// Reads what the answer in these parameters brought, and asks for the addresses where they are listed apart.
pub async fn read(
    host: &HostCx,
    provider: &Provider,
    (proven, params): (Proven, &Params),
) -> Result<UserClaims> {
    let Proven { mut document, access_token, seen_at } = proven;
    let issuer = match &provider.speaks {
        Speaks::OpenId { .. } => document.get("iss").and_then(Value::as_str).unwrap_or_default().to_owned(),
        Speaks::Oauth(endpoints) => {
            if let (Belief::List(path), Some(token)) = (&provider.reads.belief, access_token) {
                let url = format!("{}{path}", endpoints.userinfo_endpoint);
                let list = fetch(host, (provider.chosen_by(), &url), &token).await?;
                listed(&mut document, (&provider.reads.email, path), &list);
            }
            endpoints.name.clone()
        }
    };
    let mut claims = user_claims(provider, issuer, &document)?;
    claims.name = claims.name.or_else(|| as_line(&provider.name_in(params)?));
    claims.seen_at = seen_at;
    Ok(claims)
}

/// Puts the first address, if it is proven, in the place of what the person shows to everyone.
fn listed(document: &mut Map<String, Value>, (email, path): (&str, &str), list: &Value) {
    document.remove(email);
    let is_first = |one: &&Value| one.get("primary") == Some(&Value::Bool(true));
    let first = list.as_array().and_then(|list| list.iter().find(is_first));
    let Some(first) = first else { return };
    if let Some(address) = first.get("email") {
        document.insert(email.to_owned(), address.clone());
    }
    document.insert(path.to_owned(), first.get("verified").cloned().unwrap_or_default());
}

fn user_claims(provider: &Provider, issuer: String, document: &Map<String, Value>) -> Result<UserClaims> {
    let reads = &provider.reads;
    let subject = match member(document, &reads.subject) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) if is_exact(number) => number.to_string(),
        _ => String::new(),
    };
    if !(1..=255).contains(&subject.len()) || subject.chars().any(char::is_control) {
        return Err(Error::conflict("the provider does not say who the person is"));
    }
    let is_true = |name: &str| match member(document, name) {
        Some(Value::Bool(is_true)) => *is_true,
        Some(Value::String(text)) => text == "true",
        Some(Value::Number(number)) => number.as_u64() == Some(1),
        _ => false,
    };
    let is_believed = match &reads.belief {
        Belief::Never => false,
        Belief::Given => true,
        Belief::Claim(name) | Belief::List(name) => is_true(name),
    };
    let address = line(document, &reads.email);
    let email = address.as_deref().filter(|_| is_believed).and_then(|text| Email::parse(text).ok());
    let known_by = line(document, &reads.label).unwrap_or_else(|| subject.clone());
    let label = known_by.chars().take(LONGEST_LABEL).collect();
    let provider_name = provider.is_tenants().then(|| provider.name.clone());
    Ok(UserClaims {
        identity: Identity { provider: provider.id.clone(), provider_name, issuer, subject, label },
        hint: address.filter(|_| email.is_none()),
        email,
        name: line(document, &reads.name),
        seen_at: None,
    })
}

/// Whether a number was read as it was written: one that was rounded would stand for several people.
fn is_exact(number: &Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|read| read.abs() < ROUNDED)
}

/// A member by its name, or by a JSON pointer (RFC 6901) into an object of the document.
fn member<'a>(document: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let inner = || {
        let (outer, rest) = name.strip_prefix('/')?.split_once('/')?;
        document.get(outer)?.pointer(&format!("/{rest}"))
    };
    document.get(name).or_else(inner)
}

fn line(document: &Map<String, Value>, name: &str) -> Option<String> {
    as_line(member(document, name)?.as_str()?)
}

/// The text, if it is one line that is short enough to keep.
fn as_line(text: &str) -> Option<String> {
    let text = text.trim();
    let is_line = (1..=LONGEST).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    is_line.then(|| text.to_owned())
}
