//! How fresh a sign-in at the provider of an organization has to be, by the application and by the rules of the organization.

use serde_json::{Value, json};

use super::World;
use super::sso::set_rules;
use super::sso_sign_in::{LOOPBACK, connect, follow, prove};
use crate::harness::client::claims;
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::{Browser, Code, Harness};

/// From the request of an application to the provider of Initech.
async fn led(browser: &mut Browser<'_>, world: &World<'_>, changes: &[(&str, &str)]) -> AuthorizationRequest {
    let changes = [&[("organization", "initech")][..], changes].concat();
    let page = browser.get(&world.web.authorize_path(&"v".repeat(43), &changes)).await.expect(200);
    follow(browser, &page).await
}

#[tokio::test]
async fn an_organization_in_which_a_sign_in_counts_so_long_asks_its_provider_for_one_that_does() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({ "enforced": true })).await;
    prove(&world.site, &world.initech, "acme.example").await;
    set_rules(&world, &world.initech, json!({ "sso": "required", "session_max_age_secs": 600 })).await;
    for (changes, max_age) in [
        (&[][..], "600"),
        (&[("max_age", "60")], "60"),
        (&[("max_age", "86400")], "600"),
        (&[("prompt", "login")], "0"),
    ] {
        let asked = led(&mut world.site.browser(), &world, changes).await;
        assert_eq!(asked.asks("max_age").as_deref(), Some(max_age), "{changes:?}");
    }
    let now = h.operator().now.as_secs();
    let seen = |ago: i64| move |claims: &mut Value| claims["auth_time"] = json!(now - ago);
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, &[]).await;
    let page = browser.get(&provider.vouch(&asked, &h, seen(700))).await.expect(200);
    assert!(page.body.contains("your sign-in there is too old"), "{page:?}");
    let asked = led(&mut browser, &world, &[]).await;
    let answer = browser.get(&provider.vouch(&asked, &h, seen(300))).await;
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("{answer:?}"));
    let tokens = world.web.exchange(&Code { code, verifier: "v".repeat(43) }).await.expect(200).json();
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["auth_time"], json!(now - 300));
    // The sign-in counts from when it was at the provider.
    h.advance(301);
    let asked = led(&mut browser, &world, &[]).await;
    assert_eq!(asked.asks("max_age").as_deref(), Some("600"));
}
