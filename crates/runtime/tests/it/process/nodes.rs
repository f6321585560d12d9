//! Two processes on one PostgreSQL behind a switch, and one that is stopped and started: a client does not notice which one answers.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use svc_db::{SystemSql, args};

use super::person::{Ada, refresh_token_of};
use super::{Place, Service, get};

/// Sends each request to the other of two processes.
struct Switch {
    addresses: [SocketAddr; 2],
    turn: usize,
}

impl Switch {
    fn of(services: [&Service; 2]) -> Self {
        Self { addresses: services.map(|service| service.address), turn: 0 }
    }

    /// Points Ada at the process whose turn it is.
    fn next(&mut self, ada: &mut Ada) {
        self.turn += 1;
        ada.address = self.addresses[self.turn % 2];
    }
}

async fn published(address: SocketAddr) -> BTreeSet<String> {
    let jwks = get(address, "/.well-known/jwks.json").await.unwrap().expect(200).json();
    let keys = jwks["keys"].as_array().unwrap();
    assert!(keys.iter().all(|key| key["kty"] != "OKP"), "nothing here is signed with EdDSA: {jwks}");
    keys.iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_one_process_begins_another_goes_on_with() {
    let place = Place::populated().await;
    if !place.database.url.starts_with("postgres") {
        return; // SQLite serves one process.
    }
    // At once, so that both find a database without keys.
    let (one, two) = tokio::join!(place.serve(), place.serve_beside());
    assert_eq!(published(one.address).await, published(two.address).await);
    let mut switch = Switch::of([&one, &two]);
    for first in [&one, &two] {
        let mut ada = place.visitor(first.address).await;
        let page = ada.sign_in_page().await;
        switch.next(&mut ada);
        ada.sign_in(&page).await;
        switch.next(&mut ada);
        let code = ada.code().await;
        switch.next(&mut ada);
        let _ = ada.exchange(&code).await.unwrap().expect(200);
        switch.next(&mut ada);
        let _ = ada.exchange(&code).await.unwrap().expect(400);
    }
    let mut ada = place.ada(one.address).await;
    let first = ada.refresh_token().await;
    switch.next(&mut ada);
    let second = refresh_token_of(&ada.refresh(&first).await.unwrap().expect(200));
    switch.next(&mut ada);
    let third = refresh_token_of(&ada.refresh(&second).await.unwrap().expect(200));
    switch.next(&mut ada);
    let _ = ada.refresh(&first).await.unwrap().expect(400);
    switch.next(&mut ada);
    let _ = ada.refresh(&third).await.unwrap().expect(400);
}

#[tokio::test]
async fn one_of_two_processes_is_killed_and_the_other_goes_on() {
    let place = Place::populated().await;
    if !place.database.url.starts_with("postgres") {
        return; // SQLite serves one process.
    }
    let (mut one, two) = (place.serve().await, place.serve_beside().await);
    let mut ada = place.ada(one.address).await;
    let (code, token) = (ada.code().await, ada.refresh_token().await);
    one.kill().await;
    ada.address = two.address;
    let _ = ada.exchange(&code).await.unwrap().expect(200);
    let next = refresh_token_of(&ada.refresh(&token).await.unwrap().expect(200));
    let one = place.serve().await;
    ada.address = one.address;
    let _ = ada.refresh(&next).await.unwrap().expect(200);
    let _ = ada.code().await;
}

#[tokio::test]
async fn a_restart_interrupts_no_sign_in() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    let keys = published(service.address).await;
    let mut ada = place.visitor(service.address).await;
    for _ in 0..3 {
        let page = ada.sign_in_page().await;
        service.kill().await;
        service = place.serve().await;
        ada.sign_in(&page).await;
        let code = ada.code().await;
        service.kill().await;
        service = place.serve().await;
        let tokens = ada.exchange(&code).await.unwrap().expect(200);
        let access = tokens.json()["access_token"].as_str().unwrap().to_owned();
        service.kill().await;
        service = place.serve().await;
        let bearer = format!("Bearer {access}");
        let told = super::request(service.address, "GET /userinfo", &[("Authorization", &bearer)], "").await;
        let _ = told.unwrap().expect(200);
        assert_eq!(published(service.address).await, keys, "a start makes no keys");
        ada.cookies.clear();
    }
}

#[tokio::test]
async fn a_keyring_that_is_lost_changed_or_readable_by_others_is_refused_by_name() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::populated().await;
    let mut service = place.serve().await;
    service.kill().await;
    let path = place.keyring();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let kept = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    place.refuses(&[], "is missing, and this database is sealed with it").await;
    assert!(!path.exists(), "another one would hide the loss");
    let made = place.run(&["keyring", "init", "--path", path.to_str().unwrap()]).await;
    assert!(made.is_success && made.stdout.contains("back it up"), "{made:?}");
    place.refuses(&[], "its version 1 is not the one that this database was sealed with").await;
    std::fs::write(&path, &kept).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    place.refuses(&[], "other users may read it (mode 644)").await;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    place.serve().await;
}

/// What the guide has the owner of the tables run; a transaction of the system says itself that it means all tenants.
fn statements_of_the_guide() -> Vec<&'static str> {
    let guide = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/how-to/rotate-keys.md"));
    let (_, section) = guide.split_once("## A lost keyring").unwrap();
    let (_, block) = section.split_once("```sql\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let statements = block.lines().map(|line| line.split(';').next().unwrap());
    statements.filter(|statement| !statement.starts_with("SET ")).collect()
}

#[tokio::test]
async fn where_the_keyring_is_lost_for_good_the_guide_leads_to_a_service_that_seals_again() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    let _ = place.ada(service.address).await;
    service.kill().await;
    let path = place.keyring();
    std::fs::remove_file(&path).unwrap();
    let mut tx = place.database.db.begin_system().await.unwrap();
    for statement in statements_of_the_guide() {
        tx.execute(SystemSql::new(statement), args![]).await.unwrap();
    }
    tx.commit().await.unwrap();
    let made = place.run(&["keyring", "init", "--path", path.to_str().unwrap()]).await;
    assert!(made.is_success, "{made:?}");
    let service = place.serve().await;
    let _ = place.ada(service.address).await;
    let select = SystemSql::new("SELECT id FROM tenant_keys WHERE wrapped_key IS NOT NULL");
    let kept = place.database.db.read_system().await.unwrap().all(select, args![]).await.unwrap();
    assert_eq!(kept.iter().map(|row| row.int("id").unwrap()).collect::<Vec<_>>(), [2]);
    super::eventually("the audit log is whole again", || async {
        place.run(&["audit", "verify"]).await.is_success
    })
    .await;
}

#[tokio::test]
async fn a_rotated_keyring_has_to_reach_every_node() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    let mut ada = place.visitor(service.address).await;
    let page = ada.sign_in_page().await;
    service.kill().await;
    let old = std::fs::read(place.keyring()).unwrap();
    let path = place.keyring().to_str().unwrap().to_owned();
    let rotated = place.run(&["keyring", "rotate", "--path", &path, "--seals-after", "0"]).await;
    assert!(rotated.is_success && rotated.stdout.contains("version 2"), "{rotated:?}");
    let mut service = place.serve().await;
    ada.sign_in(&page).await;
    service.kill().await;
    std::fs::write(place.keyring(), old).unwrap();
    place.refuses(&[], "it lacks version 2").await;
}

#[tokio::test]
async fn signing_keys_are_replaced_on_demand_and_a_restart_takes_them_in() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    let before = published(service.address).await;
    let rotate = place.run(&["keys", "rotate", "--algorithm", "es256", "--in", "5"]).await;
    assert!(rotate.is_success && rotate.stdout.matches("ES256").count() == 2, "{rotate:?}");
    let address = service.address;
    super::eventually("the successor is published without a restart", || {
        let before = before.clone();
        async move { published(address).await.is_superset(&before) && published(address).await != before }
    })
    .await;
    service.kill().await;
    let service = place.serve().await;
    assert_eq!(published(service.address).await.len(), before.len() + 1);
}

/// A tenant with a secret that is sealed.
const SEALED: &str = r#"
[[tenant]]
slug = "main"
name = "Main"

[[tenant.webhook]]
url = "https://receiver.example/events"
event_types = ["auth.*"]
secret = "b79007cd2d9e484c19dbdbc566105c72b093436f2b3ed8384ffc0b49ff105689"
"#;

#[tokio::test]
async fn a_keyring_that_is_not_named_is_made_once_in_the_working_directory_and_missed_elsewhere() {
    let mut place = Place::migrated().await;
    if !place.database.url.starts_with("postgres") {
        return; // It stands next to the SQLite file.
    }
    place.set("SVC_KEYRING__PATH", "");
    // What a command seals, the service opens.
    place.populate(SEALED).await;
    let file = place.folder.path().join("svc.keyring");
    let made = std::fs::read(&file).unwrap();
    let mut service = place.serve().await;
    let keys = published(service.address).await;
    service.kill().await;
    let mut service = place.serve().await;
    assert_eq!(published(service.address).await, keys);
    service.kill().await;
    assert_eq!(std::fs::read(&file).unwrap(), made);
    std::fs::remove_file(&file).unwrap();
    place.refuses(&[], "the keyring svc.keyring is missing, and this database is sealed with it").await;
    place.set("SVC_KEYRING__PATH", "elsewhere.json");
    place.refuses(&[], "the keyring elsewhere.json is missing, and this database is sealed with it").await;
}
