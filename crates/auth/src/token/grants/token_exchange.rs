//! The token exchange grant (RFC 8693): an actor acts for a person, visibly, for one API, and never for more.

use serde_json::Value;
use svc_core::capability::Capability;
use svc_core::{Class, Error, Scope, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apis::Api;
use svc_domain::apps::{AssertionTarget, GrantType};
use svc_domain::grants::delegations::{self, Delegation, LONGEST_PURPOSE, State};
use svc_domain::organizations::Place;

use crate::authorize::details::{NAME, check_within, is_offered, read};
use crate::authorize::organization::roles_for;
use crate::token::approval::{Approval, Assertion, Bounds, Denied, Refresh, Subject};
use crate::token::exchange::subject::{self, ACCESS_TOKEN, Presented};
use crate::token::exchange::{actor, issuer_keys, key, target};
use crate::token::grant::{Approve, Deciding, Grant, Looking, Request, within};
use crate::token::{id_jag, organization, ways};

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: "urn:ietf:params:oauth:grant-type:token-exchange",
        label: "token_exchange",
        capability: Some(&Capability::TOKEN_EXCHANGE),
        is_confidential: true,
        may_be_self_registered: false,
        needs_person: true,
        needed: &["subject_token", "subject_token_type"],
        parameters: &["actor_token", "actor_token_type", "requested_token_type", "purpose", "organization"],
    },
    approve: Approve::Polled(prepare, approve),
};

fn prepare<'a>(request: &'a Request<'a>) -> Looking<'a> {
    let is_assertion = request.params.one("subject_token_type") == Some(subject::JWT);
    let token = request.params.one("subject_token").filter(|_| is_assertion);
    issuer_keys::prepare(request, token.unwrap_or_default())
}

fn approve<'a>(request: &'a Request<'a>, tx: &'a mut Tx<Tenant>) -> Deciding<'a> {
    Box::pin(exchange(request, tx))
}

async fn exchange(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Approval, Denied> {
    let is_key = request.params.one("subject_token_type") == Some(key::API_KEY);
    match request.params.one("requested_token_type") {
        None | Some(ACCESS_TOKEN) if is_key => key::exchanged(request, tx).await.map_err(recorded),
        None | Some(ACCESS_TOKEN) => delegated(request, tx).await.map_err(recorded),
        Some(id_jag::TOKEN_TYPE) => asserted(request, tx).await.map_err(recorded),
        Some(_) => Err(Error::invalid_request("requested_token_type: use access_token or id-jag").into()),
    }
}

/// Refused exchanges are worth an entry in the audit log, whatever they are refused for.
fn recorded(error: Error) -> Denied {
    match error.class() {
        Class::InvalidRequest
        | Class::InvalidTarget
        | Class::InvalidScope
        | Class::InvalidAuthorizationDetails => Denied::noted(error),
        _ => error.into(),
    }
}

/// An access token with which the application acts for the person.
async fn delegated(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Approval, Error> {
    let presented = subject::presented(request, tx).await?;
    ways::must_be_own(request, &presented.source.client_id)?;
    let api = target::api_of(request, tx, presented.resource.as_deref()).await?;
    target::check_trusted(request, &api, ("subject_token", &presented.audiences))?;
    target::check_vouched(request, &api, presented.vouched_by)?;
    target::check_ours(request, &api, presented.audience.as_deref())?;
    let Granted { organization, scope, details, act } = granted(request, tx, &presented, &api).await?;
    let refresh = refresh(request, &scope);
    let expires_at =
        if matches!(refresh, Refresh::Begin) { longest(request, &presented) } else { presented.ends_at };
    let cx = &request.host.cx;
    let link = Delegation {
        id: cx.id(),
        parent: presented.parent.as_ref().map(|parent| parent.id),
        family: cx.id(),
        person: presented.person.id,
        actor: request.app.id,
        source: presented.source,
        session: presented.session,
        organization: organization.as_ref().map(|place| place.id),
        vouched_by: presented.vouched_by,
        audience: api.identifier.clone(),
        scope: scope.clone(),
        authorization_details: details.clone(),
        act: act.clone(),
        purpose: purpose(request)?,
        state: State::Live,
        created_at: cx.now,
        expires_at,
        revoked_at: None,
    };
    delegations::create(tx, cx, &link)?;
    let subject = Subject::Person(Box::new(presented.person), presented.authentication);
    Ok(Approval {
        family: Some(link.family),
        refresh,
        authorization_details: details,
        actor: act,
        organization,
        issued_token_type: Some(ACCESS_TOKEN),
        bounds: Bounds {
            ends_at: Some(presented.ends_at),
            family_ends_at: Some(expires_at),
            is_sessionless: presented.is_sessionless,
            ..Bounds::default()
        },
        ..Approval::new(subject, scope, link.audience, request.confirmation())
    })
}

/// What the new token permits, and who acts by it.
struct Granted {
    organization: Option<Place>,
    scope: Scope,
    details: Vec<Value>,
    act: Option<Value>,
}

async fn granted(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    presented: &Presented,
    api: &Api,
) -> Result<Granted, Error> {
    let organization = in_organization(request, tx, presented).await?;
    let roles = roles_for(&request.host.tenant, &api.identifier, &presented.person, organization.as_ref());
    let scope = target::scope(request, presented.scope.as_ref(), api, roles)?;
    if presented.audience.as_ref() != Some(&api.identifier) {
        target::must_open(api, presented.scope.as_ref(), &scope)?;
    }
    let act = actor::extended(request, presented.act.clone())?;
    let details = details(request, presented, api)?;
    if details.is_empty() {
        target::must_be_left(request, api, &scope)?;
    }
    let scope = if presented.may_last() { scope } else { scope.without("offline_access") };
    Ok(Granted { organization, scope, details, act })
}

/// The organization in which the tokens count: that of the subject token. One that counts in no organization in particular can
/// be exchanged for one that counts in an organization of the person.
async fn in_organization(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    presented: &Presented,
) -> Result<Option<Place>, Error> {
    let person = &presented.person;
    let present = organization::granted(request.host, tx, person, presented.organization)
        .await?
        .ok_or_else(not_there)?;
    let Some(present) = present else {
        return organization::settled(request, tx, person, not_there).await;
    };
    match organization::named(request, tx, person, not_there).await? {
        Some(named) if named.id != present.id => Err(not_there()),
        _ => Ok(Some(present)),
    }
}

fn not_there() -> Error {
    Error::invalid_request("organization: the subject_token does not count in it")
}

/// A refresh token for the actor, where it asks for one and every actor before it could have had one.
fn refresh(request: &Request<'_>, scope: &Scope) -> Refresh {
    if scope.has("offline_access") && request.app.allows_grant("refresh_token") {
        Refresh::Begin
    } else {
        Refresh::No
    }
}

/// When a link that can be refreshed ends: like an agent's refresh token, and not after what it was exchanged for.
fn longest(request: &Request<'_>, presented: &Presented) -> Timestamp {
    let end = request.host.cx.now
        + request.host.tenant.settings.limits.jwt.refresh_token_lifetime_agent_secs(&request.host.app.config);
    presented.family_ends_at.map_or(end, |family| family.min(end))
}

/// The details of the subject token, for the same API only, and of types that the actor may ask for itself; a request may
/// ask for less.
fn details(request: &Request<'_>, presented: &Presented, api: &Api) -> Result<Vec<Value>, Error> {
    let is_same_api = presented.audience.as_ref() == Some(&api.identifier);
    let passes_on = |detail: &&Value| is_same_api && is_offered(detail, request.app, Some(api));
    let granted: Vec<_> = presented.authorization_details.iter().filter(passes_on).cloned().collect();
    let Some(requested) = request.params.one(NAME) else { return Ok(granted) };
    let requested = read(requested)?;
    check_within(&requested, &granted)?;
    Ok(requested)
}

/// What the application says it acts for.
fn purpose(request: &Request<'_>) -> Result<String, Error> {
    let purpose = request.params.one("purpose").unwrap_or_default();
    if purpose.chars().count() > LONGEST_PURPOSE || purpose.chars().any(char::is_control) {
        return Err(Error::invalid_request("purpose: use at most 200 characters without control characters"));
    }
    Ok(purpose.to_owned())
}

/// An identity assertion for another authorization server, where the application may use it.
async fn asserted(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Approval, Error> {
    let presented = subject::own(request, tx).await?;
    if presented.vouched_by.is_some() {
        return Err(Error::invalid_request(
            "subject_token: what the issuer of an organization said is not passed on as the tenant's word",
        ));
    }
    let wanted = request.params.required("audience")?;
    let targets = &request.app.configuration.identity_assertions;
    let target = targets.iter().find(|target| target.audience == wanted);
    let target = target
        .ok_or_else(|| Error::invalid_target("the application may not use our word at this audience"))?;
    let subject = Subject::Person(Box::new(presented.person), presented.authentication);
    Ok(Approval {
        issued_token_type: Some(id_jag::TOKEN_TYPE),
        bounds: Bounds {
            ends_at: Some(presented.ends_at),
            assertion: Some(Assertion {
                client_id: target.client_id.clone().unwrap_or_else(|| request.app.client_id()),
                resource: request.params.one("resource").map(str::to_owned),
            }),
            ..Bounds::default()
        },
        ..Approval::new(subject, scope_there(request, target)?, target.audience.clone(), None)
    })
}

fn scope_there(request: &Request<'_>, target: &AssertionTarget) -> Result<Scope, Error> {
    let Some(requested) = request.params.one("scope") else { return Ok(target.scope.clone()) };
    let requested: Scope = requested.parse()?;
    within(requested, &target.scope)
}
