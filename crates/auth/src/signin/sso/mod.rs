//! Single sign-on of organizations (OpenID Connect Core §3.1): whom it is for, what a provider says, and whom that means.

mod code;
mod noted;
mod people;
mod provider;
mod route;
mod said;
mod token;

pub use self::code::{Away, leave, redeem};
pub use self::noted::{behind, entered, failed};
pub use self::people::whom;
pub use self::provider::Providers;
pub use self::route::{demanded_of, of_address, of_request};
pub use self::said::Vouched;
