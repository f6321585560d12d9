//! JSON Web Signatures, Keys and Tokens (RFC 7515, 7517, 7518, 7519, 8037, 8725), compact form only.

mod algorithm;
mod claims;
mod heading;
mod jws;
mod key_set;
mod material;
mod public_key;
mod ring;
mod signing_key;
mod token_key;
mod typ;
mod verified;

/// Deeper nesting than any claim that we know.
const DEEPEST: usize = 16;

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod oracle;

pub use algorithm::{Algorithm, at_hash};
pub use claims::{Claims, DEEPEST_CLAIM, Dated, Times};
pub use jws::{Jws, LONGEST_KID, LONGEST_TOKEN};
pub use key_set::KeySet;
pub use public_key::PublicKey;
pub use ring::{KeyRing, KeyState, Signer};
pub use signing_key::SigningKey;
pub use token_key::{Keeper, KeptKey, Pending, TokenKey};
pub use typ::Typ;
