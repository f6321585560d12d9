//! `svc-kms` goes away and comes back: what is held goes on, what needs a key answers 503, and nothing is restarted.

use super::super::person::refresh_token_of;
use super::super::{Place, eventually, get};

#[tokio::test]
async fn tokens_are_signed_and_verified_on_while_it_is_away_and_readiness_says_so() {
    let (place, kms) = Place::with_kms().await;
    let mut sidecar = kms.serve().await;
    let service = place.serve().await;
    let address = service.address;
    let mut ada = place.ada(address).await;
    let mut token = ada.refresh_token().await;
    for _ in 0..2 {
        let _ = get(address, "/health/ready").await.unwrap().expect(200);
        sidecar.kill();
        eventually("readiness fails", || async {
            get(address, "/health/ready").await.unwrap().status == 503
        })
        .await;
        let answer = ada.refresh(&token).await.unwrap().expect(200);
        token = refresh_token_of(&answer);
        let access = format!("Bearer {}", answer.json()["access_token"].as_str().unwrap());
        let told = super::super::request(address, "GET /userinfo", &[("Authorization", &access)], "").await;
        let _ = told.unwrap().expect(200);
        let mut visitor = place.visitor(address).await;
        let page = visitor.sign_in_page().await;
        visitor.sign_in(&page).await;
        let _ = get(address, "/health/live").await.unwrap().expect(200);
        sidecar = kms.serve().await;
        eventually("readiness is back", || async {
            get(address, "/health/ready").await.unwrap().status == 200
        })
        .await;
    }
}

#[tokio::test]
async fn a_process_that_hangs_is_as_good_as_away() {
    let (place, kms) = Place::with_kms().await;
    let sidecar = kms.serve().await;
    let service = place.serve().await;
    let address = service.address;
    sidecar.pause();
    eventually("readiness fails", || async { get(address, "/health/ready").await.unwrap().status == 503 })
        .await;
    let mut ada = place.ada(address).await;
    let _ = ada.refresh_token().await;
    sidecar.go_on();
    eventually("readiness is back", || async { get(address, "/health/ready").await.unwrap().status == 200 })
        .await;
}

#[tokio::test]
async fn what_needs_a_key_that_is_not_in_memory_answers_503_to_all_alike_and_works_when_it_is_back() {
    let (place, kms) = Place::with_kms().await;
    let mut sidecar = kms.serve().await;
    let service = place.serve().await;
    sidecar.kill();
    for name in ["ada", "bob-who-is-not-there"] {
        let answer = place.visitor(service.address).await.forget(name).await.expect(503);
        assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
    }
    let _ = place.ada(service.address).await.refresh_token().await;
    let _sidecar = kms.serve().await;
    eventually("a link is sent", || async {
        place.visitor(service.address).await.forget("ada").await.status != 503
    })
    .await;
}
