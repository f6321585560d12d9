//! After a backup was restored: the database is older than what it replaces, so that what was spent or ended meanwhile would be live
//! again. Everything that hangs on a credential ends.

use svc_core::{Cx, Result};
use svc_db::{System, Tx, args, change_system_sql, quiet_system_sql};

use crate::log::chain::checkpoints;
use crate::log::{Action, Log, Meaning, change_across};

/// Ends all sessions, refresh tokens and access tokens, in every tenant; no process may serve the database meanwhile. The log of
/// every tenant says so. Returns how many accounts there are.
pub async fn end_all_access(tx: &mut Tx<System>, cx: &Cx) -> Result<u64> {
    // Sessions and refresh tokens that are older than the credentials of their account are over.
    let credentials = quiet_system_sql!(
        "goes with the signing keys, whose end is recorded",
        "UPDATE accounts SET credentials_changed_at = $1, updated_at = $1"
    );
    let accounts = tx.execute(credentials, args![cx.now]).await?;
    // Access tokens end with the keys that verify them; the next start makes new ones.
    let keys = change_system_sql!("DELETE FROM signing_keys RETURNING kid, of_tenant");
    change_across(tx, cx, keys, &[], |row| {
        let tenant = row.maybe_text("of_tenant")?.map(|tenant| tenant.parse()).transpose()?;
        Ok((tenant.map_or(Log::OfAll, Log::Of), Meaning::done(Action::BackupRestored, row.text("kid")?)))
    })
    .await?;
    checkpoints::renew_all(tx);
    Ok(accounts)
}
