//! Taking over a keyring, moving to another machine, and rotating the root: what was sealed before still opens.

use super::super::person::refresh_token_of;
use super::super::{Place, eventually, get};
use super::Kms;

#[tokio::test]
async fn a_keyring_is_taken_over_while_processes_with_either_serve() {
    let mut place = Place::populated().await;
    let mut with_keyring = place.serve().await;
    let mut ada = place.visitor(with_keyring.address).await;
    let page = ada.sign_in_page().await;
    let kms = Kms::of(&place.folder.path().join("kms"));
    let said = kms.does(&format!("adopt --keyring {}", place.keyring().display()));
    assert!(said.contains("It opens what the keyring has sealed."), "{said}");
    let _sidecar = kms.serve().await;
    place.use_kms(&kms);
    if place.database.url.starts_with("sqlite") {
        with_keyring.kill().await; // SQLite serves one process.
        let with_kms = place.serve().await;
        ada.sign_in(&page).await;
        let token = ada.refresh_token().await;
        let _ = refresh_token_of(&ada.refresh(&token).await.unwrap().expect(200));
        drop(with_kms);
        return;
    }
    let with_kms = place.serve_beside().await;
    ada.address = with_kms.address;
    ada.sign_in(&page).await;
    let code = ada.code().await;
    ada.address = with_keyring.address;
    let token = refresh_token_of(&ada.exchange(&code).await.unwrap().expect(200));
    ada.address = with_kms.address;
    let token = refresh_token_of(&ada.refresh(&token).await.unwrap().expect(200));
    with_keyring.kill().await;
    let _ = ada.refresh(&token).await.unwrap().expect(200);
    let keys = get(with_kms.address, "/.well-known/jwks.json").await.unwrap().expect(200).json();
    assert_eq!(keys["keys"].as_array().unwrap().len(), 2, "no signing key was made again: {keys}");
}

#[tokio::test]
async fn a_copy_on_another_machine_opens_what_the_first_has_sealed() {
    let (mut place, kms) = Place::with_kms().await;
    let sidecar = kms.serve().await;
    let mut service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let token = ada.refresh_token().await;
    let copy = place.folder.path().join("copy.sealed");
    kms.does(&format!("backup {}", copy.display()));
    service.kill().await;
    drop(sidecar);
    let other = Kms::of(&place.folder.path().join("elsewhere"));
    std::fs::copy(kms.passphrase(), other.passphrase()).unwrap();
    other.does(&format!("restore {}", copy.display()));
    std::fs::remove_dir_all(&kms.folder).unwrap();
    let _sidecar = other.serve().await;
    place.use_kms(&other);
    let service = place.serve().await;
    ada.address = service.address;
    let _ = refresh_token_of(&ada.refresh(&token).await.unwrap().expect(200));
    let _ = ada.code().await;
}

#[tokio::test]
async fn a_rotated_root_is_taken_in_by_running_processes_and_the_old_version_still_opens() {
    let (place, kms) = Place::with_kms().await;
    let _sidecar = kms.serve().await;
    let mut service = place.serve().await;
    let mut ada = place.visitor(service.address).await;
    let page = ada.sign_in_page().await;
    let old = std::fs::read(kms.folder.join("keys.sealed")).unwrap();
    kms.does("rotate --seals-after 0");
    eventually("the service seals with the new version", || async {
        service.log().contains("was read again")
    })
    .await;
    assert!(!service.log().contains("Fingerprint"), "{}", service.log());
    ada.sign_in(&page).await;
    let token = ada.refresh_token().await;
    service.kill().await;
    let mut service = place.serve().await;
    let select = "SELECT wrapped_key FROM signing_keys";
    eventually("signing keys are wrapped by the new version", || async {
        let mut tx = place.database.db.read_system().await.unwrap();
        let rows = tx.all(svc_db::SystemSql::new(select), &[]).await.unwrap();
        let by = |row: &svc_db::Row| svc_keys::keyring::key_id(&row.bytes("wrapped_key").unwrap());
        rows.iter().all(|row| by(row) == Some(2))
    })
    .await;
    let _ = refresh_token_of(&ada.refresh(&token).await.unwrap().expect(200));
    service.kill().await;
    std::fs::write(kms.folder.join("keys.sealed"), old).unwrap();
    let health = || async { kms.does("health").contains("version 2") };
    eventually("svc-kms has read the older file", || async { !health().await }).await;
    place.refuses(&[], "it lacks version 2, which this database was sealed with").await;
}
