//! The disk of the database is full: writes are refused as an outage, what needs none goes on, and nothing is lost (F6).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Instant;

use svc_testkit::cluster::Cluster;

use super::{Holders, Ledger, rounds};
use crate::harness::database::postgres_url;
use crate::process::person::Ada;
use crate::process::{PATIENCE, Place, Service, TICK, eventually, exit, get, mortal};

/// A small disk of memory, which only the processes see that are started on it.
struct Disk {
    process: Child,
}

/// Where it is for them.
const MOUNTED: &str = "/mnt";

impl Disk {
    /// One of some MiB; nothing where only root may make it.
    async fn of(mebibytes: u32) -> Option<Self> {
        let make = format!(
            "mount -t tmpfs -o size={mebibytes}m none {MOUNTED} && touch {MOUNTED}/made && exec sleep infinity"
        );
        let mut command = mortal("unshare");
        command.args(["--mount", "sh", "-c", &make]).stdin(Stdio::null()).stderr(Stdio::null());
        let mut disk = Self { process: command.spawn().unwrap() };
        let made = disk.path("made");
        loop {
            if made.exists() {
                return Some(disk);
            }
            if disk.process.try_wait().unwrap().is_some() {
                return None;
            }
            tokio::task::yield_now().await;
        }
    }

    /// A file of it, as this process sees it.
    fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root{MOUNTED}/{name}", self.process.id()))
    }

    fn copy(&self, from: &Path, name: &str) {
        fs::copy(from, self.path(name)).unwrap();
    }

    /// Leaves no room.
    fn fill(&self) {
        let mut size = 1 << 20;
        let mut filler = Vec::new();
        while size >= 512 {
            filler.resize(size, 0);
            let name = self.path(&format!("filler-{size}-{}", fs::read_dir(self.path("")).unwrap().count()));
            if fs::write(name, &filler).is_err() {
                size /= 2;
            }
        }
    }

    /// Makes room again.
    fn clear(&self) {
        for entry in fs::read_dir(self.path("")).unwrap().flatten() {
            if entry.file_name().to_string_lossy().starts_with("filler") {
                fs::remove_file(entry.path()).unwrap();
            }
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn a_full_disk_is_an_outage_and_loses_nothing() {
    let mut place = Place::populated().await;
    let Some(file) = place.database.url.strip_prefix("sqlite:").map(PathBuf::from) else { return };
    let Some(disk) = Disk::of(64).await else { return };
    let mut ledger = Ledger::of("The disk is full");
    place.set("SVC_JWT__REFRESH_REUSE_GRACE_SECS", "60");
    // Everything is in the one file once a process has ended.
    let mut first = place.serve().await;
    let mut ada = place.visitor(first.address).await;
    first.terminate();
    assert!(exit(&mut first.process).await);
    place.database.db.close().await;
    disk.copy(&file, "svc.db");
    disk.copy(&place.keyring(), "svc.db.keyring");
    place.set("DATABASE_URL", &format!("sqlite:{MOUNTED}/svc.db"));
    place.inside = Some(disk.process.id());
    let service = place.serve().await;
    let page = ada.sign_in_page().await;
    ada.sign_in(&page).await;
    let rounds = rounds(1).min(20);
    let mut holders = Holders::begin(&mut ada, 8).await;
    for _ in 0..rounds {
        holders.rotate(20).await;
        disk.fill();
        refuses_codes(&service, &ada).await;
        disk.clear();
        holders.rotate(20).await;
    }
    ledger.add("times", rounds);
    holders.end().await.count(&mut ledger);
    assert!(!service.log().contains("panicked"), "{}", service.log());
}

#[tokio::test]
async fn a_full_disk_of_postgresql_is_an_outage_and_loses_nothing() {
    let Some(original) = postgres_url() else { return };
    let Some(disk) = Disk::of(2_048).await else { return };
    let mut place = Place::populated().await;
    let mut ledger = Ledger::of("The disk is full");
    place.set("SVC_JWT__REFRESH_REUSE_GRACE_SECS", "60");
    let mut cluster = Cluster::copy_on(&original, disk.process.id(), &Path::new(MOUNTED).join("data")).await;
    place.set("DATABASE_URL", &cluster.instead_of(&place.database.url));
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let rounds = rounds(1).min(20);
    let mut holders = Holders::begin(&mut ada, 8).await;
    for _ in 0..rounds {
        holders.rotate(20).await;
        disk.fill();
        refuses_codes(&service, &ada).await;
        disk.clear();
        comes_back(&mut cluster, &original, &service).await;
        holders.rotate(20).await;
    }
    ledger.add("times", rounds);
    holders.end().await.count(&mut ledger);
    assert!(!service.log().contains("panicked"), "{}", service.log());
}

/// Waits until the service has its server again. Without room for its log that ends, be it a moment after there is room, and the
/// operator starts it again.
async fn comes_back(cluster: &mut Cluster, original: &str, service: &Service) {
    let until = Instant::now() + PATIENCE;
    while !service.is_ready().await {
        if cluster.has_ended() {
            cluster.start_again(original).await;
        }
        assert!(Instant::now() < until, "it is not ready: {}", service.log());
        tokio::time::sleep(TICK).await;
    }
}

/// Waits until nothing can be written any more; what is in memory is served.
pub(super) async fn refuses_codes(service: &Service, ada: &Ada) {
    eventually("codes are refused", || {
        let mut ada = ada.clone();
        async move { ada.asks_for_code().await == 503 }
    })
    .await;
    assert_eq!(get(service.address, "/.well-known/jwks.json").await.unwrap().status, 200);
}
