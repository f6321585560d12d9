//! Single sign-on of organizations (OpenID Connect Core §3.1): whom it is for, what a provider says, and whom that means.

mod claims;
mod client;
mod logout;
mod noted;
mod people;
mod route;

pub use self::claims::Vouched;
pub use self::client::{leave, redeem};
pub use self::logout::routes;
pub use self::noted::{behind, entered, failed, is_withdrawn};
pub use self::people::{Whom, whom};
pub use self::route::{demanded_of, of_address, of_request};
