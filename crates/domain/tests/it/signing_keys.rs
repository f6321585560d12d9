//! Signing keys as a process that starts asks key management for them.

use std::sync::Arc;
use std::time::Duration;

use svc_config::Config;
use svc_core::{Cx, SeededEntropy};
use svc_domain::keys::signing_keys::Keys;
use svc_keys::jose::{Algorithm, Pending, PublicKey, TokenKey};
use svc_keys::management::{Created, Wrapped};
use svc_keys::{KeyManagement, KeyUse, Keyring};
use tokio::sync::Barrier;
use zeroize::Zeroizing;

use crate::world::World;

/// A keyring that hands out no signing key before it was asked for every one.
struct AllTogether {
    keyring: Keyring,
    asked: Barrier,
}

impl KeyManagement for AllTogether {
    fn create<'a>(&'a self, of: KeyUse, algorithm: Algorithm, cx: &'a Cx) -> Pending<'a, Created> {
        self.keyring.create(of, algorithm, cx)
    }

    fn wrap<'a>(&'a self, of: KeyUse, id: &'a str, key: &'a [u8], cx: &'a Cx) -> Pending<'a, Vec<u8>> {
        self.keyring.wrap(of, id, key, cx)
    }

    fn unwrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8]) -> Pending<'a, Zeroizing<Vec<u8>>> {
        self.keyring.unwrap(of, id, wrapped)
    }

    fn signing_key<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, public: PublicKey) -> Pending<'a, TokenKey> {
        Box::pin(async move {
            self.asked.wait().await;
            self.keyring.signing_key(of, with, public).await
        })
    }

    fn rewrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8], cx: &'a Cx) -> Pending<'a, Vec<u8>> {
        self.keyring.rewrap(of, id, wrapped, cx)
    }

    fn sign<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, message: &'a [u8]) -> Pending<'a, Vec<u8>> {
        self.keyring.sign(of, with, message)
    }

    fn is_outdated(&self, of: KeyUse, wrapped: &[u8], cx: &Cx) -> bool {
        self.keyring.is_outdated(of, wrapped, cx)
    }
}

#[tokio::test]
async fn a_starting_process_waits_for_the_journeys_to_key_management_together() {
    let (world, config) = (World::new().await, Config::default());
    let keyring = Keyring::ephemeral(&SeededEntropy::new(1), world.cx.now);
    Keys::start(&world.db, &world.cx, &config, Arc::new(keyring.clone())).await.unwrap();
    let asked = Barrier::new(Algorithm::SIGNING.len());
    let management = Arc::new(AllTogether { keyring, asked });
    let starting = Keys::start(&world.db, &world.cx, &config, management);
    // One after the other, the first would wait for ever.
    let keys = tokio::time::timeout(Duration::from_mins(1), starting).await.unwrap().unwrap();
    let standing = keys.standing(&world.db, world.cx.now).await.unwrap();
    assert_eq!(standing.len(), Algorithm::SIGNING.len());
}
