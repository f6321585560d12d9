//! API keys in place of access tokens: who acts with one, and what it opens.

use std::collections::BTreeSet;

use svc_core::capability::Capability;
use svc_core::{Error, OrganizationId, Result, Scope, Timestamp};
use svc_db::{Tenant as Space, Tx};
use svc_domain::organizations::{self, Status};
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tenancy::tenants::Tenant;
use svc_domain::tokens::access_token::{Claims, OrganizationContext, SubjectType};
use svc_domain::tokens::api_keys::{self, ApiKey};
use svc_keys::digest;

use crate::context::HostCx;

/// Whether what was sent is a key and no token.
pub(super) fn is_key(sent: &str) -> bool {
    api_keys::is_secret(sent)
}

/// For whom a key acts, and what it may do.
#[derive(Default)]
struct Acting {
    sub: Option<String>,
    scope: Scope,
    organization: Option<OrganizationContext>,
}

/// What a key stands for, in the words of an access token; nothing where it is unknown here, has ended, or its owner may not act.
///
/// A key of a person opens what its scopes say and the person's roles allow now; that of an organization, while that is active,
/// what belongs to it.
pub async fn claims_of(host: &HostCx, sent: &str) -> Result<Option<Claims>> {
    if !host.offers(&Capability::API_KEYS) {
        return Ok(None);
    }
    let mut tx = host.read().await?;
    let live = api_keys::find_live(&mut tx, digest(sent), host.cx.now).await?;
    let Some((key, ends_at)) = live else { return Ok(None) };
    let Some(acting) = acting(host, &mut tx, &key).await? else { return Ok(None) };
    drop(tx);
    if key.is_use_to_note(host.cx.now) {
        note(host, &key).await?;
    }
    Ok(Some(claims(&host.tenant, (&key, ends_at), acting)))
}

/// For whom a key acts; nothing where they may not act any more, or the person has other credentials since the key was made.
async fn acting(host: &HostCx, tx: &mut Tx<Space>, key: &ApiKey) -> Result<Option<Acting>> {
    if let Some(organization) = key.organization_id {
        let context = organization_context(host, tx, organization).await?;
        return Ok(context.map(|context| Acting {
            scope: key.scope_in_organization(),
            organization: Some(context),
            ..Acting::default()
        }));
    }
    let Some(owner) = key.tenant_user_id else {
        return Ok(Some(Acting { scope: key.scope.clone(), ..Acting::default() }));
    };
    let may = |person: &Person| person.may_sign_in() && key.created_at >= person.credentials_changed_at;
    let Some(person) = tenant_users::find(tx, owner).await?.filter(may) else { return Ok(None) };
    let api = host.app.services.apis.find_in(tx, &host.tenant, &host.tenant.api_audience()).await?;
    let allowed = api.map(|api| api.scope_for(&person.roles)).unwrap_or_default();
    let scope = key.scope.intersect(&allowed);
    Ok(Some(Acting { sub: Some(person.subject), scope, organization: None }))
}

/// The organization for which a key acts; nothing where it is not active, or the tenant has none.
async fn organization_context(
    host: &HostCx,
    tx: &mut Tx<Space>,
    id: OrganizationId,
) -> Result<Option<OrganizationContext>> {
    if !host.offers(&Capability::ORGANIZATIONS) {
        return Ok(None);
    }
    let found = organizations::find(tx, id).await?.filter(|found| found.status == Status::Active);
    Ok(found.map(|found| OrganizationContext { id, slug: found.slug, roles: Vec::new() }))
}

async fn note(host: &HostCx, key: &ApiKey) -> Result<(), Error> {
    let mut tx = host.begin().await?;
    api_keys::note_use(&mut tx, &host.cx, key.id).await?;
    tx.commit().await
}

fn claims(tenant: &Tenant, (key, ends_at): (&ApiKey, Timestamp), acting: Acting) -> Claims {
    let Acting { sub, scope, organization } = acting;
    let made = key.created_at.as_secs();
    let id = key.id.to_string();
    Claims {
        iss: tenant.issuer.clone(),
        subject_type: if sub.is_some() { SubjectType::Human } else { SubjectType::System },
        sub: sub.unwrap_or_else(|| id.clone()),
        aud: tenant.api_audience(),
        exp: ends_at.as_secs(),
        nbf: made,
        iat: made,
        jti: id.clone(),
        tenant_id: tenant.id.reference(),
        client_id: id,
        scope,
        sid: None,
        auth_time: None,
        acr: None,
        amr: Vec::new(),
        act: None,
        authorization_details: Vec::new(),
        userinfo_claims: BTreeSet::new(),
        roles: Vec::new(),
        groups: Vec::new(),
        permissions: Vec::new(),
        org: organization,
        cnf: None,
    }
}
