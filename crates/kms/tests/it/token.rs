//! A PKCS #11 token opens the file: `SoftHSM` stands for the hardware. Signing keys then stay with `svc-kms`, as the token's own does
//! with the token.

use std::fs;
use std::process::Output;

use svc_keys::jose::{Algorithm, Jws, Typ};
use svc_keys::keyring::{Purpose, key_id};
use svc_keys::management::Wrapped;
use svc_keys::{KeyManagement as _, KeyUse, PublicKey};

use crate::operations::cx;
use crate::place::{Place, Running, eventually, refused};
use crate::soft_hsm::SoftHsm;

const SIGNING: KeyUse = KeyUse { purpose: Purpose::SigningKeys, tenant: None };

/// A token, and the place that it opens.
struct Hardware {
    place: Place,
    hsm: SoftHsm,
}

impl Hardware {
    fn new() -> Self {
        let place = Place::empty();
        let hsm = SoftHsm::new(&place.path("hsm"));
        let hardware = Self { place, hsm };
        hardware.pin(SoftHsm::PIN);
        hardware
    }

    /// One whose keys are made.
    fn made() -> Self {
        let hardware = Self::new();
        hardware.does(&["init"]);
        hardware
    }

    fn pin(&self, pin: &str) {
        let path = self.place.path("passphrase");
        let _ = fs::remove_file(&path);
        svc_keys::owner_only::create(&path, pin).unwrap();
    }

    fn run(&self, arguments: &[&str], label: &str) -> Output {
        let mut command = self.place.command(arguments);
        self.hsm.open(&mut command, label);
        command.output().unwrap()
    }

    fn does(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments, SoftHsm::LABEL);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    async fn serve(&self) -> Running {
        let mut command = self.place.command(&["serve"]);
        self.hsm.open(&mut command, SoftHsm::LABEL);
        self.place.start(command).await
    }
}

#[test]
fn a_token_seals_and_opens_the_file_and_nothing_else_does() {
    let hardware = Hardware::made();
    let shown = hardware.does(&["verify"]);
    assert!(shown.contains("version 1"), "{shown}");
    hardware.does(&["rotate", "--seals-after", "0"]);
    let copied = hardware.does(&["backup", hardware.place.path("copy").to_str().unwrap()]);
    assert!(copied.contains("the same token") && !copied.contains("passphrase"), "{copied}");
    let without = hardware.place.refuses(&["verify"]);
    assert!(without.contains("the file is sealed by a token; name it with --token"), "{without}");
    let unknown = refused(&hardware.run(&["verify"], "another"));
    assert!(unknown.contains("knows no token of this label"), "{unknown}");
    hardware.pin("999999");
    let wrong = refused(&hardware.run(&["verify"], SoftHsm::LABEL));
    assert!(wrong.contains("the token \"svc\" cannot be used"), "{wrong}");
    let other = Hardware::new();
    fs::create_dir(other.place.dir()).unwrap();
    fs::copy(hardware.place.file("keys.sealed"), other.place.file("keys.sealed")).unwrap();
    let elsewhere = refused(&other.run(&["verify"], SoftHsm::LABEL));
    assert!(elsewhere.contains("it has no key `svc-kms root`"), "{elsewhere}");
}

#[test]
fn a_file_that_a_passphrase_opens_is_sealed_for_a_token() {
    let hardware = Hardware::new();
    let (place, pin) = (&hardware.place, hardware.place.path("pin"));
    fs::rename(place.path("passphrase"), &pin).unwrap();
    place.does(&["init"]);
    let before = place.does(&["verify"]);
    let mut reseal = place.command(&["reseal", "--to-passphrase-file", pin.to_str().unwrap()]);
    hardware.hsm.seal_for(&mut reseal);
    let sealed = reseal.output().unwrap();
    assert!(sealed.status.success(), "{sealed:?}");
    assert!(place.refuses(&["verify"]).contains("the file is sealed by a token"));
    fs::rename(&pin, place.path("passphrase")).unwrap();
    assert_eq!(hardware.does(&["verify"]), before);
}

#[tokio::test]
async fn signing_keys_stay_and_sign_where_they_are() {
    let hardware = Hardware::made();
    let _running = hardware.serve().await;
    let (client, cx) = (hardware.place.client().await, cx());
    for &algorithm in Algorithm::SIGNING {
        let made = client.create(SIGNING, algorithm, &cx).await.unwrap();
        let (kid, public) = (made.key.kid(), made.key.public());
        let with = Wrapped { id: kid, algorithm, key: &made.wrapped };
        let stored = client.signing_key(SIGNING, with, public.clone()).await.unwrap();
        for key in [&made.key, &stored] {
            assert!(key.held().is_none(), "{key:?}");
            key.can_sign().await.unwrap();
            let token = key.sign(Typ::Jwt, br#"{"sub":"ada"}"#).await.unwrap();
            let claims = Jws::parse(&token, &[algorithm]).unwrap().verify(public).unwrap();
            assert_eq!(claims.text("sub"), Some("ada"));
        }
        let error = client.unwrap(SIGNING, kid, &made.wrapped).await.unwrap_err();
        assert!(format!("{error:?}").contains("stays with svc-kms"), "{error:?}");
    }
    let of_tenant = KeyUse { purpose: Purpose::TenantKeys, tenant: Some(cx.id()) };
    let wrapped = client.wrap(of_tenant, "1", b"key", &cx).await.unwrap();
    assert_eq!(*client.unwrap(of_tenant, "1", &wrapped).await.unwrap(), b"key", "what seals is handed out");
}

#[tokio::test]
async fn a_kept_key_signs_for_its_own_use_only() {
    let hardware = Hardware::made();
    let _running = hardware.serve().await;
    let (client, cx) = (hardware.place.client().await, cx());
    let theirs = KeyUse { tenant: Some(cx.id()), ..SIGNING };
    let made = client.create(theirs, Algorithm::Es256, &cx).await.unwrap();
    let with = Wrapped { id: made.key.kid(), algorithm: Algorithm::Es256, key: &made.wrapped };
    let _ = client.sign(theirs, with, b"message").await.unwrap();
    let other = KeyUse { tenant: Some(cx.id()), ..SIGNING };
    for (of, with) in [
        (SIGNING, with),
        (other, with),
        (theirs, Wrapped { id: "another", ..with }),
        (theirs, Wrapped { algorithm: Algorithm::EdDsa, ..with }),
        (KeyUse { purpose: Purpose::TenantKeys, ..theirs }, with),
    ] {
        assert!(client.sign(of, with, b"message").await.is_err(), "{of:?} {with:?}");
    }
}

#[tokio::test]
async fn a_kept_key_is_wrapped_again_after_the_root_was_rotated_and_signs_on() {
    let hardware = Hardware::made();
    let _running = hardware.serve().await;
    let (client, cx) = (hardware.place.client().await, cx());
    let made = client.create(SIGNING, Algorithm::Es256, &cx).await.unwrap();
    hardware.does(&["rotate", "--seals-after", "0"]);
    let kid = made.key.kid();
    let again = || client.rewrap(SIGNING, kid, &made.wrapped, &cx);
    eventually("the new version seals", || async { key_id(&again().await.unwrap()) == Some(2) }).await;
    let wrapped = again().await.unwrap();
    let with = Wrapped { id: kid, algorithm: Algorithm::Es256, key: &wrapped };
    let jwk = PublicKey::from_jwk(&made.key.public_jwk()).unwrap();
    let key = client.signing_key(SIGNING, with, jwk.clone()).await.unwrap();
    for key in [&key, &made.key] {
        let token = key.sign(Typ::AccessToken, b"{}").await.unwrap();
        Jws::parse(&token, &[Algorithm::Es256]).unwrap().verify(&jwk).unwrap();
    }
}

#[tokio::test]
async fn a_kept_key_is_unavailable_while_the_process_is_away_and_signs_again_after() {
    let hardware = Hardware::made();
    let mut running = hardware.serve().await;
    let (client, cx) = (hardware.place.client().await, cx());
    let key = client.create(SIGNING, Algorithm::EdDsa, &cx).await.unwrap().key;
    running.kill();
    for error in [key.can_sign().await.unwrap_err(), key.sign(Typ::Jwt, b"{}").await.unwrap_err()] {
        assert_eq!((error.class().status(), error.wait()), (503, Some(1)), "{error:?}");
    }
    let _running = hardware.serve().await;
    eventually("the key can sign", || async { key.can_sign().await.is_ok() }).await;
    let _ = key.sign(Typ::Jwt, b"{}").await.unwrap();
}
