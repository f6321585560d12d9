//! Emergency: a signing key leaves the key set at once, and with it ends everything that it has signed.

use svc_core::events::SigningKeyWithdrawn;
use svc_core::{Cx, Error, Result, TenantId, Timestamp};
use svc_db::{Db, System, Tx, args, change_system_sql};
use svc_keys::jose::KeyState;

use super::signing_keys::{Keys, NOTICE, Rotation, StoredKey, stored};
use super::standing::{in_lines, last_of};
use super::stored_keys::{end, insert, replaced, set_start, told};
use crate::log::chain::checkpoints;
use crate::log::{Action, change_across};

impl Keys {
    /// Withdraws a published key. Tokens that it signed are refused here from the commit on, and on other nodes as they learn of it.
    /// Another key takes its place at once: the announced one, or a new one. `not_found` where no published key has the id,
    /// `conflict` where the keys change at the same time.
    pub async fn withdraw(&self, db: &Db, cx: &Cx, kid: &str) -> Result<()> {
        let all = stored(db, cx.now).await?;
        let placed = in_lines(&all, (self.overlap(), cx.now));
        let key = placed.into_iter().find(|(key, _)| key.kid == kid);
        let (key, state) = key.ok_or_else(|| Error::not_found("no published key has this id"))?;
        let rest: Vec<_> = all.iter().filter(|other| other.kid != kid).cloned().collect();
        let last = last_of(&rest, key.line);
        match (state, last.filter(|last| last.signs_from > cx.now)) {
            (KeyState::Retired, _) => without_successor(db, cx, key).await,
            (KeyState::Active, Some(announced)) => by_announced(db, cx, (key, announced)).await,
            (KeyState::Active, None) => self.by_new(db, cx, key, (kid, cx.now)).await,
            (KeyState::Next, _) => {
                let before = last.map_or_else(|| key.line.root(), |last| last.kid.clone());
                self.by_new(db, cx, key, (&before, key.signs_from.max(cx.now + NOTICE))).await
            }
        }
    }

    /// Replaces the key by a new one that follows `predecessor`.
    async fn by_new(
        &self,
        db: &Db,
        cx: &Cx,
        key: &StoredKey,
        (predecessor, signs_from): (&str, Timestamp),
    ) -> Result<()> {
        let made = self.create(key.line, cx).await?;
        let mut tx = db.begin_system().await?;
        remove(&mut tx, cx, key).await?;
        if !insert(&mut tx, cx, (key.line, &made), (predecessor, signs_from)).await? {
            tx.rollback().await?;
            return Err(replaced());
        }
        if predecessor != key.kid {
            let rotation = Rotation { signs_from, withdraws: false };
            let is_there = end(&mut tx, cx, predecessor, (rotation, self.overlap())).await?;
            if !is_there && predecessor != key.line.root() {
                // It was withdrawn meanwhile: the announced key signs by now.
                tx.rollback().await?;
                return Err(replaced());
            }
        }
        tx.commit().await
    }
}

async fn without_successor(db: &Db, cx: &Cx, key: &StoredKey) -> Result<()> {
    let mut tx = db.begin_system().await?;
    remove(&mut tx, cx, key).await?;
    tx.commit().await
}

async fn by_announced(db: &Db, cx: &Cx, (key, announced): (&StoredKey, &StoredKey)) -> Result<()> {
    let mut tx = db.begin_system().await?;
    set_start(&mut tx, cx, announced, cx.now).await?;
    remove(&mut tx, cx, key).await?;
    tx.commit().await
}

/// Takes a key out of the key set for good: an end in the past is none that a clock which is put back could undo. Another key may
/// follow the one before it.
async fn remove(tx: &mut Tx<System>, cx: &Cx, key: &StoredKey) -> Result<()> {
    let update = change_system_sql!(
        "UPDATE signing_keys SET state = 'retired', expires_at = $2, predecessor = NULL \
         WHERE kid = $1 AND (expires_at IS NULL OR expires_at > $3) RETURNING kid, of_tenant"
    );
    let arguments = args![&key.kid, Timestamp::from_secs(0), cx.now];
    let removed = change_across(tx, cx, update, arguments, |row| {
        told(row, Action::SigningKeyWithdrawn, SigningKeyWithdrawn { kid: row.text("kid")? })
    });
    if removed.await?.is_empty() {
        return Err(replaced());
    }
    checkpoints::renew_all(tx);
    Ok(())
}

/// Destroys the keys that a tenant has of its own, with what they have signed. Returns how many there were.
pub(super) async fn of_tenant(tx: &mut Tx<System>, cx: &Cx, tenant: TenantId) -> Result<u64> {
    let delete = change_system_sql!("DELETE FROM signing_keys WHERE of_tenant = $1 RETURNING kid, of_tenant");
    let destroyed = change_across(tx, cx, delete, args![tenant], |row| {
        told(row, Action::SigningKeyWithdrawn, SigningKeyWithdrawn { kid: row.text("kid")? })
    })
    .await?;
    Ok(destroyed.len() as u64)
}
