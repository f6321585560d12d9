//! Keys that are announced, sign, retire and go; tokens follow them (N37).

use std::collections::BTreeSet;

use svc_http::Method;
use svc_keys::Jws;

use super::userinfo;
use crate::harness::client::claims;
use crate::harness::{Client, Harness, Site};

const DAY: i64 = 86_400;

async fn published(site: &Site<'_>) -> BTreeSet<String> {
    let jwks = site.get("/.well-known/jwks.json").await.expect(200).json();
    let keys = jwks["keys"].as_array().unwrap();
    let kids: BTreeSet<_> = keys.iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kids.len(), keys.len(), "each once");
    kids
}

fn kid(token: &str) -> String {
    Jws::parse(token, &[svc_keys::Algorithm::Es256]).unwrap().kid().unwrap().to_owned()
}

#[tokio::test]
async fn a_token_outlives_the_rotation_of_its_key_and_not_its_withdrawal() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let before = published(&site).await;
    h.advance(29 * DAY);
    h.run_jobs().await;
    let announced = published(&site).await;
    assert!(
        announced.is_superset(&before) && announced.len() > before.len(),
        "the next keys are known beforehand"
    );
    h.advance(DAY - 60);
    let old = app.tokens(&ada).await;
    let long_lived = site.mint(|claims| claims["exp"] = (claims["exp"].as_i64().unwrap() + 10 * DAY).into());
    assert!(before.contains(&kid(old.access_token())));
    h.advance(60);
    h.run_jobs().await;
    let new = app.tokens(&ada).await;
    let new_kid = kid(new.access_token());
    assert!(announced.contains(&new_kid) && !before.contains(&new_kid), "a key that was announced signs");
    assert!(published(&site).await.is_superset(&before), "the retired keys stay");
    for tokens in [&old, &new] {
        let _ = userinfo(&site, tokens.access_token()).await.expect(200);
    }
    h.advance(DAY + 1);
    h.run_jobs().await;
    assert!(published(&site).await.is_disjoint(&before), "and go when the last token has expired");
    let _ = site
        .call(Method::GET, "/api/v1/applications", Some(&long_lived), None)
        .await
        .expect_problem(401, "unauthorized");
    hint_is_taken(&app, old.id_token()).await;
}

/// A session outlives the keys.
async fn hint_is_taken(app: &Client<'_>, id_token: &str) {
    let path = app.authorize_path(&app.verifier(), &[("prompt", "none"), ("id_token_hint", id_token)]);
    let answer = app.site.browser().get(&path).await;
    super::is_told(&answer, app, "login_required", "a hint is no token");
}

#[tokio::test]
async fn the_key_set_is_cached_for_less_than_any_key_is_announced_or_kept() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let answer = site.get("/.well-known/jwks.json").await.expect(200);
    let max_age = answer.header("cache-control").split("max-age=").nth(1).unwrap().parse::<i64>().unwrap();
    assert!((1..=DAY).contains(&max_age), "{max_age}");
}

#[tokio::test]
async fn a_restart_keeps_the_tokens_of_the_former_process_valid() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let restarted = h.restarted().await;
    let there = Site { harness: &restarted, ..site.clone() };
    let _ = userinfo(&there, tokens.access_token()).await.expect(200);
    assert!(published(&there).await.contains(&kid(tokens.access_token())));
    let app = Client { site: there.clone(), ..app.clone() };
    let next = app.refresh(tokens.refresh_token()).await.expect(200).json();
    let next = next["access_token"].as_str().unwrap();
    assert_eq!(claims(next)["sub"], ada.subject.as_str());
    let _ = userinfo(&there, next).await.expect(200);
}
