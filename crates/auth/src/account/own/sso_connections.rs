//! The providers of the organizations that the person belongs to, and how to test one (OpenID Connect Discovery §4).

use svc_core::capability::Capability;
use svc_core::{Class, Error, Result, SsoConnectionId};
use svc_domain::federation::sso::{self, Connection};
use svc_http::sso_trial::{Step, look};

use super::owner::Own;
use super::rights::permit;

/// The scope of the management API that opens them.
const RIGHT: &str = "sso-connections:write";
/// Most connections that are shown.
const MOST: u32 = 200;

/// Whether the person may test connections here.
pub async fn may_test(own: &Own) -> Result<bool> {
    Ok(own.host.offers(&Capability::ENTERPRISE_SSO) && permit(&own.host, &own.person, RIGHT).await?)
}

/// The connections, for a person who may test them; refused to others.
pub async fn all(own: &Own) -> Result<Vec<Connection>> {
    must_be_permitted(own).await?;
    sso::of_member(&mut own.host.read().await?, own.person.id, MOST).await
}

/// What a test of a connection finds; nothing where it was tested just now.
pub async fn test(own: &Own, id: SsoConnectionId) -> Result<Option<Vec<Step>>> {
    must_be_permitted(own).await?;
    let mut tx = own.host.begin().await?;
    let found = sso::of_member(&mut tx, own.person.id, MOST).await?.into_iter().find(|one| one.id == id);
    let Some(connection) = found else {
        tx.rollback().await?;
        return Err(Error::unknown_id());
    };
    match sso::note_test(&mut tx, own.cx(), id).await {
        Err(error) if error.class() == Class::RateLimited => {
            tx.rollback().await?;
            return Ok(None);
        }
        noted => noted?,
    }
    // The provider is asked while no transaction is open.
    tx.commit().await?;
    Ok(Some(look(&own.host.app, &connection.configuration).await))
}

async fn must_be_permitted(own: &Own) -> Result<()> {
    if may_test(own).await? {
        return Ok(());
    }
    Err(Error::forbidden("this page is for administrators who may choose providers of organizations"))
}
