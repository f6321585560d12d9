//! A rolling restart behind a load balancer is not noticed by those who are served meanwhile (F21).

use super::{Holders, Ledger, rounds};
use crate::process::cable::Cable;
use crate::process::{Place, exit};

#[tokio::test]
async fn a_rolling_restart_fails_no_request() {
    let place = Place::populated().await;
    if !place.database.url.starts_with("postgres") {
        return; // SQLite serves one process.
    }
    let mut ledger = Ledger::of("Two processes are restarted in turn");
    let (mut one, mut two) = (place.serve().await, place.serve_beside().await);
    let ports = [one.address.port(), two.address.port()];
    let balancer = Cable::to(&ports).await;
    let mut ada = place.ada(one.address).await;
    ada.address.set_port(balancer.port);
    let mut holders = Holders::begin(&mut ada, 8).await;
    let rounds = rounds(2);
    for _ in 0..rounds {
        holders.rotate(20).await;
        one.terminate();
        assert!(exit(&mut one.process).await, "{}", one.log());
        one = place.serve().await;
        holders.rotate(20).await;
        two.terminate();
        assert!(exit(&mut two.process).await, "{}", two.log());
        two = place.serve_at(ports[1], &[], "beside").await;
    }
    ledger.add("times", rounds * 2);
    let seen = holders.end().await;
    assert_eq!((seen.outages, seen.unanswered), (0, 0), "{} {}", one.log(), two.log());
    seen.count(&mut ledger);
}
