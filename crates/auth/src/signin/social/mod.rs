//! Sign-in with an account at another provider (OpenID Connect Core §3.1, RFC 6749 §4.1): which providers there are, what they
//! say, and whom that means.

mod apple;
mod claims;
mod connector;
mod linking;
mod offered;
mod preset;
mod provider;
mod registered;
pub mod relay;

pub use self::claims::{UserClaims, read};
pub use self::linking::Linking;
pub use self::offered::{find, offered};
pub use self::provider::Provider;
