//! The key-management process `svc-kms` as its clients see it: the messages, the channel, and a [`Sidecar`] behind the
//! port [`KeyManagement`](crate::KeyManagement).
//!
//! A Unix socket carries TLS 1.3 between raw public keys that both sides have pinned (RFC 7250); inside are messages
//! with their length in front, of which several may be under way.

mod channel;
mod connection;
mod frame;
mod identity;
mod kept;
mod message;
mod sidecar;
mod trouble;

pub use channel::{accepting, connecting};
pub use frame::{Frame, LONGEST, read, write};
pub use identity::{Identity, PublicIdentity};
pub use message::{Answer, Call, Reply, Request, Use, VERSION};
pub use sidecar::{Settings, Sidecar};
pub use trouble::Trouble;
