//! Assertions of trusted issuers (RFC 7523 §3, draft-ietf-oauth-identity-assertion-authz-grant §4): believed about the
//! people that the tenant has linked, for us alone, and once.

use serde_json::Value;
use svc_core::{Error, Scope, Seconds, SessionId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::federation::trusted_issuers::{self, TrustedIssuer};
use svc_domain::federation::trusted_subjects;
use svc_domain::grants::delegations;
use svc_domain::grants::grant::Authentication;
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tokens::access_token::Confirmation;
use svc_keys::jose::{Algorithm, Claims, Jws, Typ};

use super::issuer_keys;
use crate::token::grant::Request;

/// What an assertion says.
pub(crate) struct Asserted {
    /// About whom.
    pub(crate) person: Person,
    /// When they signed in where the assertion comes from.
    pub(crate) authentication: Authentication,
    /// By whom.
    pub(crate) issuer: TrustedIssuer,
    /// What it permits, where it says so.
    pub(crate) scope: Option<Scope>,
    /// The one resource that it is for, where it says so.
    pub(crate) resource: Option<String>,
    /// Its id.
    pub(crate) jti: String,
    /// When it ends.
    pub(crate) expires_at: Timestamp,
}

/// How far ahead an issuer's clock may be.
const AHEAD: Seconds = Seconds(60);
/// An assertion is made to be used at once.
const LONGEST: Seconds = Seconds(3_600);
/// Without RS256, which the FAPI profile refuses.
const STRICT: &[Algorithm] = &[Algorithm::Es256, Algorithm::EdDsa, Algorithm::Ps256];

/// Verifies an assertion and uses it up. Everything that is wrong with it gives the same answer.
pub(crate) async fn accept(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    token: &str,
) -> Result<Asserted, Error> {
    let algorithms = if request.app.is_fapi2() { STRICT } else { Algorithm::ALL };
    let jws = Jws::parse(token, algorithms).map_err(|_| refused())?;
    let issuer = issuer(tx, &jws).await?;
    let claims = issuer_keys::verified(request.issuer_keys.as_ref(), &issuer, &jws).map_err(|_| refused())?;
    let kind = Kind::of(&jws).ok_or_else(refused)?;
    let asserted = read(request, tx, issuer, (kind, &claims)).await?;
    let digest = svc_keys::digest(&format!("{}\n{}", asserted.issuer.issuer, asserted.jti));
    // Kept a little longer, so that a clock which is set back does not open the door again.
    if trusted_issuers::spend(tx, digest, asserted.expires_at + AHEAD).await? {
        Ok(asserted)
    } else {
        Err(refused())
    }
}

/// The kinds of assertion, distinguished by their type and by nothing else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// RFC 7523.
    Plain,
    /// ID-JAG.
    Identity,
}

impl Kind {
    fn of(jws: &Jws<'_>) -> Option<Self> {
        if jws.is_typ(Typ::IdJag.name()) {
            return Some(Self::Identity);
        }
        jws.is_untyped_or(&["JWT"]).then_some(Self::Plain)
    }
}

/// The enabled issuer that the token claims to be from; its signature will tell.
async fn issuer(tx: &mut Tx<Tenant>, jws: &Jws<'_>) -> Result<TrustedIssuer, Error> {
    let claims = jws.unverified_claims().map_err(|_| refused())?;
    let name = claims.text("iss").ok_or_else(refused)?;
    delegations::rely_on(tx, name);
    let issuer = trusted_issuers::find_by_issuer(tx, name).await?;
    issuer.filter(|issuer| issuer.enabled).ok_or_else(refused)
}

async fn read(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    issuer: TrustedIssuer,
    (kind, claims): (Kind, &Claims),
) -> Result<Asserted, Error> {
    let expires_at = within_its_time(request, claims)?;
    is_for_us(request, kind, claims)?;
    is_for_sender(request, claims)?;
    let jti = claims.text("jti").filter(|jti| (1..=255).contains(&jti.len())).ok_or_else(refused)?;
    let subject = claims.text("sub").ok_or_else(refused)?;
    let linked = trusted_subjects::linked(tx, &issuer, subject).await?.ok_or_else(refused)?;
    delegations::act_for(tx, linked);
    let person = tenant_users::find(tx, linked).await?.filter(Person::may_sign_in).ok_or_else(refused)?;
    Ok(Asserted {
        authentication: authentication(request, claims)?,
        scope: scope(claims)?,
        resource: resource(claims)?,
        jti: jti.to_owned(),
        person,
        issuer,
        expires_at,
    })
}

fn within_its_time(request: &Request<'_>, claims: &Claims) -> Result<Timestamp, Error> {
    let now = request.host.cx.now;
    claims.check_time(now, AHEAD).map_err(|_| refused())?;
    let expires_at = claims.required_time("exp").map_err(|_| refused())?;
    let issued_at = claims.time("iat").map_err(|_| refused())?.unwrap_or(now);
    let is_short = expires_at <= now + LONGEST && expires_at <= issued_at + LONGEST;
    if is_short { Ok(expires_at) } else { Err(refused()) }
}

/// One audience, which is us; and the application that presents it, where it names one.
fn is_for_us(request: &Request<'_>, kind: Kind, claims: &Claims) -> Result<(), Error> {
    let issuer = &request.host.tenant.issuer;
    let mut audiences = claims.audiences();
    let (audience, other) = (audiences.next(), audiences.next());
    let token_endpoint = format!("{issuer}/oauth/token");
    let is_us = |audience: &str| audience == issuer || (kind == Kind::Plain && audience == token_endpoint);
    let named = claims.member("client_id");
    let is_presenter = match named {
        Some(named) => named.as_str() == Some(request.app.client_id().as_str()),
        None => kind == Kind::Plain,
    };
    if other.is_none() && audience.is_some_and(is_us) && is_presenter { Ok(()) } else { Err(refused()) }
}

/// Refuses what is bound to a key or a certificate that the sender has not proven (RFC 7800 §3), what another party acts in already,
/// as we have no record of that to end (RFC 8693 §4.1), and what lets another party act (RFC 8693 §4.4).
fn is_for_sender(request: &Request<'_>, claims: &Claims) -> Result<(), Error> {
    let is_held = claims.member("cnf").is_none_or(|cnf| {
        serde_json::from_value(cnf.clone()).is_ok_and(|bound: Confirmation| request.holds(&bound))
    });
    let (client_id, issuer) = (request.app.client_id(), request.host.tenant.issuer.as_str());
    let may_act = claims.member("may_act").is_none_or(|party| {
        let is_ours = party.get("iss").is_none_or(|named| named.as_str() == Some(issuer));
        is_ours && party.get("sub").and_then(Value::as_str) == Some(client_id.as_str())
    });
    if is_held && may_act && claims.member("act").is_none() { Ok(()) } else { Err(refused()) }
}

/// What the issuer says of the sign-in; no session of ours stands behind it.
fn authentication(request: &Request<'_>, claims: &Claims) -> Result<Authentication, Error> {
    let cx = &request.host.cx;
    let session: SessionId = cx.id();
    let auth_time =
        claims.time("auth_time").and_then(|time| Ok(time.or(claims.time("iat")?))).map_err(|_| refused())?;
    Ok(Authentication {
        session,
        auth_time: auth_time.unwrap_or(cx.now),
        amr: Vec::new(),
        acr: String::new(),
        acting: None,
    })
}

fn scope(claims: &Claims) -> Result<Option<Scope>, Error> {
    let Some(scope) = claims.member("scope") else { return Ok(None) };
    scope.as_str().ok_or_else(refused)?.parse().map(Some).map_err(|_| refused())
}

fn resource(claims: &Claims) -> Result<Option<String>, Error> {
    let Some(resource) = claims.member("resource") else { return Ok(None) };
    let one = resource.as_array().map_or(Some(resource), |all| all.first().filter(|_| all.len() == 1));
    one.and_then(|one| one.as_str()).map(|one| Some(one.to_owned())).ok_or_else(refused)
}

fn refused() -> Error {
    Error::invalid_grant(
        "the assertion is not valid here, was used before, or is about no person that is known",
    )
}
