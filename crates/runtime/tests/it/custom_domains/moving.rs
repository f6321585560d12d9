//! What follows when a tenant moves to its domain and back: the issuer, tokens, sessions, pages and passkeys.

use svc_http::{Body, Method, Request};

use super::{DOMAINS, NAME, active, issuer_at, path, present, read, send, service, step};
use crate::changes::left_by;
use crate::harness::client::{self, Client};
use crate::harness::names::Names;
use crate::harness::{Harness, Site};

const ISSUER: &str = "https://login.acme.example";

/// The tenant as those see it who come to its domain.
async fn at_domain<'h>(site: &Site<'h>) -> Site<'h> {
    Site { host: NAME.to_owned(), ..present(site).await }
}

#[tokio::test]
async fn the_issuer_moves_to_the_domain_and_back() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    let _ = h.get(NAME, "/.well-known/openid-configuration").await.expect(421);
    let domain = super::proven(&acme, &names, NAME).await;
    let _ = h.get(NAME, "/.well-known/openid-configuration").await.expect(421);
    let [actions, events] = left_by(&h, step(&acme, &domain, "activate")).await;
    assert_eq!(actions, ["custom_domain.activated", "tenant.updated"]);
    assert_eq!(events, ["admin.custom_domain.activated", "admin.tenant.updated"]);
    for host in [NAME, &acme.host] {
        assert_eq!(issuer_at(&h, host).await, ISSUER);
    }
    assert_eq!(read(&acme, &domain).await["status"], "active");
    let [actions, _] = left_by(&h, step(&acme, &domain, "activate")).await;
    assert!(actions.is_empty(), "{actions:?}");
    let refused = send(&acme, Method::DELETE, &path(&domain), None).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("deactivate it first"), "{refused:?}");

    let [actions, events] = left_by(&h, step(&acme, &domain, "deactivate")).await;
    assert_eq!(actions, ["custom_domain.deactivated", "tenant.updated"]);
    assert_eq!(events, ["admin.custom_domain.deactivated", "admin.tenant.updated"]);
    assert_eq!(issuer_at(&h, &acme.host).await, acme.issuer());
    let _ = h.get(NAME, "/.well-known/openid-configuration").await.expect(421);
    let _ = send(&acme, Method::DELETE, &path(&domain), None).await.expect(204);
}

#[tokio::test]
async fn a_domain_at_which_another_process_has_let_the_tenant_answer_is_not_deleted() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    let domain = super::proven(&acme, &names, NAME).await;
    let other = h.restarted().await;
    let there = Site { harness: &other, ..acme.clone() };
    let token = there.mint(|_| ());
    let _ = there.call(Method::GET, &path(&domain), Some(&token), None).await.expect(200);
    let _ = step(&acme, &domain, "activate").await.expect(200);
    // What it has in memory is of before; where it has learned of the move, the token is of another issuer.
    let refused = there.call(Method::DELETE, &path(&domain), Some(&token), None).await;
    assert!([401, 409].contains(&refused.status), "{refused:?}");
    assert_eq!(read(&acme, &domain).await["status"], "active");
}

#[tokio::test]
async fn access_tokens_of_the_former_issuer_are_refused_and_refresh_tokens_go_on() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    let (shop, ada) = (acme.app("shop").await, acme.user("ada").await);
    let before = shop.tokens(&ada).await;
    let administration = acme.mint(|_| ());
    active(&acme, &names, NAME).await;

    let moved = at_domain(&acme).await;
    for host in [&acme.host, &moved.host] {
        let site = Site { host: host.clone(), ..moved.clone() };
        let _ = site.call(Method::GET, DOMAINS, Some(&administration), None).await.expect(401);
        let _ = site.call(Method::GET, "/userinfo", Some(before.access_token()), None).await.expect(401);
    }
    let shop = Client { site: moved.clone(), ..shop };
    let after = shop.refresh(before.refresh_token()).await.expect(200).json();
    let token = after["access_token"].as_str().unwrap();
    assert_eq!(client::claims(token)["iss"], ISSUER);
    assert_eq!(client::claims(token)["sub"], client::claims(before.access_token())["sub"]);
    let _ = moved.call(Method::GET, "/userinfo", Some(token), None).await.expect(200);
    assert_eq!(shop.tokens(&ada).await.response["token_type"], "Bearer", "people sign in at the domain");
}

#[tokio::test]
async fn pages_of_the_former_host_lead_to_the_domain_where_people_sign_in_once_more() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    let (shop, ada) = (acme.app("shop").await, acme.user("ada").await);
    let mut browser = acme.sign_in(&shop, &ada).await;
    active(&acme, &names, NAME).await;
    let asked = shop.authorize_path(&shop.verifier(), &[("prompt", "none")]);
    let answer = browser.get(&asked).await.expect(303);
    assert_eq!(answer.location(), format!("{ISSUER}{asked}"));
    let answer = browser.post("/oauth/authorize", &[("client_id", "x")]).await.expect(307);
    assert_eq!(answer.location(), format!("{ISSUER}/oauth/authorize"));
    let answer = browser.get("/account?x=%2F").await.expect(303);
    assert_eq!(answer.location(), format!("{ISSUER}/account?x=%2F"));
    // Cookies are the host's: the session of the former host is none at the domain.
    let moved = at_domain(&acme).await;
    let shop = Client { site: moved.clone(), ..shop };
    let mut browser = moved.browser();
    let answer = browser.get(&shop.authorize_path(&shop.verifier(), &[("prompt", "none")])).await.expect(303);
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
    shop.code_in(&mut browser, &ada).await;
}

#[tokio::test]
async fn forms_of_the_former_host_and_of_other_sites_change_nothing() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    active(&acme, &names, NAME).await;
    for (host, origin) in [
        (acme.host.as_str(), format!("https://{}", acme.host)),
        (NAME, format!("https://{}", acme.host)),
        (NAME, "https://evil.example".to_owned()),
    ] {
        let request = Request::post("/auth/sign-out").header("host", host).header("origin", origin);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let answer = h.send(request.body(Body::empty()).unwrap()).await;
        assert!([403, 404].contains(&answer.status), "{host}: {answer:?}");
    }
}

#[tokio::test]
async fn passkeys_belong_to_the_domain_or_are_shared_as_the_deployment_says() {
    let related = "/.well-known/webauthn";
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    active(&acme, &names, NAME).await;
    let _ = h.get(NAME, related).await.expect_problem(404, "not_found");
    let party = |h: &Harness| {
        let config = &h.app().config;
        svc_domain::people::credentials::passkeys::RelyingParty::at(config, ISSUER).unwrap().id().to_owned()
    };
    assert_eq!(party(&h), NAME);
    let h = h
        .restarted_with(&[("SVC_SECURITY__PRODUCTION", "true"), ("SVC_PASSKEY__CUSTOM_DOMAINS", "shared")])
        .await;
    assert_eq!(party(&h), "id.test");
    let _ = h.tenant("main").await;
    for host in ["id.test", NAME] {
        assert_eq!(h.get(host, related).await.expect(200).json()["origins"], serde_json::json!([ISSUER]));
    }
}
