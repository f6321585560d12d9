//! One API of a file.

use svc_core::Cx;
use svc_db::{Tenant, Tx};
use svc_domain::apis::{self, Configuration};
use svc_domain::apps;

use super::Api;
use super::outcome::{Outcome, Verb};
use crate::failure::Failure;

/// Makes an API so; the applications that it names must be there.
pub(super) async fn apply(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    wanted: &Api,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let configuration = resolved(tx, wanted).await?;
    let (present, verb) = match apis::find_by_identifier(tx, &wanted.identifier).await? {
        Some(present) => (present, Verb::Unchanged),
        None => (apis::create(tx, cx, &wanted.identifier, &configuration).await?, Verb::Created),
    };
    let changed = apis::update(tx, cx, &present, &configuration, wanted.enabled).await?;
    let verb = if verb == Verb::Created { verb } else { Verb::of_change(changed) };
    outcome.note(verb, format!("api {}", wanted.identifier));
    Ok(())
}

/// The configuration with `client_id`s where the file has handles, which it alone can know.
async fn resolved(tx: &mut Tx<Tenant>, wanted: &Api) -> Result<Configuration, Failure> {
    let mut configuration = wanted.configuration.clone();
    for name in &mut configuration.resource_servers {
        let app = apps::find_by_handle(tx, name).await?;
        let app =
            app.ok_or_else(|| Failure::new(format!("resource_servers: there is no application {name:?}")))?;
        *name = app.id.to_string();
    }
    Ok(configuration)
}
