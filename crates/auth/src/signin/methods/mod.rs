//! The ways to prove who one is, as one table; each has a file of its own.

mod method;
pub mod password;

use svc_core::{Error, Result};
use svc_domain::claims::assurance::Level;
use svc_http::HostCx;

pub use self::method::{Method, Proof, Verdict};
use crate::hosted::Visit;

/// Every method.
pub const METHODS: &[&Method] = &[&password::METHOD];

/// The strongest sign-in that the tenant offers.
pub fn strongest(host: &HostCx) -> Option<Level> {
    let offered = METHODS.iter().filter(|method| (method.is_offered)(host));
    offered.map(|method| method.factor.level()).max()
}

/// The method that a form names, if the tenant offers it.
pub fn chosen(visit: &Visit, id: Option<&str>) -> Result<&'static Method> {
    let id = id.unwrap_or(password::METHOD.id);
    let offered = METHODS.iter().copied().find(|method| method.id == id && (method.is_offered)(&visit.host));
    offered.ok_or_else(|| Error::not_found("this way to sign in is not offered here"))
}
