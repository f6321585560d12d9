//! Randomness from the operating system, and the tokens made of it.

use svc_core::Entropy;

use crate::base64url;

/// The source that the running service uses.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        // Going on with bytes that are not random would hand out guessable secrets.
        if aws_lc_rs::rand::fill(bytes).is_err() {
            std::process::abort();
        }
    }
}

/// A fresh secret of 256 bits: 43 characters of base64url.
pub fn token(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 32];
    entropy.fill(&mut bytes);
    base64url(bytes)
}

/// A fresh secret that a person can recognise by its prefix, such as `svc_ak_…`.
pub fn prefixed_token(prefix: &str, entropy: &dyn Entropy) -> String {
    format!("{prefix}{}", token(entropy))
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    #[test]
    fn a_token_has_43_characters_after_its_prefix() {
        let entropy = SeededEntropy::new(1);
        assert_eq!(token(&entropy).len(), 43);
        let key = prefixed_token("svc_ak_", &entropy);
        assert_eq!(crate::from_base64url(key.strip_prefix("svc_ak_").unwrap()).unwrap().len(), 32);
    }

    #[test]
    fn the_system_never_repeats_itself() {
        assert_ne!(token(&SystemEntropy), token(&SystemEntropy));
    }
}
