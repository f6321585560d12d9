//! The types that every crate uses: typed ids, time, secrets, scopes, errors and events. Pure: no I/O.

pub mod capability;
mod cx;
mod entropy;
mod error;
mod event_schemas;
pub mod events;
mod id;
pub mod json;
mod scope;
mod secret;
mod secret_names;
pub mod settled;
mod tenant;
pub mod text;
mod time;

pub use cx::{Actor, Cx};
pub use entropy::{Entropy, SeededEntropy};
pub use error::{Class, Error, Flaw, OrInternal, Place, Result};
pub use id::*;
pub use scope::{STANDARD_SCOPES, Scope};
pub use secret::{Digest, Secret};
pub use secret_names::SECRET_NAMES;
pub use settled::{Expired, Settled};
pub use tenant::{Origin, TenantId};
pub use time::{Clock, ManualClock, Seconds, SystemClock, Timestamp};
