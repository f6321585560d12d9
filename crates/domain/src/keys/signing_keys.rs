//! Signing keys and their rotation: published before they sign, kept until the last token they signed has expired.
//!
//! Private halves are stored wrapped, so that every node has all of them, and a restart keeps them. Which key signs is
//! a matter of time alone: on every node the one that most recently began to. A tenant may have keys of its own, in lines of their own.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use svc_config::{Config, Jwt, JwtAlgorithm};
use svc_core::events::SigningKeyRewrapped;
use svc_core::{Cx, Error, Result, Seconds, TenantId, TenantRef, Timestamp};
use svc_db::{Db, args, change_system_sql, system_sql};
use svc_keys::KeyManagement;
use svc_keys::jose::{Algorithm, KeyRing, KeyState, PublicKey};
use svc_keys::management::Created;

use super::settling::settle;
use super::standing::{self, Placed, last_of};
use super::stored_keys::{
    DEFAULT_NOTED, end, end_unwanted, insert, note_default, replaced, set_start, told, vacate,
};
use super::unwrapping::{Unwrapped, unwrap};
use crate::log::{Action, change_across};
use crate::tenancy::tenants;

pub use super::stored_keys::{Line, Rotation, StoredKey, stored};

/// The keys of the deployment and of tenants, in memory.
pub struct Keys {
    rings: RwLock<Rings>,
    eddsa: RwLock<Eddsa>,
    unwrapped: RwLock<Unwrapped>,
    management: Arc<dyn KeyManagement>,
    policy: Policy,
}

/// Where `EdDSA` signs, or did so a short while ago.
#[derive(Default)]
struct Eddsa {
    /// At every tenant: as the deployment's algorithm.
    is_everywhere: bool,
    /// At the tenants with an application that asks for it.
    tenants: HashSet<TenantRef>,
}

/// What signs and verifies at the moment.
#[derive(Clone)]
struct Rings {
    deployment: Arc<KeyRing>,
    /// Of the tenants with keys of their own.
    tenants: HashMap<TenantRef, Arc<KeyRing>>,
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

/// How long a key is published before it signs: longer than verifiers cache the key set.
pub const NOTICE: Seconds = Seconds(86_400);
/// How long a key stays published at least after it signed last: ID tokens come back as hints long after they expired.
pub(super) const OVERLAP: Seconds = Seconds(86_400);
/// Nodes learn of a key within a second; the rest is for clocks that differ.
pub const SHORTEST_NOTICE: Seconds = Seconds(5);

impl Keys {
    /// The stored keys, with one for each algorithm that had none.
    pub async fn start(
        db: &Db,
        cx: &Cx,
        config: &Config,
        management: Arc<dyn KeyManagement>,
    ) -> Result<Self> {
        let jwt = &config.jwt;
        let rotation = Seconds::from_days(jwt.key_rotation_days);
        let longest = jwt.access_token_lifetime_human_secs.max(jwt.access_token_lifetime_agent_secs);
        let empty = Rings { deployment: Arc::new(KeyRing::new(Vec::new())?), tenants: HashMap::new() };
        let keys = Self {
            rings: RwLock::new(empty),
            eddsa: RwLock::default(),
            unwrapped: RwLock::default(),
            management,
            policy: Policy { rotation, overlap: longest.max(OVERLAP), default: default_algorithm(jwt) },
        };
        keys.rotate(db, cx).await?;
        keys.reload(db, cx.now).await?;
        Ok(keys)
    }

    /// What signs for a tenant, and verifies what was signed for it: its own keys, where it has some.
    pub fn ring(&self, tenant: TenantId) -> Arc<KeyRing> {
        self.ring_of(tenant.reference())
    }

    /// The keys of every tenant without keys of its own.
    pub fn ring_of_deployment(&self) -> Arc<KeyRing> {
        Arc::clone(&self.rings.read().unwrap_or_else(PoisonError::into_inner).deployment)
    }

    fn ring_of(&self, tenant: TenantRef) -> Arc<KeyRing> {
        let rings = self.rings.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(rings.tenants.get(&tenant).unwrap_or(&rings.deployment))
    }

    /// The published keys whose private halves are this deployment's own: a row that an attacker put among them proves nothing.
    pub fn proven(&self) -> Result<KeyRing> {
        let unwrapped = self.unwrapped.read().unwrap_or_else(PoisonError::into_inner);
        let keys = unwrapped.values().map(|key| (key.public().clone(), key.algorithm(), KeyState::Retired));
        KeyRing::verifying(keys.collect())
    }

    /// The key set that a tenant publishes. An `OKP` key in it stops some verifiers, so that it is there only where it
    /// signs: as the deployment's algorithm, or as that of one of the tenant's applications. What it has signed stays valid after the
    /// choice of another.
    pub fn jwks(&self, tenant: TenantRef) -> Bytes {
        let ring = self.ring_of(tenant);
        if self.policy.default == Algorithm::EdDsa || self.publishes_eddsa(tenant) {
            ring.jwks().clone()
        } else {
            ring.jwks_without_okp().clone()
        }
    }

    /// Puts the key of `algorithm` into the tenant's set at once: a token that it signs may be verified before this node
    /// has looked at what changed.
    pub fn publish(&self, tenant: TenantRef, algorithm: Algorithm) {
        if algorithm == Algorithm::EdDsa && !self.publishes_eddsa(tenant) {
            self.eddsa.write().unwrap_or_else(PoisonError::into_inner).tenants.insert(tenant);
        }
    }

    fn publishes_eddsa(&self, tenant: TenantRef) -> bool {
        let eddsa = self.eddsa.read().unwrap_or_else(PoisonError::into_inner);
        eddsa.is_everywhere || eddsa.tenants.contains(&tenant)
    }

    /// Makes the keys whose time has come, for the deployment and for tenants that want their own; returns how many. Of several
    /// nodes one makes each.
    pub async fn rotate(&self, db: &Db, cx: &Cx) -> Result<u64> {
        let owners = standing::by_owner(stored(db, cx.now).await?);
        let mut made = 0;
        for line in lines(db).await? {
            let own = owners.get(&line.tenant).map(Vec::as_slice).unwrap_or_default();
            let last = last_of(own, line);
            let Some(signs_from) = due((line, last), self.policy, cx.now) else { continue };
            let rotation = Rotation { signs_from, withdraws: false };
            made += u64::from(self.succeed(db, cx, (line, last), rotation).await?);
        }
        let mut tx = db.begin_system().await?;
        end_unwanted(&mut tx, cx.now + NOTICE + self.policy.overlap).await?;
        note_default(&mut tx, (self.policy.default, cx.now)).await?;
        settle(&mut tx, cx, self.policy.overlap).await?;
        tx.commit().await?;
        Ok(made)
    }

    /// Replaces the key of a line; one that is announced already is brought forward.
    pub async fn replace(&self, db: &Db, cx: &Cx, line: Line, rotation: Rotation) -> Result<()> {
        if rotation.signs_from < cx.now + SHORTEST_NOTICE {
            return Err(Error::bad_request(
                "signs_from: give a time in 5 seconds or later, so that every node knows the new key before it signs",
            ));
        }
        if !lines(db).await?.contains(&line) {
            return Err(Error::conflict(
                "tenant_id: the tenant has no keys of its own; set `own_signing_keys` in its settings",
            ));
        }
        let stored = stored(db, cx.now).await?;
        let last = last_of(&stored, line);
        match last.filter(|last| last.signs_from > cx.now) {
            Some(announced) => bring_forward(db, cx, announced, rotation, self.policy.overlap).await,
            None if self.succeed(db, cx, (line, last), rotation).await? => Ok(()),
            None => Err(replaced()),
        }
    }

    /// The stored keys, and where each stands in its line.
    pub async fn standing(&self, db: &Db, now: Timestamp) -> Result<Vec<(StoredKey, KeyState)>> {
        let stored = stored(db, now).await?;
        let placed = standing::in_lines(&stored, (self.policy.overlap, now));
        Ok(placed.into_iter().map(|(key, state)| (key.clone(), state)).collect())
    }

    /// Takes in what other nodes stored, and drops what has expired.
    pub async fn reload(&self, db: &Db, now: Timestamp) -> Result<()> {
        let stored = stored(db, now).await?;
        let eddsa = eddsa(db, now - self.policy.overlap).await?;
        let (mut unwrapped, missing) = self.known(&stored);
        // Outside of any transaction, because key management may be another process.
        unwrapped.extend(unwrap(&self.management, &missing).await?);
        let rings = self.follow(stored, &unwrapped, now)?;
        *self.unwrapped.write().unwrap_or_else(PoisonError::into_inner) = unwrapped;
        *self.eddsa.write().unwrap_or_else(PoisonError::into_inner) = eddsa;
        *self.rings.write().unwrap_or_else(PoisonError::into_inner) = rings;
        Ok(())
    }

    /// The rings as they are at `now`, of which most are what they were.
    fn follow(&self, stored: Vec<StoredKey>, unwrapped: &Unwrapped, now: Timestamp) -> Result<Rings> {
        // A copy: requests look at the rings meanwhile.
        let present = self.rings.read().unwrap_or_else(PoisonError::into_inner).clone();
        let owners = standing::by_owner(stored);
        let common = owners.get(&None::<TenantRef>).map(Vec::as_slice).unwrap_or_default();
        let shared = standing::of_deployment(common, now);
        let deployment = ring(Some(&present.deployment), &shared, unwrapped)?;
        let mut tenants = HashMap::new();
        for (owner, own) in &owners {
            let Some(tenant) = *owner else { continue };
            let placed = standing::of_tenant((&shared, own), tenant, (self.policy.overlap, now));
            tenants.insert(tenant, ring(present.tenants.get(&tenant), &placed, unwrapped)?);
        }
        Ok(Rings { deployment, tenants })
    }

    /// Wraps what an earlier version of the keyring wrapped with the one that seals now; returns how many keys.
    pub async fn rewrap(&self, db: &Db, cx: &Cx) -> Result<u64> {
        let mut done = 0;
        for key in stored(db, cx.now).await? {
            let of = key.line.usage();
            let Some(old) = key.wrapped.filter(|old| self.management.is_outdated(of, old, cx)) else {
                continue;
            };
            let new = self.management.rewrap(of, &key.kid, &old, cx).await?;
            let update = change_system_sql!(
                "UPDATE signing_keys SET wrapped_key = $2 WHERE kid = $1 AND wrapped_key = $3 RETURNING kid, of_tenant"
            );
            let mut tx = db.begin_system().await?;
            let arguments = args![&key.kid, new, old];
            let done_now = change_across(&mut tx, cx, update, arguments, |row| {
                told(row, Action::SigningKeyRewrapped, SigningKeyRewrapped { kid: row.text("kid")? })
            });
            done += done_now.await?.len() as u64;
            tx.commit().await?;
        }
        Ok(done)
    }

    /// Those that are unwrapped, and those that have to be.
    fn known(&self, stored: &[StoredKey]) -> (Unwrapped, Vec<StoredKey>) {
        let present = self.unwrapped.read().unwrap_or_else(PoisonError::into_inner);
        let (mut known, mut missing) = (Unwrapped::new(), Vec::new());
        for key in stored.iter().filter(|key| key.wrapped.is_some()) {
            if let Some(signing) = present.get(&key.kid) {
                known.insert(key.kid.clone(), Arc::clone(signing));
            } else {
                missing.push(key.clone());
            }
        }
        (known, missing)
    }

    /// Makes and stores the key that follows `last`; whether this node was the one to do it.
    async fn succeed(
        &self,
        db: &Db,
        cx: &Cx,
        (line, last): (Line, Option<&StoredKey>),
        rotation: Rotation,
    ) -> Result<bool> {
        let made = self.create(line, cx).await?;
        let predecessor = last.map_or_else(|| line.root(), |last| last.kid.clone());
        let mut tx = db.begin_system().await?;
        if last.is_none() {
            vacate(&mut tx, cx, line).await?;
        }
        let is_ours = insert(&mut tx, cx, (line, &made), (&predecessor, rotation.signs_from)).await?;
        if is_ours {
            end(&mut tx, cx, &predecessor, (rotation, self.policy.overlap)).await?;
        }
        tx.commit().await?;
        Ok(is_ours)
    }

    /// How long a key stays published after it signed last.
    pub(super) fn overlap(&self) -> Seconds {
        self.policy.overlap
    }

    /// Makes a key that is not stored yet. Outside of any transaction, because key management may be another process.
    pub(super) async fn create(&self, line: Line, cx: &Cx) -> Result<Created> {
        self.management.create(line.usage(), line.algorithm, cx).await
    }
}

/// A ring of keys that stand like this: the `present` one where they stood so before.
fn ring(
    present: Option<&Arc<KeyRing>>,
    placed: &[Placed<'_>],
    unwrapped: &Unwrapped,
) -> Result<Arc<KeyRing>> {
    let state_of = |(key, state): &Placed<'_>| {
        if unwrapped.contains_key(&key.kid) { *state } else { KeyState::Retired }
    };
    let states = placed.iter().map(|placed| (placed.0.kid.as_str(), state_of(placed)));
    if let Some(present) = present.filter(|present| present.holds(states)) {
        return Ok(Arc::clone(present));
    }
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (key, state) in placed {
        match unwrapped.get(&key.kid) {
            Some(signing) => own.push((Arc::clone(signing), *state)),
            None => {
                others.push((PublicKey::from_jwk(&key.public_jwk)?, key.line.algorithm, KeyState::Retired));
            }
        }
    }
    KeyRing::mixed(own, others).map(Arc::new)
}

/// The lines that have a key at any time: the deployment's, and those of tenants that want their own.
async fn lines(db: &Db) -> Result<Vec<Line>> {
    let tenants = tenants::with_own_keys(&mut db.read_system().await?).await?;
    let owners = std::iter::once(None).chain(tenants.into_iter().map(Some));
    let of_owner = |tenant| Algorithm::SIGNING.iter().map(move |&algorithm| Line { tenant, algorithm });
    Ok(owners.flat_map(of_owner).collect())
}

/// What signs where an application chooses nothing.
pub fn default_algorithm(jwt: &Jwt) -> Algorithm {
    match jwt.default_algorithm {
        JwtAlgorithm::Es256 => Algorithm::Es256,
        JwtAlgorithm::EdDsa => Algorithm::EdDsa,
    }
}

/// When the key after `last` begins to sign; nothing while there is time. Verifiers of a tenant get notice of its first key as of any other:
/// they have the deployment's.
fn due((line, last): (Line, Option<&StoredKey>), policy: Policy, now: Timestamp) -> Option<Timestamp> {
    match last {
        None if line.tenant.is_none() => Some(now),
        None => Some(now + NOTICE),
        // Ended without a successor, when the tenant did not want keys of its own.
        Some(last) if last.expires_at.is_some() => Some(now + NOTICE),
        Some(last) => {
            let ends = last.signs_from + policy.rotation;
            (now >= ends - NOTICE).then(|| ends.max(now + NOTICE))
        }
    }
}

/// Where `EdDSA` signs, or signed after that time.
async fn eddsa(db: &Db, after: Timestamp) -> Result<Eddsa> {
    let default =
        system_sql!("SELECT kid FROM signing_keys WHERE algorithm = $1 AND default_at > $2 LIMIT 1");
    let select = system_sql!(
        "SELECT tenant_id FROM apps WHERE eddsa_since IS NOT NULL UNION SELECT tenant_id FROM apps WHERE eddsa_ended_at > $1"
    );
    let mut tx = db.read_system().await?;
    let noted = tx.optional(default, args![Algorithm::EdDsa.name(), after - DEFAULT_NOTED]).await?;
    let tenants = tx
        .all(select, args![after])
        .await?
        .iter()
        .map(|row| row.parse("tenant_id"))
        .collect::<Result<_>>()?;
    Ok(Eddsa { is_everywhere: noted.is_some(), tenants })
}

async fn bring_forward(
    db: &Db,
    cx: &Cx,
    announced: &StoredKey,
    rotation: Rotation,
    overlap: Seconds,
) -> Result<()> {
    let signs_from = rotation.signs_from.min(announced.signs_from);
    let mut tx = db.begin_system().await?;
    let predecessor = set_start(&mut tx, cx, announced, signs_from).await?;
    end(&mut tx, cx, &predecessor, (Rotation { signs_from, ..rotation }, overlap)).await?;
    tx.commit().await
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use svc_core::SeededEntropy;
    use svc_keys::jose::{SigningKey, TokenKey};

    use super::*;

    const START: Timestamp = Timestamp::from_secs(1_800_000_000);
    const POLICY: Policy =
        Policy { rotation: Seconds(30 * 86_400), overlap: OVERLAP, default: Algorithm::Es256 };
    const SHARED: Line = Line { tenant: None, algorithm: Algorithm::Es256 };

    fn key(line: Line) -> StoredKey {
        StoredKey {
            kid: "one".to_owned(),
            line,
            signs_from: START,
            expires_at: None,
            public_jwk: Value::Null,
            wrapped: Some(Vec::new()),
            follows: false,
        }
    }

    fn days(count: i64) -> Seconds {
        Seconds(count * 86_400)
    }

    #[test]
    fn a_successor_is_due_a_day_before_its_predecessor_has_signed_for_long_enough() {
        let last = key(SHARED);
        assert_eq!(due((SHARED, None), POLICY, START), Some(START));
        assert_eq!(due((SHARED, Some(&last)), POLICY, START + days(29) - Seconds(1)), None);
        assert_eq!(due((SHARED, Some(&last)), POLICY, START + days(29)), Some(START + days(30)));
        let late = START + days(90);
        assert_eq!(
            due((SHARED, Some(&last)), POLICY, late),
            Some(late + NOTICE),
            "verifiers get their notice all the same"
        );
    }

    #[test]
    fn a_ring_is_made_again_only_where_a_key_stands_otherwise() {
        let signing = Arc::new(TokenKey::from(SigningKey::generate(Algorithm::Es256).unwrap()));
        let stored = StoredKey { kid: signing.kid().to_owned(), ..key(SHARED) };
        let unwrapped = HashMap::from([(stored.kid.clone(), signing)]);
        let made = |present, state| ring(present, &[(&stored, state)], &unwrapped).unwrap();
        let present = made(None, KeyState::Active);
        assert!(Arc::ptr_eq(&present, &made(Some(&present), KeyState::Active)));
        let retired = made(Some(&present), KeyState::Retired);
        assert!(present.active(Algorithm::Es256).is_some() && retired.active(Algorithm::Es256).is_none());
    }

    #[test]
    fn the_first_key_of_a_tenant_and_one_after_an_end_are_announced() {
        let own = Line { tenant: Some(TenantRef::new(START, &SeededEntropy::new(1))), ..SHARED };
        assert_eq!(due((own, None), POLICY, START), Some(START + NOTICE));
        let ended = StoredKey { expires_at: Some(START + days(9)), ..key(own) };
        assert_eq!(due((own, Some(&ended)), POLICY, START + days(8)), Some(START + days(9)));
    }
}
