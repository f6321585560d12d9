//! The states of signing keys as they are stored: brought up to the time, for people who look at them and for the sweep. What signs
//! is decided by time alone.

use svc_core::events::{SigningKeyRetired, SigningKeyRotated};
use svc_core::{Cx, Result, Seconds};
use svc_db::{Row, System, Tx, args, change_system_sql};

use super::signing_keys::OVERLAP;
use super::stored_keys::told;
use crate::log::{Action, change_across};

/// A process of an earlier version that has been silent this long is gone, and cannot sign any more.
const SILENCE: Seconds = Seconds(600);

/// Brings the stored states up to the time, for people who look at them and for the sweep.
pub(super) async fn settle(tx: &mut Tx<System>, cx: &Cx, overlap: Seconds) -> Result<()> {
    let begin = change_system_sql!(
        "UPDATE signing_keys SET state = 'active' WHERE state = 'next' AND signs_from <= $1 RETURNING kid, of_tenant"
    );
    let rotated =
        |row: &Row| told(row, Action::SigningKeyRotated, SigningKeyRotated { kid: row.text("kid")? });
    change_across(tx, cx, begin, args![cx.now], rotated).await?;
    let retire = change_system_sql!(
        "UPDATE signing_keys SET state = 'retired' WHERE state = 'active' AND kid IN \
         (SELECT predecessor FROM signing_keys WHERE signs_from <= $1) RETURNING kid, of_tenant"
    );
    let retired =
        |row: &Row| told(row, Action::SigningKeyRetired, SigningKeyRetired { kid: row.text("kid")? });
    change_across(tx, cx, retire, args![cx.now], retired).await?;
    let unwanted = change_system_sql!(
        "UPDATE signing_keys SET state = 'retired' WHERE state <> 'retired' AND of_tenant IS NOT NULL AND expires_at <= $1 \
         AND NOT EXISTS (SELECT 1 FROM signing_keys later WHERE later.predecessor = signing_keys.kid) \
         RETURNING kid, of_tenant"
    );
    change_across(tx, cx, unwanted, args![cx.now + overlap], retired).await?;
    let abandoned = change_system_sql!(
        "UPDATE signing_keys SET state = 'retired', expires_at = $1 \
         WHERE wrapped_key IS NULL AND expires_at IS NULL AND seen_at < $2 RETURNING kid, of_tenant"
    );
    let arguments = args![cx.now + OVERLAP, cx.now - SILENCE];
    change_across(tx, cx, abandoned, arguments, retired).await.map(|_| ())
}
