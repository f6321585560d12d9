//! Signing keys and their rotation: published before they sign, kept until the last token they signed has expired.

use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;
use svc_config::{Config, Jwt, JwtAlgorithm};
use svc_core::{Cx, Error, Result, Seconds, Timestamp};
use svc_db::{Db, Row, System, Tx, args, system_sql};
use svc_keys::jose::{Algorithm, KeyRing, KeyState, PublicKey, SigningKey};
use tokio::task::JoinHandle;

/// The keys of this process, and the public keys of the whole deployment.
pub struct Keys {
    ring: RwLock<Arc<KeyRing>>,
    own: RwLock<Vec<Own>>,
    policy: Policy,
}

/// A key whose private half this process holds.
#[derive(Clone)]
struct Own {
    key: Arc<SigningKey>,
    state: KeyState,
    created_at: Timestamp,
}

/// When keys change.
#[derive(Clone, Copy, Debug)]
struct Policy {
    /// How long a key signs.
    rotation: Seconds,
    /// How long a retired key stays published.
    overlap: Seconds,
}

/// How long a key is published before it signs: longer than verifiers cache the key set.
const NOTICE: Seconds = Seconds(86_400);

/// New keys, one for each algorithm, in the making. RSA takes up to a tenth of a second, in which a starting process
/// has other things to do.
pub struct FreshKeys(JoinHandle<Result<Vec<SigningKey>>>);

impl FreshKeys {
    /// Begins making them beside the caller.
    pub fn begin() -> Self {
        Self(tokio::task::spawn_blocking(|| {
            Algorithm::SIGNING.iter().copied().map(SigningKey::generate).collect()
        }))
    }

    async fn made(self, now: Timestamp) -> Result<Vec<Own>> {
        let keys = self.0.await.map_err(Error::internal)??;
        let own = |key| Own { key: Arc::new(key), state: KeyState::Active, created_at: now };
        Ok(keys.into_iter().map(own).collect())
    }
}

/// What signs where an application chooses nothing.
pub fn default_algorithm(jwt: &Jwt) -> Algorithm {
    match jwt.default_algorithm {
        JwtAlgorithm::Es256 => Algorithm::Es256,
        JwtAlgorithm::EdDsa => Algorithm::EdDsa,
    }
}

impl Keys {
    /// Ephemeral keys, held in memory only: for development, where no key management is configured. Their public halves are
    /// stored, so that tokens survive a restart as far as verification goes.
    pub async fn ephemeral(db: &Db, cx: &Cx, config: &Config, fresh: FreshKeys) -> Result<Self> {
        let own = fresh.made(cx.now).await?;
        let jwt = &config.jwt;
        let overlap = jwt.access_token_lifetime_human_secs.max(jwt.access_token_lifetime_agent_secs);
        let policy = Policy {
            rotation: Seconds(i64::from(jwt.key_rotation_days) * 86_400),
            // ID tokens come back as hints long after they expired; a day more costs nothing.
            overlap: overlap.max(Seconds(86_400)),
        };
        let mut tx = db.begin_system().await?;
        for key in &own {
            publish(&mut tx, key, cx.now).await?;
        }
        let ring = assemble(&mut tx, &own, cx.now).await?;
        tx.commit().await?;
        Ok(Self { ring: RwLock::new(Arc::new(ring)), own: RwLock::new(own), policy })
    }

    /// The ring of the moment.
    pub fn ring(&self) -> Arc<KeyRing> {
        Arc::clone(&self.ring.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Moves keys along where their time has come, and retires those of processes that are gone; returns whether any of
    /// this process's own changed.
    pub async fn rotate(&self, tx: &mut Tx<System>, now: Timestamp) -> Result<bool> {
        let before = self.own.read().unwrap_or_else(PoisonError::into_inner).clone();
        for key in &before {
            publish(tx, key, now).await?;
        }
        retire_orphans(tx, now, now + self.policy.overlap).await?;
        let Some(after) = plan(&before, self.policy, now)? else { return Ok(false) };
        for key in &after {
            publish(tx, key, now).await?;
            if key.state == KeyState::Retired {
                retire(tx, key, now + self.policy.overlap).await?;
            }
        }
        let kept = after.into_iter().filter(|key| key.state != KeyState::Retired).collect();
        *self.own.write().unwrap_or_else(PoisonError::into_inner) = kept;
        self.reload(tx, now).await?;
        Ok(true)
    }

    /// Takes in what other nodes published, and drops what has expired.
    pub async fn reload(&self, tx: &mut Tx<System>, now: Timestamp) -> Result<()> {
        let own = self.own.read().unwrap_or_else(PoisonError::into_inner).clone();
        let ring = assemble(tx, &own, now).await?;
        let mut present = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        // The present one knows which tokens it has verified.
        if !present.is_same(&ring) {
            *present = Arc::new(ring);
        }
        Ok(())
    }
}

/// The keys after the moves that are due at `now`, or nothing if none is.
fn plan(before: &[Own], policy: Policy, now: Timestamp) -> Result<Option<Vec<Own>>> {
    let mut after = before.to_vec();
    let mut changed = false;
    for algorithm in Algorithm::SIGNING.iter().copied() {
        let position = |keys: &[Own], state| {
            keys.iter().position(|own| own.key.algorithm() == algorithm && own.state == state)
        };
        let Some(active) = position(&after, KeyState::Active) else { continue };
        let age = now - after.get(active).map_or(now, |own| own.created_at);
        match position(&after, KeyState::Next) {
            None if age >= Seconds(policy.rotation.0 - NOTICE.0) => {
                after.push(Own {
                    key: Arc::new(SigningKey::generate(algorithm)?),
                    state: KeyState::Next,
                    created_at: now,
                });
                changed = true;
            }
            Some(next) if after.get(next).is_some_and(|own| now - own.created_at >= NOTICE) => {
                for (index, state) in [(active, KeyState::Retired), (next, KeyState::Active)] {
                    if let Some(own) = after.get_mut(index) {
                        own.state = state;
                    }
                }
                changed = true;
            }
            _ => {}
        }
    }
    Ok(changed.then_some(after))
}

async fn assemble(tx: &mut Tx<System>, own: &[Own], now: Timestamp) -> Result<KeyRing> {
    let select = system_sql!(
        "SELECT kid, algorithm, state, public_jwk FROM signing_keys WHERE expires_at IS NULL OR expires_at > $1 ORDER BY created_at"
    );
    let rows = tx.all(select, args![now]).await?;
    let held: Vec<String> = own.iter().map(|own| own.key.kid().to_owned()).collect();
    let mut published = Vec::new();
    for row in &rows {
        if !held.contains(&row.text("kid")?) {
            published.push(published_key(row)?);
        }
    }
    KeyRing::mixed(own.iter().map(|own| (Arc::clone(&own.key), own.state)).collect(), published)
}

/// Another node's key, or one of an earlier run; it verifies, but does not sign here.
fn published_key(row: &Row) -> Result<(PublicKey, Algorithm, KeyState)> {
    let jwk: Value = crate::document::load(row, "public_jwk")?;
    let algorithm = Algorithm::from_name(&row.text("algorithm")?);
    let algorithm = algorithm.ok_or_else(|| Error::internal("a stored key of unknown algorithm"))?;
    Ok((PublicKey::from_jwk(&jwk)?, algorithm, KeyState::Retired))
}

async fn publish(tx: &mut Tx<System>, own: &Own, now: Timestamp) -> Result<()> {
    let upsert = system_sql!(
        "INSERT INTO signing_keys (kid, algorithm, state, public_jwk, created_at, seen_at) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (kid) DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at"
    );
    let jwk = crate::document::store(&own.key.public_jwk())?;
    let arguments =
        args![own.key.kid(), own.key.algorithm().name(), name(own.state), jwk, own.created_at, now];
    tx.execute(upsert, arguments).await.map(|_| ())
}

async fn retire(tx: &mut Tx<System>, own: &Own, expires_at: Timestamp) -> Result<()> {
    let update = system_sql!("UPDATE signing_keys SET state = 'retired', expires_at = $2 WHERE kid = $1");
    tx.execute(update, args![own.key.kid(), expires_at]).await.map(|_| ())
}

/// A process that has been silent this long is gone, and cannot sign any more.
const SILENCE: Seconds = Seconds(600);

async fn retire_orphans(tx: &mut Tx<System>, now: Timestamp, expires_at: Timestamp) -> Result<()> {
    let update = system_sql!(
        "UPDATE signing_keys SET state = 'retired', expires_at = $1 \
         WHERE wrapped_key IS NULL AND expires_at IS NULL AND seen_at < $2"
    );
    tx.execute(update, args![expires_at, now - SILENCE]).await.map(|_| ())
}

fn name(state: KeyState) -> &'static str {
    match state {
        KeyState::Next => "next",
        KeyState::Active => "active",
        KeyState::Retired => "retired",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: Policy = Policy { rotation: Seconds(30 * 86_400), overlap: Seconds(86_400) };

    fn states(keys: &[Own]) -> Vec<KeyState> {
        keys.iter().map(|own| own.state).collect()
    }

    #[test]
    fn a_key_is_announced_a_day_before_it_signs_and_its_predecessor_retires() {
        let start = Timestamp::from_secs(0);
        let key = Arc::new(SigningKey::generate(Algorithm::Es256).unwrap());
        let keys = vec![Own { key, state: KeyState::Active, created_at: start }];
        assert!(plan(&keys, POLICY, start + Seconds(28 * 86_400)).unwrap().is_none());
        let announced = plan(&keys, POLICY, start + Seconds(29 * 86_400)).unwrap().unwrap();
        assert_eq!(states(&announced), [KeyState::Active, KeyState::Next]);
        assert!(plan(&announced, POLICY, start + Seconds(29 * 86_400 + 60)).unwrap().is_none());
        let moved = plan(&announced, POLICY, start + Seconds(30 * 86_400)).unwrap().unwrap();
        assert_eq!(states(&moved), [KeyState::Retired, KeyState::Active]);
    }
}
