//! PostgreSQL ends, crashes, hangs, loses its connections or has none left, takes no writes, is far or out of reach, and fails over to a replica,
//! under load (F5, F23, I6).

use std::time::{Duration, Instant};

use svc_testkit::cluster::{Cluster, Copied, Stop};

use super::disk::refuses_codes;
use super::{Holders, Ledger, rounds};
use crate::harness::database::postgres_url;
use crate::process::cable::Cable;
use crate::process::person::Ada;
use crate::process::{Place, Service, eventually};

const HOLDERS: usize = 8;
/// Rotations that are seen before a fault and after it.
const ENOUGH: usize = 40;

/// What is done to a server, and undone.
#[derive(Clone, Copy)]
enum Fault {
    Stopped(Stop),
    Terminated,
    OutOfConnections,
    ReadOnly,
    Hung,
    Unheard,
    Slow,
}

const FAULTS: [(&str, Fault); 9] = [
    ("PostgreSQL is restarted", Fault::Stopped(Stop::Fast)),
    ("PostgreSQL stops at once and recovers", Fault::Stopped(Stop::Immediate)),
    ("PostgreSQL is killed with `kill -9`", Fault::Stopped(Stop::Killed)),
    ("All connections to PostgreSQL are terminated", Fault::Terminated),
    ("PostgreSQL has no connection left", Fault::OutOfConnections),
    ("PostgreSQL takes no writes (read-only)", Fault::ReadOnly),
    ("PostgreSQL hangs", Fault::Hung),
    ("Nothing gets through between the service and PostgreSQL (partition)", Fault::Unheard),
    ("Each packet between the service and PostgreSQL takes 20 ms longer", Fault::Slow),
];

const TERMINATE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'svc'";

/// Where it happens: the service reaches the server by the cable.
struct Scene<'a> {
    cluster: Cluster,
    cable: Cable,
    original: &'a str,
    service: &'a Service,
    ada: Ada,
}

impl Fault {
    async fn happens(self, scene: &mut Scene<'_>) {
        let Scene { cluster, cable, original, service, ada } = scene;
        match self {
            Self::Stopped(how) => {
                cluster.stop(how);
                service.becomes_ready(false).await;
                cluster.start_again(original).await;
            }
            Self::Terminated => cluster.run(original, TERMINATE),
            Self::OutOfConnections => {
                cluster.run(original, "ALTER ROLE svc CONNECTION LIMIT 0");
                cluster.run(original, TERMINATE);
                service.becomes_ready(false).await;
                cluster.run(original, "ALTER ROLE svc CONNECTION LIMIT -1");
            }
            Self::ReadOnly => {
                cluster.run(original, "ALTER ROLE svc SET default_transaction_read_only = on");
                cluster.run(original, TERMINATE);
                refuses_codes(service, ada).await;
                cluster.run(original, "ALTER ROLE svc RESET default_transaction_read_only");
                cluster.run(original, TERMINATE);
            }
            Self::Hung => {
                cluster.pause();
                service.becomes_ready(false).await;
                cluster.go_on();
            }
            Self::Unheard => {
                cable.hold();
                service.becomes_ready(false).await;
                cable.free();
            }
            Self::Slow => {
                cable.delay(Duration::from_millis(20));
                let slow = Instant::now();
                eventually("slow for two seconds", async || slow.elapsed() > Duration::from_secs(2)).await;
                // A probe may come when all connections are in use.
                service.becomes_ready(true).await;
                cable.free();
            }
        }
        service.becomes_ready(true).await;
    }
}

/// A place with Ada, and what it is to have where PostgreSQL may be away for longer than a reply may be repeated.
async fn patient() -> Place {
    let mut place = Place::populated().await;
    place.set("SVC_JWT__REFRESH_REUSE_GRACE_SECS", "60");
    place.set("SVC_DATABASE__CONNECT_TIMEOUT_SECS", "1");
    place.set("SVC_DATABASE__STATEMENT_TIMEOUT_SECS", "1");
    place
}

/// The address of a place's database on a server that is reached by a cable.
fn through(cluster: &Cluster, cable: &Cable, place: &Place) -> String {
    let direct = cluster.instead_of(&place.database.url);
    direct.replace(&format!(":{}/", cluster.port()), &format!(":{}/", cable.port))
}

#[tokio::test]
async fn what_was_acknowledged_outlives_what_happens_to_postgresql() {
    let Some(original) = postgres_url() else { return };
    let mut place = patient().await;
    let cluster = Cluster::copy_of(&original, Copied::Apart).await;
    let cable = Cable::to(&[cluster.port()]).await;
    place.set("DATABASE_URL", &through(&cluster, &cable, &place));
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let mut scene = Scene { cluster, cable, original: &original, service: &service, ada: ada.clone() };
    for (name, fault) in FAULTS {
        let mut ledger = Ledger::of(name);
        let rounds = rounds(1).min(20);
        let mut holders = Holders::begin(&mut ada, HOLDERS).await;
        for _ in 0..rounds {
            holders.rotate(ENOUGH).await;
            fault.happens(&mut scene).await;
            holders.rotate(ENOUGH).await;
        }
        ledger.add("times", rounds);
        holders.end().await.count(&mut ledger);
    }
    assert!(!service.log().contains("panicked"), "{}", service.log());
}

#[tokio::test]
async fn what_was_acknowledged_outlives_the_primary() {
    let Some(original) = postgres_url() else { return };
    let mut place = patient().await;
    let mut ledger = Ledger::of("PostgreSQL fails over to its synchronous replica");
    let mut primary = Cluster::copy_of(&original, Copied::Apart).await;
    let cable = Cable::to(&[primary.port()]).await;
    let replica = Cluster::copy_of(&primary.instead_of(&original), Copied::Following).await;
    primary.run(&original, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.run(&original, "SELECT pg_reload_conf()");
    place.set("DATABASE_URL", &through(&primary, &cable, &place));
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let mut holders = Holders::begin(&mut ada, HOLDERS).await;
    holders.rotate(ENOUGH).await;
    primary.stop(Stop::Killed);
    service.becomes_ready(false).await;
    replica.run(&original, "ALTER SYSTEM RESET synchronous_standby_names");
    replica.run(&original, "SELECT pg_promote()");
    cable.lay(&[replica.port()]);
    service.becomes_ready(true).await;
    holders.rotate(ENOUGH).await;
    ledger.add("times", 1);
    holders.end().await.count(&mut ledger);
}
