//! The private halves of stored signing keys, as key management hands them out: it may be another process, and tenants may have
//! thousands of keys, so that several are asked for at once.

use std::collections::HashMap;
use std::sync::Arc;

use svc_core::{OrInternal as _, Result};
use svc_keys::KeyManagement;
use svc_keys::jose::{PublicKey, TokenKey};
use svc_keys::management::Wrapped;
use tokio::task::JoinSet;

use super::stored_keys::StoredKey;

/// Half of what `svc-kms` works on at once for one process: what requests ask for meanwhile has room.
const AT_ONCE: usize = 32;

/// Keys to sign with, by their ids.
pub(super) type Unwrapped = HashMap<String, Arc<TokenKey>>;

/// Unwraps keys; one that cannot be unwrapped fails them all.
pub(super) async fn unwrap(management: &Arc<dyn KeyManagement>, keys: &[StoredKey]) -> Result<Unwrapped> {
    let (mut unwrapped, mut under_way) = (Unwrapped::new(), JoinSet::new());
    let mut waiting = keys.iter();
    loop {
        while under_way.len() < AT_ONCE
            && let Some(key) = waiting.next()
        {
            under_way.spawn(opened(Arc::clone(management), key.clone()));
        }
        let Some(done) = under_way.join_next().await else { return Ok(unwrapped) };
        unwrapped.extend(done.or_internal()??);
    }
}

async fn opened(
    management: Arc<dyn KeyManagement>,
    key: StoredKey,
) -> Result<Option<(String, Arc<TokenKey>)>> {
    let Some(wrapped) = &key.wrapped else { return Ok(None) };
    let with = Wrapped { id: &key.kid, algorithm: key.line.algorithm, key: wrapped };
    let public = PublicKey::from_jwk(&key.public_jwk)?;
    let signing = management.signing_key(key.line.usage(), with, public).await?;
    Ok(Some((key.kid, Arc::new(signing))))
}
