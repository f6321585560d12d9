//! Refresh tokens and keys (RFC 9449 §5): a public application keeps its key, a confidential one may change it.

use super::prover::Prover;
use super::{bound, bound_public, refresh, token_url, tokens};
use crate::harness::Harness;
use crate::harness::client::claims;

#[tokio::test]
async fn a_public_application_refreshes_with_the_key_that_it_began_with() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let (prover, thief) = (Prover::new(), Prover::new());
    let first = tokens(&app, &ada, &prover).await;
    let proof = |prover: &Prover| prover.proof("POST", &token_url(&app), &[]);
    let other_key = refresh(&app, first.refresh_token(), Some(&proof(&thief))).await;
    let _ = other_key.expect_problem(400, "invalid_grant");
    let no_proof = refresh(&app, first.refresh_token(), None).await;
    let _ = no_proof.expect_problem(400, "invalid_dpop_proof");
    let second = refresh(&app, first.refresh_token(), Some(&proof(&prover))).await.expect(200).json();
    assert_eq!(second["token_type"], "DPoP");
    assert_eq!(claims(second["access_token"].as_str().unwrap())["cnf"]["jkt"], prover.jkt.as_str());
    let again = refresh(&app, first.refresh_token(), Some(&proof(&prover))).await.expect(200).json();
    assert_eq!(again["refresh_token"], second["refresh_token"]);
}

#[tokio::test]
async fn a_spent_token_in_the_hands_of_another_key_ends_the_family() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let (prover, thief) = (Prover::new(), Prover::new());
    let first = tokens(&app, &ada, &prover).await;
    let proof = |prover: &Prover| prover.proof("POST", &token_url(&app), &[]);
    let second = refresh(&app, first.refresh_token(), Some(&proof(&prover))).await.expect(200).json();
    let theft = refresh(&app, first.refresh_token(), Some(&proof(&thief))).await;
    let _ = theft.expect_problem(400, "invalid_grant");
    let honest = refresh(&app, second["refresh_token"].as_str().unwrap(), Some(&proof(&prover))).await;
    let _ = honest.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn a_confidential_application_may_bring_a_new_key() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let (first_key, second_key) = (Prover::new(), Prover::new());
    let first = tokens(&app, &ada, &first_key).await;
    let proof = second_key.proof("POST", &token_url(&app), &[]);
    let second = refresh(&app, first.refresh_token(), Some(&proof)).await.expect(200).json();
    assert_eq!(claims(second["access_token"].as_str().unwrap())["cnf"]["jkt"], second_key.jkt.as_str());
}

#[tokio::test]
async fn an_application_that_needs_proofs_needs_them_at_each_refresh() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let apps = [site.app_with("confidential", bound).await, site.app_with("public", bound_public).await];
    for app in apps {
        let prover = Prover::new();
        let first = tokens(&app, &ada, &prover).await;
        let none = refresh(&app, first.refresh_token(), None).await;
        let _ = none.expect_problem(400, "invalid_dpop_proof");
    }
}
