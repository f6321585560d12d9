//! `svc-kms` signs where a token that exports no key opens its file: what is issued verifies by the published keys, and while it is
//! away nothing is spent in vain.

use serde_json::Value;
use svc_http::Method;
use svc_keys::kms::Sidecar;
use svc_keys::{Algorithm, Custody, Jws, KeySet, Typ};

use super::super::person::refresh_token_of;
use super::super::{Place, eventually, get, request};
use super::Kms;
use crate::backchannel_logout::{LOOPBACK, sign_out};
use crate::harness::client::{Code, Tokens};
use crate::harness::publisher::Publisher;
use crate::harness::{Harness, Site};

const DAY: i64 = 86_400;

/// The claims of a token, verified by the key set that the tenant publishes, and the key that signed it.
async fn verified(site: &Site<'_>, token: &str, typ: Typ) -> (String, Value) {
    let published = site.get("/.well-known/jwks.json").await.expect(200).json();
    let jws = Jws::parse(token, typ.algorithms()).unwrap();
    assert!(jws.is_typ(typ.name()), "{token}");
    let claims = KeySet::from_json(&published).unwrap().verify(&jws).unwrap();
    (jws.kid().unwrap().to_owned(), Value::Object(claims.into_map()))
}

/// A service over an `svc-kms` that keeps its signing keys.
async fn service(kms: &Kms) -> Harness {
    let sidecar = Sidecar::connect(kms.settings()).await.unwrap();
    let h = Harness::over(Custody::Sidecar(sidecar), &[LOOPBACK]).await;
    for app in h.apps() {
        let ring = app.services.keys.ring_of_deployment();
        for &algorithm in Algorithm::SIGNING {
            assert!(ring.active(algorithm).is_some() && ring.held(algorithm).is_none(), "{algorithm}");
        }
    }
    h
}

#[tokio::test]
async fn every_kind_of_token_is_signed_by_the_process_and_verifies_by_the_published_keys() {
    let folder = tempfile::tempdir().unwrap();
    let kms = Kms::opened_by_a_token(&folder.path().join("kms"));
    let _sidecar = kms.serve().await;
    let h = service(&kms).await;
    let (site, server) = (h.tenant("main").await, Publisher::start().await);
    server.answer_with("/logout", "200 OK", "");
    let told_at = server.url("/logout");
    let app = site.app_with("web", |configuration| {
        configuration.backchannel_logout_uri = Some(told_at);
        configuration.userinfo_signed_response_alg = Some(Algorithm::EdDsa);
    });
    let (app, ada) = (app.await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let verifier = app.verifier();
    let answer = browser.get(&app.authorize_path(&verifier, &[("response_mode", "jwt")])).await;
    let (_, answer) = verified(&site, &answer.redirect_param("response").unwrap(), Typ::Jwt).await;
    let code = Code { code: answer["code"].as_str().unwrap().to_owned(), verifier };
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    let (_, access) = verified(&site, tokens.access_token(), Typ::AccessToken).await;
    let (_, id) = verified(&site, tokens.id_token(), Typ::Jwt).await;
    assert_eq!((&access["sub"], &id["sub"]), (&id["sub"], &ada.subject.as_str().into()));
    let told = site.call(Method::GET, "/userinfo", Some(tokens.access_token()), None).await.expect(200);
    let (_, told) = verified(&site, &told.body, Typ::Jwt).await;
    assert_eq!(told["sub"], id["sub"]);
    let signed = [("accept", "application/token-introspection+jwt")];
    let form = [("token", tokens.access_token())];
    let told = app.post_with("/oauth/introspect", &signed, &form, &[]).await.expect(200);
    let (_, told) = verified(&site, &told.body, Typ::Introspection).await;
    assert_eq!(told["token_introspection"]["active"], true);
    sign_out(&mut browser, &tokens).await;
    h.run_jobs().await;
    let posted = server.posted("/logout");
    let logout = posted[0].strip_prefix("logout_token=").unwrap();
    let (_, logout) = verified(&site, logout, Typ::LogoutToken).await;
    assert_eq!(logout["sid"], id["sid"]);
}

#[tokio::test]
async fn tokens_verify_through_two_rotations_of_keys_that_stay() {
    let folder = tempfile::tempdir().unwrap();
    let kms = Kms::opened_by_a_token(&folder.path().join("kms"));
    let _sidecar = kms.serve().await;
    let h = service(&kms).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut signed_by = Vec::new();
    for _ in 0..3 {
        let tokens = app.tokens(&ada).await;
        for (token, typ) in [(tokens.access_token(), Typ::AccessToken), (tokens.id_token(), Typ::Jwt)] {
            let (kid, _) = verified(&site, token, typ).await;
            assert!(!signed_by.contains(&kid), "a key that signed before: {signed_by:?}");
            signed_by.push(kid);
        }
        h.advance(29 * DAY);
        h.run_jobs().await;
        h.advance(DAY);
        h.run_jobs().await;
    }
}

#[tokio::test]
async fn while_it_is_away_nothing_is_spent_verification_goes_on_and_no_restart_is_needed() {
    let mut place = Place::populated().await;
    let kms = Kms::opened_by_a_token(&place.folder.path().join("kms"));
    place.use_kms(&kms);
    let mut sidecar = kms.serve().await;
    let service = place.serve().await;
    let address = service.address;
    let mut ada = place.ada(address).await;
    let code = ada.code().await;
    let first = ada.exchange(&code).await.unwrap().expect(200);
    let (access, mut token) = (first.json()["access_token"].clone(), refresh_token_of(&first));
    let access = format!("Bearer {}", access.as_str().unwrap());
    for _ in 0..2 {
        let code = ada.code().await;
        sidecar.kill();
        for answer in [ada.exchange(&code).await, ada.refresh(&token).await] {
            let answer = answer.unwrap().expect(503);
            assert!(
                answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0),
                "{answer:?}"
            );
        }
        let told = request(address, "GET /userinfo", &[("Authorization", &access)], "").await;
        let _ = told.unwrap().expect(200);
        let _ = get(address, "/.well-known/jwks.json").await.unwrap().expect(200);
        sidecar = kms.serve().await;
        eventually("tokens are signed again", || async { ada.exchange(&code).await.unwrap().status == 200 })
            .await;
        token = refresh_token_of(&ada.refresh(&token).await.unwrap().expect(200));
    }
}
