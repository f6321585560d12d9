//! Refresh tokens whose family has ended, in memory (RFC 9700 §4.14.2): presented again and again, they cost the database nothing.
//!
//! Memory only refuses. The end of a family is final, so that there is nothing to take back and nothing to hear from other nodes;
//! a token that is honoured is always spent by the database.

use std::time::Duration;

use svc_config::RefreshFamilyCache;
use svc_core::{Digest, Seconds, TenantId, TenantRef, Timestamp};

use crate::memory::{self, CacheCounts, Kept};

/// What is known to have ended.
pub struct EndedFamilies {
    /// When the database was asked; absent where the memory is switched off.
    asked_at: Option<Kept<(TenantRef, Digest), Timestamp>>,
    believed: Seconds,
}

impl EndedFamilies {
    /// Knows of none yet.
    pub fn new(refresh_family_cache: &RefreshFamilyCache) -> Self {
        let believed = refresh_family_cache.ttl_secs;
        let idle = Duration::from_secs(believed.0.unsigned_abs());
        let kept = || memory::counted(idle, refresh_family_cache.max_entries);
        Self { asked_at: refresh_family_cache.enabled.then(kept), believed }
    }

    /// Whether the family of a token is known to have ended, which the database said a short while ago.
    pub fn has(&self, tenant: TenantId, token: Digest, now: Timestamp) -> bool {
        let asked_at = self.asked_at.as_ref().and_then(|kept| kept.find(&(tenant.reference(), token)));
        asked_at.is_some_and(|asked_at| asked_at <= now && now < asked_at + self.believed)
    }

    /// Keeps that the family of a token has ended, as a committed row says.
    pub fn note(&self, tenant: TenantId, token: Digest, now: Timestamp) {
        if let Some(kept) = &self.asked_at {
            kept.insert((tenant.reference(), token), now);
        }
    }

    /// How often it had what it was asked for.
    pub fn counts(&self) -> CacheCounts {
        self.asked_at.as_ref().map(Kept::counts).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use svc_config::Config;
    use svc_core::{Origin, SeededEntropy};

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    #[expect(clippy::disallowed_methods, reason = "a tenant without a database")]
    fn tenant(seed: u64) -> TenantId {
        TenantId::proven(TenantRef::new(NOW, &SeededEntropy::new(seed)), Origin::Operator)
    }

    fn ended(change: impl FnOnce(&mut RefreshFamilyCache)) -> EndedFamilies {
        let mut config = Config::default().refresh_family_cache;
        change(&mut config);
        EndedFamilies::new(&config)
    }

    #[test]
    fn the_database_is_asked_again_when_the_time_has_passed_or_the_clock_was_put_back() {
        let (ended, tenant) = (ended(|config| config.ttl_secs = Seconds(30)), tenant(1));
        let token = Digest([1; 32]);
        assert!(!ended.has(tenant, token, NOW));
        ended.note(tenant, token, NOW);
        for (seconds, is_known) in [(0, true), (29, true), (30, false), (-1, false)] {
            assert_eq!(ended.has(tenant, token, NOW + Seconds(seconds)), is_known, "after {seconds} s");
        }
    }

    #[test]
    fn a_token_is_known_in_its_own_tenant_only() {
        let ended = ended(|_| ());
        ended.note(tenant(1), Digest([1; 32]), NOW);
        assert!(ended.has(tenant(1), Digest([1; 32]), NOW));
        assert!(!ended.has(tenant(2), Digest([1; 32]), NOW));
        assert!(!ended.has(tenant(1), Digest([2; 32]), NOW));
    }

    #[test]
    fn nothing_is_kept_where_it_is_switched_off_and_no_more_than_its_number_elsewhere() {
        let off = ended(|config| config.enabled = false);
        off.note(tenant(1), Digest([1; 32]), NOW);
        assert!(!off.has(tenant(1), Digest([1; 32]), NOW));
        let few = ended(|config| config.max_entries = 10);
        for number in 0..100 {
            few.note(tenant(1), Digest([number; 32]), NOW);
            few.asked_at.as_ref().unwrap().run_pending_tasks();
        }
        let known = (0..100).filter(|number| few.has(tenant(1), Digest([*number; 32]), NOW));
        assert_eq!(known.count(), 10);
    }
}
