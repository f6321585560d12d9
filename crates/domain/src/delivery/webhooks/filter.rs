//! Which events a subscription asks for: exact types, or all types of a category.

use svc_core::events::{is_of, names};
use svc_core::{Error, Result};

/// Most entries of one subscription.
const MOST: usize = 100;

/// Refuses entries that no event can ever match.
pub(super) fn check(entries: &[String]) -> Result<()> {
    if entries.is_empty() || entries.len() > MOST {
        return Err(Error::bad_request(format!("event_types: name 1 to {MOST} types or categories")));
    }
    match entries.iter().find(|entry| !names().any(|name| is_of(name, entry))) {
        Some(unknown) => Err(Error::bad_request(format!(
            "event_types: {unknown:?} is neither a type of /api/v1/event-types nor a category of them such as \"auth.*\""
        ))),
        None => Ok(()),
    }
}

/// Whether a subscription with these entries asks for events of a type.
pub(super) fn asks_for(entries: &[String], event_type: &str) -> bool {
    entries.iter().any(|entry| is_of(event_type, entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_type_or_a_category_of_whole_words() {
        for (entry, event_type, matches) in [
            ("auth.login.success", "auth.login.success", true),
            ("auth.login.success", "auth.login.failure", false),
            ("auth.*", "auth.login.success", true),
            ("auth.login.*", "auth.login.success", true),
            ("auth.log.*", "auth.login.success", false),
            ("au.*", "auth.login.success", false),
            ("auth.logout.*", "auth.logout", false),
            (".*", "auth.logout", false),
            ("*", "auth.logout", false),
        ] {
            assert_eq!(asks_for(&[entry.to_owned()], event_type), matches, "{entry} {event_type}");
        }
    }

    #[test]
    fn what_no_event_can_match_is_refused() {
        let check =
            |entries: &[&str]| check(&entries.iter().map(|&entry| entry.to_owned()).collect::<Vec<_>>());
        assert!(check(&["auth.*", "wallet.tx.signed", "tenant_user.suspended"]).is_ok());
        assert!(check(&[]).is_err() && check(&["auth.logout"; 101]).is_err());
        for unknown in ["*", ".*", "auth", "auth.", "auth.*.*", "AUTH.*", "signal", "au.*", ""] {
            let refusal = check(&["auth.*", unknown]).unwrap_err();
            assert!(refusal.detail().starts_with("event_types: \""), "{unknown}: {}", refusal.detail());
        }
    }
}
