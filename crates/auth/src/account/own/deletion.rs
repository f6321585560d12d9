//! The end of the account here: begun by its owner, who may keep it for a while.

use svc_core::{Class, Error, Result, Seconds, Timestamp};
use svc_domain::people::{leaving, operators};

use super::super::denied::Denied;
use super::owner::Own;
use crate::pages::Topic;

/// Where the owner keeps the account.
pub const PATH: &str = "/account/deletion";

/// Refuses where people may not delete their account.
pub fn must_be_offered(own: &Own) -> Result<()> {
    if own.host.app.config.user_self_service.deletion_enabled {
        return Ok(());
    }
    Err(Error::not_found("people cannot delete their account here"))
}

/// When the membership ends, if it is to end.
pub async fn due_at(own: &Own) -> Result<Option<Timestamp>> {
    leaving::due_at(&mut own.host.read().await?, own.person.id).await
}

/// For how many days the owner can come back. A guest, whom only the session opens, cannot.
pub fn grace_days(own: &Own) -> u32 {
    if own.person.is_guest() { 0 } else { own.host.app.config.user_self_service.deletion_grace_days }
}

/// Ends every session and token, and the membership once the time of grace is over; mails the owner. Returns when that is.
pub async fn begin(own: &Own) -> Result<std::result::Result<Timestamp, Denied>> {
    let grace = Seconds::from_days(grace_days(own));
    let mut tx = own.host.begin().await?;
    let delete_at = match leaving::begin(&mut tx, own.cx(), &own.person, grace).await {
        Err(error) if error.class() == Class::Conflict => {
            let is_last = operators::is_last(&mut tx, &own.person).await?;
            return Ok(Err(if is_last { Denied::LastOperator } else { Denied::Leaving }));
        }
        begun => begun?,
    };
    own.mail(&mut tx, Topic::DeletionBegun, (PATH, Some(grace)))?;
    tx.commit().await?;
    own.take_in_ends().await?;
    Ok(Ok(delete_at))
}

/// Keeps the account; false where it was not to be deleted.
pub async fn keep(own: &Own) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let is_kept = leaving::keep(&mut tx, own.cx(), &own.person).await?;
    tx.commit().await?;
    Ok(is_kept)
}
