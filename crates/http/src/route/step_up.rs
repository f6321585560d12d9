//! Refusals that say what the next sign-in must have (RFC 9470 §3).

use svc_core::{Error, Seconds, Timestamp};
use svc_domain::tokens::access_token::Claims;

use crate::context::HostCx;
use crate::credential::{Credential, Scheme};
use crate::dpop::Covered;
use crate::render::Problem;

/// Refuses a sign-in that is too long ago, or that was not here: behind the word of a trusted issuer stands none of ours, and its
/// tokens say no `acr`.
pub(super) fn check_age(
    host: &HostCx,
    covered: &Covered<'_>,
    (claims, longest): (&Claims, Seconds),
) -> Result<(), Problem> {
    let signed_in = claims.auth_time.filter(|_| claims.acr.is_some()).unwrap_or_default();
    if host.cx.now <= Timestamp::from_secs(signed_in) + longest {
        return Ok(());
    }
    let error = Error::unauthorized("the sign-in is too long ago; sign in again");
    Err(sign_in_again(host, covered, error, &format!("max_age=\"{}\"", longest.0)))
}

/// The challenge that says what the next sign-in must have.
pub(super) fn sign_in_again(host: &HostCx, covered: &Covered<'_>, error: Error, wanted: &str) -> Problem {
    let scheme = Credential::of(covered.headers).map_or(Scheme::Bearer, |sent| sent.scheme);
    let told = Some(("insufficient_user_authentication", error.detail()));
    let challenge = scheme.challenge(&host.tenant, told, None);
    Problem::from(error).challenge(&format!("{challenge}, {wanted}"))
}
