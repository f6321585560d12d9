//! Every function of the management API that begins a change without holding a record, with its reason: a new one shows here. Where
//! `If-Match` is checked, the compiler asks for it.

use std::collections::BTreeSet;

use crate::workspace::{root, sources};

/// Reasons, and the functions.
const UNHELD: &[(&str, &[&str])] = &[
    (
        "it changes nothing that was there before",
        &[
            "control_plane/plans.rs create",
            "control_plane/tenants/making.rs create",
            "control_plane/tenants/making.rs invite_administrator",
            "custom_domains/mod.rs create",
            "hook_modules.rs create",
            "impersonations.rs create",
            "imports.rs begin",
            "organization_domains.rs create",
            "organization_invitations.rs create",
            "organization_record.rs create",
            "record.rs create",
            "registration_tokens.rs create",
            "scim/provisioned.rs create",
            "signals/streams.rs create",
            "sso_connections.rs create",
        ],
    ),
    (
        "it sends something, and changes nothing that the record says",
        &[
            "audit/streams.rs test",
            "hooks.rs test",
            "managed.rs invite",
            "managed.rs recover",
            "scim_targets/mod.rs sync",
            "scim_targets/trial.rs test",
            "signals/poll.rs poll",
            "signals/status.rs verify",
            "sso_trial.rs test",
            "webhooks/sending.rs replay",
            "webhooks/sending.rs replay_range",
            "webhooks/sending.rs test",
        ],
    ),
    (
        "one statement decides, whatever was read before",
        &[
            "consents.rs take_back",
            "groups.rs add",
            "groups.rs nest",
            "groups.rs remove",
            "groups.rs unnest",
            "impersonations.rs end",
            "impersonations.rs link",
            "organization_issuers.rs link",
            "organization_issuers.rs unlink",
            "sessions.rs revoke",
            "sessions.rs revoke_all",
            "trusted_issuers.rs link",
            "trusted_issuers.rs unlink",
        ],
    ),
    ("imports take turns, one of a tenant at a time", &["imports.rs take"]),
];

#[test]
fn a_change_through_the_management_api_holds_its_record_or_has_a_reason_that_is_listed() {
    let folder = root().join("crates/control/src");
    let mut found = BTreeSet::new();
    for file in sources(&folder) {
        let text = std::fs::read_to_string(&file).unwrap();
        for function in text.split("\n}\n").filter(|item| begins(item) && !holds(item)) {
            let (_, named) = function.split_once("fn ").unwrap();
            let name = named.split(['(', '<']).next().unwrap();
            found.insert(format!("{} {name}", file.strip_prefix(&folder).unwrap().display()));
        }
    }
    let listed = UNHELD.iter().flat_map(|(_, functions)| *functions);
    let listed: BTreeSet<String> = listed.map(|function| (*function).to_owned()).collect();
    let only_in = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        one.difference(other).cloned().collect()
    };
    let (unlisted, gone) = (only_in(&found, &listed), only_in(&listed, &found));
    assert!(found == listed, "found, and not listed: {unlisted:?}\nlisted, and not found: {gone:?}");
}

fn begins(function: &str) -> bool {
    [".begin()", ".begin_system()"].iter().any(|begin| function.contains(begin))
}

fn holds(function: &str) -> bool {
    function.contains("hold(")
}
