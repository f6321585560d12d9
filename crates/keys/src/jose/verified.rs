//! The tokens whose signatures were verified here, so that one which comes again costs a digest instead (RFC 7515 §5.2).
//!
//! The same bytes and the same key give the same answer for ever. A token names its key by the thumbprint of the key itself, and
//! only a ring that holds this key asks: so all rings share one memory, however many tenants have keys of their own.
//! That holds for the form of its claims too, which is looked at with the signature. Nothing else is remembered: type, time
//! and revocation are looked at each time.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use svc_core::Result;

use crate::sha256;

/// Tokens that are remembered at most: half a megabyte. A newer one takes the place of an older.
const PLACES: usize = 16_384;

/// What the rings of this process have verified.
pub(super) static VERIFIED: Verified = Verified(OnceLock::new());

#[derive(Default)]
pub(super) struct Verified(OnceLock<Vec<Mutex<Digest>>>);

type Digest = [u8; 32];

impl Verified {
    /// Verifies `token`, unless these very bytes have been verified before.
    pub fn check(&self, token: &str, verify: impl FnOnce() -> Result<()>) -> Result<()> {
        let digest = sha256(token.as_bytes());
        let Some(place) = self.place(&digest) else { return verify() };
        if *lock(place) == digest {
            return Ok(());
        }
        verify()?;
        *lock(place) = digest;
        Ok(())
    }

    fn place(&self, digest: &Digest) -> Option<&Mutex<Digest>> {
        // Most tools verify nothing. No token has the digest of zeros.
        let places = self.0.get_or_init(|| (0..PLACES).map(|_| Mutex::new([0; 32])).collect());
        let number = digest.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))?;
        places.get(usize::from(number) % PLACES)
    }
}

fn lock(place: &Mutex<Digest>) -> MutexGuard<'_, Digest> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use svc_core::Error;

    use super::*;

    fn refused() -> Result<()> {
        Err(Error::invalid_token("refused"))
    }

    #[test]
    fn only_the_same_bytes_are_believed_again_and_only_after_they_were_verified() {
        let verified = Verified::default();
        assert!(verified.check("token", refused).is_err());
        assert!(verified.check("token", refused).is_err(), "a refusal is not remembered as anything");
        assert!(verified.check("token", || Ok(())).is_ok());
        assert!(verified.check("token", refused).is_ok());
        assert!(verified.check("Token", refused).is_err());
        assert!(Verified::default().check("token", refused).is_err());
    }

    #[test]
    fn a_newer_token_takes_the_place_of_an_older() {
        let verified = Verified::default();
        let tokens: Vec<String> = (0..8 * PLACES).map(|number| number.to_string()).collect();
        assert!(tokens.iter().all(|token| verified.check(token, || Ok(())).is_ok()));
        let known = tokens.iter().filter(|token| verified.check(token, refused).is_ok()).count();
        assert!((PLACES / 2..=PLACES).contains(&known), "{known}");
    }
}
