//! Names and members of the catalogue.

use std::collections::BTreeSet;

use super::*;
use crate::Timestamp;

#[test]
fn names_are_dotted_and_distinct() {
    let names: Vec<_> = names().collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for name in names {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        };
        assert!(name.contains('.') && name.split('.').all(is_word), "{name}");
    }
}

#[test]
fn the_data_of_an_event_are_the_members_that_the_catalogue_describes() {
    let kid = "key-1".to_owned();
    let event = Event::from(SigningKeyBroughtForward { kid, signs_from: Timestamp::from_secs(0) });
    let described = catalogue().find(|described| described.name == event.name).unwrap();
    let members: Vec<_> = event.data.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, described.members.iter().map(|member| member.name).collect::<Vec<_>>());
    assert_eq!(event.data["signs_from"], "1970-01-01T00:00:00Z");
}

/// What an event is about, by which its deliveries are ordered.
fn subject(event: &Described) -> Option<&'static str> {
    const FIRST: [&str; 5] = ["tenant_user_id", "sub", "session_id", "organization_id", "client_id"];
    let mut names = event.members.iter().map(|member| member.name);
    let first = FIRST.into_iter().find(|name| event.members.iter().any(|member| member.name == *name));
    first.or_else(|| names.find(|name| name.ends_with("_id")))
}

#[test]
fn what_becomes_of_a_record_is_ordered_with_its_creation() {
    for created in catalogue() {
        let Some(record) = created.name.strip_suffix("created") else { continue };
        for later in ["updated", "rotated", "revoked", "deactivated", "deleted"] {
            let name = format!("{record}{later}");
            for later in catalogue().filter(|event| event.name == name) {
                assert_eq!(subject(later), subject(created), "{name}");
            }
        }
    }
}

#[test]
fn what_names_a_person_by_sub_names_the_membership_too_by_which_its_order_is_kept() {
    for event in catalogue() {
        let has = |name: &str| event.members.iter().any(|member| member.name == name);
        assert!(!has("sub") || has("tenant_user_id"), "{}", event.name);
    }
}
