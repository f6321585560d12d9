//! Words for where a request of support staff to act for a person stands.

use svc_domain::people::impersonations::State;

/// Where a request of support staff to act for a person stands, and the ids of its words.
pub const STATES: &[(State, &str)] = &[
    (State::Waiting, "support-waiting"),
    (State::Ready, "support-ready"),
    (State::Active, "support-active"),
    (State::Refused, "support-refused"),
    (State::Expired, "support-expired"),
    (State::Ended, "support-ended"),
];
