//! A disk that takes long to make writes durable: the service is as slow as its disk, and nothing is lost or given up (F7).

use std::process::Command;
use std::time::{Duration, Instant};

use super::{Holders, Ledger, rounds};
use crate::process::{Place, get};

/// What a write takes longer.
const LONGER: Duration = Duration::from_millis(40);

/// Stands between the process and the system's `fsync` and `fdatasync`.
const LIBRARY: &str = "\
#include <sys/syscall.h>
#include <unistd.h>
int fsync(int file) { usleep(40000); return (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { usleep(40000); return (int)syscall(SYS_fdatasync, file); }
";

#[tokio::test]
async fn a_slow_disk_slows_writes_down_and_loses_none() {
    let mut place = Place::populated().await;
    // SQLite writes in the process itself; that of PostgreSQL is another's.
    if !place.database.url.starts_with("sqlite:") || !cfg!(target_os = "linux") {
        return;
    }
    place.write("slow.c", LIBRARY);
    let library = place.folder.path().join("slow.so");
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(place.folder.path().join("slow.c"));
    assert!(compile.status().unwrap().success());
    place.set("LD_PRELOAD", library.to_str().unwrap());
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let mut ledger = Ledger::of("Each write to the disk takes 40 ms longer");
    for _ in 0..rounds(1).min(20) {
        let begun = Instant::now();
        let token = ada.refresh_token().await;
        assert!(begun.elapsed() > LONGER, "the library has no effect: {:?}", begun.elapsed());
        // What needs no write does not wait for those that do.
        let mut holders = Holders::begin(&mut ada, 8).await;
        let begun = Instant::now();
        assert_eq!(get(service.address, "/.well-known/jwks.json").await.unwrap().status, 200);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        holders.rotate(40).await;
        service.becomes_ready(true).await;
        let seen = holders.end().await;
        assert_eq!((seen.outages, seen.unanswered), (0, 0), "{}", service.log());
        let _ = ada.refresh(&token).await.unwrap().expect(200);
        ledger.add("times", 1);
        seen.count(&mut ledger);
    }
    assert!(!service.log().contains("panicked"), "{}", service.log());
}
