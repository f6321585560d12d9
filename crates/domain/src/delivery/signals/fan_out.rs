//! From causes to events: each cause leaves the outbox in the transaction that puts its events into the streams.
//!
//! A cause is there until it is taken, so that one that commits late is not passed over, and none is sent twice.

use serde_json::{Map, Value, json};
use svc_core::capability::Capability;
use svc_core::{Cx, Result, TenantId};
use svc_db::{System, Tenant, Tx, args, quiet_sql, quiet_system_sql, system_sql};

use super::causes::{self, Cause, What, note_for};
use super::events::{self, NewEvent, SecurityEvent};
use super::streams::{self, Status, Stream};
use super::{MOST_WAITING, SUPPORTED};
use crate::apps::{self, App};
use crate::claims::profile::unlocks;
use crate::delivery;
use crate::document;
use crate::grants::consents;
use crate::people::subjects;
use crate::people::tenant_users::{self, Person};
use crate::tenancy::tenants;

/// Most causes that one transaction takes, of one tenant.
pub const BATCH: u32 = 100;

/// Tenants in whose outbox causes stand.
pub async fn tenants_with_causes(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let select = system_sql!("SELECT DISTINCT tenant_id FROM outbox WHERE type = 'signal'");
    tx.all(select, args![]).await?.iter().map(tenants::of_row).collect()
}

/// Brings causes that concern an account to every tenant that the person belongs to; returns how many.
pub async fn spread(tx: &mut Tx<System>, cx: &Cx) -> Result<u64> {
    let take = quiet_system_sql!(
        "delivers what was recorded",
        "DELETE FROM outbox WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM outbox \
         WHERE type = 'signal_everywhere' ORDER BY id LIMIT $1) RETURNING tenant_id, id, payload, created_at"
    );
    let taken = tx.all(take, args![BATCH]).await?;
    let mut done = 0;
    for row in &taken {
        let origin = tenants::of_row(row)?;
        let Some(cause) = document::known_whole::<Cause>(row, "payload")? else {
            causes::leave_everywhere(tx, origin, row).await?;
            continue;
        };
        done += 1;
        let members = system_sql!(
            "SELECT tenant_id, id FROM tenant_users WHERE status <> 'removed' AND account_id IN \
             (SELECT account_id FROM tenant_users WHERE tenant_id = $1 AND id = $2 \
             UNION ALL SELECT id FROM accounts WHERE id = $3) ORDER BY tenant_id, id"
        );
        for member in tx.all(members, args![origin, cause.person, cause.account]).await? {
            let tenant = tenants::of_row(&member)?;
            let cause = Cause { person: Some(member.parse("id")?), account: None, ..cause.clone() };
            if let (What::PasswordSet { .. }, false) = (&cause.what, tenant == origin) {
                // Where it was set, sessions end by themselves; elsewhere they no longer count.
                let what = What::SessionRevoked { sid: None };
                note_for(tx, cx, tenant, &Cause { what, ..cause.clone() }).await?;
            }
            note_for(tx, cx, tenant, &cause).await?;
        }
    }
    Ok(done)
}

/// Takes causes of the tenant and puts what they mean into its streams; returns how many. Without an issuer there are none.
pub async fn fan_out(tx: &mut Tx<Tenant>, cx: &Cx, issuer: Option<&str>) -> Result<u64> {
    let causes = take(tx).await?;
    let mut inlets = match issuer {
        Some(_) if !causes.is_empty() => inlets(tx).await?,
        _ => Vec::new(),
    };
    for (id, cause) in &causes {
        let is_wanted = |inlet: &Inlet| inlet.stream.asks_for(cause.what.event_type());
        if !inlets.iter().any(is_wanted) {
            continue;
        }
        let Some(person) = cause.person else { continue };
        let Some(person) = tenant_users::find(tx, person).await? else { continue };
        for inlet in inlets.iter_mut().filter(|inlet| is_wanted(inlet)) {
            let issuer = issuer.unwrap_or_default();
            if let Some(payload) = meaning(tx, &inlet.app, (issuer, &person), (id, cause)).await? {
                let about = person.id.to_string();
                let new = NewEvent { about, payload, is_notice: false, happened_at: cause.at };
                inlet.put(tx, cx, new).await?;
            }
        }
    }
    Ok(u64::try_from(causes.len()).unwrap_or_default())
}

async fn take(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Cause)>> {
    let delete = quiet_sql!(
        "delivers what was recorded",
        "DELETE FROM outbox WHERE tenant_id = $1 AND type = 'signal' AND id IN (SELECT id FROM outbox \
         WHERE tenant_id = $1 AND type = 'signal' ORDER BY id LIMIT $2) RETURNING id, payload, created_at"
    );
    let mut taken = Vec::new();
    for row in tx.all(delete, args![BATCH]).await? {
        match document::known_whole(&row, "payload")? {
            Some(cause) => taken.push((row.text("id")?, cause)),
            None => causes::leave(tx, &row).await?,
        }
    }
    // Rows come back in no order.
    taken.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(taken)
}

/// A stream with its receiver.
struct Inlet {
    stream: Stream,
    app: App,
    waiting: i64,
}

async fn inlets(tx: &mut Tx<Tenant>) -> Result<Vec<Inlet>> {
    let mut inlets = Vec::new();
    for stream in streams::hold_all(tx).await? {
        let app =
            apps::find(tx, stream.app).await?.filter(|app| app.enabled && app.keeps(&Capability::SIGNALS));
        if let (Some(app), true) = (app, SUPPORTED.iter().any(|supported| stream.asks_for(supported))) {
            let waiting = delivery::count::<SecurityEvent>(tx, &stream.id.to_string()).await?;
            inlets.push(Inlet { stream, app, waiting });
        }
    }
    Ok(inlets)
}

impl Inlet {
    /// Puts an event into the stream. One that is full is paused, and what comes then is lost.
    async fn put(&mut self, tx: &mut Tx<Tenant>, cx: &Cx, new: NewEvent) -> Result<()> {
        if self.waiting < MOST_WAITING {
            self.waiting += 1;
            return events::put(tx, cx, &self.stream, new);
        }
        if self.stream.status == Status::Enabled {
            let reason = format!("{MOST_WAITING} events wait; later ones are not kept.");
            let status = (Status::Paused, Some(reason.as_str()));
            self.stream = streams::set_status(tx, cx, self.stream.id, status).await?;
            events::tell_status(tx, cx, &self.stream)?;
        }
        Ok(())
    }
}

/// What a cause means to a receiver: nothing, if it does not know the person, or must not know the thing.
async fn meaning(
    tx: &mut Tx<Tenant>,
    app: &App,
    (issuer, person): (&str, &Person),
    (id, cause): (&str, &Cause),
) -> Result<Option<Value>> {
    let consented = if app.configuration.first_party {
        Some(app.configuration.scope.clone())
    } else {
        consents::all(tx, person.id, app.id).await?
    };
    let subject = subjects::find(tx, person, app).await?;
    let (Some(scope), Some(subject)) = (consented, subject) else { return Ok(None) };
    let user = json!({ "format": "iss_sub", "iss": issuer, "sub": subject });
    let (sub_id, own) = match &cause.what {
        What::SessionRevoked { sid: None } | What::AccountDisabled | What::AccountEnabled => {
            (user, json!({}))
        }
        What::SessionRevoked { sid: Some(sid) } => {
            (json!({ "format": "complex", "user": user, "session": events::opaque(sid) }), json!({}))
        }
        What::PasswordSet { is_first } => {
            let change_type = if *is_first { "create" } else { "update" };
            (user, json!({ "credential_type": "password", "change_type": change_type }))
        }
        What::TokenClaimsChange { claims } => {
            let is_told =
                |name: &str| unlocks(&scope, name) || name == "roles" && app.configuration.first_party;
            let told = claims.iter().filter(|(name, _)| is_told(name));
            let told: Map<_, _> = told.map(|(name, value)| (name.clone(), value.clone())).collect();
            if told.is_empty() {
                return Ok(None);
            }
            (user, json!({ "claims": told }))
        }
    };
    let event = if cause.what.is_caep() { with_circumstances(own, cause) } else { own };
    Ok(Some(events::payload(&sub_id, cause.what.event_type(), &event, Some(id))))
}

/// The members that every CAEP event may have (CAEP §2).
fn with_circumstances(mut event: Value, cause: &Cause) -> Value {
    if let Some(members) = event.as_object_mut() {
        members.insert("event_timestamp".to_owned(), json!(cause.at.as_secs()));
        members.insert("reason_admin".to_owned(), json!({ "en": cause.reason }));
        if let Some(entity) = &cause.initiating_entity {
            members.insert("initiating_entity".to_owned(), json!(entity));
        }
    }
    event
}
