//! The end of every sign-in: one transaction takes note of the proof, begins the session, and goes as far as the way leads.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::tenant_users::Person;
use svc_http::{IntoResponse, Response};

use super::ceremony::Way;
use super::progress::Progress;
use super::session::start;
use crate::hosted::Device;

/// Begins the session of a person who has proven enough, and goes on.
pub async fn enter(
    mut tx: Tx<Tenant>,
    mut way: Way<'_>,
    person: &Person,
    progress: &Progress,
) -> Result<Response> {
    let visit = way.visit();
    let (session, cookie) = start(visit, &mut tx, person, progress).await?;
    let device = Device::remember(visit, person.account_id)?;
    let next = way.advance(&mut tx, &session).await?;
    tx.commit().await?;
    Ok((cookie, device, way.show(next, &session).await?).into_response())
}
