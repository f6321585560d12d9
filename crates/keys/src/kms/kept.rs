//! A signing key that `svc-kms` keeps: each token that it signs is a request (RFC 7515 §5.1).

use svc_core::Result;

use super::Sidecar;
use crate::jose::{Algorithm, Keeper, KeptKey, Pending, PublicKey};
use crate::management::{KeyManagement as _, KeyUse, Wrapped};

/// A wrapped key, and who signs with it.
struct Kept {
    sidecar: Sidecar,
    of: KeyUse,
    id: String,
    algorithm: Algorithm,
    wrapped: Vec<u8>,
}

/// The key as what it signs tokens by.
pub(super) fn key(sidecar: &Sidecar, of: KeyUse, with: Wrapped<'_>, public: PublicKey) -> Result<KeptKey> {
    let Wrapped { id, algorithm, key } = with;
    let (sidecar, wrapped) = (sidecar.clone(), key.to_vec());
    let keeper = Kept { sidecar, of, id: id.to_owned(), algorithm, wrapped };
    KeptKey::new(id, algorithm, public, Box::new(keeper))
}

impl Keeper for Kept {
    fn signature<'a>(&'a self, message: &'a [u8]) -> Pending<'a, Vec<u8>> {
        let with = Wrapped { id: &self.id, algorithm: self.algorithm, key: &self.wrapped };
        self.sidecar.sign(self.of, with, message)
    }

    fn answers(&self) -> Pending<'_, ()> {
        Box::pin(async { Ok(self.sidecar.greet().await?) })
    }
}
