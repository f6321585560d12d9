//! The clock of a running process is set an hour ahead and behind, under load: it serves on, and nothing becomes new (F10). Nor does
//! it for processes that were all killed, and start ahead of time (F4).
//!
//! `libfaketime` stands between the process and the system's clock; timers follow the system's own.

use std::net::SocketAddr;
use std::path::PathBuf;

use svc_core::{Clock as _, SystemClock};

use super::{Holders, Ledger, rounds};
use crate::harness::client::claims;
use crate::process::person::{MACHINE, SEED, machine_token, refresh_token_of};
use crate::process::{Place, Service, eventually};

const ENOUGH: usize = 20;

/// How far the clock is off, as the library reads it and in seconds.
const STEPS: [(&str, i64); 4] = [("+1h", 3600), ("+0", 0), ("-1h", -3600), ("+0", 0)];

/// The library, where the machine has it.
fn library() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut libraries = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    libraries.find(|library| library.exists())
}

/// Whether tokens are issued at a time that is off by this many seconds.
async fn is_off_by(address: SocketAddr, seconds: i64) -> bool {
    let issued = claims(&machine_token(address).await)["iat"].as_i64().unwrap();
    (issued - SystemClock.now().as_secs() - seconds).abs() < 60
}

#[tokio::test]
async fn a_clock_that_is_set_an_hour_ahead_and_behind_makes_nothing_new() {
    let Some(library) = library() else { return };
    let mut place = Place::migrated().await;
    place.populate(&format!("{SEED}{MACHINE}")).await;
    place.write("clock", "+0");
    let clock = place.folder.path().join("clock");
    place.set("LD_PRELOAD", library.to_str().unwrap());
    place.set("FAKETIME_TIMESTAMP_FILE", clock.to_str().unwrap());
    place.set("FAKETIME_CACHE_DURATION", "1");
    place.set("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    let service = place.serve().await;
    let address = service.address;
    let mut ada = place.ada(address).await;
    let mut ledger = Ledger::of("The clock of the process is set an hour ahead, back, behind and back");
    for _ in 0..rounds(1).min(20) {
        let (used, revoked) = (ada.code().await, ada.refresh_token().await);
        let replayed = refresh_token_of(&ada.exchange(&used).await.unwrap().expect(200));
        let _ = ada.exchange(&used).await.unwrap().expect(400);
        let _ = ada.revoke(&revoked).await.unwrap().expect(200);
        let mut holders = Holders::begin(&mut ada, 4).await;
        for (setting, seconds) in STEPS {
            holders.rotate(ENOUGH).await;
            place.write("clock", setting);
            eventually("the clock is off", || is_off_by(address, seconds)).await;
            holders.rotate(ENOUGH).await;
            for dead in [&revoked, &replayed] {
                let _ = ada.refresh(dead).await.unwrap().expect(400);
            }
            let _ = ada.exchange(&used).await.unwrap().expect(400);
            service.becomes_ready(true).await;
            ledger.add("times", 1);
        }
        ledger.add("used or revoked and valid again", 0);
        let seen = holders.end().await;
        assert_eq!((seen.outages, seen.unanswered), (0, 0), "{}", service.log());
        seen.count(&mut ledger);
    }
    assert!(!service.log().contains("panicked"), "{}", service.log());
}

/// As many processes as the database serves.
async fn all(place: &Place) -> Vec<Service> {
    let mut services = vec![place.serve().await];
    if place.database.url.starts_with("postgres") {
        services.push(place.serve_beside().await);
    }
    services
}

#[tokio::test]
async fn nothing_is_new_to_processes_that_were_all_killed_and_start_ahead_of_time() {
    let Some(library) = library() else { return };
    let ahead = [
        ("LD_PRELOAD", library.to_str().unwrap()),
        ("FAKETIME", "+5s"),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
    ];
    let mut place = Place::migrated().await;
    place.populate(&format!("{SEED}{MACHINE}")).await;
    let mut ledger =
        Ledger::of("All processes are killed, and start with a clock that is five seconds ahead");
    for _ in 0..rounds(1).min(20) {
        for (name, _) in ahead {
            place.set(name, "");
        }
        let mut services = all(&place).await;
        let mut ada = place.ada(services[0].address).await;
        let (used, revoked, first) = (ada.code().await, ada.refresh_token().await, ada.refresh_token().await);
        let _ = ada.exchange(&used).await.unwrap().expect(200);
        let _ = ada.revoke(&revoked).await.unwrap().expect(200);
        let second = refresh_token_of(&ada.refresh(&first).await.unwrap().expect(200));
        let third = refresh_token_of(&ada.refresh(&second).await.unwrap().expect(200));
        for service in &mut services {
            service.kill().await;
        }
        drop(services);
        for (name, value) in ahead {
            place.set(name, value);
        }
        let services = all(&place).await;
        ada.address = services[services.len() - 1].address;
        let now = SystemClock.now().as_secs();
        let issued = claims(&machine_token(ada.address).await)["iat"].as_i64().unwrap();
        assert!(issued >= now + 5, "the clock is not ahead: {issued}, and it is {now}");
        let _ = ada.exchange(&used).await.unwrap().expect(400);
        // The first is not the one before the newest: its family ends.
        for dead in [&revoked, &first, &third] {
            let _ = ada.refresh(dead).await.unwrap().expect(400);
        }
        ledger.add("times", 1);
        ledger.add("used, replayed or revoked and valid again", 0);
    }
}
