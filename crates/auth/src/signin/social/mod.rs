//! Sign-in with an account at another provider (OpenID Connect Core §3.1, RFC 6749 §4.1): which providers there are, what they
//! say, and whom that means.

mod apple;
mod linked;
mod newcomer;
mod offered;
mod preset;
mod said;

pub use self::linked::{begin_url, link};
pub use self::newcomer::Linking;
pub use self::offered::{Provider, find, offered};
pub use self::said::{Said, read};
