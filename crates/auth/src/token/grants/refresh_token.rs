//! The refresh token grant (RFC 6749 §6, RFC 9700 §4.14.2): rotation with reuse detection, and a short grace for lost answers.

use svc_core::{Digest, Error, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apps::GrantType;
use svc_domain::grants::refresh::{self, Family, Found, Spending, State};
use svc_domain::people::tenant_users::{self, Person};

use crate::authorize::details::{NAME, check_within, read};
use crate::token::approval::{Approval, Bounds, Denied, Refresh, Subject};
use crate::token::grant::{Approve, Deciding, Grant, Request, within};
use crate::token::issue::lifetime_of_refresh_token;

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: "refresh_token",
        label: "refresh_token",
        capability: None,
        is_confidential: false,
        may_be_self_registered: true,
        needs_person: true,
        parameters: &["refresh_token"],
    },
    approve: Approve::Stored(approve),
};

fn approve<'a>(request: &'a Request<'a>, tx: &'a mut Tx<Tenant>) -> Deciding<'a> {
    Box::pin(rotate(request, tx))
}

async fn rotate(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Approval, Denied> {
    let presented = request
        .params
        .one("refresh_token")
        .ok_or_else(|| Error::invalid_request("refresh_token is missing"))?;
    let digest = svc_keys::digest(presented);
    let now = request.host.cx.now;
    let found = refresh::find(tx, digest, now).await?.filter(|found| found.family.app == request.app.id);
    let Found { family, state, .. } = found.ok_or_else(unusable)?;
    let (asked, audience) = match asked(request, tx, &family).await {
        // A spent token that comes back with another wish is no lost answer.
        Err(_) if matches!(state, State::Spent(_)) => return Err(reused(request, tx, &family).await),
        asked => asked?,
    };
    let person = current_person(tx, &family).await?;
    let wanted = Wanted { presented, digest, canonical: canonical(request, &asked, &audience) };
    let next = match state {
        State::Live if request.app.keeps_refresh_tokens() => keep(request, tx, &family, &wanted).await?,
        State::Live => spend(request, tx, &family, &wanted).await?,
        State::Spent(spending) => repeat(request, tx, &family, (&wanted, &spending)).await?,
        State::Dead => return Err(unusable().into()),
    };
    // A token fetched at the last moment must not outlive what it was fetched with.
    let bounds = Bounds { ends_at: Some(family.expires_at), ..Bounds::default() };
    Ok(Approval {
        subject: Subject::Person(Box::new(person), family.grant.authentication),
        scope: asked,
        audience,
        family: Some(family.id),
        refresh: Refresh::Next(next),
        nonce: None,
        bound_to: request.proven_key(),
        authorization_details: family.grant.authorization_details,
        claims: family.grant.claims,
        actor: family.grant.actor,
        issued_token_type: None,
        bounds,
    })
}

/// The request as it is compared with an earlier one.
fn canonical(request: &Request<'_>, scope: &Scope, audience: &str) -> String {
    let key = request.dpop_jkt.as_deref().unwrap_or("-");
    let details = request.params.one(NAME).map(|text| svc_keys::base64url(svc_keys::digest(text).0));
    let details = details.map(|digest| format!(" {digest}")).unwrap_or_default();
    format!("{scope} {audience} {key}{details}")
}

/// What a request for refreshing comes down to.
struct Wanted<'a> {
    presented: &'a str,
    digest: Digest,
    canonical: String,
}

/// The same token once more: where client and key are proven each time, a stolen one is worth nothing, and a lost answer
/// locks nobody out (FAPI 2.0 Security Profile §5.3.2.1).
async fn keep(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    family: &Family,
    wanted: &Wanted<'_>,
) -> Result<String, Denied> {
    let now = request.host.cx.now;
    let lifetime = lifetime_of_refresh_token(request, family.grant.actor.as_ref());
    if refresh::keep(tx, wanted.digest, now, (now + lifetime).min(family.expires_at)).await? {
        Ok(wanted.presented.to_owned())
    } else {
        Err(unusable().into())
    }
}

async fn spend(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    family: &Family,
    wanted: &Wanted<'_>,
) -> Result<String, Denied> {
    let cx = &request.host.cx;
    let successor = svc_keys::token(&*cx.entropy);
    let sealed = svc_keys::seal_under(wanted.presented, successor.as_bytes(), &*cx.entropy)?;
    let spending = Spending { at: cx.now, request: wanted.canonical.clone(), successor: sealed };
    if !refresh::spend(tx, wanted.digest, &spending).await? {
        // Somebody else won the race; what they wrote decides whether this is the same request once more.
        let state = refresh::find(tx, wanted.digest, cx.now).await?.map(|found| found.state);
        let Some(State::Spent(theirs)) = state else { return Err(unusable().into()) };
        return repeat(request, tx, family, (wanted, &theirs)).await;
    }
    let lifetime = lifetime_of_refresh_token(request, family.grant.actor.as_ref());
    refresh::add_token(tx, family, svc_keys::digest(&successor), cx.now + lifetime).await?;
    Ok(successor)
}

/// A spent token presented again: an answer that got lost, or a theft.
async fn repeat(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    family: &Family,
    (wanted, spending): (&Wanted<'_>, &Spending),
) -> Result<String, Denied> {
    let cx = &request.host.cx;
    let grace = request.host.app.config.jwt.refresh_reuse_grace_secs;
    // Both ways, so that neither a clock that was set back nor another node's clock widens the window.
    let is_near = cx.now < spending.at + grace && spending.at < cx.now + grace;
    let is_same = is_near && spending.request == wanted.canonical;
    let successor = svc_keys::open_under(wanted.presented, &spending.successor);
    let successor = successor.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|_| is_same);
    if let Some(successor) = successor {
        let leaf = refresh::find(tx, svc_keys::digest(&successor), cx.now).await?;
        if leaf.is_some_and(|leaf| leaf.state == State::Live) {
            return Ok(successor);
        }
    }
    Err(reused(request, tx, family).await)
}

/// The refusal that ends the family.
async fn reused(request: &Request<'_>, tx: &mut Tx<Tenant>, family: &Family) -> Denied {
    match refresh::report_reuse(tx, &request.host.cx, family.app, family.id).await {
        Ok(()) => Denied::burning(unusable()),
        Err(error) => error.into(),
    }
}

/// What the request asks for, as far as the family was granted it and it still exists.
async fn asked(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    family: &Family,
) -> Result<(Scope, String), Error> {
    request.check_key(family.grant.dpop_jkt.as_deref())?;
    if let Some(asked) = request.params.one(NAME) {
        check_within(&read(asked)?, &family.grant.authorization_details)?;
    }
    Ok((asked_scope(request, family)?, asked_audience(request, tx, family).await?))
}

fn asked_scope(request: &Request<'_>, family: &Family) -> Result<Scope, Error> {
    if !request.app.configuration.scope.has("offline_access") {
        return Err(unusable());
    }
    let Some(asked) = request.params.one("scope") else { return Ok(family.grant.scope.clone()) };
    let asked: Scope = asked.parse()?;
    within(asked, &family.grant.scope)
}

async fn asked_audience(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    family: &Family,
) -> Result<String, Error> {
    let granted = &family.grant.audience;
    request.check_resource(granted)?;
    let (host, apis) = (request.host, &request.host.app.services.apis);
    let is_offered = *granted == host.tenant.issuer || apis.find_in(tx, granted).await?.is_some();
    if is_offered { Ok(granted.clone()) } else { Err(unusable()) }
}

async fn current_person(tx: &mut Tx<Tenant>, family: &Family) -> Result<Person, Error> {
    let person = tenant_users::find(tx, family.person).await?.filter(Person::may_sign_in);
    person.filter(|person| family.created_at >= person.credentials_changed_at).ok_or_else(unusable)
}

fn unusable() -> Error {
    Error::invalid_grant("the refresh token is unknown, expired or used; sign in again")
}
