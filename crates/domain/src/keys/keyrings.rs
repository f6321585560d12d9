//! Which keyring this database's content is sealed under, so that a lost or foreign one is noticed before anything is served.

use svc_core::events::KeyringChanged;
use svc_core::{Cx, Error, Result};
use svc_db::{System, Tx, args, change_system_sql, system_sql};
use svc_keys::keyring::Fingerprint;

use crate::log::{Action, Log, Meaning, change_across};

/// Whether the database has met a keyring yet.
pub async fn is_known(tx: &mut Tx<System>) -> Result<bool> {
    let count = system_sql!("SELECT COUNT(*) AS count FROM keyring_versions");
    Ok(tx.one(count, args![]).await?.int("count")? > 0)
}

/// Holds a keyring against what the database has met, and notes nothing. Fails with a conflict that says which version is
/// missing or another.
pub async fn check(tx: &mut Tx<System>, present: &[Fingerprint]) -> Result<()> {
    met(tx, present).await.map(drop)
}

/// The same, and notes versions that are new to it. Of two nodes that bring another version of one number, the second is refused.
pub async fn admit(tx: &mut Tx<System>, cx: &Cx, present: &[Fingerprint]) -> Result<()> {
    let insert = change_system_sql!(
        "INSERT INTO keyring_versions (id, fingerprint, noted_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING \
         RETURNING id"
    );
    let known = met(tx, present).await?;
    for own in present.iter().filter(|own| !known.contains(&i64::from(own.id))) {
        let version = i64::from(own.id);
        let noted = change_across(tx, cx, insert, args![version, &own.digest, cx.now], |_| {
            let meaning = Meaning::done(Action::KeyringChanged, version);
            Ok((Log::OfAll, meaning.telling(KeyringChanged { version })))
        })
        .await?;
        if noted.is_empty() {
            // Another node has noted one since the look.
            check(tx, present).await?;
        }
    }
    Ok(())
}

/// The versions that the database has met, all of them among `present`.
async fn met(tx: &mut Tx<System>, present: &[Fingerprint]) -> Result<Vec<i64>> {
    let select = system_sql!("SELECT id, fingerprint FROM keyring_versions ORDER BY id");
    let known = tx.all(select, args![]).await?;
    let known = known.iter().map(|row| Ok((row.int("id")?, row.text("fingerprint")?)));
    let known = known.collect::<Result<Vec<_>>>()?;
    let digest_of = |id: i64| present.iter().find(|own| i64::from(own.id) == id).map(|own| &own.digest);
    for (id, digest) in &known {
        match digest_of(*id) {
            Some(own) if own == digest => {}
            Some(_) => {
                return Err(Error::conflict(format!(
                    "its version {id} is not the one that this database was sealed with: the file belongs to another \
                     deployment or was made again; restore the file that belongs to this database"
                )));
            }
            None => {
                return Err(Error::conflict(format!(
                    "it lacks version {id}, which this database was sealed with: the file is older than that of another \
                     node or of a backup; give every node the same file"
                )));
            }
        }
    }
    Ok(known.iter().map(|(id, _)| *id).collect())
}
