//! Many at once: exchanges do not get in each other's way, an assertion is accepted once, and no link slips through.

use std::sync::Arc;

use serde_json::json;
use svc_http::Method;
use svc_keys::Typ;

use super::{Elsewhere, World, exchange, exchanged, present, text};
use crate::harness::Harness;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_that_present_one_assertion_one_wins() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&world, Typ::Jwt, |_| ());
    let tries = (0..20).map(|_| present(&world.agent, &assertion, &[]));
    let answers = futures_util::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.into_iter().filter(|answer| answer.status != 200) {
        let _ = answer.expect_problem(400, "invalid_grant");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_exchanges_of_one_token_all_succeed() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let subject = world.usual().await;
    let tries = (0..10).map(|_| exchange(&world.agent, &subject, &[]));
    let answers = futures_util::future::join_all(tries).await;
    let tokens: std::collections::BTreeSet<_> =
        answers.into_iter().map(|answer| text(&answer.expect(200).json(), "access_token")).collect();
    assert_eq!(tokens.len(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_exchanged_while_its_link_is_revoked_is_dead_or_was_refused() {
    let h = Harness::new().await;
    let world = Arc::new(World::new(&h).await);
    let (tool, first) =
        (world.site.app("tool").await, exchanged(&world.agent, &world.usual().await, &[]).await);
    let list = world.manage(Method::GET, "/api/v1/delegations", None).await.expect(200).json();
    let path = format!("/api/v1/delegations/{}/revoke", text(&list["data"][0], "id"));
    let exchanges = (0..10).map(|_| exchange(&tool, &first, &[]));
    let exchanges = futures_util::future::join_all(exchanges);
    let (answers, revoked) = tokio::join!(exchanges, world.manage(Method::POST, &path, None));
    let _ = revoked.expect(200);
    for answer in answers.into_iter().filter(|answer| answer.status == 200) {
        assert!(!world.is_active(&tool, &text(&answer.json(), "access_token")).await);
    }
    let _ = exchange(&tool, &first, &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_exchanged_while_its_token_is_given_back_is_dead_or_was_refused() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    for _ in 0..5 {
        let subject = world.token("notes:read offline_access").await;
        let exchanges = (0..10).map(|_| exchange(&world.agent, &subject, &[]));
        let exchanges = futures_util::future::join_all(exchanges);
        let form = [("token", &*subject)];
        let (answers, revoked) = tokio::join!(exchanges, world.web.post("/oauth/revoke", &form, &[]));
        let _ = revoked.expect(200);
        for answer in answers.into_iter().filter(|answer| answer.status == 200) {
            assert!(!world.is_active(&world.agent, &text(&answer.json(), "access_token")).await);
        }
        let _ = exchange(&world.agent, &subject, &[]).await.expect_problem(400, "invalid_request");
        h.advance(1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_granted_on_the_word_of_an_issuer_while_that_is_disabled_is_dead_or_was_refused() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    let path = idp.trusted(&world).await;
    let set = |is_enabled: bool| json!({ "name": "Elsewhere", "jwks": idp.jwks(), "enabled": is_enabled });
    for _ in 0..5 {
        let assertions: Vec<_> = (0..10).map(|_| idp.assertion(&world, Typ::Jwt, |_| ())).collect();
        let grants = assertions.iter().map(|assertion| present(&world.agent, assertion, &[]));
        let grants = futures_util::future::join_all(grants);
        let disabling = world.manage(Method::PUT, &path, Some(set(false)));
        let (answers, disabled) = tokio::join!(grants, disabling);
        let _ = disabled.expect(200);
        for answer in answers.into_iter().filter(|answer| answer.status == 200) {
            assert!(!world.is_active(&world.agent, &text(&answer.json(), "access_token")).await);
        }
        let links =
            world.manage(Method::GET, "/api/v1/delegations?state=live", None).await.expect(200).json();
        assert_eq!(links["data"], json!([]));
        let _ = world.manage(Method::PUT, &path, Some(set(true))).await.expect(200);
        h.advance(1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_that_is_granted_about_a_person_while_they_are_suspended_lives_on_when_they_are_back() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let user = format!("/api/v1/tenant-users/{}", world.ada.id);
    let (suspend, reactivate) = (format!("{user}/suspend"), format!("{user}/reactivate"));
    for _ in 0..5 {
        let assertions: Vec<_> = (0..10).map(|_| idp.assertion(&world, Typ::Jwt, |_| ())).collect();
        let grants = assertions.iter().map(|assertion| present(&world.agent, assertion, &[]));
        let grants = futures_util::future::join_all(grants);
        let (answers, suspended) = tokio::join!(grants, world.manage(Method::POST, &suspend, None));
        let _ = suspended.expect(200);
        let _ = world.manage(Method::POST, &reactivate, None).await.expect(200);
        for answer in answers.into_iter().filter(|answer| answer.status == 200) {
            assert!(!world.is_active(&world.agent, &text(&answer.json(), "access_token")).await);
        }
        let links =
            world.manage(Method::GET, "/api/v1/delegations?state=live", None).await.expect(200).json();
        assert_eq!(links["data"], json!([]));
        h.advance(1);
    }
}
