//! The ways to sign in, as one table; each has a file of its own.

pub mod anonymous;
pub mod backup_code;
pub mod email_otp;
pub mod magic_link;
pub(super) mod method;
pub mod new_passkey;
pub mod new_totp;
pub mod passkey;
pub mod password;
pub mod set_up_passkey;
pub mod set_up_totp;
pub mod siwe;
pub mod sms;
pub mod social;
pub mod sso;
pub mod totp;

use svc_core::{Error, Result};
use svc_domain::claims::assurance::Level;
use svc_http::{App, HostCx};

pub use self::method::{
    Begun, Effect, ListedFor, Method, Needs, Proof, Shown, Turn, Verdict, has_ended, may_enter,
};
use super::progress::reached;

/// Every method.
pub const METHODS: &[&Method] = &[
    &password::METHOD,
    &passkey::METHOD,
    &social::METHOD,
    &totp::METHOD,
    &backup_code::METHOD,
    &set_up_totp::METHOD,
    &set_up_passkey::METHOD,
    &sso::METHOD,
    &email_otp::METHOD,
    &magic_link::METHOD,
    &sms::METHOD,
    &siwe::METHOD,
    &anonymous::METHOD,
];

/// The methods of a process, as a part of its [`svc_http::App`]; without one they are [`METHODS`].
pub struct Methods(pub &'static [&'static Method]);

/// Every method of the process, offered or not.
pub fn known(app: &App) -> &'static [&'static Method] {
    app.part::<Methods>().map_or(METHODS, |methods| methods.0)
}

/// The methods that the tenant offers.
pub fn offered(host: &HostCx) -> impl Iterator<Item = &'static Method> {
    known(&host.app).iter().copied().filter(|method| (method.is_offered)(host))
}

/// The strongest sign-in that the tenant offers: every method together.
pub fn strongest(host: &HostCx) -> Option<Level> {
    reached(offered(host).map(|method| method.factor))
}

/// The method that a form names, if the tenant offers it.
pub fn chosen(host: &HostCx, id: Option<&str>) -> Result<&'static Method> {
    let id = id.unwrap_or(password::METHOD.id);
    let method = offered(host).find(|method| method.id == id);
    method.ok_or_else(|| Error::not_found("this way to sign in is not offered here"))
}
