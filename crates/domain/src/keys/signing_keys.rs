//! Signing keys and their rotation: published before they sign, kept until the last token they signed has expired.
//!
//! Private halves are stored wrapped, so that every node has all of them, and a restart keeps them. Which key signs is
//! a matter of time alone: on every node the one that most recently began to.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use serde_json::Value;
use svc_config::{Config, Jwt, JwtAlgorithm};
use svc_core::events::{
    Event, SigningKeyBroughtForward, SigningKeyCreated, SigningKeyRetired, SigningKeyRewrapped,
    SigningKeyRotated,
};
use svc_core::{Cx, Error, Result, Seconds, TenantRef, Timestamp};
use svc_db::{Db, Row, System, Tx, args, change_system_sql, quiet_system_sql, system_sql};
use svc_keys::jose::{Algorithm, KeyRing, KeyState, PublicKey, SigningKey};
use svc_keys::{KeyManagement, KeyUse, Purpose};

use crate::log::{Action, Log, Meaning, change_across};

/// The keys of the deployment, in memory.
pub struct Keys {
    ring: RwLock<Arc<KeyRing>>,
    /// Tenants with an application that asks for `EdDSA`.
    eddsa: RwLock<HashSet<TenantRef>>,
    unwrapped: RwLock<HashMap<String, Arc<SigningKey>>>,
    management: Arc<dyn KeyManagement>,
    policy: Policy,
}

/// When keys change.
#[derive(Clone, Copy, Debug)]
struct Policy {
    /// How long a key signs.
    rotation: Seconds,
    /// How long a key stays published after it signed last.
    overlap: Seconds,
    /// The algorithm of access tokens.
    default: Algorithm,
}

/// A key as it is stored.
#[derive(Clone, Debug)]
pub struct StoredKey {
    /// Its id.
    pub kid: String,
    /// What it signs with.
    pub algorithm: Algorithm,
    /// When it begins to sign.
    pub signs_from: Timestamp,
    /// When it leaves the key set, if that is known.
    pub expires_at: Option<Timestamp>,
    public_jwk: Value,
    /// Absent where a process of an earlier version kept it to itself.
    wrapped: Option<Vec<u8>>,
}

/// A change of the key that signs, asked for by an operator.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// When the new key signs; until then every node and verifier has to learn of it.
    pub signs_from: Timestamp,
    /// Whether the old key leaves the key set at that time, which ends what it has signed.
    pub withdraws: bool,
}

/// How long a key is published before it signs: longer than verifiers cache the key set.
pub const NOTICE: Seconds = Seconds(86_400);
/// How long a key stays published at least after it signed last: ID tokens come back as hints long after they expired.
const OVERLAP: Seconds = Seconds(86_400);
/// Nodes learn of a key within a second; the rest is for clocks that differ.
pub const SHORTEST_NOTICE: Seconds = Seconds(5);
const USE: KeyUse = KeyUse { purpose: Purpose::SigningKeys, tenant: None };

impl Keys {
    /// The stored keys, with one for each algorithm that had none.
    pub async fn start(
        db: &Db,
        cx: &Cx,
        config: &Config,
        management: Arc<dyn KeyManagement>,
    ) -> Result<Self> {
        let jwt = &config.jwt;
        let rotation = Seconds(i64::from(jwt.key_rotation_days) * 86_400);
        let longest = jwt.access_token_lifetime_human_secs.max(jwt.access_token_lifetime_agent_secs);
        let keys = Self {
            ring: RwLock::new(Arc::new(KeyRing::new(Vec::new())?)),
            eddsa: RwLock::default(),
            unwrapped: RwLock::default(),
            management,
            policy: Policy { rotation, overlap: longest.max(OVERLAP), default: default_algorithm(jwt) },
        };
        keys.rotate(db, cx).await?;
        keys.reload(db, cx.now).await?;
        Ok(keys)
    }

    /// The ring of the moment.
    pub fn ring(&self) -> Arc<KeyRing> {
        Arc::clone(&self.ring.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The key set that a tenant publishes. An `OKP` key in it stops some verifiers, so that it is there only where it
    /// signs: as the deployment's algorithm, or as that of one of the tenant's applications.
    pub fn jwks(&self, tenant: TenantRef) -> Bytes {
        let is_asked_for = || self.eddsa.read().unwrap_or_else(PoisonError::into_inner).contains(&tenant);
        let ring = self.ring();
        if self.policy.default == Algorithm::EdDsa || is_asked_for() {
            ring.jwks().clone()
        } else {
            ring.jwks_without_okp().clone()
        }
    }

    /// Puts the key of `algorithm` into the tenant's set at once: a token that it signs may be verified before this node
    /// has looked at what changed.
    pub fn publish(&self, tenant: TenantRef, algorithm: Algorithm) {
        let is_published = || self.eddsa.read().unwrap_or_else(PoisonError::into_inner).contains(&tenant);
        if algorithm == Algorithm::EdDsa && !is_published() {
            self.eddsa.write().unwrap_or_else(PoisonError::into_inner).insert(tenant);
        }
    }

    /// Makes the keys whose time has come; returns how many. Of several nodes one makes each.
    pub async fn rotate(&self, db: &Db, cx: &Cx) -> Result<u64> {
        let stored = stored(db, cx.now).await?;
        let mut made = 0;
        for algorithm in Algorithm::SIGNING.iter().copied() {
            let last = last_of(&stored, algorithm);
            let Some(signs_from) = due(last, self.policy, cx.now) else { continue };
            let rotation = Rotation { signs_from, withdraws: false };
            made += u64::from(self.succeed(db, cx, (algorithm, last), rotation).await?);
        }
        let mut tx = db.begin_system().await?;
        settle(&mut tx, cx).await?;
        tx.commit().await?;
        Ok(made)
    }

    /// Replaces the key of an algorithm; one that is announced already is brought forward.
    pub async fn replace(&self, db: &Db, cx: &Cx, algorithm: Algorithm, rotation: Rotation) -> Result<()> {
        if rotation.signs_from < cx.now + SHORTEST_NOTICE {
            return Err(Error::bad_request(
                "the new key must be known to every node for 5 seconds before it signs",
            ));
        }
        let stored = stored(db, cx.now).await?;
        let last = last_of(&stored, algorithm);
        match last.filter(|last| last.signs_from > cx.now) {
            Some(announced) => bring_forward(db, cx, announced, rotation, self.policy.overlap).await,
            None if self.succeed(db, cx, (algorithm, last), rotation).await? => Ok(()),
            None => Err(Error::conflict("the key was replaced meanwhile; look at it again")),
        }
    }

    /// Takes in what other nodes stored, and drops what has expired.
    pub async fn reload(&self, db: &Db, now: Timestamp) -> Result<()> {
        let stored = stored(db, now).await?;
        let eddsa = tenants_with_eddsa(db).await?;
        // Outside of any transaction, because key management may be another process.
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for key in &stored {
            match self.unwrapped(key).await? {
                Some(signing) => own.push((signing, state(&stored, key, now))),
                None => {
                    others.push((PublicKey::from_jwk(&key.public_jwk)?, key.algorithm, KeyState::Retired));
                }
            }
        }
        *self.unwrapped.write().unwrap_or_else(PoisonError::into_inner) =
            own.iter().map(|(key, _)| (key.kid().to_owned(), Arc::clone(key))).collect();
        *self.eddsa.write().unwrap_or_else(PoisonError::into_inner) = eddsa;
        let ring = KeyRing::mixed(own, others)?;
        let mut present = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        // The present one knows which tokens it has verified.
        if !present.is_same(&ring) {
            *present = Arc::new(ring);
        }
        Ok(())
    }

    /// Wraps what an earlier version of the keyring wrapped with the one that seals now; returns how many keys.
    pub async fn rewrap(&self, db: &Db, cx: &Cx) -> Result<u64> {
        let mut done = 0;
        for key in stored(db, cx.now).await? {
            let Some(old) = key.wrapped.filter(|old| self.management.is_outdated(USE, old, cx)) else {
                continue;
            };
            let plain = self.management.unwrap(USE, &key.kid, &old).await?;
            let new = self.management.wrap(USE, &key.kid, &plain, cx).await?;
            let update = change_system_sql!(
                "UPDATE signing_keys SET wrapped_key = $2 WHERE kid = $1 AND wrapped_key = $3 RETURNING kid"
            );
            let mut tx = db.begin_system().await?;
            let arguments = args![&key.kid, new, old];
            let done_now = change_across(&mut tx, cx, update, arguments, |row| {
                let kid = row.text("kid")?;
                Ok(of_all(Action::SigningKeyRewrapped, &kid, SigningKeyRewrapped { kid: kid.clone() }))
            });
            done += done_now.await?.len() as u64;
            tx.commit().await?;
        }
        Ok(done)
    }

    async fn unwrapped(&self, key: &StoredKey) -> Result<Option<Arc<SigningKey>>> {
        let Some(wrapped) = &key.wrapped else { return Ok(None) };
        let known = self.unwrapped.read().unwrap_or_else(PoisonError::into_inner).get(&key.kid).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let plain = self.management.unwrap(USE, &key.kid, wrapped).await?;
        Ok(Some(Arc::new(SigningKey::from_pkcs8(&key.kid, key.algorithm, &plain)?)))
    }

    /// Makes and stores the key that follows `last`; whether this node was the one to do it.
    async fn succeed(
        &self,
        db: &Db,
        cx: &Cx,
        (algorithm, last): (Algorithm, Option<&StoredKey>),
        rotation: Rotation,
    ) -> Result<bool> {
        let made = self.management.create(USE, algorithm, cx).await?;
        let insert = change_system_sql!(
            "INSERT INTO signing_keys (kid, algorithm, state, public_jwk, wrapped_key, created_at, seen_at, signs_from, \
             predecessor) VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING kid"
        );
        let state = if rotation.signs_from > cx.now { "next" } else { "active" };
        let jwk = crate::document::store(&made.key.public_jwk())?;
        // Of two nodes that follow the same key one wins.
        let predecessor = last.map_or("", |last| last.kid.as_str());
        let arguments = args![
            made.key.kid(),
            algorithm.name(),
            state,
            jwk,
            made.wrapped,
            cx.now,
            rotation.signs_from,
            predecessor
        ];
        let mut tx = db.begin_system().await?;
        let signs_from = rotation.signs_from;
        let made_now = change_across(&mut tx, cx, insert, arguments, |row| {
            let (kid, algorithm) = (row.text("kid")?, algorithm.name().to_owned());
            let event = SigningKeyCreated { kid: kid.clone(), algorithm, signs_from };
            Ok(of_all(Action::SigningKeyCreated, &kid, event))
        });
        let is_ours = !made_now.await?.is_empty();
        if is_ours {
            end(&mut tx, predecessor, rotation, self.policy.overlap).await?;
            tracing::info!(kid = made.key.kid(), %algorithm, signs_from = %rotation.signs_from, "a signing key was made");
        }
        tx.commit().await?;
        Ok(is_ours)
    }
}

/// What signs where an application chooses nothing.
pub fn default_algorithm(jwt: &Jwt) -> Algorithm {
    match jwt.default_algorithm {
        JwtAlgorithm::Es256 => Algorithm::Es256,
        JwtAlgorithm::EdDsa => Algorithm::EdDsa,
    }
}

/// When the key after `last` begins to sign; nothing while there is time.
fn due(last: Option<&StoredKey>, policy: Policy, now: Timestamp) -> Option<Timestamp> {
    let Some(last) = last else { return Some(now) };
    let ends = last.signs_from + policy.rotation;
    (now >= ends - NOTICE).then(|| ends.max(now + NOTICE))
}

/// The newest key that every node can sign with.
fn last_of(stored: &[StoredKey], algorithm: Algorithm) -> Option<&StoredKey> {
    let own = stored.iter().filter(|key| key.algorithm == algorithm && key.wrapped.is_some());
    own.max_by_key(|key| key.signs_from)
}

fn state(stored: &[StoredKey], key: &StoredKey, now: Timestamp) -> KeyState {
    let peers = || stored.iter().filter(|peer| peer.algorithm == key.algorithm && peer.wrapped.is_some());
    let begun = peers().filter(|peer| peer.signs_from <= now).max_by_key(|peer| peer.signs_from);
    // A clock that lags behind finds no key that has begun; the first one is the nearest to it.
    let active = begun.or_else(|| peers().min_by_key(|peer| peer.signs_from));
    match active {
        Some(active) if active.kid == key.kid => KeyState::Active,
        _ if key.signs_from > now => KeyState::Next,
        _ => KeyState::Retired,
    }
}

/// The keys that are published at `now`, oldest first.
pub async fn stored(db: &Db, now: Timestamp) -> Result<Vec<StoredKey>> {
    let select = system_sql!(
        "SELECT kid, algorithm, public_jwk, wrapped_key, created_at, signs_from, expires_at FROM signing_keys \
         WHERE expires_at IS NULL OR expires_at > $1 ORDER BY created_at, kid"
    );
    let mut tx = db.read_system().await?;
    let rows = tx.all(select, args![now]).await?;
    rows.iter().map(stored_key).collect()
}

fn stored_key(row: &Row) -> Result<StoredKey> {
    let algorithm = Algorithm::from_name(&row.text("algorithm")?);
    Ok(StoredKey {
        kid: row.text("kid")?,
        algorithm: algorithm.ok_or_else(|| Error::internal("a stored key of unknown algorithm"))?,
        signs_from: row.maybe_time("signs_from")?.unwrap_or(row.time("created_at")?),
        expires_at: row.maybe_time("expires_at")?,
        public_jwk: crate::document::load(row, "public_jwk")?,
        wrapped: row.maybe_bytes("wrapped_key")?,
    })
}

async fn tenants_with_eddsa(db: &Db) -> Result<HashSet<TenantRef>> {
    let select = system_sql!("SELECT DISTINCT tenant_id FROM apps WHERE eddsa_since IS NOT NULL");
    let mut tx = db.read_system().await?;
    tx.all(select, args![]).await?.iter().map(|row| row.parse("tenant_id")).collect()
}

/// Decides when a key that has a successor leaves the key set.
async fn end(tx: &mut Tx<System>, kid: &str, rotation: Rotation, overlap: Seconds) -> Result<()> {
    let overlap = if rotation.withdraws { Seconds(0) } else { overlap };
    let update = quiet_system_sql!(
        "goes with the key that follows, which is recorded",
        "UPDATE signing_keys SET expires_at = $2 WHERE kid = $1"
    );
    tx.execute(update, args![kid, rotation.signs_from + overlap]).await.map(|_| ())
}

/// What happens to a signing key concerns every tenant: all of them publish it.
fn of_all(action: Action, kid: &str, event: impl Into<Event>) -> (Log, Meaning) {
    let event = event.into();
    (Log::OfAll, Meaning::done(action, kid).with(event.data.clone()).telling(event))
}

async fn bring_forward(
    db: &Db,
    cx: &Cx,
    announced: &StoredKey,
    rotation: Rotation,
    overlap: Seconds,
) -> Result<()> {
    let update = change_system_sql!(
        "UPDATE signing_keys SET signs_from = $2 WHERE kid = $1 AND signs_from = $3 RETURNING kid, predecessor"
    );
    let mut tx = db.begin_system().await?;
    let signs_from = rotation.signs_from.min(announced.signs_from);
    let arguments = args![&announced.kid, signs_from, announced.signs_from];
    let changed = change_across(&mut tx, cx, update, arguments, |row| {
        let kid = row.text("kid")?;
        let event = SigningKeyBroughtForward { kid: kid.clone(), signs_from };
        Ok(of_all(Action::SigningKeyBroughtForward, &kid, event))
    });
    let changed = changed.await?;
    let row = changed.first();
    let row = row.ok_or_else(|| Error::conflict("the key was replaced meanwhile; look at it again"))?;
    end(&mut tx, &row.text("predecessor")?, Rotation { signs_from, ..rotation }, overlap).await?;
    tx.commit().await
}

/// A process of an earlier version that has been silent this long is gone, and cannot sign any more.
const SILENCE: Seconds = Seconds(600);

/// Brings the stored states up to the time, for people who look at them and for the sweep.
async fn settle(tx: &mut Tx<System>, cx: &Cx) -> Result<()> {
    let begin = change_system_sql!(
        "UPDATE signing_keys SET state = 'active' WHERE state = 'next' AND signs_from <= $1 RETURNING kid"
    );
    let rotated = |row: &Row| {
        let kid = row.text("kid")?;
        Ok(of_all(Action::SigningKeyRotated, &kid, SigningKeyRotated { kid: kid.clone() }))
    };
    change_across(tx, cx, begin, args![cx.now], rotated).await?;
    let retire = change_system_sql!(
        "UPDATE signing_keys SET state = 'retired' WHERE state = 'active' AND kid IN \
         (SELECT predecessor FROM signing_keys WHERE signs_from <= $1) RETURNING kid"
    );
    let retired = |row: &Row| {
        let kid = row.text("kid")?;
        Ok(of_all(Action::SigningKeyRetired, &kid, SigningKeyRetired { kid: kid.clone() }))
    };
    change_across(tx, cx, retire, args![cx.now], retired).await?;
    let abandoned = change_system_sql!(
        "UPDATE signing_keys SET state = 'retired', expires_at = $1 \
         WHERE wrapped_key IS NULL AND expires_at IS NULL AND seen_at < $2 RETURNING kid"
    );
    let arguments = args![cx.now + OVERLAP, cx.now - SILENCE];
    change_across(tx, cx, abandoned, arguments, retired).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_secs(1_800_000_000);
    const POLICY: Policy =
        Policy { rotation: Seconds(30 * 86_400), overlap: OVERLAP, default: Algorithm::Es256 };

    fn key(kid: &str, signs_from: Timestamp) -> StoredKey {
        StoredKey {
            kid: kid.to_owned(),
            algorithm: Algorithm::Es256,
            signs_from,
            expires_at: None,
            public_jwk: Value::Null,
            wrapped: Some(Vec::new()),
        }
    }

    fn days(count: i64) -> Seconds {
        Seconds(count * 86_400)
    }

    #[test]
    fn a_successor_is_due_a_day_before_its_predecessor_has_signed_for_long_enough() {
        let last = key("one", START);
        assert_eq!(due(None, POLICY, START), Some(START));
        assert_eq!(due(Some(&last), POLICY, START + days(29) - Seconds(1)), None);
        assert_eq!(due(Some(&last), POLICY, START + days(29)), Some(START + days(30)));
        let late = START + days(90);
        assert_eq!(
            due(Some(&last), POLICY, late),
            Some(late + NOTICE),
            "verifiers get their notice all the same"
        );
    }

    #[test]
    fn the_key_that_began_last_signs_on_every_node_from_the_same_instant() {
        let keys = [key("one", START), key("two", START + days(30))];
        let states = |now| keys.each_ref().map(|key| state(&keys, key, now));
        assert_eq!(states(START + days(30) - Seconds(1)), [KeyState::Active, KeyState::Next]);
        assert_eq!(states(START + days(30)), [KeyState::Retired, KeyState::Active]);
        assert_eq!(
            states(START - Seconds(9)),
            [KeyState::Active, KeyState::Next],
            "a clock that lags behind"
        );
    }

    #[test]
    fn a_key_that_another_process_keeps_to_itself_never_signs() {
        let keys = [key("one", START), StoredKey { wrapped: None, ..key("two", START + days(1)) }];
        assert_eq!(last_of(&keys, Algorithm::Es256).unwrap().kid, "one");
        assert_eq!(state(&keys, &keys[0], START + days(2)), KeyState::Active);
        assert_eq!(state(&keys, &keys[1], START + days(2)), KeyState::Retired);
    }
}
