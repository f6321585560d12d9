//! Shared Signals (OpenID SSF 1.0 with CAEP 1.0 and RISC 1.0): what happens to people, told to the applications that ask for it.
//!
//! An operation notes a cause in the outbox, in its own transaction. A worker takes each cause out and puts an event into
//! every stream that asked for its type; from there it is pushed (RFC 8935) or polled (RFC 8936).

mod authorization;
mod causes;
mod events;
mod fan_out;
mod receiver;
mod streams;

use svc_core::Seconds;

pub use self::authorization::{Authorization, seal_readable, tenants_with_readable};
pub(crate) use self::causes::{
    access_ended, account_set, address_verified_elsewhere, claims_changed, is_anybody_listening, note_roles,
    password_set, password_set_elsewhere, profile_changed, session_ended,
};
pub(in crate::delivery) use self::events::enqueue;
pub use self::events::{SecurityEvent, acknowledge, token, verify, waiting};
pub use self::fan_out::{fan_out, spread, tenants_with_causes};
pub use self::receiver::{Receiver, receiver};
pub(in crate::delivery) use self::streams::any;
pub use self::streams::{Delivery, Status, Stream, Wanted, create, delete, find, list, replace, set_status};

/// Where receivers manage their streams (SSF §8.1.1).
pub const STREAMS_PATH: &str = "/api/v1/ssf/streams";
/// Where they read and change a stream's status (SSF §8.1.2).
pub const STATUS_PATH: &str = "/api/v1/ssf/status";
/// Where they ask for a verification event (SSF §8.1.4).
pub const VERIFICATION_PATH: &str = "/api/v1/ssf/verify";
/// Where they poll a stream, which follows.
pub const POLL_PATH: &str = "/api/v1/ssf/poll/";

/// Delivery by push.
pub const PUSH: &str = "urn:ietf:rfc:8935";
/// Delivery by poll.
pub const POLL: &str = "urn:ietf:rfc:8936";

/// CAEP §3.1.
const SESSION_REVOKED: &str = "https://schemas.openid.net/secevent/caep/event-type/session-revoked";
/// CAEP §3.2.
const TOKEN_CLAIMS_CHANGE: &str = "https://schemas.openid.net/secevent/caep/event-type/token-claims-change";
/// CAEP §3.3.
const CREDENTIAL_CHANGE: &str = "https://schemas.openid.net/secevent/caep/event-type/credential-change";
/// RISC §2.3.
const ACCOUNT_DISABLED: &str = "https://schemas.openid.net/secevent/risc/event-type/account-disabled";
/// RISC §2.4.
const ACCOUNT_ENABLED: &str = "https://schemas.openid.net/secevent/risc/event-type/account-enabled";
/// SSF §8.1.4.1.
const VERIFICATION: &str = "https://schemas.openid.net/secevent/ssf/event-type/verification";
/// SSF §8.1.5.
const STREAM_UPDATED: &str = "https://schemas.openid.net/secevent/ssf/event-type/stream-updated";

/// The types that a stream can ask for; the two of SSF itself come unasked.
pub const SUPPORTED: &[&str] =
    &[SESSION_REVOKED, CREDENTIAL_CHANGE, TOKEN_CLAIMS_CHANGE, ACCOUNT_DISABLED, ACCOUNT_ENABLED];

/// Most streams of one application.
pub const MOST_STREAMS: i64 = 10;
/// Most events that wait for one receiver.
pub const MOST_WAITING: i64 = 10_000;
/// The least time between two verifications of a stream.
pub const VERIFICATION_INTERVAL: Seconds = Seconds(30);
