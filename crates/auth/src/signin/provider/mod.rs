//! Signing in at another provider as its client (OpenID Connect Core §3.1, RFC 6749 §4.1): the way there, the way back, and what
//! the provider then says.

mod code;
mod freshness;
mod id_token;
mod logout_token;
mod metadata;
mod reach;
mod refusal;
mod registration;
mod userinfo;

pub use self::code::{Asks, Away, leave, redeem};
pub use self::freshness::Renewal;
pub use self::logout_token::{Ended, ended};
pub use self::metadata::Providers;
pub use self::refusal::message;
pub use self::registration::{Authentication, Endpoints, Proven, Registration, Speaks};
pub use self::userinfo::fetch;
