//! Randomness through a port, so that tests repeat exactly.

use std::sync::atomic::{AtomicU64, Ordering};

/// A source of random bytes; the production one lives in `svc-keys`.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` completely.
    fn fill(&self, bytes: &mut [u8]);
}

/// A repeatable source for tests (`SplitMix64`); predictable, so never used by the running service.
pub struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    /// The same seed yields the same bytes.
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    fn next(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut word = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = self.next().to_le_bytes();
            chunk.iter_mut().zip(word).for_each(|(byte, random)| *byte = random);
        }
    }
}
