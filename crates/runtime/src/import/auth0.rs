//! Auth0: the users of an export job as JSON Lines, and the hashes that its support exports, joined by the id of the person.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};
use svc_domain::claims::profile::Profile;
use svc_domain::people::imports::{ImportedIdentity, InitialStatus, OldPassword, PersonLine};

use super::file::{self, Form};
use super::identities::{self, Members};
use super::record::{first, flag, list, members, text, time, username};
use crate::failure::Failure;

/// The hashes of an export by the id of the person, `auth0|` and the id of the record.
pub(super) fn hashes(path: &Path) -> Result<HashMap<String, String>, Failure> {
    let (mut hashes, mut number, mut is_whole) = (HashMap::new(), 0, true);
    file::each(path, Form::JsonLines, &mut |record| {
        number += 1;
        let Ok(record) = record else {
            is_whole = false;
            return false;
        };
        if let Some(id) = record.pointer("/_id/$oid").or(record.get("_id")).and_then(Value::as_str)
            && let Some(hash) = first(&record, &["passwordHash", "password_hash"])
        {
            hashes.insert(format!("auth0|{id}"), hash);
        }
        true
    })?;
    // People who are imported without their password are members then, and no later import gives it to them.
    let unfit = |what: &str| Err(Failure::new(format!("--hashes {}: {what}", path.display())));
    if !is_whole {
        return unfit(&format!("record {number} must be a JSON document on a line of its own"));
    }
    if hashes.is_empty() {
        return unfit("records must have `_id` and `passwordHash`, and no record has both");
    }
    Ok(hashes)
}

const IDENTITIES: Members<'_> =
    Members { list: "identities", provider: "provider", subject: "user_id", label: "connection" };

/// The person of a line.
pub(super) fn person(user: &Value, hashes: &HashMap<String, String>) -> PersonLine {
    let external_id = first(user, &["user_id", "Id"]);
    let hash = first(user, &["passwordHash", "password_hash"])
        .or_else(|| external_id.as_ref().and_then(|id| hashes.get(id).cloned()))
        .or_else(|| linked(user, hashes));
    let email = first(user, &["email", "Email"]);
    PersonLine {
        external_id,
        email_verified: flag(user, "email_verified") || flag(user, "Email Verified"),
        username: username(user, "username"),
        profile: Profile {
            // Where Auth0 knows no name, it writes the address.
            name: first(user, &["name", "Name"]).filter(|name| Some(name) != email.as_ref()),
            given_name: first(user, &["given_name", "Given Name"]),
            family_name: first(user, &["family_name", "Family Name"]),
            nickname: first(user, &["nickname", "Nickname"]),
            phone_number: text(user, "phone_number"),
            phone_number_verified: flag(user, "phone_verified"),
            ..Profile::default()
        },
        email,
        status: if flag(user, "blocked") { InitialStatus::Suspended } else { InitialStatus::Active },
        created_at: time(user, "created_at"),
        public_metadata: members(user, "user_metadata"),
        private_metadata: members(user, "app_metadata"),
        password_hash: hash.map(OldPassword::encoded),
        identities: identities_of(user),
        ..PersonLine::default()
    }
}

/// The hash of a person who came by another connection first: the user of the database is one of those that were linked.
fn linked(user: &Value, hashes: &HashMap<String, String>) -> Option<String> {
    let of_database = |one: &&Value| text(one, "provider").as_deref() == Some("auth0");
    let ids = list(user, "identities").iter().filter(of_database).filter_map(|one| text(one, "user_id"));
    ids.map(|id| format!("auth0|{id}")).find_map(|id| hashes.get(&id).cloned())
}

/// The identities of a person. An export without `identities` has the first of them in `user_id`.
fn identities_of(user: &Value) -> Vec<ImportedIdentity> {
    let first = text(user, "user_id").filter(|_| user.get("identities").is_none());
    match first.as_deref().and_then(|id| id.split_once('|')) {
        Some((provider, id)) => {
            identities::of(&json!({ "identities": [{ "provider": provider, "user_id": id }] }), &IDENTITIES)
        }
        None => identities::of(user, &IDENTITIES),
    }
}

#[cfg(test)]
mod tests {
    use svc_core::Secret;

    use super::*;

    fn subjects(person: &PersonLine) -> Vec<&str> {
        person.identities.iter().map(|one| one.subject.as_str()).collect()
    }

    #[test]
    fn the_identity_of_a_person_is_that_of_the_id_where_the_export_has_no_list_of_them() {
        let none = HashMap::new();
        for (user, expected) in [
            (json!({ "user_id": "google-oauth2|113" }), vec!["113"]),
            (
                json!({ "user_id": "google-oauth2|113", "identities": [{ "provider": "github", "user_id": 7 }] }),
                vec!["7"],
            ),
            (json!({ "user_id": "auth0|507f" }), vec![]),
            (json!({ "user_id": "samlp|acme|grace" }), vec![]),
        ] {
            assert_eq!(subjects(&person(&user, &none)), expected, "{user}");
        }
    }

    #[test]
    fn a_password_that_was_linked_to_another_connection_comes_with_the_person() {
        let hashes = HashMap::from([("auth0|507f".to_owned(), "$2b$06$a".to_owned())]);
        let user = json!({ "user_id": "google-oauth2|113", "identities": [
            { "provider": "google-oauth2", "user_id": "113", "connection": "google-oauth2" },
            { "provider": "auth0", "user_id": "507f", "connection": "Username-Password-Authentication" },
        ] });
        let linked = person(&user, &hashes);
        let hash = linked.password_hash.as_ref().and_then(|hash| hash.value.as_ref());
        assert_eq!(hash.map(Secret::expose), Some("$2b$06$a"));
        assert_eq!(subjects(&linked), ["113"]);
        assert!(person(&user, &HashMap::new()).password_hash.is_none());
    }

    #[test]
    fn a_file_that_is_not_one_of_hashes_is_refused_before_anybody_comes_without_a_password() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hashes.json");
        let right = r#"{"_id": {"$oid": "1"}, "passwordHash": "$2b$06$a"}"#;
        for (text, expected) in [
            (format!("{right}\n"), None),
            (format!("[\n{right}\n]\n"), Some("record 1 must be a JSON document")),
            (format!("{right}\n{{\"_id\": "), Some("record 2 must be a JSON document")),
            ("{\"user_id\": \"auth0|1\"}\n".to_owned(), Some("no record has both")),
        ] {
            std::fs::write(&path, &text).unwrap();
            match (hashes(&path), expected) {
                (Ok(hashes), None) => assert_eq!(hashes.get("auth0|1").map(String::as_str), Some("$2b$06$a")),
                (Err(refused), Some(expected)) => {
                    assert!(refused.to_string().contains(expected), "{refused}");
                }
                (read, _) => panic!("{text}: {read:?}"),
            }
        }
    }
}
