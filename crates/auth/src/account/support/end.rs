//! The button, on every page, with which a staff member stops acting for a person.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::impersonations;
use svc_domain::people::sessions::Session;
use svc_http::{IntoResponse as _, Params, Response, see_other};

use super::super::ends::take_in_ends;
use crate::hosted::paths::START;
use crate::hosted::{Stop, Visit};
use crate::signin::current_or_acting;

pub(super) async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let _: Stop = visit.open(form.one("flow"))?;
    let mut tx = visit.host.begin().await?;
    let session = current_or_acting(visit, &mut tx).await?;
    if let Some(session) = session.filter(Session::is_acting) {
        stop(visit, &mut tx, &session).await?;
    }
    tx.commit().await?;
    take_in_ends(&visit.host).await?;
    visit.note_acting_is_over();
    Ok((visit.browser.forget_acting()?, see_other(START)).into_response())
}

/// Ends the impersonation that a session is.
pub async fn stop(visit: &Visit, tx: &mut Tx<Tenant>, session: &Session) -> Result<()> {
    let Some(acting) = &session.authentication.acting else { return Ok(()) };
    let cx = visit.cx().acting_as(session.actor());
    if let Some(found) = impersonations::find(tx, acting.id, cx.now).await? {
        impersonations::end(tx, &cx, &found).await?;
    }
    Ok(())
}
