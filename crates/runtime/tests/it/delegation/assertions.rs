//! Assertions of trusted issuers as a grant and as the subject of an exchange (RFC 7523 §3).

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_http::Method;
use svc_keys::{Algorithm, SigningKey, Typ, base64url};

use super::{ARCHIVE, Elsewhere, JWT, JWT_BEARER, NOTES, World, actors, exchange, exchanged, present, text};
use crate::backchannel_logout::LOOPBACK;
use crate::dpop::prover::Prover;
use crate::dpop::token_url;
use crate::harness::Harness;
use crate::harness::client::claims;
use crate::harness::publisher::Publisher;

#[tokio::test]
async fn an_assertion_about_a_linked_person_becomes_an_access_token_of_theirs() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&world, Typ::Jwt, |claims| {
        claims["aud"] = json!(format!("{}/oauth/token", world.site.issuer()))
    });
    let response = present(&world.agent, &assertion, &[("scope", "notes:read")]).await.expect(200).json();
    assert_eq!(response["scope"], "notes:read");
    assert!(response.get("refresh_token").is_none() && response.get("id_token").is_none(), "{response}");
    let token = claims(&text(&response, "access_token"));
    assert_eq!((&token["sub"], &token["aud"]), (&json!(world.ada.subject), &json!(NOTES)));
    assert_eq!(token["subject_type"], "human");
    assert!(
        token.get("sid").is_none() && token.get("act").is_none() && token.get("acr").is_none(),
        "{token}"
    );
}

#[tokio::test]
async fn an_assertion_is_accepted_once() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&world, Typ::Jwt, |_| ());
    let _ = present(&world.agent, &assertion, &[]).await.expect(200);
    let _ = present(&world.agent, &assertion, &[]).await.expect_problem(400, "invalid_grant");
    let _ = present(&world.web, &assertion, &[]).await.expect_problem(400, "invalid_grant");
    let as_subject = [("subject_token_type", JWT)];
    let _ = exchange(&world.agent, &assertion, &as_subject).await.expect_problem(400, "invalid_request");
    let restarted = h.restarted().await;
    let site = crate::harness::Site { harness: &restarted, ..world.site.clone() };
    let agent = crate::harness::Client { site, ..world.agent.clone() };
    let _ = present(&agent, &assertion, &[]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn hooks_are_asked_about_what_an_assertion_gets_and_told_of_no_session() {
    let h = Harness::with(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let (idp, server) = (Elsewhere::new(), Publisher::start().await);
    idp.trusted(&world).await;
    server.answer_with("/hook", "200 OK\r\ncontent-type: application/json", r#"{"verdict":"allow"}"#);
    let hook = json!({ "point": "pre_token", "url": server.url("/hook"), "on_failure": "deny" });
    let _ = world.manage(Method::POST, "/api/v1/hooks", Some(hook)).await.expect(201);
    let granted = present(&world.agent, &idp.assertion(&world, Typ::Jwt, |_| ()), &[]).await;
    let granted = text(&granted.expect(200).json(), "access_token");
    let kind = [("subject_token_type", JWT)];
    let _ = exchanged(&world.agent, &idp.assertion(&world, Typ::Jwt, |_| ()), &kind).await;
    let _ = exchanged(&world.web, &granted, &[]).await;
    let told = server.posted("/hook");
    let told = told.iter().map(|told| serde_json::from_str::<Value>(told).unwrap()["subject"].clone());
    let sessions: Vec<_> =
        told.map(|subject| (subject["id"].clone(), subject["session_id"].clone())).collect();
    assert_eq!(sessions, vec![(json!(world.ada.id.to_string()), Value::Null); 3]);
}

#[tokio::test]
async fn a_clock_that_jumps_ahead_and_back_makes_no_assertion_new() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&world, Typ::Jwt, |_| ());
    let _ = present(&world.agent, &assertion, &[]).await.expect(200);
    let started_ahead = h.jump_ahead_and_back().await;
    for harness in [&h, &started_ahead] {
        let site = crate::harness::Site { harness, ..world.site.clone() };
        let agent = crate::harness::Client { site, ..world.agent.clone() };
        let _ = present(&agent, &assertion, &[]).await.expect_problem(400, "invalid_grant");
    }
    let fresh = idp.assertion(&world, Typ::Jwt, |claims| claims["jti"] = json!("fresh"));
    let _ = present(&world.agent, &fresh, &[]).await.expect(200);
}

#[tokio::test]
async fn whatever_does_not_hold_is_refused_alike() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let now = h.operator().now.as_secs();
    let cases: &[(&str, Value)] = &[
        ("iss", json!("https://other.example")),
        ("iss", json!(null)),
        ("sub", json!("nobody@elsewhere")),
        ("sub", json!(null)),
        ("aud", json!("https://other.example")),
        ("aud", json!([world.site.issuer(), "https://other.example"])),
        ("aud", json!(format!("{}/oauth/authorize", world.site.issuer()))),
        ("aud", json!(null)),
        ("exp", json!(now)),
        ("exp", json!(now + 3_601)),
        ("exp", json!(null)),
        ("exp", json!("soon")),
        ("iat", json!(now + 61)),
        ("iat", json!(now - 3_600)),
        ("nbf", json!(now + 61)),
        ("jti", json!(null)),
        ("jti", json!("")),
        ("jti", json!(7)),
        ("scope", json!(["notes:read"])),
        ("resource", json!([NOTES, ARCHIVE])),
        ("client_id", json!(world.web.id)),
        ("cnf", json!({ "jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" })),
        ("cnf", json!({ "kid": "unknown here" })),
        ("cnf", json!(null)),
        ("act", json!({ "sub": "robot@elsewhere" })),
        ("may_act", json!({ "sub": world.web.id })),
        ("may_act", json!({ "sub": world.agent.id, "iss": idp.issuer })),
        ("may_act", json!(world.agent.id)),
    ];
    let mut told = Vec::new();
    for (name, value) in cases {
        let assertion = idp.assertion(&world, Typ::Jwt, |claims| claims[*name] = value.clone());
        let answer = present(&world.agent, &assertion, &[]).await;
        assert_eq!(answer.status, 400, "{name} {value}: {answer:?}");
        told.push(answer.expect_problem(400, "invalid_grant").json()["detail"].clone());
    }
    assert!(told.iter().all(|detail| *detail == told[0]), "{told:?}");
}

#[tokio::test]
async fn an_assertion_that_is_bound_to_a_key_or_names_an_actor_counts_for_that_one_alone() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (idp, prover) = (Elsewhere::new(), Prover::new());
    idp.trusted(&world).await;
    let bound = idp.assertion(&world, Typ::Jwt, |claims| claims["cnf"] = json!({ "jkt": prover.jkt }));
    let _ = present(&world.agent, &bound, &[]).await.expect_problem(400, "invalid_grant");
    let as_subject = [("subject_token_type", JWT)];
    let _ = exchange(&world.agent, &bound, &as_subject).await.expect_problem(400, "invalid_request");
    let proof = prover.proof("POST", &token_url(&world.agent), &[]);
    let form = [("grant_type", JWT_BEARER), ("assertion", bound.as_str()), ("resource", NOTES)];
    let held = world.agent.post_with("/oauth/token", &[("dpop", &proof)], &form, &[]).await;
    let token = text(&held.expect(200).json(), "access_token");
    assert_eq!(claims(&token)["cnf"], json!({ "jkt": prover.jkt }));
    for may_act in
        [json!({ "sub": world.agent.id }), json!({ "sub": world.agent.id, "iss": world.site.issuer() })]
    {
        let named = || idp.assertion(&world, Typ::Jwt, |claims| claims["may_act"] = may_act.clone());
        let _ = exchange(&world.web, &named(), &as_subject).await.expect_problem(400, "invalid_request");
        assert_eq!(actors(&exchanged(&world.agent, &named(), &as_subject).await), [world.agent.id.clone()]);
    }
}

#[tokio::test]
async fn only_the_issuers_own_keys_and_kinds_of_token_count() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let good = idp.assertion(&world, Typ::Jwt, |_| ());
    let payload = good.split('.').nth(1).unwrap();
    let unsigned = format!("{}.{payload}.", base64url(r#"{"alg":"none"}"#));
    let hmac = format!("{}.{payload}.{}", base64url(r#"{"alg":"HS256"}"#), base64url([7; 32]));
    let mut jwk = SigningKey::generate(Algorithm::Es256).unwrap().public_jwk();
    jwk["kid"] = json!(idp.key.kid());
    let header = json!({ "alg": "ES256", "jwk": jwk, "kid": idp.key.kid() });
    let embedded = format!("{}.{payload}.{}", base64url(header.to_string()), base64url([1; 64]));
    let stranger = Elsewhere::new().assertion(&world, Typ::Jwt, |_| ());
    let wrong_kinds = [Typ::AccessToken, Typ::LogoutToken].map(|typ| idp.assertion(&world, typ, |_| ()));
    for bad in
        [unsigned, hmac, embedded, stranger, "x".to_owned(), "a".repeat(20_000)].iter().chain(&wrong_kinds)
    {
        let _ = present(&world.agent, bad, &[]).await.expect_problem(400, "invalid_grant");
    }
    let _ = present(&world.agent, "", &[]).await.expect_problem(400, "invalid_request");
    let _ = present(&world.agent, &good, &[]).await.expect(200);
}

#[tokio::test]
async fn an_issuer_is_believed_as_far_and_as_long_as_the_tenant_says() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    let fresh = || idp.assertion(&world, Typ::Jwt, |_| ());
    let _ = present(&world.agent, &fresh(), &[]).await.expect_problem(400, "invalid_grant");
    let path = idp.trusted(&world).await;
    let _ = present(&world.agent, &fresh(), &[]).await.expect(200);
    let archive_only = json!({ "name": "Elsewhere", "jwks": idp.jwks(), "audiences": [ARCHIVE] });
    let _ = world.manage(Method::PUT, &path, Some(archive_only)).await.expect(200);
    let _ = present(&world.agent, &fresh(), &[]).await.expect_problem(400, "invalid_target");
    let as_subject = [("subject_token_type", JWT)];
    let _ = exchange(&world.agent, &fresh(), &as_subject).await.expect_problem(400, "invalid_target");
    let _ = present(&world.agent, &fresh(), &[("resource", ARCHIVE)]).await.expect(200);
    let off = json!({ "name": "Elsewhere", "jwks": idp.jwks(), "enabled": false });
    let _ = world.manage(Method::PUT, &path, Some(off)).await.expect(200);
    let _ = present(&world.agent, &fresh(), &[]).await.expect_problem(400, "invalid_grant");
    let on = json!({ "name": "Elsewhere", "jwks": idp.jwks(), "enabled": true });
    let _ = world.manage(Method::PUT, &path, Some(on)).await.expect(200);
    let _ = present(&world.agent, &fresh(), &[]).await.expect(200);
    let link = format!("{path}/subjects/{}", world.ada.id);
    let _ = world.manage(Method::DELETE, &link, None).await.expect(204);
    let _ = present(&world.agent, &fresh(), &[]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn an_issuer_of_one_tenant_is_unknown_at_another() {
    let h = Harness::new().await;
    let (world, acme) = (World::new(&h).await, World::at(h.tenant("acme").await).await);
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&acme, Typ::Jwt, |_| ());
    let _ = present(&acme.agent, &assertion, &[]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn a_person_who_may_not_sign_in_is_vouched_for_in_vain() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let path = format!("/api/v1/tenant-users/{}/suspend", world.ada.id);
    let _ = world.manage(Method::POST, &path, None).await.expect(200);
    let assertion = idp.assertion(&world, Typ::Jwt, |_| ());
    let _ = present(&world.agent, &assertion, &[]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn an_assertion_is_exchanged_for_a_token_with_an_actor() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&world, Typ::Jwt, |claims| claims["scope"] = json!("notes:read"));
    let token = exchanged(&world.agent, &assertion, &[("subject_token_type", JWT)]).await;
    assert_eq!(actors(&token), [world.agent.id.clone()]);
    assert_eq!(
        (&claims(&token)["scope"], &claims(&token)["exp"]),
        (&json!("notes:read"), &claims(&assertion)["exp"])
    );
}

#[tokio::test]
async fn an_assertion_that_has_no_scope_of_the_api_gives_no_token_for_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = || idp.assertion(&world, Typ::Jwt, |claims| claims["scope"] = json!("archive:write"));
    let _ = present(&world.agent, &assertion(), &[]).await.expect_problem(400, "invalid_target");
    let as_subject = [("subject_token_type", JWT)];
    let _ = exchange(&world.agent, &assertion(), &as_subject).await.expect_problem(400, "invalid_target");
}

#[tokio::test]
async fn what_an_assertion_is_exchanged_for_ends_with_it_also_where_offline_access_is_asked_for() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let silent = idp.assertion(&world, Typ::Jwt, |_| ());
    let lasting = idp.assertion(&world, Typ::Jwt, |claims| {
        claims["scope"] = json!("notes:read offline_access");
    });
    for assertion in [silent, lasting] {
        let asked = [("subject_token_type", JWT), ("scope", "notes:read offline_access")];
        let told = exchange(&world.agent, &assertion, &asked).await.expect(200).json();
        assert_eq!((told.get("refresh_token"), &told["scope"]), (None, &json!("notes:read")));
        assert_eq!(claims(&text(&told, "access_token"))["exp"], claims(&assertion)["exp"]);
    }
}

#[tokio::test]
async fn another_subject_for_a_person_ends_what_was_granted_to_the_former_one() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    let link = format!("{}/subjects/{}", idp.trusted(&world).await, world.ada.id);
    let granted = present(&world.agent, &idp.assertion(&world, Typ::Jwt, |_| ()), &[]).await;
    let token = text(&granted.expect(200).json(), "access_token");
    for (subject, is_live) in [("ada@elsewhere", true), ("countess@elsewhere", false)] {
        let wanted = json!({ "subject": subject });
        let _ = world.manage(Method::PUT, &link, Some(wanted)).await.expect(204);
        assert_eq!(world.is_active(&world.agent, &token).await, is_live, "{subject}");
    }
    let countess = idp.assertion(&world, Typ::Jwt, |claims| claims["sub"] = json!("countess@elsewhere"));
    let _ = present(&world.agent, &countess, &[]).await.expect(200);
}

#[tokio::test]
async fn what_cannot_be_an_issuer_is_not_registered() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    let mut private = idp.key.public_jwk();
    private["d"] = json!("AQAB");
    for change in [
        json!({ "issuer": "http://idp.example" }),
        json!({ "issuer": "https://idp.example/?x=1" }),
        json!({ "issuer": world.site.issuer() }),
        json!({ "jwks": null }),
        json!({ "jwks": { "keys": [] } }),
        json!({ "jwks": { "keys": [private] } }),
        json!({ "jwks_uri": "https://idp.example/jwks" }),
        json!({ "jwks": null, "jwks_uri": "https://127.0.0.1/jwks" }),
        json!({ "jwks": null, "jwks_uri": "http://idp.example/jwks" }),
        json!({ "name": "" }),
        json!({ "tenant_id": "tnt_x" }),
    ] {
        let mut new = json!({ "issuer": idp.issuer, "name": "Elsewhere", "jwks": idp.jwks() });
        new.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let answer = world.manage(Method::POST, "/api/v1/trusted-issuers", Some(new)).await;
        assert_eq!(answer.status, 400, "{change}: {answer:?}");
    }
    idp.trusted(&world).await;
    let again = json!({ "issuer": idp.issuer, "name": "Again", "jwks": idp.jwks() });
    let _ = world
        .manage(Method::POST, "/api/v1/trusted-issuers", Some(again))
        .await
        .expect_problem(409, "conflict");
}

#[tokio::test]
async fn while_an_issuer_is_slow_with_its_keys_others_write() {
    let h = Harness::in_one_process(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let (idp, server) = (Elsewhere::new(), Publisher::start().await);
    idp.trusted(&world).await;
    server.publish("/jwks", &idp.jwks(), 60);
    server.answer_with("/written", "200 OK", "");
    server.answer_after("/jwks", "/written");
    let fetched = json!({ "name": "Elsewhere", "jwks_uri": server.url("/jwks"), "audiences": [] });
    let mut tx = h.app().db.begin_system().await.unwrap();
    let update = SystemSql::new("UPDATE trusted_issuers SET configuration = $1");
    tx.execute(update, args![fetched.to_string()]).await.unwrap();
    tx.commit().await.unwrap();
    let assertion = idp.assertion(&world, Typ::Jwt, |_| ());
    let writing = async {
        server.asked("/jwks").await;
        world.site.user("bob").await;
        server.ask("/written");
    };
    let (answer, ()) = tokio::join!(present(&world.agent, &assertion, &[]), writing);
    let _ = answer.expect(200);
    assert_eq!(server.fetched("/jwks"), 1);
}
