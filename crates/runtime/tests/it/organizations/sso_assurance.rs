//! Second factors at the provider of an organization: it is asked for one where one is wanted, and what it answers counts as far as the
//! connection trusts it.

use serde_json::{Value, json};

use super::World;
use super::sso::set_rules;
use super::sso_sign_in::{LOOPBACK, connect, follow};
use crate::harness::client::claims;
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::{Answer, Browser, Code, Harness};

/// Asks for two factors, and accepts nothing less.
const ESSENTIAL: (&str, &str) =
    ("claims", "{\"id_token\":{\"acr\":{\"essential\":true,\"value\":\"urn:svc:aal2\"}}}");

fn path(world: &World<'_>, organization: &str, changes: &[(&str, &str)]) -> String {
    let changes = [&[("organization", organization)][..], changes].concat();
    world.web.authorize_path(&"v".repeat(43), &changes)
}

/// From the request of an application to the provider of an organization.
async fn led(
    browser: &mut Browser<'_>,
    world: &World<'_>,
    (organization, changes): (&str, &[(&str, &str)]),
) -> AuthorizationRequest {
    let page = browser.get(&path(world, organization, changes)).await.expect(200);
    follow(browser, &page).await
}

/// What the ID token says of the sign-in that an answer ends.
async fn told(world: &World<'_>, answer: &Answer) -> Value {
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("{answer:?}"));
    let tokens = world.web.exchange(&Code { code, verifier: "v".repeat(43) }).await.expect(200).json();
    let said = claims(tokens["id_token"].as_str().unwrap());
    json!([said["acr"], said["amr"]])
}

fn trusting() -> Value {
    json!({ "enforced": true, "trusted_assurance": true, "second_factor_acr_values": ["urn:okta:loa:2fa:any", "phr"] })
}

#[tokio::test]
async fn a_provider_is_asked_for_a_second_factor_where_application_or_organization_want_one() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, trusting()).await;
    let asks = async |changes: &[(&str, &str)]| {
        led(&mut world.site.browser(), &world, ("initech", changes)).await.asks("acr_values")
    };
    let both = Some("urn:okta:loa:2fa:any phr");
    for (changes, expected) in [
        (&[][..], None),
        (&[("acr_values", "urn:svc:aal1 urn:svc:aal2")], None),
        (&[("acr_values", "phr")], None),
        (&[("acr_values", "urn:svc:aal2 urn:svc:aal1")], both),
        (&[ESSENTIAL], both),
    ] {
        assert_eq!(asks(changes).await.as_deref(), expected, "{changes:?}");
    }
    set_rules(&world, &world.initech, json!({ "second_factor": "required" })).await;
    assert_eq!(asks(&[]).await.as_deref(), both);
}

#[tokio::test]
async fn what_a_provider_answers_counts_where_the_connection_names_it_and_trusts_the_provider() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider, another) = (World::new(&h).await, Provider::serve().await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, trusting()).await;
    let untrusted = json!({ "enforced": true, "second_factor_acr_values": ["phr"] });
    connect(&world.site, &world.hooli, &another, untrusted).await;
    let cases = [
        ("initech", json!({ "acr": "phr" }), true),
        ("initech", json!({ "amr": ["pwd", "mfa"] }), true),
        ("initech", json!({ "acr": "urn:okta:loa:1fa:any", "amr": ["pwd"] }), false),
        ("initech", json!({ "acr": "urn:svc:aal2" }), false),
        ("initech", json!({ "acr": ["phr"] }), false),
        ("initech", json!({}), false),
        ("hooli", json!({ "acr": "phr", "amr": ["mfa"] }), false),
    ];
    for (organization, said, counts) in cases {
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, (organization, &[ESSENTIAL])).await;
        let vouching = if organization == "hooli" { &another } else { &provider };
        let back = vouching.vouch(&asked, &h, |claims| {
            for (name, value) in said.as_object().unwrap() {
                claims[name] = value.clone();
            }
        });
        let answer = browser.get(&back).await;
        assert_eq!(answer.is_signed_in(), counts, "{organization}, {said}: {answer:?}");
        if counts {
            assert_eq!(told(&world, &answer).await, json!(["urn:svc:aal2", ["fed", "mfa"]]), "{said}");
        }
    }
}

#[tokio::test]
async fn a_session_of_one_factor_is_led_back_to_its_provider_for_the_second() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, trusting()).await;
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, ("initech", &[])).await;
    let answer = browser.get(&provider.vouch(&asked, &h, |_| ())).await;
    assert_eq!(told(&world, &answer).await, json!(["urn:svc:aal1", ["fed"]]));
    let page = browser.get(&path(&world, "initech", &[ESSENTIAL])).await.expect(200);
    assert!(page.body.contains("One more step"), "{page:?}");
    let asked = follow(&mut browser, &page).await;
    assert_eq!(asked.param("acr_values"), "urn:okta:loa:2fa:any phr");
    let answer = browser.get(&provider.vouch(&asked, &h, |claims| claims["acr"] = json!("phr"))).await;
    assert_eq!(told(&world, &answer).await, json!(["urn:svc:aal2", ["fed", "mfa"]]));
    let silent = browser.get(&path(&world, "initech", &[ESSENTIAL, ("prompt", "none")])).await;
    assert!(silent.is_signed_in(), "{silent:?}");
}

#[tokio::test]
async fn what_userinfo_says_of_a_sign_in_counts_for_nothing() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, trusting()).await;
    let issuer = &provider.issuer;
    let metadata = json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"), "userinfo_endpoint": format!("{issuer}/userinfo"),
    });
    let person = json!({ "sub": "248289", "name": "Grace Hopper", "acr": "phr", "amr": ["mfa"] });
    provider.pages.lock().unwrap().extend([
        ("/.well-known/openid-configuration".to_owned(), metadata),
        ("/userinfo".to_owned(), person),
    ]);
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, ("initech", &[])).await;
    let back = provider.vouch(&asked, &h, |claims| {
        claims.as_object_mut().unwrap().remove("name");
    });
    let answer = browser.get(&back).await;
    assert_eq!(told(&world, &answer).await, json!(["urn:svc:aal1", ["fed"]]));
}
