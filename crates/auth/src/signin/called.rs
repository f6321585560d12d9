//! The names by which pages and mails address people.

use svc_domain::people::changes::Candidate;
use svc_domain::people::tenant_users::Person;

/// How a person is called on pages: by address, user name or name.
pub fn account_of(person: &Person) -> &str {
    let names = [&person.email, &person.username, &person.profile.name];
    names.into_iter().flatten().map(String::as_str).next().unwrap_or_default()
}

/// The same of a person who may be no member here.
pub fn account_of_candidate(candidate: &Candidate) -> &str {
    let email = candidate.account.email.as_deref().unwrap_or_default();
    candidate.member.as_ref().map_or(email, account_of)
}

/// How a person is called on pages and in mails of others: by name, address or user name.
pub fn called(person: &Person) -> &str {
    person.profile.name.as_deref().unwrap_or_else(|| account_of(person))
}
