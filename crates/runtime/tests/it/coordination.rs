//! Redis and Memcached in place of the database: what the service does while they are there, and without them (F8).

use std::time::{Duration, Instant};

use svc_testkit::servers::{Kind, Server};

use crate::dpop::prover::Prover;
use crate::dpop::{bound, own, refresh, token_url, tokens};
use crate::harness::provider::Provider;
use crate::harness::{Answer, Client, Harness};
use crate::social::{at_google, led, named};

/// A service that coordinates through a server of its own; nothing where the machine has none.
async fn on(kind: Kind) -> Option<(Server, Harness)> {
    on_with(kind, &[]).await
}

/// The same with further settings.
pub async fn on_with(kind: Kind, further: &[(&str, &str)]) -> Option<(Server, Harness)> {
    if !kind.is_installed() {
        return None;
    }
    let server = Server::start(kind, &[]);
    let (backend, key, address) = match kind {
        Kind::Redis => ("redis", "SVC_REDIS__URL", server.url()),
        Kind::Memcached => ("memcached", "SVC_MEMCACHED__ADDRESS", server.address()),
    };
    let store = [("SVC_DEPLOYMENT__COORDINATION_BACKEND", backend), (key, address.as_str())];
    let harness = Harness::with(&[&store[..], further].concat()).await;
    Some((server, harness))
}

/// Waits until each node has learned that its store is there, or away: it looks once a second.
async fn each_node_learns(h: &Harness, is_up: bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while h.apps().any(|app| app.coordination.store().unwrap().1 != is_up) {
        assert!(Instant::now() < until, "a node does not learn that the store's state is {is_up}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[track_caller]
fn is_refused(answer: Answer) {
    let refused = answer.expect_problem(503, "temporarily_unavailable");
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{refused:?}");
}

/// A replay is refused as one, and a new proof is accepted once.
async fn proofs_count_once(app: &Client<'_>, prover: &Prover) {
    let proof = prover.proof("POST", &token_url(app), &[]);
    let _ = own(app, &[&proof]).await.expect(200);
    let _ = own(app, &[&proof]).await.expect_problem(400, "invalid_dpop_proof");
}

#[tokio::test]
async fn redis_that_was_emptied_makes_no_proof_new() {
    let Some((server, h)) = on(Kind::Redis).await else { return };
    h.expect_error("request failed");
    let site = h.tenant("main").await;
    let (app, ada) = (site.app_with("service", bound).await, site.user("ada").await);
    let prover = Prover::new();
    let bound = tokens(&app, &ada, &prover).await;
    let proof = prover.proof("POST", &token_url(&app), &[]);
    let _ = own(&app, &[&proof]).await.expect(200);
    assert_eq!(server.tell("FLUSHALL"), "+OK\r\n");
    is_refused(own(&app, &[&proof]).await);
    // Nothing is decided, so that nothing is used up by the attempt.
    let another = prover.proof("POST", &token_url(&app), &[]);
    is_refused(refresh(&app, bound.refresh_token(), Some(&another)).await);
    // What was made when the loss was long over is new; the clocks of clients and nodes differ by 70 seconds at most.
    h.advance(71);
    let prover = prover.at(&h);
    proofs_count_once(&app, &prover).await;
    let again = prover.proof("POST", &token_url(&app), &[]);
    let _ = refresh(&app, bound.refresh_token(), Some(&again)).await.expect(200);
    let _ = own(&app, &[&proof]).await.expect_problem(400, "invalid_dpop_proof");
}

#[tokio::test]
async fn without_redis_only_what_counts_once_is_refused_and_nothing_is_restarted() {
    let Some((mut server, h)) = on(Kind::Redis).await else { return };
    h.expect_error("request failed");
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let prover = Prover::new();
    proofs_count_once(&app, &prover).await;
    server.kill();
    is_refused(own(&app, &[&prover.proof("POST", &token_url(&app), &[])]).await);
    let tokens = app.tokens(&ada).await;
    let _ = app.refresh(tokens.refresh_token()).await.expect(200);
    let _ = h.get(&site.host, "/health/ready").await.expect(200);
    each_node_learns(&h, false).await;
    server.start_again();
    each_node_learns(&h, true).await;
    is_refused(own(&app, &[&prover.proof("POST", &token_url(&app), &[])]).await);
    h.advance(71);
    proofs_count_once(&app, &prover.at(&h)).await;
}

#[tokio::test]
async fn a_minute_after_redis_was_emptied_people_come_back_from_another_provider() {
    let provider = Provider::serve().await;
    let Some((server, h)) = on_with(Kind::Redis, &at_google(&provider.issuer)).await else { return };
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    let comes_back = async || {
        let mut browser = site.browser();
        let asked = led(&mut browser, &client, "google").await;
        let back = provider.vouch(&asked, &h, named("grace@acme.example", true));
        browser.get(&back).await.is_signed_in()
    };
    assert!(comes_back().await);
    assert_eq!(server.tell("FLUSHALL"), "+OK\r\n");
    assert!(!comes_back().await, "the answer could have been used before");
    h.advance(71);
    assert!(comes_back().await);
}

#[tokio::test]
async fn without_memcached_what_counts_once_still_does() {
    let Some((mut server, h)) = on(Kind::Memcached).await else { return };
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let prover = Prover::new();
    let proof = prover.proof("POST", &token_url(&app), &[]);
    let _ = own(&app, &[&proof]).await.expect(200);
    server.kill();
    let _ = own(&app, &[&proof]).await.expect_problem(400, "invalid_dpop_proof");
    proofs_count_once(&app, &prover).await;
    let _ = app.tokens(&ada).await;
    let _ = h.get(&site.host, "/health/ready").await.expect(200);
    each_node_learns(&h, false).await;
    server.start_again();
    each_node_learns(&h, true).await;
    proofs_count_once(&app, &prover).await;
}

#[tokio::test]
async fn a_limit_holds_on_this_node_while_its_store_is_away() {
    for kind in [Kind::Redis, Kind::Memcached] {
        let Some((mut server, h)) = on(kind).await else { continue };
        let site = h.tenant("main").await;
        let app = site.public_app("spa").await;
        let push = || app.post("/oauth/par", &[("response_type", "token")], &[]);
        server.kill();
        let mut statuses = Vec::new();
        while statuses.last() != Some(&429) && statuses.len() < 1000 {
            statuses.push(push().await.status);
        }
        assert_eq!(statuses.last(), Some(&429), "{kind:?}: {}", statuses.len());
    }
}
