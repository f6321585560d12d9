//! What has changed since a session ended counts: an application that is gone is not called, and neither is an address that must not be.

use serde_json::{Value, json};
use svc_http::Method;

use super::{LOOPBACK, Party, manage, sign_out};
use crate::harness::Harness;
use crate::harness::publisher::Publisher;

#[tokio::test]
async fn an_application_that_has_been_withdrawn_meanwhile_is_told_nothing() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    for (slug, change) in [
        ("disabled", Some(("enabled", json!(false)))),
        ("without", Some(("backchannel_logout_uri", Value::Null))),
        ("deleted", None),
    ] {
        let site = h.tenant(slug).await;
        let (party, ada) = (Party::new(&site, &server, "web").await, site.user("ada").await);
        let mut browser = site.browser();
        let tokens = party.tokens_in(&mut browser, &ada).await;
        sign_out(&mut browser, &tokens).await;
        let path = format!("/api/v1/applications/{}", party.client.id);
        if let Some((name, value)) = change {
            let mut wanted = serde_json::to_value(&party.client.configuration).unwrap();
            wanted[name] = value;
            manage(&site, Method::PUT, &path, Some(wanted)).await;
        } else {
            manage(&site, Method::DELETE, &path, None).await;
        }
        h.run_jobs().await;
        h.advance(86_400);
        h.run_jobs().await;
        assert_eq!(party.told().await, Vec::<Value>::new(), "{slug}");
    }
}

#[tokio::test]
async fn an_address_on_this_machine_is_not_called_in_production() {
    let server = Publisher::start().await;
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (party, ada) = (Party::new(&site, &server, "web").await, site.user("ada").await);
    let mut browser = site.browser();
    let tokens = party.tokens_in(&mut browser, &ada).await;
    sign_out(&mut browser, &tokens).await;
    for _ in 0..3 {
        h.run_jobs().await;
        h.advance(86_400);
    }
    assert_eq!(server.fetched(&party.path), 0);
}

#[tokio::test]
async fn an_address_that_will_never_be_called_is_refused_where_it_is_registered() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    for bad in [
        "https://10.0.0.1/",
        "http://app.example/",
        "https://app.example:8443/",
        "https://app.example/#x",
        "x",
    ] {
        let body = json!({ "name": "Web", "backchannel_logout_uri": bad });
        let answer = site.call(Method::POST, "/api/v1/applications", Some(&token), Some(body)).await;
        let _ = answer.expect_problem(400, "invalid_client_metadata");
    }
    let body = json!({
        "name": "Web", "backchannel_logout_uri": "https://app.example/logout?x=1",
        "backchannel_logout_session_required": true,
    });
    let answer = site.call(Method::POST, "/api/v1/applications", Some(&token), Some(body)).await;
    let made = answer.expect(201).json();
    assert_eq!(made["backchannel_logout_uri"], "https://app.example/logout?x=1");
    assert_eq!(made["backchannel_logout_session_required"], true);
}
