//! The kit of the hosted pages: what a browser brought, what it is given, and what it carries between two pages. It knows
//! no protocol.

mod acting;
mod address;
pub mod after_form;
pub mod assets;
mod browser;
pub mod captcha;
mod devices;
mod failures;
mod kept;
pub mod mail;
mod notices;
pub mod paths;
mod posted;
mod sealed;
mod signed_in;
pub mod texts;
mod tokens;
pub mod trusted;
mod visit;

pub use self::acting::{ActingCookie, Stop};
pub use self::address::with_query;
pub use self::devices::Device;
pub use self::failures::ERROR_PAGES;
pub use self::notices::{done, told};
pub use self::posted::{merged, posted, redirected};
pub use self::sealed::{Carried, Envelope};
pub use self::signed_in::SessionCookies;
pub use self::visit::Visit;
