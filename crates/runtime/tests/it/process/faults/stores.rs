//! Redis and Memcached are emptied, stopped, out of reach and far away, under load: rotations go on, and a proof counts once (F8).

use std::time::{Duration, Instant};

use svc_core::{Clock as _, SystemClock};
use svc_testkit::servers::{Kind, Server};

use super::{Holders, Ledger, rounds};
use crate::dpop::prover::Prover;
use crate::harness::Answer;
use crate::process::cable::Cable;
use crate::process::outage::is_outage;
use crate::process::person::{CREDENTIALS, MACHINE, SEED, form};
use crate::process::{PATIENCE, Place, Service, TICK};

const ENOUGH: usize = 20;

/// What is done to a store, and undone.
#[derive(Clone, Copy)]
enum Fault {
    Emptied,
    Stopped,
    Unheard,
    Slow,
}

const REDIS: [(&str, Fault); 4] = [
    ("Redis is emptied", Fault::Emptied),
    ("Redis is killed and starts empty", Fault::Stopped),
    ("Nothing gets through between the service and Redis (partition)", Fault::Unheard),
    ("Each packet between the service and Redis takes 20 ms longer", Fault::Slow),
];

const MEMCACHED: [(&str, Fault); 4] = [
    ("Memcached is emptied", Fault::Emptied),
    ("Memcached is killed and starts empty", Fault::Stopped),
    ("Nothing gets through between the service and Memcached (partition)", Fault::Unheard),
    ("Each packet between the service and Memcached takes 20 ms longer", Fault::Slow),
];

/// Lets the store say that it has held every note for as long as one counts.
const AGED: &str = "EVAL \"for _, key in ipairs(redis.call('KEYS', '*notes whole since')) do \
     redis.call('SET', key, (string.gsub(redis.call('GET', key), '%d+$', '0'))) end\" 0";

/// A service, its store, and the way to it.
struct Scene {
    kind: Kind,
    server: Server,
    cable: Cable,
    // Ends before its database.
    service: Service,
    place: Place,
    prover: Prover,
}

impl Scene {
    async fn with(kind: Kind) -> Self {
        let server = Server::start(kind, &[]);
        let cable = Cable::to(&[server.port()]).await;
        let mut place = Place::migrated().await;
        place.populate(&format!("{SEED}{MACHINE}")).await;
        let address = format!("127.0.0.1:{}", cable.port);
        let (name, key, value) = match kind {
            Kind::Redis => ("redis", "SVC_REDIS__URL", format!("redis://{address}")),
            Kind::Memcached => ("memcached", "SVC_MEMCACHED__ADDRESS", address),
        };
        place.set("SVC_DEPLOYMENT__COORDINATION_BACKEND", name);
        place.set(key, &value);
        let service = place.serve().await;
        Self { kind, server, cable, place, service, prover: Prover::new() }
    }

    /// A proof that the service has accepted.
    async fn accepted(&mut self) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            self.prover.now = SystemClock.now();
            let url = format!("http://localhost:{}/oauth/token", self.place.port);
            let proof = self.prover.proof("POST", &url, &[]);
            let answer = self.shows(&proof).await;
            if answer.status == 200 {
                return proof;
            }
            assert!(Instant::now() < until, "no proof is accepted: {answer:?}");
            if self.kind == Kind::Redis {
                let _ = self.server.tell(AGED);
            }
            tokio::time::sleep(TICK).await;
        }
    }

    /// Asks for a token with a proof.
    async fn shows(&self, proof: &str) -> Answer {
        let fields = [&CREDENTIALS[..], &[("grant_type", "client_credentials")]].concat();
        form(self.service.address, "/oauth/token", &[("DPoP", proof)], &fields).await.unwrap()
    }

    /// A proof that was accepted is refused, as used or because that cannot be known.
    async fn refuses(&self, proof: &str) {
        let answer = self.shows(proof).await;
        match answer.status {
            400 => drop(answer.expect_problem(400, "invalid_dpop_proof")),
            _ => is_outage(&answer),
        }
    }

    async fn happens(&mut self, fault: Fault, proof: &str, holders: &mut Holders) {
        match fault {
            Fault::Emptied => {
                let command = if self.kind == Kind::Redis { "FLUSHALL" } else { "flush_all" };
                assert!(self.server.tell(command).contains("OK"));
            }
            Fault::Stopped => self.server.kill(),
            Fault::Unheard => self.cable.hold(),
            Fault::Slow => self.cable.delay(Duration::from_millis(20)),
        }
        self.refuses(proof).await;
        holders.rotate(ENOUGH).await;
        self.refuses(proof).await;
        match fault {
            Fault::Emptied => {}
            Fault::Stopped => self.server.start_again(),
            Fault::Unheard | Fault::Slow => self.cable.free(),
        }
        self.refuses(proof).await;
    }
}

async fn goes_on(kind: Kind, faults: [(&'static str, Fault); 4]) {
    if !kind.is_installed() {
        return;
    }
    let mut scene = Scene::with(kind).await;
    let mut ada = scene.place.ada(scene.service.address).await;
    for (name, fault) in faults {
        let mut ledger = Ledger::of(name);
        let rounds = rounds(1).min(20);
        let mut holders = Holders::begin(&mut ada, 4).await;
        for _ in 0..rounds {
            let proof = scene.accepted().await;
            holders.rotate(ENOUGH).await;
            scene.happens(fault, &proof, &mut holders).await;
            holders.rotate(ENOUGH).await;
        }
        ledger.add("times", rounds);
        ledger.add("proofs shown again", 3 * rounds);
        ledger.add("accepted twice", 0);
        let seen = holders.end().await;
        assert_eq!((seen.outages, seen.unanswered), (0, 0), "{name}: {}", scene.service.log());
        seen.count(&mut ledger);
    }
    assert!(!scene.service.log().contains("panicked"), "{}", scene.service.log());
}

#[tokio::test]
async fn rotations_go_on_and_a_proof_counts_once_whatever_happens_to_redis() {
    goes_on(Kind::Redis, REDIS).await;
}

#[tokio::test]
async fn rotations_go_on_and_a_proof_counts_once_whatever_happens_to_memcached() {
    goes_on(Kind::Memcached, MEMCACHED).await;
}
