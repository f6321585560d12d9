//! A proof counts once (RFC 9449 §11.1), also across restarts and for as long as it could be used again.

use futures_util::future::join_all;
use serde_json::json;

use super::prover::Prover;
use super::{own, token_url};
use crate::harness::{Client, Harness, Site};

#[tokio::test]
async fn a_proof_is_used_once() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("service").await;
    let prover = Prover::new();
    let proof = prover.proof("POST", &token_url(&app), &[("iat", json!(prover.now.as_secs() + 10))]);
    let _ = own(&app, &[&proof]).await.expect(200);
    for _ in 0..7 {
        let _ = own(&app, &[&proof]).await.expect_problem(400, "invalid_dpop_proof");
        h.advance(11);
        h.run_jobs().await;
    }
}

#[tokio::test]
async fn another_signature_over_a_used_id_is_a_replay_and_another_keys_is_not() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("service").await;
    let (first, second) = (Prover::new(), Prover::new());
    let same = [("jti", json!("the same"))];
    let proof = |prover: &Prover| prover.proof("POST", &token_url(&app), &same);
    let _ = own(&app, &[&proof(&first)]).await.expect(200);
    let _ = own(&app, &[&proof(&first)]).await.expect_problem(400, "invalid_dpop_proof");
    let _ = own(&app, &[&proof(&second)]).await.expect(200);
}

#[tokio::test]
async fn a_restart_does_not_make_a_proof_new() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("service").await;
    let proof = Prover::new().proof("POST", &token_url(&app), &[]);
    let _ = own(&app, &[&proof]).await.expect(200);
    let restarted = h.restarted().await;
    let app = Client { site: Site { harness: &restarted, ..site.clone() }, ..app.clone() };
    let _ = own(&app, &[&proof]).await.expect_problem(400, "invalid_dpop_proof");
}

#[tokio::test]
async fn of_twenty_uses_at_once_one_wins() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("service").await;
    let proof = Prover::new().proof("POST", &token_url(&app), &[]);
    let proofs = [proof.as_str()];
    let answers = join_all((0..20).map(|_| own(&app, &proofs))).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!((statuses[0], statuses[1], statuses[19]), (200, 400, 400), "{statuses:?}");
}

#[tokio::test]
async fn a_clock_that_jumps_ahead_and_back_makes_no_proof_new() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("service").await;
    let proof = Prover::new().proof("POST", &token_url(&app), &[]);
    let _ = own(&app, &[&proof]).await.expect(200);
    let started_ahead = h.jump_ahead_and_back().await;
    for harness in [&h, &started_ahead] {
        let app = Client { site: Site { harness, ..site.clone() }, ..app.clone() };
        let _ = own(&app, &[&proof]).await.expect_problem(400, "invalid_dpop_proof");
    }
}
