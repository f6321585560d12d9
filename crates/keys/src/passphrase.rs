//! A sealing key from a passphrase: Argon2id (RFC 9106), for a file that is read once at a start.

use argon2::{Algorithm, Argon2, Params, Version};
use serde::{Deserialize, Serialize};
use svc_core::{Entropy, Error, OrInternal as _, Result};
use zeroize::Zeroizing;

use crate::SealingKey;
use crate::secret_bytes::SecretBytes;

/// By which salt and cost a passphrase becomes a key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretching {
    salt: SecretBytes,
    memory_kib: u32,
    iterations: u32,
    lanes: u32,
}

/// What a file may ask for at most, so that a forged one cannot take the machine's memory.
const MOST_MEMORY_KIB: u32 = 1024 * 1024;
const MOST_ITERATIONS: u32 = 64;
/// Shorter ones are guessed in spite of the cost.
const SHORTEST: usize = 16;

impl Stretching {
    /// A fresh salt, at the cost that RFC 9106 §4 recommends second.
    pub fn fresh(entropy: &dyn Entropy) -> Self {
        let mut salt = vec![0; 16];
        entropy.fill(&mut salt);
        Self { salt: salt.into(), memory_kib: 64 * 1024, iterations: 3, lanes: 4 }
    }

    /// The key of a passphrase; white space around it does not count, because editors add a line's end.
    pub fn key(&self, passphrase: &str) -> Result<SealingKey> {
        let passphrase = passphrase.trim();
        if passphrase.len() < SHORTEST {
            return Err(Error::bad_request(format!(
                "the passphrase must have {SHORTEST} characters or more; `openssl rand -base64 32` makes one"
            )));
        }
        if self.memory_kib > MOST_MEMORY_KIB || self.iterations > MOST_ITERATIONS {
            return Err(Error::bad_request("the file asks for more memory or time than a file of ours does"));
        }
        let params = Params::new(self.memory_kib, self.iterations, self.lanes, Some(32));
        let params = params.map_err(|cause| Error::internal(format!("Argon2 parameters: {cause}")))?;
        let mut key = Zeroizing::new([0; 32]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(passphrase.as_bytes(), &self.salt, &mut *key)
            .map_err(|cause| cause.to_string())
            .or_internal()?;
        Ok(SealingKey::from_bytes(*key))
    }
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    const GOOD: &str = "correct horse battery staple";

    #[test]
    fn the_same_passphrase_and_salt_make_the_same_key() {
        let stretching = Stretching::fresh(&SeededEntropy::new(1));
        let stored: Stretching = serde_json::from_str(&serde_json::to_string(&stretching).unwrap()).unwrap();
        let sealed = stretching.key(GOOD).unwrap().seal(b"", b"x", &SeededEntropy::new(2)).unwrap();
        assert_eq!(stored.key(&format!("{GOOD}\n")).unwrap().open(b"", &sealed).unwrap(), b"x");
        assert_eq!(stored.key("Correct horse battery staple").unwrap().open(b"", &sealed), None);
        let salted = Stretching::fresh(&SeededEntropy::new(3));
        assert_eq!(salted.key(GOOD).unwrap().open(b"", &sealed), None);
    }

    #[test]
    fn a_short_passphrase_and_an_outrageous_cost_are_refused() {
        let stretching = Stretching::fresh(&SeededEntropy::new(1));
        let error = stretching.key("fifteen letters").unwrap_err();
        assert!(error.detail().contains("16 characters or more"), "{error:?}");
        let costly = Stretching { memory_kib: MOST_MEMORY_KIB + 1, ..stretching };
        assert!(costly.key(GOOD).unwrap_err().detail().contains("more memory or time"));
    }
}
