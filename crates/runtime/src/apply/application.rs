//! One application of a file, and its secret.

use svc_core::{AppId, Cx, Digest};
use svc_db::{Tenant, Tx};
use svc_domain::apps::{self, App};

use super::Application;
use super::outcome::{Outcome, Verb};
use crate::failure::Failure;

/// What generated secrets start with, so that scanners recognise them.
const PREFIX: &str = "svc_cs_";

/// Makes an application so.
pub(super) async fn apply(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    wanted: &Application,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let (verb, id) = if let Some(present) = apps::find_by_handle(tx, &wanted.handle).await? {
        let id = present.id;
        (Verb::of_change(update(tx, cx, (present, wanted), outcome).await?), id)
    } else {
        (Verb::Created, create(tx, cx, wanted, outcome).await?)
    };
    outcome.note(verb, format!("application {} (client_id {id})", wanted.handle));
    Ok(())
}

async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    wanted: &Application,
    outcome: &mut Outcome,
) -> Result<AppId, Failure> {
    let (secret, generated) = secret_of(cx, wanted);
    let app = apps::create(tx, cx, &wanted.handle, &wanted.configuration, secret).await?;
    if !wanted.enabled {
        apps::update(tx, cx, &app, &wanted.configuration, false).await?;
    }
    reveal(outcome, &app, generated);
    Ok(app.id)
}

async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (present, wanted): (App, &Application),
    outcome: &mut Outcome,
) -> Result<bool, Failure> {
    let (present, secret_changed) = with_secret(tx, cx, (present, wanted), outcome).await?;
    let changed = apps::update(tx, cx, &present, &wanted.configuration, wanted.enabled).await?;
    Ok(changed || secret_changed)
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
    apps::set_secret(tx, cx, present.id, secret).await?;
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
        outcome.reveal(&app.handle, secret);
    }
}
