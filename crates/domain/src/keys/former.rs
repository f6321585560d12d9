//! Keys that another followed in the course of their rotation, after they have left the key set: sessions outlive them, so that they
//! verify what comes back as a hint, of a sign-in or a sign-out. They verify nothing else.

use svc_core::{Result, TenantId, Timestamp};
use svc_db::{Db, args, system_sql};
use svc_keys::jose::{KeyRing, KeyState, PublicKey};

use super::stored_keys::stored_key;

/// The key of this id alone, if it signed for the tenant and is still stored. A key that was withdrawn is none: it left the key set no
/// later than the next one began to sign.
pub async fn find(db: &Db, tenant: TenantId, kid: &str, now: Timestamp) -> Result<Option<KeyRing>> {
    let select = system_sql!(
        "SELECT kid, algorithm, of_tenant, public_jwk, wrapped_key, created_at, signs_from, expires_at, predecessor FROM signing_keys \
         WHERE kid = $1 AND expires_at <= $2 AND (of_tenant IS NULL OR of_tenant = $3) AND EXISTS (SELECT 1 FROM signing_keys later \
         WHERE later.algorithm = signing_keys.algorithm AND later.predecessor = signing_keys.kid \
         AND later.signs_from < signing_keys.expires_at)"
    );
    let mut tx = db.read_system().await?;
    let Some(row) = tx.optional(select, args![kid, now, tenant]).await? else { return Ok(None) };
    let key = stored_key(&row)?;
    let public = PublicKey::from_jwk(&key.public_jwk)?;
    KeyRing::verifying(vec![(public, key.line.algorithm, KeyState::Retired)]).map(Some)
}
