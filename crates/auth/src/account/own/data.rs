//! Everything that is kept about the person here, as one JSON document (GDPR, Article 20).

use serde_json::{Value, json};
use svc_core::Result;
use svc_domain::grants::consents;
use svc_domain::organizations;
use svc_domain::people::credentials::{self, Kind};

use super::owner::Own;
use super::{login_history, sessions};

/// Most records of a kind that the document has.
const MOST: u32 = 1000;

/// What a person may take along: nothing that proves who they are.
pub async fn document(own: &Own) -> Result<Value> {
    let (host, person, now) = (&own.host, &own.person, own.cx().now);
    let sessions = sessions::live(own).await?;
    let logins = login_history::page(own, (None, MOST)).await?;
    let mut tx = host.read().await?;
    let credentials = credentials::of_account(&mut tx, person.account_id).await?;
    let consents = consents::of_person(&mut tx, person.id).await?;
    let places = organizations::places(&mut tx, person.id, MOST).await?;
    let credentials = credentials.iter().map(|one| {
        json!({
            "kind": one.kind.map(Kind::name), "name": one.name,
            "created_at": one.created_at, "last_used_at": one.last_used_at, "expires_at": one.expires_at,
        })
    });
    let consents = consents.iter().map(|consent| {
        json!({ "client_id": consent.app.to_string(), "audience": consent.audience, "scope": consent.scope })
    });
    let places =
        places.iter().map(|place| json!({ "id": place.id, "name": place.name, "roles": place.roles }));
    Ok(json!({
        "exported_at": now,
        "tenant": { "id": host.tenant.id, "name": host.tenant.name },
        "sub": person.subject,
        "username": person.username,
        "email": person.email,
        "email_verified": person.email_verified,
        "profile": person.profile,
        "credentials": credentials.collect::<Vec<_>>(),
        "sessions": sessions,
        "login_history": logins,
        "consents": consents.collect::<Vec<_>>(),
        "organizations": places.collect::<Vec<_>>(),
    }))
}
