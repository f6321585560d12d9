//! An API key as the subject of an exchange (RFC 8693 §2.1): a token for the management API with which the application does what
//! the key may do, and which ends with the key.

use serde_json::json;
use svc_core::capability::Capability;
use svc_core::{Error, OrganizationId, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::organizations::{self, Place, SignInRules, Status};
use svc_domain::tokens::api_keys;
use svc_keys::digest;

use super::subject::ACCESS_TOKEN;
use super::{actor, target};
use crate::token::approval::{Approval, Bounds, Subject};
use crate::token::grant::{Request, within};

/// An API key of ours.
pub(crate) const API_KEY: &str = "urn:svc:token-type:api-key";

/// Verifies the key, which is held until the exchange is committed, so that its end ends the token too.
pub(crate) async fn exchanged(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Approval, Error> {
    let host = request.host;
    let sent = request.params.required("subject_token")?;
    if !host.offers(&Capability::API_KEYS) || !api_keys::is_secret(sent) {
        return Err(refused());
    }
    let (key, ends_at) = api_keys::hold_live(tx, digest(sent), host.cx.now).await?.ok_or_else(refused)?;
    if key.tenant_user_id.is_some() {
        return Err(Error::invalid_request(
            "subject_token: the key of a person is exchanged for nothing; send the person to the authorization endpoint",
        ));
    }
    let (organization, allowed) = match key.organization_id {
        Some(id) => (Some(active(request, tx, id).await?), key.scope_in_organization()),
        None => (None, key.scope.clone()),
    };
    check_organization_parameter(request, organization.as_ref())?;
    let act = actor::extended(request, None)?;
    // It is seen that the application acts, also where it may act unseen for people.
    let act = act.unwrap_or_else(|| json!({ "sub": request.app.client_id() }));
    let (scope, audience) = (scope(request, &allowed)?, audience(request)?);
    Ok(Approval {
        actor: Some(act),
        organization,
        issued_token_type: Some(ACCESS_TOKEN),
        bounds: Bounds { ends_at: Some(ends_at), is_sessionless: true, ..Bounds::default() },
        ..Approval::new(Subject::Key(key.id), scope, audience, request.confirmation())
    })
}

/// The organization for which the key acts; refused where it is not active, or the tenant has none.
async fn active(request: &Request<'_>, tx: &mut Tx<Tenant>, id: OrganizationId) -> Result<Place, Error> {
    let found = organizations::find(tx, id).await?.filter(|found| found.status == Status::Active);
    let is_offered = request.host.offers(&Capability::ORGANIZATIONS);
    let found = found.filter(|_| is_offered).ok_or_else(refused)?;
    Ok(Place {
        id,
        slug: found.slug,
        name: found.configuration.name,
        roles: Vec::new(),
        metadata: found.configuration.metadata,
        sign_in: SignInRules::default(),
    })
}

/// A key counts where it belongs, and nowhere else.
fn check_organization_parameter(request: &Request<'_>, organization: Option<&Place>) -> Result<(), Error> {
    let Some(named) = request.params.one("organization") else { return Ok(()) };
    let is_named = |place: &Place| place.slug == named || place.id.to_string() == named;
    if organization.is_some_and(is_named) {
        return Ok(());
    }
    Err(Error::invalid_request("organization: the key does not belong to it"))
}

/// What is asked for, or everything, of what the key and the application may do.
fn scope(request: &Request<'_>, allowed: &Scope) -> Result<Scope, Error> {
    let allowed = allowed.intersect(&request.app.configuration.scope);
    match request.params.one("scope") {
        Some(requested) => within(requested.parse()?, &allowed),
        None => Ok(allowed),
    }
}

/// Keys open the management API alone.
fn audience(request: &Request<'_>) -> Result<String, Error> {
    let ours = request.host.tenant.api_audience();
    match target::named(request)? {
        Some(named) if named != ours => {
            Err(Error::invalid_target(format!("audience: the key is for {ours}; leave it out")))
        }
        _ => Ok(ours),
    }
}

fn refused() -> Error {
    Error::invalid_request("subject_token: give a live API key of the tenant, or of an active organization")
}
