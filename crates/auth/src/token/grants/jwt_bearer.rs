//! The JWT bearer grant (RFC 7523 §2.1): a trusted issuer's word instead of a sign-in, also as an identity assertion
//! (draft-ietf-oauth-identity-assertion-authz-grant §4.4).

use svc_core::Error;
use svc_core::capability::Capability;
use svc_db::{Tenant, Tx};
use svc_domain::apps::GrantType;
use svc_domain::claims::claims_request::ClaimsRequest;

use crate::token::approval::{Approval, Bounds, Denied, Refresh, Subject};
use crate::token::exchange::{assertion, issuer_keys, target};
use crate::token::grant::{Approve, Deciding, Grant, Looking, Request};

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        label: "jwt_bearer",
        capability: Some(&Capability::JWT_BEARER),
        is_confidential: true,
        may_be_self_registered: false,
        needs_person: true,
        needed: &["assertion"],
        parameters: &[],
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
    let named = target::named(request)?;
    if named.is_some() && asserted.resource.is_some() && named != asserted.resource.as_deref() {
        return Err(Error::invalid_target("the assertion is for another resource").into());
    }
    let api = target::api(request, tx, named.or(asserted.resource.as_deref())).await?;
    let trusted = &asserted.issuer.configuration.audiences;
    if !trusted.is_empty() && !target::is_among(request, trusted, &api) {
        return Err(Error::invalid_target("the issuer of the assertion is not trusted for this API").into());
    }
    let scope = target::scope(request, asserted.scope.as_ref(), &api, &asserted.person.roles)?;
    Ok(Approval {
        subject: Subject::Person(Box::new(asserted.person), asserted.authentication),
        // The holder of an assertion gets the next one from the issuer, who may have changed its mind.
        scope: scope.without("offline_access"),
        audience: api.identifier.clone(),
        family: None,
        refresh: Refresh::No,
        nonce: None,
        bound_to: request.confirmation(),
        authorization_details: Vec::new(),
        claims: ClaimsRequest::default(),
        actor: None,
        organization: None,
        issued_token_type: None,
        bounds: Bounds { is_sessionless: true, ..Bounds::default() },
    })
}
