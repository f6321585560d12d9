//! Which check holds at which endpoint, as one table (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.2).

use svc_core::Result;

use super::arrived::{CheckInput, Endpoint};
use super::checks::{
    acr_values, authorization_details, claims, dpop_jkt, id_token_hint, max_age, nonce, organization, pkce,
    presence, prompt, pushed, request_object, response_mode, response_type, scope, target, tolerated, total,
};
use super::request::AuthorizationRequest;

/// A check reads parameters and writes what it made of them; its error goes back to the application.
pub type Check = fn(&CheckInput<'_>, &mut AuthorizationRequest) -> Result<()>;

use Endpoint::{Authorize, Backchannel, Device, Par, Pushed};

/// The matrix. The order is the order in which faults are reported.
const CHECKS: &[(Check, &[Endpoint])] = &[
    (request_object::check, &[Authorize, Par, Pushed]),
    (pushed::check, &[Authorize]),
    (response_type::check, &[Authorize, Par, Pushed]),
    (response_mode::check, &[Authorize, Par, Pushed]),
    (prompt::check, &[Authorize, Par, Pushed]),
    (max_age::check, &[Authorize, Par, Pushed]),
    (target::check, &[Authorize, Par, Pushed, Device, Backchannel]),
    (scope::check, &[Authorize, Par, Pushed, Device, Backchannel]),
    (authorization_details::check, &[Authorize, Par, Pushed, Device, Backchannel]),
    (pkce::check, &[Authorize, Par, Pushed]),
    (dpop_jkt::check, &[Authorize, Par, Pushed]),
    (nonce::check, &[Authorize, Par, Pushed]),
    (id_token_hint::check, &[Authorize, Par, Pushed]),
    (claims::check, &[Authorize, Par, Pushed, Device, Backchannel]),
    (acr_values::check, &[Authorize, Par, Pushed]),
    (organization::check, &[Authorize, Par, Pushed, Device, Backchannel]),
    (presence::check, &[Device, Backchannel]),
    (tolerated::check, &[Authorize, Par, Pushed]),
    (total::check, &[Authorize, Par, Pushed, Device, Backchannel]),
];

/// Runs the checks of `endpoint` in order; the first fault ends it.
pub fn check(endpoint: Endpoint, input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let rows = CHECKS.iter().filter(|(_, endpoints)| endpoints.contains(&endpoint));
    rows.into_iter().try_for_each(|(check, _)| check(input, request))
}

#[cfg(test)]
mod tests;
