//! One application of a file, and its secret.

use svc_core::{AppId, Cx, Digest};
use svc_db::{Tenant, Tx};
use svc_domain::apps::{self, App};

use super::change::{self, Change};
use super::outcome::{Outcome, Record, Verb};
use super::{Application, Target};
use crate::failure::Failure;

/// What generated secrets start with, so that scanners recognise them.
const PREFIX: &str = "svc_cs_";

/// Makes an application so.
pub(super) async fn apply(
    tx: &mut Tx<Tenant>,
    target: &Target<'_>,
    wanted: &Application,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let mut record = Record::new(Verb::Created, "application", &wanted.handle);
    if let Some(present) = apps::find_by_handle(tx, &wanted.handle).await? {
        if wanted.client_id.is_some_and(|id| id != present.id) {
            return Err(Failure::new(format!(
                "client_id: it is {} already, and cannot be changed",
                present.id
            )));
        }
        record.id = Some(present.id.to_string());
        record.changes = change::between(&present.configuration, &wanted.configuration);
        record.changes.extend(change::of_key("enabled", &present.enabled, &wanted.enabled));
        let (changed, has_new_secret) = update(tx, target, (present, wanted), outcome).await?;
        record.changes.extend(has_new_secret.then(|| Change::hidden("secret")));
        record.verb = Verb::of_change(changed);
    } else {
        record.id = Some(create(tx, target, wanted, outcome).await?.to_string());
    }
    outcome.note(record);
    Ok(())
}

async fn create(
    tx: &mut Tx<Tenant>,
    target: &Target<'_>,
    wanted: &Application,
    outcome: &mut Outcome,
) -> Result<AppId, Failure> {
    if let Some(id) = wanted.client_id
        && let Some(present) = apps::find(tx, id).await?
    {
        let handle = present.handle;
        let fault = format!("client_id: the application {handle:?} has it already, and keeps its handle");
        return Err(Failure::new(fault));
    }
    let (cx, rules) = (target.cx, target.rules);
    let (secret, generated) = secret_of(cx, wanted);
    let id = wanted.client_id.unwrap_or_else(|| cx.id());
    let new = apps::NewApp { configuration: &wanted.configuration, secret };
    let app = apps::create_as(tx, cx, rules, (id, &wanted.handle), new).await?;
    if !wanted.enabled {
        apps::update(
            tx,
            cx,
            rules,
            &app,
            apps::Change { configuration: &wanted.configuration, enabled: false },
        )
        .await?;
    }
    reveal(outcome, &app, generated);
    Ok(app.id)
}

async fn update(
    tx: &mut Tx<Tenant>,
    target: &Target<'_>,
    (present, wanted): (App, &Application),
    outcome: &mut Outcome,
) -> Result<(bool, bool), Failure> {
    let (cx, rules) = (target.cx, target.rules);
    let (present, secret_changed) = with_secret(tx, cx, (present, wanted), outcome).await?;
    let change = apps::Change { configuration: &wanted.configuration, enabled: wanted.enabled };
    let changed = apps::update(tx, cx, rules, &present, change).await?;
    Ok((changed || secret_changed, secret_changed))
}

/// The application with the secret that its new configuration goes with.
async fn with_secret(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (present, wanted): (App, &Application),
    outcome: &mut Outcome,
) -> Result<(App, bool), Failure> {
    let is_confidential = wanted.configuration.token_endpoint_auth_method.has_secret();
    // Without a secret in the file the present one stays.
    let given = wanted.secret.as_ref().map(|secret| svc_keys::digest(secret.expose()));
    let keeps = match present.secret_digest {
        Some(present) => is_confidential && given.is_none_or(|given| given == present),
        None => !is_confidential,
    };
    if keeps {
        return Ok((present, false));
    }
    let (secret, generated) = secret_of(cx, wanted);
    apps::secrets::set(tx, cx, present.id, secret).await?;
    reveal(outcome, &present, generated);
    let renewed = apps::find(tx, present.id).await?;
    Ok((renewed.ok_or_else(|| Failure::new("the application is gone"))?, true))
}

/// The digest of the secret that a new application gets, and the secret itself if the file does not have it.
fn secret_of(cx: &Cx, wanted: &Application) -> (Option<Digest>, Option<String>) {
    if !wanted.configuration.token_endpoint_auth_method.has_secret() {
        return (None, None);
    }
    if let Some(given) = &wanted.secret {
        return (Some(svc_keys::digest(given.expose())), None);
    }
    let generated = svc_keys::prefixed_token(PREFIX, &*cx.entropy);
    (Some(svc_keys::digest(&generated)), Some(generated))
}

fn reveal(outcome: &mut Outcome, app: &App, generated: Option<String>) {
    if let Some(secret) = generated {
        outcome.reveal("application", &app.handle, secret);
    }
}
