//! Refusals that say what the next sign-in must have (RFC 9470 §3).

use std::fmt;

use svc_core::capability::Capability;
use svc_core::{Error, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::{Level, is_vouched_alone};
use svc_domain::federation::sso;
use svc_domain::grants::refresh;
use svc_domain::people::tenant_users::Person;
use svc_domain::people::{changes, credentials, sessions, tenant_users};
use svc_domain::tokens::access_token::Claims;

use crate::context::{HostCx, TenantCx};
use crate::credential::{Credential, Scheme};
use crate::dpop::Covered;
use crate::render::Problem;

/// What the next sign-in must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepUp {
    /// So much must have been proven.
    To(Level),
    /// It must have been at most so long ago.
    Within(Seconds),
}

/// As a challenge says it.
impl fmt::Display for StepUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::To(level) => write!(f, "acr_values=\"{}\"", level.acr()),
            Self::Within(longest) => write!(f, "max_age=\"{}\"", longest.0),
        }
    }
}

/// Whether a sign-in was at most so long ago, by the whole seconds in which tokens say when it was.
pub fn is_recent(signed_in: Timestamp, longest: Seconds, now: Timestamp) -> bool {
    now <= Timestamp::from_secs(signed_in.as_secs()) + longest
}

/// Refuses a sign-in that is too long ago, or that was not here: behind the word of a trusted issuer stands none of ours, and its
/// tokens say no `acr`.
pub(super) fn check_age(
    host: &HostCx,
    covered: &Covered<'_>,
    (claims, longest): (&Claims, Seconds),
) -> Result<(), Problem> {
    let signed_in = claims.auth_time.filter(|_| claims.acr.is_some()).unwrap_or_default();
    if is_recent(Timestamp::from_secs(signed_in), longest, host.cx.now) {
        return Ok(());
    }
    let error = Error::unauthorized("the sign-in is too long ago; sign in again");
    Err(sign_in_again(host, covered, error, StepUp::Within(longest)))
}

/// Refuses a sign-in in which nothing of the account itself was proven: the word of one organization's provider changes no credential
/// that counts at every tenant. Where the organization accepts no other proof, the next sign-in would be no better.
pub(super) async fn check_own(host: &HostCx, covered: &Covered<'_>, claims: &Claims) -> Result<(), Problem> {
    if !is_vouched_alone(&claims.amr) {
        return Ok(());
    }
    let mut tx = host.read().await?;
    if let Some(person) = tenant_users::find_by_subject(&mut tx, &claims.sub).await? {
        if changes::may_change_credentials(&mut tx, person.account_id, &claims.amr).await? {
            return Ok(());
        }
        if is_enforced(host, &mut tx, &person).await? {
            return Err(Error::forbidden(
                "the organization has the person sign in at its provider alone, which counts at this tenant alone; ask its administrator",
            )
            .into());
        }
    }
    let error = Error::unauthorized(
        "a provider that counts at this tenant alone vouched for the person; sign in with a password, a passkey or another credential of the account",
    );
    Err(sign_in_again(host, covered, error, StepUp::Within(Seconds(0))))
}

/// Whether people with the present address sign in at the provider of their organization alone.
async fn is_enforced(host: &HostCx, tx: &mut Tx<Tenant>, person: &Person) -> Result<bool> {
    let address = person.email.as_deref().filter(|_| host.offers(&Capability::ENTERPRISE_SSO));
    let Some(address) = address else { return Ok(false) };
    Ok(sso::enforced_for(tx, address).await?.is_some())
}

/// Refuses a sign-in that was never asked for a second factor which was added outside its session since.
pub(super) async fn check_factors(
    host: &HostCx,
    covered: &Covered<'_>,
    claims: &Claims,
) -> Result<(), Problem> {
    let mut tx = host.read().await?;
    let Some(session) = refresh::session_of(&mut tx, claims).await? else { return Ok(()) };
    let Some(person) = tenant_users::find_by_subject(&mut tx, &claims.sub).await? else { return Ok(()) };
    let began_at = sessions::began_at(&mut tx, session).await?.unwrap_or(Timestamp::from_secs(0));
    if !credentials::has_missed_a_factor(&mut tx, person.account_id, (session, began_at)).await? {
        return Ok(());
    }
    let error = Error::unauthorized("a second factor was added in another session; sign in again with it");
    Err(sign_in_again(host, covered, error, StepUp::Within(Seconds(0))))
}

impl TenantCx {
    /// Refuses a sign-in that is not enough for what was asked, with the challenge that says what the next one must have.
    pub fn sign_in_again(&self, error: Error, wanted: StepUp) -> Problem {
        challenged(&self.host(), Scheme::of(&self.claims), error, wanted)
    }
}

/// The same before the token has led to a context.
pub(super) fn sign_in_again(host: &HostCx, covered: &Covered<'_>, error: Error, wanted: StepUp) -> Problem {
    let scheme = Credential::of(covered.headers).map_or(Scheme::Bearer, |sent| sent.scheme);
    challenged(host, scheme, error, wanted)
}

fn challenged(host: &HostCx, scheme: Scheme, error: Error, wanted: StepUp) -> Problem {
    let told = Some(("insufficient_user_authentication", error.detail()));
    let challenge = scheme.challenge(host, told, None);
    Problem::from(error).challenge(&format!("{challenge}, {wanted}"))
}
