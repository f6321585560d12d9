//! Calls of a provider: what it answers, or that it is not available for the moment.

use svc_core::{Class, Error, Result};
use svc_http::{Bytes, ChosenBy, Fetched, HeaderMap, HostCx, Limits};

/// Where a call goes: what is there, by whose word, and its address.
pub(super) type Place<'a> = (&'static str, ChosenBy, &'a str);

/// Fetches what is at an address.
pub(super) async fn get(
    host: &HostCx,
    (what, chosen_by, url): Place<'_>,
    headers: HeaderMap,
) -> Result<Fetched> {
    let outbound = host.app.outbound_to_providers(chosen_by);
    outbound.check(url)?;
    outbound.get_with(url, headers, Limits::default()).await.map_err(|cause| silent(what, cause))
}

/// Sends a form to an address.
pub(super) async fn post(
    host: &HostCx,
    (what, chosen_by, url): Place<'_>,
    (headers, form): (HeaderMap, Bytes),
) -> Result<Fetched> {
    let outbound = host.app.outbound_to_providers(chosen_by);
    outbound.check(url)?;
    outbound.post(url, headers, form, Limits::default()).await.map_err(|cause| silent(what, cause))
}

/// What a status means that comes in place of an answer: trying again helps, or it does not.
pub(super) fn class_of(status: u16) -> Class {
    if status >= 500 || status == 429 { Class::TemporarilyUnavailable } else { Class::Conflict }
}

/// The address is one that may be called, and gave nothing.
#[track_caller]
fn silent(what: &str, cause: Error) -> Error {
    let text = format!("the provider's {what}: no usable answer in time");
    Error::new(Class::TemporarilyUnavailable, text).caused_by(cause)
}
