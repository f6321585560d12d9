//! Mixed load goes on while the process is killed again and again: what a process holds does not grow with what it has done, and nothing
//! that was used or revoked becomes new (F30).

use tokio::task::JoinSet;

use super::{Holders, Ledger, rounds};
use crate::process::person::{Ada, MACHINE, SEED, machine_token, refresh_token_of};
use crate::process::{Place, Service};

const AT_ONCE: usize = 8;
/// What a process may come to hold after the first part of its life: buffers, and what caches keep by weight.
const MORE_KIB: u64 = 24 << 10;
const MORE_FILES: usize = 32;

/// A code and a refresh token that are worth nothing any more.
type Dead = (String, String);

/// What a process holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    kib: u64,
    files: usize,
}

impl Held {
    fn by(service: &Service) -> Self {
        Self { kib: service.resident_kib(), files: service.open_files() }
    }

    #[track_caller]
    fn is_little_more_than(self, before: Self) {
        let holds = self.kib <= before.kib + MORE_KIB && self.files <= before.files + MORE_FILES;
        assert!(holds, "it grows: {before:?}, then {self:?}");
    }
}

/// A code, its tokens, their successor and the end of them; and a token of a machine.
async fn turn(ada: &mut Ada) -> Dead {
    let code = ada.code().await;
    let first = refresh_token_of(&ada.exchange(&code).await.unwrap().expect(200));
    let next = refresh_token_of(&ada.refresh(&first).await.unwrap().expect(200));
    let _ = ada.revoke(&next).await.unwrap().expect(200);
    machine_token(ada.address).await;
    (code, next)
}

/// As many turns of each of them; what is dead after the last.
async fn part(ada: &Ada, turns: usize) -> Vec<Dead> {
    let mut at_work = JoinSet::new();
    for _ in 0..AT_ONCE {
        let mut ada = ada.clone();
        at_work.spawn(async move {
            for _ in 1..turns {
                turn(&mut ada).await;
            }
            turn(&mut ada).await
        });
    }
    at_work.join_all().await
}

#[tokio::test]
async fn a_process_holds_no_more_after_mixed_load_and_its_end_makes_nothing_new() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let mut place = Place::migrated().await;
    place.set("SVC_JWT__REFRESH_REUSE_GRACE_SECS", "60");
    place.populate(&format!("{SEED}{MACHINE}")).await;
    let mut service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let mut ledger = Ledger::of("The process is killed again and again under mixed load (soak)");
    let turns = rounds(15).min(50);
    let mut holders = Holders::begin(&mut ada, 4).await;
    let (mut first_life, mut most) = (None, 0);
    for _ in 0..rounds(2).min(20) {
        part(&ada, turns).await;
        let young = Held::by(&service);
        part(&ada, turns).await;
        let dead = part(&ada, turns).await;
        let old = Held::by(&service);
        old.is_little_more_than(young);
        young.is_little_more_than(*first_life.get_or_insert(young));
        most = most.max(old.kib.saturating_sub(young.kib));
        assert!(!service.log().contains("panicked"), "{}", service.log());
        service.kill().await;
        service = place.serve().await;
        for (used, revoked) in &dead {
            let _ = ada.exchange(used).await.unwrap().expect(400);
            let _ = ada.refresh(revoked).await.unwrap().expect(400);
        }
        ledger.add("times", 1);
        ledger.add("code flows, rotations and revocations", 3 * AT_ONCE * turns);
    }
    holders.rotate(20).await;
    holders.end().await.count(&mut ledger);
    ledger.add("used or revoked and valid again", 0);
    ledger.add("most KiB that one process came to hold", usize::try_from(most).unwrap());
}
