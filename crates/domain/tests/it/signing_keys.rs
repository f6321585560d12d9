//! Signing keys as a process that starts asks key management for them, and as two operators withdraw them at once.

use std::sync::Arc;
use std::time::Duration;

use svc_config::Config;
use svc_core::{Class, Cx, Seconds, SeededEntropy};
use svc_domain::keys::signing_keys::{Keys, Line, Rotation};
use svc_keys::jose::{Algorithm, KeyState, Pending, PublicKey, TokenKey};
use svc_keys::management::{Created, Wrapped};
use svc_keys::{KeyManagement, KeyUse, Keyring};
use tokio::sync::Barrier;
use zeroize::Zeroizing;

use crate::world::World;

const LINE: Line = Line { tenant: None, algorithm: Algorithm::Es256 };

/// A keyring that may hand out no signing key before it was asked for every one, and make none before it is let.
struct Waits {
    keyring: Keyring,
    all_asked: Option<Barrier>,
    /// Where a key is to be made, and where it may be.
    making: Option<[Barrier; 2]>,
}

impl KeyManagement for Waits {
    fn create<'a>(&'a self, of: KeyUse, algorithm: Algorithm, cx: &'a Cx) -> Pending<'a, Created> {
        Box::pin(async move {
            if let Some([asked, let_go]) = &self.making {
                asked.wait().await;
                let_go.wait().await;
            }
            self.keyring.create(of, algorithm, cx).await
        })
    }

    fn wrap<'a>(&'a self, of: KeyUse, id: &'a str, key: &'a [u8], cx: &'a Cx) -> Pending<'a, Vec<u8>> {
        self.keyring.wrap(of, id, key, cx)
    }

    fn unwrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8]) -> Pending<'a, Zeroizing<Vec<u8>>> {
        self.keyring.unwrap(of, id, wrapped)
    }

    fn signing_key<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, public: PublicKey) -> Pending<'a, TokenKey> {
        Box::pin(async move {
            if let Some(all_asked) = &self.all_asked {
                all_asked.wait().await;
            }
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
    let all_asked = Some(Barrier::new(Algorithm::SIGNING.len()));
    let management = Arc::new(Waits { keyring, all_asked, making: None });
    let starting = Keys::start(&world.db, &world.cx, &config, management);
    // One after the other, the first would wait for ever.
    let keys = tokio::time::timeout(Duration::from_mins(1), starting).await.unwrap().unwrap();
    let standing = keys.standing(&world.db, world.cx.now).await.unwrap();
    assert_eq!(standing.len(), Algorithm::SIGNING.len());
}

/// The published keys of the deployment that sign with ES256, with where each stands.
async fn published(keys: &Keys, world: &World) -> Vec<(String, KeyState)> {
    let standing = keys.standing(&world.db, world.cx.now).await.unwrap();
    let of_line = standing.into_iter().filter(|(key, _)| key.line == LINE);
    of_line.map(|(key, state)| (key.kid, state)).collect()
}

#[tokio::test]
async fn a_withdrawn_key_stays_so_where_the_one_after_it_is_withdrawn_at_the_same_moment() {
    let (world, config) = (World::new().await, Config::default());
    let keyring = Keyring::ephemeral(&SeededEntropy::new(1), world.cx.now);
    let keys = Keys::start(&world.db, &world.cx, &config, Arc::new(keyring.clone())).await.unwrap();
    let rotation = Rotation { signs_from: world.cx.now + Seconds(60), withdraws: false };
    keys.replace(&world.db, &world.cx, LINE, rotation).await.unwrap();
    let standing = published(&keys, &world).await;
    let in_state = |state| standing.iter().find(|(_, is)| *is == state).unwrap().0.clone();
    let (signing, announced) = (in_state(KeyState::Active), in_state(KeyState::Next));

    let making = Some([Barrier::new(2), Barrier::new(2)]);
    let management = Arc::new(Waits { keyring, all_asked: None, making });
    let elsewhere = Keys::start(&world.db, &world.cx, &config, management.clone()).await.unwrap();
    let withdrawing = elsewhere.withdraw(&world.db, &world.cx, &announced);
    let meanwhile = async {
        let [asked, let_go] = management.making.as_ref().unwrap();
        asked.wait().await;
        keys.withdraw(&world.db, &world.cx, &signing).await.unwrap();
        let_go.wait().await;
    };
    let (refused, ()) = tokio::join!(withdrawing, meanwhile);
    assert_eq!(refused.map_err(|error| error.class()), Err(Class::Conflict));
    assert_eq!(published(&keys, &world).await, [(announced, KeyState::Active)]);
}
