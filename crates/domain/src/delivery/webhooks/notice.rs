//! Tells the person who made a subscription, by mail, that the service has deactivated it.

use svc_core::{Actor, Cx, Result, TenantId};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, system_sql};
use svc_keys::keyring::Sealer;

use super::subscriptions::Configuration;
use crate::delivery::mails::{self, NewMail};
use crate::document;
use crate::people::tenant_users;
use crate::tenancy::tenants;

/// The person to tell of a subscription that is made by this caller; an application is told by the event alone.
pub(super) fn owner(cx: &Cx) -> Option<String> {
    match &cx.actor {
        Actor::User(sub) => Some(sub.clone()),
        _ => None,
    }
}

/// Tenants with owners who have not been told yet.
pub async fn tenants_with_owners_to_tell(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let select = system_sql!("SELECT DISTINCT tenant_id FROM webhooks WHERE owner_to_be_told");
    tx.all(select, args![]).await?.iter().map(tenants::of_row).collect()
}

/// Queues a mail to each owner who is to be told and has a proven address; returns how many subscriptions were seen to.
pub async fn tell_owners(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> Result<u64> {
    let take = quiet_sql!(
        "delivers what was recorded",
        "UPDATE webhooks SET owner_to_be_told = $2 WHERE tenant_id = $1 AND owner_to_be_told \
         RETURNING id, owner, configuration, deactivated_because"
    );
    let rows = tx.all(take, args![false]).await?;
    for row in &rows {
        let Some(owner) = row.maybe_text("owner")? else { continue };
        let person = tenant_users::find_by_subject(tx, &owner).await?;
        let person = person.filter(|person| person.may_sign_in() && person.email_verified);
        if let Some(to) = person.and_then(|person| person.email) {
            mails::enqueue(tx, cx, sealer, mail(to, row)?)?;
        }
    }
    Ok(u64::try_from(rows.len()).unwrap_or_default())
}

fn mail(to: String, row: &Row) -> Result<NewMail> {
    let Configuration { url, .. } = document::load(row, "configuration")?;
    let why = match row.maybe_text("deactivated_because")?.as_deref() {
        Some("gone") => "The receiver answered that it is gone for good (410).",
        _ => "The receiver has taken no event for days.",
    };
    let what = format!("Events are no longer sent to {url} (subscription {}).", row.text("id")?);
    let then = "When the receiver is back, activate the subscription by the management API, and let it send again what \
                happened meanwhile.";
    let paragraphs = [what.as_str(), why, then];
    let html = paragraphs.map(|text| format!("<p>{}</p>", escaped(text))).concat();
    let subject = "A webhook was deactivated".to_owned();
    Ok(NewMail { to, subject, text: paragraphs.join("\n\n"), html })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
