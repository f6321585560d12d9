//! A keyring whose RSA keys are made once for all tests of a process: a fresh one for each test was a fifth of their time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use svc_core::{Entropy, Result, Timestamp};
use svc_keys::{Algorithm, Keyring, SigningKey, Versions};

/// The RSA keys of this process, as they are stored, in the order in which each keyring hands them out.
static RSA: Mutex<Vec<Stored>> = Mutex::new(Vec::new());

struct Stored {
    kid: String,
    pkcs8: Vec<u8>,
}

/// A keyring that lives as long as the test. It hands out no key twice; another test's keyring hands out the same ones.
pub fn keyring(entropy: &dyn Entropy, now: Timestamp) -> Keyring {
    let handed_out = AtomicUsize::new(0);
    let signing_keys = move |algorithm| match algorithm {
        Algorithm::Rs256 => rsa(handed_out.fetch_add(1, Ordering::Relaxed)),
        other => SigningKey::generate(other),
    };
    Keyring::with(Versions::first(entropy, now), Arc::new(signing_keys))
}

fn rsa(number: usize) -> Result<SigningKey> {
    let mut stored = RSA.lock().unwrap_or_else(PoisonError::into_inner);
    while stored.len() <= number {
        let key = SigningKey::generate(Algorithm::Rs256)?;
        stored.push(Stored { kid: key.kid().to_owned(), pkcs8: key.to_pkcs8()?.to_vec() });
    }
    let Stored { kid, pkcs8 } = stored.get(number).unwrap();
    SigningKey::from_pkcs8(kid, Algorithm::Rs256, pkcs8)
}
