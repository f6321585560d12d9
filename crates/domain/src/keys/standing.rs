//! Where signing keys stand at a time: which signs, which is announced, which is kept for what it has signed. Time alone decides, so that
//! all nodes change at the same instant.

use std::collections::BTreeMap;

use svc_core::{Seconds, TenantRef, Timestamp};
use svc_keys::jose::{Algorithm, KeyState};

use super::stored_keys::{Line, StoredKey};

/// A key with where it stands.
pub(super) type Placed<'a> = (&'a StoredKey, KeyState);

/// The newest key of a line that every node can sign with.
pub(super) fn last_of(stored: &[StoredKey], line: Line) -> Option<&StoredKey> {
    peers(stored, line).max_by_key(|key| key.signs_from)
}

/// The keys that every tenant without keys of its own publishes.
pub(super) fn of_deployment(stored: &[StoredKey], now: Timestamp) -> Vec<Placed<'_>> {
    let own = stored.iter().filter(|key| key.line.tenant.is_none());
    own.map(|key| (key, in_line(stored, key, now))).collect()
}

/// The keys of each owner in their order, those of the deployment under none. Where a key stands depends on no other tenant's, and
/// there may be many tenants with keys of their own.
pub(super) fn by_owner(stored: Vec<StoredKey>) -> BTreeMap<Option<TenantRef>, Vec<StoredKey>> {
    let mut owners: BTreeMap<Option<TenantRef>, Vec<StoredKey>> = BTreeMap::new();
    for key in stored {
        owners.entry(key.line.tenant).or_default().push(key);
    }
    owners
}

/// The keys that a tenant with keys of its `own` publishes. The `shared` ones of the deployment are among them, and sign, until one of the
/// tenant's does; and for `overlap` after that, as what they signed may be valid still.
pub(super) fn of_tenant<'a>(
    (shared, own): (&[Placed<'a>], &'a [StoredKey]),
    tenant: TenantRef,
    (overlap, now): (Seconds, Timestamp),
) -> Vec<Placed<'a>> {
    let mut placed = Vec::new();
    for &algorithm in Algorithm::SIGNING {
        let line = Line { tenant: Some(tenant), algorithm };
        let signing = signing(own, line, (overlap, now));
        let of_line = own.iter().filter(|key| key.line == line);
        placed.extend(of_line.map(|key| {
            let signs = signing.is_some_and(|signing| signing.kid == key.kid);
            (key, if signs { KeyState::Active } else { idle(key, now) })
        }));
        if is_alone(own, line, (overlap, now)) {
            continue;
        }
        let shared = shared.iter().filter(|(key, _)| key.line.algorithm == algorithm);
        placed.extend(shared.map(|(key, state)| match state {
            KeyState::Active if signing.is_some() => (*key, KeyState::Retired),
            state => (*key, *state),
        }));
    }
    placed
}

/// Where each key stands in its own line.
pub(super) fn in_lines(stored: &[StoredKey], (overlap, now): (Seconds, Timestamp)) -> Vec<Placed<'_>> {
    let owners = by_owner(stored.to_vec());
    let of_owner = |key: &StoredKey| owners.get(&key.line.tenant).map(Vec::as_slice).unwrap_or_default();
    let place = |key: &StoredKey| match key.line.tenant {
        None => in_line(of_owner(key), key, now),
        Some(_) => match signing(of_owner(key), key.line, (overlap, now)) {
            Some(signing) if signing.kid == key.kid => KeyState::Active,
            _ => idle(key, now),
        },
    };
    stored.iter().map(|key| (key, place(key))).collect()
}

/// The key that signs for a tenant; none before the first begins, nor after the last was ended without a successor.
fn signing(stored: &[StoredKey], line: Line, (overlap, now): (Seconds, Timestamp)) -> Option<&StoredKey> {
    let begun = peers(stored, line).filter(|key| key.signs_from <= now).max_by_key(|key| key.signs_from)?;
    let is_last = last_of(stored, line).is_some_and(|last| last.kid == begun.kid);
    let has_ended = begun.expires_at.is_some_and(|end| now >= end - overlap);
    (!(is_last && has_ended)).then_some(begun)
}

/// Whether nothing that the deployment's keys have signed for a tenant is valid any more, and they will not sign for it soon. Where the
/// tenant's first key was withdrawn, the one that follows it does not bring them back.
fn is_alone(stored: &[StoredKey], line: Line, (overlap, now): (Seconds, Timestamp)) -> bool {
    let goes_on = last_of(stored, line).is_some_and(|last| last.expires_at.is_none());
    let first = peers(stored, line).min_by_key(|key| key.signs_from);
    let begun = |key: &StoredKey| key.signs_from + if key.follows { Seconds(0) } else { overlap };
    goes_on && first.is_some_and(|first| begun(first) <= now)
}

fn in_line(stored: &[StoredKey], key: &StoredKey, now: Timestamp) -> KeyState {
    let peers = || peers(stored, key.line);
    let begun = peers().filter(|peer| peer.signs_from <= now).max_by_key(|peer| peer.signs_from);
    // A clock that lags behind finds no key that has begun; the first one is the nearest to it.
    let active = begun.or_else(|| peers().min_by_key(|peer| peer.signs_from));
    match active {
        Some(active) if active.kid == key.kid => KeyState::Active,
        _ => idle(key, now),
    }
}

fn idle(key: &StoredKey, now: Timestamp) -> KeyState {
    if key.signs_from > now { KeyState::Next } else { KeyState::Retired }
}

fn peers(stored: &[StoredKey], line: Line) -> impl Iterator<Item = &StoredKey> {
    stored.iter().filter(move |key| key.line == line && key.wrapped.is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use svc_core::SeededEntropy;

    use super::*;

    const START: Timestamp = Timestamp::from_secs(1_800_000_000);
    const DAY: Seconds = Seconds(86_400);
    const SHARED: Line = Line { tenant: None, algorithm: Algorithm::Es256 };

    fn key(kid: &str, line: Line, signs_from: Timestamp) -> StoredKey {
        let (kid, wrapped) = (kid.to_owned(), Some(Vec::new()));
        StoredKey {
            kid,
            line,
            signs_from,
            expires_at: None,
            public_jwk: Value::Null,
            wrapped,
            follows: false,
        }
    }

    fn days(count: i64) -> Seconds {
        Seconds(count * DAY.0)
    }

    fn tenant() -> TenantRef {
        TenantRef::new(START, &SeededEntropy::new(1))
    }

    fn shown(placed: &[Placed<'_>]) -> String {
        placed.iter().map(|(key, state)| format!("{} {state:?}", key.kid)).collect::<Vec<_>>().join(", ")
    }

    /// What the tenant publishes of these keys so long after the start.
    fn published(keys: &[StoredKey], after: Seconds) -> String {
        let now = START + after;
        shown(&of_tenant((&of_deployment(keys, now), keys), tenant(), (DAY, now)))
    }

    #[test]
    fn the_keys_of_each_owner_stand_together_in_their_order() {
        let own = Line { tenant: Some(tenant()), ..SHARED };
        let other = Line { tenant: Some(TenantRef::new(START, &SeededEntropy::new(2))), ..SHARED };
        let keys = [("one", SHARED), ("two", own), ("three", other), ("four", SHARED), ("five", own)];
        let owners = by_owner(keys.map(|(kid, line)| key(kid, line, START)).to_vec());
        let of = |line: Line| owners[&line.tenant].iter().map(|key| key.kid.as_str()).collect::<Vec<_>>();
        assert_eq!(
            [of(SHARED), of(own), of(other)],
            [vec!["one", "four"], vec!["two", "five"], vec!["three"]]
        );
    }

    #[test]
    fn the_key_that_began_last_signs_on_every_node_from_the_same_instant() {
        let keys = [key("one", SHARED, START), key("two", SHARED, START + days(30))];
        for (now, placed) in [
            (START + days(30) - Seconds(1), "one Active, two Next"),
            (START + days(30), "one Retired, two Active"),
            // A clock that lags behind.
            (START - Seconds(9), "one Active, two Next"),
        ] {
            assert_eq!(shown(&of_deployment(&keys, now)), placed);
        }
    }

    #[test]
    fn every_key_stands_in_the_line_of_its_owner() {
        let own = Line { tenant: Some(tenant()), ..SHARED };
        let keys = [
            key("one", SHARED, START),
            key("own", own, START),
            key("two", SHARED, START + days(1)),
            key("next", own, START + days(9)),
        ];
        let placed = in_lines(&keys, (DAY, START + days(2)));
        assert_eq!(shown(&placed), "one Retired, own Active, two Active, next Next");
    }

    #[test]
    fn a_key_that_another_process_keeps_to_itself_never_signs() {
        let keys =
            [key("one", SHARED, START), StoredKey { wrapped: None, ..key("two", SHARED, START + days(1)) }];
        assert_eq!(last_of(&keys, SHARED).unwrap().kid, "one");
        assert_eq!(shown(&of_deployment(&keys, START + days(2))), "one Active, two Retired");
    }

    #[test]
    fn a_tenants_own_keys_take_over_and_give_back_with_notice() {
        let own = Line { tenant: Some(tenant()), ..SHARED };
        let first = key("own", own, START + days(1));
        let ended = StoredKey { expires_at: Some(START + days(12)), ..first.clone() };
        for (first, now, placed) in [
            (&first, days(0), "own Next, shared Active"),
            (&first, Seconds(DAY.0 - 1), "own Next, shared Active"),
            (&first, days(1), "own Active, shared Retired"),
            (&first, Seconds(2 * DAY.0 - 1), "own Active, shared Retired"),
            (&first, days(2), "own Active"),
            // Ended without a successor: the deployment's key is there again a day before it signs.
            (&ended, days(10), "own Active, shared Retired"),
            (&ended, Seconds(11 * DAY.0 - 1), "own Active, shared Retired"),
            (&ended, days(11), "own Retired, shared Active"),
        ] {
            let keys = [key("shared", SHARED, START - days(5)), first.clone()];
            assert_eq!(published(&keys, now), placed, "after {now:?}");
            assert_eq!(shown(&of_deployment(&keys, START + now)), "shared Active", "after {now:?}");
        }
    }

    #[test]
    fn a_tenants_own_keys_follow_each_other_without_the_deployments() {
        let own = Line { tenant: Some(tenant()), ..SHARED };
        let first = StoredKey { expires_at: Some(START + days(31)), ..key("own", own, START) };
        let keys = [key("shared", SHARED, START), first, key("next", own, START + days(30))];
        for (now, placed) in [
            (days(29), "own Active, next Next"),
            (Seconds(30 * DAY.0 - 1), "own Active, next Next"),
            (days(30), "own Retired, next Active"),
        ] {
            assert_eq!(published(&keys, now), placed, "after {now:?}");
        }
        // Where the old key is gone, they do not come back.
        let next = StoredKey { follows: true, ..keys[2].clone() };
        let left = [keys[0].clone(), next];
        assert_eq!(published(&left, days(30)), "next Active");
        // A rotation that withdraws ends the old key with the beginning of the new one.
        let mut keys = keys;
        keys[1].expires_at = Some(START + days(30));
        assert_eq!(published(&keys, days(29)), "own Active, next Next");
    }
}
