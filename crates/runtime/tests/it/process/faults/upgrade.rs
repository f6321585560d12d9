//! The version before and this one: what the one has handed out is good at the other, and both serve while the schema is migrated
//! under load.
//!
//! `cargo xtask faults --only upgrade` builds the version before, and names its binary here.

use std::path::PathBuf;

use super::{Holders, Ledger};
use crate::process::cable::Cable;
use crate::process::person::SEED;
use crate::process::{Place, exit};

const ENOUGH: usize = 80;

/// A deployment of the version before with Ada, and the binary of this one.
async fn before() -> (Place, PathBuf) {
    let previous =
        std::env::var_os("SVC_TEST_PREVIOUS").expect("`cargo xtask faults` names the version before");
    let mut place = Place::empty().await;
    let present = std::mem::replace(&mut place.program, previous.into());
    migrate(&place).await;
    place.populate(SEED).await;
    (place, present)
}

async fn migrate(place: &Place) {
    let migrated = place.run(&["--migrate-only"]).await;
    assert!(migrated.is_success && migrated.stdout.contains("Applied"), "{migrated:?}");
}

#[tokio::test]
#[ignore = "needs the binary of the version before: `cargo xtask faults --only upgrade`"]
async fn what_the_version_before_handed_out_is_good_after_the_upgrade() {
    let (mut place, present) = before().await;
    let mut old = place.serve().await;
    let mut ada = place.ada(old.address).await;
    let (token, code) = (ada.refresh_token().await, ada.code().await);
    old.terminate();
    assert!(exit(&mut old.process).await, "{}", old.log());
    place.program = present;
    migrate(&place).await;
    let new = place.serve().await;
    let _ = ada.exchange(&code).await.unwrap().expect(200);
    let _ = ada.refresh(&token).await.unwrap().expect(200);
    let later = ada.code().await;
    let _ = ada.exchange(&later).await.unwrap().expect(200);
    assert!(!new.log().contains("panicked"), "{}", new.log());
}

#[tokio::test]
#[ignore = "needs the binary of the version before: `cargo xtask faults --only upgrade`"]
async fn both_versions_serve_while_the_schema_is_migrated_and_no_request_fails() {
    let (mut place, present) = before().await;
    if !place.database.url.starts_with("postgres") {
        return; // SQLite serves one process.
    }
    let mut ledger =
        Ledger::of("The schema is migrated while the version before serves, and this one takes over");
    let mut old = place.serve().await;
    let balancer = Cable::to(&[old.address.port()]).await;
    let mut ada = place.ada(old.address).await;
    ada.address.set_port(balancer.port);
    let mut holders = Holders::begin(&mut ada, 8).await;
    holders.rotate(ENOUGH).await;
    place.program = present;
    migrate(&place).await;
    holders.rotate(ENOUGH).await;
    let new = place.serve_beside().await;
    balancer.lead(&[old.address.port(), new.address.port()]);
    for _ in 0..8 {
        let code = ada.code().await;
        let _ = ada.exchange(&code).await.unwrap().expect(200);
    }
    holders.rotate(ENOUGH).await;
    balancer.lead(&[new.address.port()]);
    holders.rotate(ENOUGH).await;
    old.terminate();
    assert!(exit(&mut old.process).await, "{}", old.log());
    holders.rotate(ENOUGH).await;
    let seen = holders.end().await;
    assert_eq!((seen.outages, seen.unanswered), (0, 0), "{} {}", old.log(), new.log());
    ledger.add("times", 1);
    seen.count(&mut ledger);
}
