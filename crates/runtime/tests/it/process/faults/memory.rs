//! A process may take no more memory: what needs much is refused for now, and the rest goes on, as do the other processes (F19).

use std::process::Command;

use super::{Ledger, rounds};
use crate::harness::browser::Form;
use crate::process::person::{Ada, MACHINE, SEED, machine_token};
use crate::process::{Place, Service};

/// What one hash takes, in KiB.
const HASH: u64 = 128 << 10;
/// What the process may still take. Less than half of a hash: the C library reserves 64 MiB at once for a new thread where it can.
const LEFT: u64 = 48 << 10;
/// Fewer than lock an account, were they judged.
const SIGN_INS: usize = 4;

impl Service {
    /// Lets it take this many KiB more, or as much as there is.
    fn may_take(&self, more: Option<u64>) {
        let most = more.map(|more| (self.memory_kib("VmSize:") + more) * 1024);
        let most = most.map_or_else(|| "unlimited".to_owned(), |most| most.to_string());
        // The limit that holds, and not the one up to which a process may raise it.
        let limit = [format!("--as={most}:"), format!("--pid={}", self.process.id())];
        assert!(Command::new("prlimit").args(limit).status().unwrap().success());
    }
}

/// Asks for what needs a hash.
async fn is_refused(ada: &mut Ada, flow: &str) {
    let fields = [("flow", flow), ("username", "ada"), ("password", "correct horse ada")];
    let answer = ada.post("/auth/sign-in", &fields).await.expect("an answer");
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
}

#[tokio::test]
async fn a_process_without_memory_refuses_hashes_for_now_and_serves_everything_else() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let mut place = Place::migrated().await;
    place.set("SVC_AUTH__ARGON2_MEMORY_KIB", &HASH.to_string());
    place.populate(&format!("{SEED}{MACHINE}")).await;
    let mut ledger = Ledger::of("The process may take no more memory");
    for _ in 0..rounds(1).min(20) {
        let service = place.serve().await;
        // SQLite serves one process.
        let other =
            if place.database.url.starts_with("postgres") { Some(place.serve_beside().await) } else { None };
        let mut ada = place.visitor(service.address).await;
        let page = ada.sign_in_page().await;
        let flow = Form::of(&page).hidden[0].1.clone();
        machine_token(service.address).await;
        service.may_take(Some(LEFT));
        for _ in 0..SIGN_INS {
            is_refused(&mut ada, &flow).await;
            machine_token(service.address).await;
            assert!(service.is_ready().await, "{}", service.log());
            ledger.add("sign-ins refused with a time to come again", 1);
            ledger.add("tokens issued meanwhile", 1);
        }
        if let Some(other) = &other {
            let _ = place.ada(other.address).await.refresh_token().await;
        }
        service.may_take(None);
        // No guess was counted that was not judged, and the flow goes on.
        ada.sign_in(&page).await;
        let _ = ada.refresh_token().await;
        ledger.add("times", 1);
        assert!(!service.log().contains("panicked"), "{}", service.log());
    }
}
