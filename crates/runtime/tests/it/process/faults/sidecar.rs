//! `svc-kms` is stopped, hangs, and answers with another key, under load: what is in memory goes on (F9).

use super::{Holders, Ledger, rounds};
use crate::process::Place;
use crate::process::kms::Kms;

const ENOUGH: usize = 20;

/// What is done to it, and undone.
#[derive(Clone, Copy)]
enum Fault {
    Killed,
    Hung,
    Replaced,
}

const FAULTS: [(&str, Fault); 3] = [
    ("svc-kms is killed", Fault::Killed),
    ("svc-kms hangs", Fault::Hung),
    ("Another process answers as svc-kms, with another key", Fault::Replaced),
];

#[tokio::test]
async fn tokens_are_rotated_on_whatever_happens_to_svc_kms() {
    let (place, kms) = Place::with_kms().await;
    let other = Kms::made(&place.folder.path().join("other"));
    let mut running = kms.serve().await;
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    for (name, fault) in FAULTS {
        let mut ledger = Ledger::of(name);
        let rounds = rounds(1).min(20);
        let mut holders = Holders::begin(&mut ada, 4).await;
        for _ in 0..rounds {
            holders.rotate(ENOUGH).await;
            let mut stranger = None;
            match fault {
                Fault::Killed => running.kill(),
                Fault::Hung => running.pause(),
                Fault::Replaced => {
                    running.kill();
                    stranger = Some(other.serve_instead_of(&kms).await);
                }
            }
            service.becomes_ready(false).await;
            holders.rotate(ENOUGH).await;
            drop(stranger);
            match fault {
                Fault::Hung => running.go_on(),
                Fault::Killed | Fault::Replaced => running = kms.serve().await,
            }
            service.becomes_ready(true).await;
            holders.rotate(ENOUGH).await;
        }
        ledger.add("times", rounds);
        let seen = holders.end().await;
        assert_eq!((seen.outages, seen.unanswered), (0, 0), "{name}: {}", service.log());
        seen.count(&mut ledger);
    }
}
