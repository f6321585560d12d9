//! The JWT bearer grant (RFC 7523 §2.1): a trusted issuer's word instead of a sign-in, also as an identity assertion
//! (draft-ietf-oauth-identity-assertion-authz-grant §4.4).

use svc_core::capability::Capability;
use svc_core::{Error, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apis::Api;
use svc_domain::apps::GrantType;
use svc_domain::grants::delegations::{self, Delegation, Source, State};
use svc_domain::organizations::Place;

use crate::authorize::organization::roles_for;
use crate::token::approval::{Approval, Bounds, Denied, Subject};
use crate::token::exchange::assertion::{self, Asserted};
use crate::token::exchange::{issuer_keys, target};
use crate::token::grant::{Approve, Deciding, Grant, Looking, Request};
use crate::token::issue::lifetime_of_access_token;
use crate::token::{organization, ways};

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        label: "jwt_bearer",
        capability: Some(&Capability::JWT_BEARER),
        is_confidential: true,
        may_be_self_registered: false,
        needs_person: true,
        needed: &["assertion"],
        parameters: &["organization"],
    },
    approve: Approve::Polled(prepare, approve),
};

fn prepare<'a>(request: &'a Request<'a>) -> Looking<'a> {
    issuer_keys::prepare(request, request.params.one("assertion").unwrap_or_default())
}

fn approve<'a>(request: &'a Request<'a>, tx: &'a mut Tx<Tenant>) -> Deciding<'a> {
    Box::pin(accept(request, tx))
}

async fn accept(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Approval, Denied> {
    let asserted = assertion::accept(request, tx, request.params.required("assertion")?).await?;
    ways::must_take_every_one(request)?;
    let api = target::api_of(request, tx, asserted.resource.as_deref()).await?;
    target::check_trusted(request, &api, ("assertion", &asserted.issuer.configuration.audiences))?;
    let vouched_by = asserted.issuer.organization_id;
    target::check_vouched(request, &api, vouched_by)?;
    let organization = match organization::vouched(request, tx, &asserted, not_a_member).await? {
        None => organization::settled(request, tx, &asserted.person, not_a_member).await?,
        vouched => vouched,
    };
    let roles = roles_for(&request.host.tenant, &api.identifier, &asserted.person, organization.as_ref());
    let scope = target::scope(request, asserted.scope.as_ref(), &api, roles)?;
    target::must_open(&api, asserted.scope.as_ref(), &scope)?;
    target::must_be_left(request, &api, &scope)?;
    // The holder of an assertion gets the next one from the issuer, who may have changed its mind.
    let scope = scope.without("offline_access");
    let link = link(request, &asserted, (&api, &scope), organization.as_ref());
    delegations::create(tx, &request.host.cx, &link)?;
    let subject = Subject::Person(Box::new(asserted.person), asserted.authentication);
    Ok(Approval {
        family: Some(link.family),
        organization,
        bounds: Bounds { ends_at: Some(link.expires_at), is_sessionless: true, ..Bounds::default() },
        ..Approval::new(subject, scope, api.identifier.clone(), request.confirmation())
    })
}

/// The record that the application got a token about the person by another issuer's word.
fn link(
    request: &Request<'_>,
    asserted: &Asserted,
    (api, scope): (&Api, &Scope),
    organization: Option<&Place>,
) -> Delegation {
    let cx = &request.host.cx;
    Delegation {
        id: cx.id(),
        parent: None,
        family: cx.id(),
        person: asserted.person.id,
        actor: request.app.id,
        source: Source { client_id: asserted.issuer.issuer.clone(), family: None, jti: asserted.jti.clone() },
        session: None,
        organization: organization.map(|place| place.id),
        vouched_by: asserted.issuer.organization_id,
        audience: api.identifier.clone(),
        scope: scope.clone(),
        authorization_details: Vec::new(),
        act: None,
        purpose: String::new(),
        state: State::Live,
        created_at: cx.now,
        expires_at: cx.now + lifetime_of_access_token(request.host, Some(api)),
        revoked_at: None,
    }
}

fn not_a_member() -> Error {
    Error::invalid_grant("organization: the person of the assertion does not belong to it")
}
