//! Everything that is kept about the person here, as one JSON document (GDPR, Article 20).

use serde_json::{Value, json};
use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::federation::sso;
use svc_domain::grants::consents;
use svc_domain::organizations;
use svc_domain::people::credentials;
use svc_domain::people::guardians::{self, Case, Guardian};
use svc_domain::people::impersonations::{self, Page};
use svc_domain::people::imports;
use svc_domain::people::tenant_users::Person;
use svc_domain::people::terms;
use svc_domain::scim::users;
use svc_domain::tokens::api_keys;

use super::details::intake;
use super::invitations::Waiting;
use super::owner::Own;
use super::{delegations, invitations, login_history, sessions};

/// Most records of a kind that the document has.
const MOST: u32 = 1000;

/// What a person may take along: nothing that proves who they are.
pub async fn document(own: &Own) -> Result<Value> {
    let (host, person) = (&own.host, &own.person);
    let sessions = sessions::live(own).await?;
    let logins = login_history::page(own, (None, MOST)).await?;
    let mut tx = host.read().await?;
    let credentials = credentials::of_account(&mut tx, person.account_id).await?;
    let credentials = credentials.iter().map(credentials::described).collect::<Result<Vec<_>>>()?;
    let (provider_identities, directory) = told_by_organizations(person, &mut tx).await?;
    let (guardians, guarding) = guardians_of(own, &mut tx).await?;
    let recoveries = guardians::history(&mut tx, (person.id, MOST)).await?;
    Ok(json!({
        "exported_at": own.cx().now,
        "tenant": { "id": host.tenant.id, "name": host.tenant.name },
        "sub": person.subject,
        "username": person.username,
        "email": person.email,
        "email_verified": person.email_verified,
        "profile": person.profile,
        "roles": person.own_roles,
        "groups": person.groups,
        "metadata": person.metadata.public,
        "credentials": credentials,
        "api_keys": keys_of(person, &mut tx).await?,
        "imported": import_of(person, &mut tx).await?,
        "impersonations": support_for(own, &mut tx).await?,
        "sessions": sessions,
        "login_history": logins,
        "consents": consents_of(own, &mut tx).await?,
        "delegations": delegations_of(own, &mut tx).await?,
        "organizations": organizations_of(person, &mut tx).await?,
        "invitations": invitations_of(own, &mut tx).await?,
        "provider_identities": provider_identities,
        "directory": directory,
        "details": details(own).await?,
        "terms": terms::accepted(&mut tx, person.id).await?,
        "guardians": guardians,
        "guarding": guarding,
        "recoveries": recoveries.iter().map(recovery).collect::<Vec<_>>(),
    }))
}

async fn keys_of(person: &Person, tx: &mut Tx<Tenant>) -> Result<Value> {
    let keys = api_keys::list(tx, Some(person.id), (None, MOST)).await?;
    let keys = keys.iter().map(|key| {
        json!({ "name": key.name, "scope": key.scope, "created_at": key.created_at, "last_used_at": key.last_used_at, "expires_at": key.expires_at })
    });
    Ok(keys.collect())
}

/// What another system said of the person when they were imported from there; null where they were not.
async fn import_of(person: &Person, tx: &mut Tx<Tenant>) -> Result<Value> {
    let came = imports::list_known(tx, (person.id, person.id)).await?;
    let came = came.first().map(|(_, known)| {
        json!({ "external_id": known.external_id, "email_verified": known.email_verified, "created_at": known.created_at })
    });
    Ok(json!(came))
}

/// Who of the support staff acted for the person, or wanted to.
async fn support_for(own: &Own, tx: &mut Tx<Tenant>) -> Result<Value> {
    let page = Page { cursor: None, limit: MOST };
    let staff = impersonations::of_person(tx, own.cx().now, own.person.id, &page).await?;
    let staff = staff.iter().map(|one| {
        json!({
            "reason": one.reason, "minutes": one.minutes, "created_at": one.created_at, "started_at": one.started_at,
            "ended_at": one.ended_at,
        })
    });
    Ok(staff.collect())
}

async fn consents_of(own: &Own, tx: &mut Tx<Tenant>) -> Result<Value> {
    let (tenant, consents) = (&own.host.tenant, consents::of_person(tx, own.person.id).await?);
    let consents = consents.iter().map(|consent| {
        json!({
            "client_id": consent.app.to_string(), "audience": tenant.audience_of(&consent.audience), "scope": consent.scope,
            "created_at": consent.created_at, "updated_at": consent.updated_at,
        })
    });
    Ok(consents.collect())
}

async fn delegations_of(own: &Own, tx: &mut Tx<Tenant>) -> Result<Value> {
    let (tenant, acting) = (&own.host.tenant, delegations::live(own, tx).await?);
    let acting = acting.iter().map(|(delegation, app)| {
        json!({
            "client_id": app.client_id(), "audience": tenant.audience_of(&delegation.audience), "scope": delegation.scope,
            "purpose": delegation.purpose, "created_at": delegation.created_at, "expires_at": delegation.expires_at,
        })
    });
    Ok(acting.collect())
}

async fn organizations_of(person: &Person, tx: &mut Tx<Tenant>) -> Result<Value> {
    let places = organizations::places(tx, person.id, MOST).await?;
    let places =
        places.iter().map(|place| json!({ "id": place.id, "name": place.name, "roles": place.roles }));
    Ok(places.collect())
}

async fn invitations_of(own: &Own, tx: &mut Tx<Tenant>) -> Result<Value> {
    let invitations = invitations::waiting(own, tx).await?;
    let invitations = invitations.iter().map(|Waiting { invitation, organization }| {
        json!({
            "organization_id": organization.id, "organization": organization.configuration.name, "roles": invitation.roles,
            "created_at": invitation.created_at, "expires_at": invitation.expires_at,
        })
    });
    Ok(invitations.collect())
}

/// What the providers of organizations call the person, and what the directory of one says.
async fn told_by_organizations(person: &Person, tx: &mut Tx<Tenant>) -> Result<(Value, Value)> {
    let bound = sso::of_person(tx, person.id).await?;
    let identities = bound.iter().map(|(identity, bound_at)| {
        json!({
            "connection_id": identity.connection, "issuer": identity.issuer, "subject": identity.subject,
            "created_at": bound_at,
        })
    });
    let directory = users::resource_of(tx, person.id).await?;
    let directory = directory.map(|(organization, resource, updated_at)| {
        json!({ "organization_id": organization, "resource": resource, "updated_at": updated_at })
    });
    Ok((identities.collect(), json!(directory)))
}

/// What the person has answered to what the tenant asks for, wherever it is kept.
async fn details(own: &Own) -> Result<Value> {
    let intake = intake(own).await?;
    let answers = intake.fields().iter().filter_map(|field| {
        let answer = field.answer(&own.person.metadata)?;
        Some((field.content.name.clone(), answer.clone()))
    });
    Ok(Value::Object(answers.collect()))
}

/// Whom the person has chosen, with the rules, and whom they guard.
async fn guardians_of(own: &Own, tx: &mut Tx<Tenant>) -> Result<(Value, Value)> {
    let (cx, person) = (own.cx(), &own.person);
    let rules = guardians::rules(tx, person.id).await?;
    let chosen = guardians::of_person(tx, cx, person.id).await?;
    let chosen = chosen.iter().map(
        |one| json!({ "email": one.email, "invited_at": one.created_at, "accepted_at": one.accepted_at }),
    );
    let mine = guardians::guarded_by(tx, cx, person).await?;
    let mine = mine.iter().filter(|one: &&Guardian| one.is(person));
    let mine = mine.map(|one| json!({ "accepted_at": one.accepted_at }));
    let rules = rules.map(|rules| json!({ "threshold": rules.threshold, "wait_secs": rules.wait.0 }));
    let chosen = json!({ "rules": rules, "people": chosen.collect::<Vec<_>>() });
    Ok((chosen, json!(mine.collect::<Vec<_>>())))
}

fn recovery(case: &Case) -> Value {
    json!({
        "opened_at": case.opened_at, "state": case.state, "threshold": case.threshold, "expires_at": case.expires_at,
    })
}
