//! The way in: a button where guests are taken, one account for two tabs, tokens that say what the person is.

use serde_json::{Value, json};
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};
use svc_http::Method;

use super::{BUTTON, ON, access, enter, harness, press, silent, world};
use crate::changes::left_by;
use crate::harness::client::claims;
use crate::harness::{Browser, Client, Harness};

#[tokio::test]
async fn a_guest_gets_tokens_that_say_so_and_nothing_that_was_not_proven() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let mut tokens = Value::Null;
    let [actions, events] = left_by(&h, async { tokens = enter(&mut browser, &client).await }).await;
    assert!(actions.iter().any(|action| action == "account.guest_created"), "{actions:?}");
    assert!(events.iter().any(|event| event == "account.guest_created"), "{events:?}");
    let (access, id) = (access(&tokens), claims(tokens["id_token"].as_str().unwrap()));
    assert_eq!(access["subject_type"], "anonymous");
    for claim in ["acr", "amr", "email", "email_verified", "name", "preferred_username"] {
        assert!(id.get(claim).is_none() && access.get(claim).is_none(), "{claim}: {id} {access}");
    }
    assert!(id["auth_time"].is_i64() && id["sid"].is_string(), "{id}");
    let token = tokens["access_token"].as_str().unwrap();
    let known = site.call(Method::GET, "/userinfo", Some(token), None).await.expect(200).json();
    assert_eq!((&known["sub"], known.get("email")), (&id["sub"], None), "{known}");
    let again = silent(&mut browser, &client).await.unwrap();
    assert_eq!(claims(again["id_token"].as_str().unwrap())["sub"], id["sub"]);
    let fresh = client.refresh(tokens["refresh_token"].as_str().unwrap()).await.expect(200).json();
    assert_eq!(super::access(&fresh)["subject_type"], "anonymous");
}

#[tokio::test]
async fn administrators_see_guests_and_can_ask_for_them_or_for_the_others() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let ada = site.user("ada").await;
    let sub = access(&enter(&mut site.browser(), &client).await)["sub"].clone();
    let token = site.mint(|_| ());
    let list = async |query: &str| {
        let path = format!("/api/v1/tenant-users?{query}");
        site.call(Method::GET, &path, Some(&token), None).await.expect(200).json()["data"].clone()
    };
    let [guests, people] = [list("subject_type=anonymous").await, list("subject_type=human").await];
    assert_eq!(guests.as_array().unwrap().len(), 1, "{guests}");
    assert_eq!((&guests[0]["sub"], &guests[0]["subject_type"]), (&sub, &json!("anonymous")));
    assert!(people.as_array().unwrap().iter().any(|one| one["sub"] == ada.subject.as_str()), "{people}");
    assert!(people.as_array().unwrap().iter().all(|one| one["subject_type"] == "human"), "{people}");
    assert_eq!(list("subject_type=anonymous&status=active").await, guests);
    assert_eq!(list("subject_type=anonymous&sort=-created_at").await, guests);
    for none in ["subject_type=anonymous&status=suspended", "subject_type=anonymous&role=admin"] {
        assert_eq!(list(none).await, json!([]), "{none}");
    }
    let exported = site.call(Method::GET, "/api/v1/tenant-users/export", Some(&token), None).await;
    assert!(exported.body.contains(guests[0]["id"].as_str().unwrap()), "{exported:?}");
}

/// That there is no button, and that a form which was made up does nothing.
async fn is_closed<'h>(browser: &mut Browser<'h>, client: &Client<'h>) {
    let page = browser.get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    assert!(!page.body.contains("anonymous"), "{page:?}");
    let answer = press(browser, &page).await;
    // Where an application alone goes without them, its page is shown again.
    assert!([200, 404].contains(&answer.status) && !answer.begins_session(), "{answer:?}");
}

#[tokio::test]
async fn where_guests_are_not_taken_there_is_no_button_and_no_way_around_it() {
    let off = Harness::new().await;
    let (site, client) = world(&off).await;
    is_closed(&mut site.browser(), &client).await;

    let h = harness().await;
    let (site, _) = world(&h).await;
    let without =
        site.app_with("strict", |app| app.disabled_capabilities = ["anonymous"].into_iter().collect()).await;
    is_closed(&mut site.browser(), &without).await;

    let strong = Harness::with(&[ON, ("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let (site, client) = world(&strong).await;
    is_closed(&mut site.browser(), &client).await;

    let tenant = h.tenant("closed").await;
    let client = tenant.app("web").await;
    let settings = TenantSettings {
        disabled_capabilities: ["anonymous"].into_iter().collect(),
        ..tenant.tenant.settings.clone()
    };
    let (slug, name) = (tenant.tenant.slug.clone(), tenant.tenant.name.clone());
    let mut tx = h.app().db.begin_system().await.unwrap();
    let new = NewTenant { slug, name, custom_domain: None, settings };
    tenants::update(&mut tx, &h.operator(), tenant.tenant.id, &new).await.unwrap();
    tx.commit().await.unwrap();
    for app in h.apps() {
        app.services.tenants.forget();
    }
    is_closed(&mut tenant.browser(), &client).await;
}

#[tokio::test]
async fn two_tabs_make_one_guest() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    let verifier = client.verifier();
    let pages = [
        browser.get(&client.authorize_path(&verifier, &[])).await.expect(200),
        browser.get(&client.authorize_path(&verifier, &[])).await.expect(200),
    ];
    let mut subjects = Vec::new();
    for page in &pages {
        let answer = press(&mut browser, page).await;
        subjects.push(access(&super::bought(&client, &answer, verifier.clone()).await)["sub"].clone());
    }
    assert_eq!(subjects[0], subjects[1]);
}

#[tokio::test]
async fn an_application_that_does_not_take_guests_asks_a_guest_for_an_account() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let strict =
        site.app_with("strict", |app| app.disabled_capabilities = ["anonymous"].into_iter().collect()).await;
    let mut browser = site.browser();
    enter(&mut browser, &client).await;
    assert_eq!(silent(&mut browser, &strict).await.unwrap_err(), "login_required");
    let page = browser.get(&strict.authorize_path(&strict.verifier(), &[])).await.expect(200);
    assert!(page.body.contains("You are here as a guest") && !page.body.contains(BUTTON), "{page:?}");
    assert!(silent(&mut browser, &client).await.is_ok(), "the guest is still there");
}

#[tokio::test]
async fn a_guest_satisfies_no_essential_acr() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    enter(&mut browser, &client).await;
    for level in ["urn:svc:aal1", "urn:svc:aal2"] {
        let wanted = json!({ "id_token": { "acr": { "essential": true, "values": [level] } } }).to_string();
        let ask = |prompt: &'static str| {
            client.authorize_path(&client.verifier(), &[("claims", &wanted), ("prompt", prompt)])
        };
        let page = browser.get(&ask("")).await.expect(200);
        assert!(page.body.contains("You are here as a guest") && !page.body.contains(BUTTON), "{page:?}");
        let refused = browser.get(&ask("none")).await.expect(303);
        assert_eq!(refused.redirect_param("error").as_deref(), Some("login_required"), "{refused:?}");
    }
    // What the application can do without does not keep a guest out.
    let path =
        client.authorize_path(&client.verifier(), &[("acr_values", "urn:svc:aal2"), ("prompt", "none")]);
    assert!(browser.get(&path).await.is_signed_in());
}

#[tokio::test]
async fn the_session_of_a_guest_counts_at_its_own_tenant_alone() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let other = h.tenant("other").await;
    let elsewhere = other.app("web").await;
    let mut browser = site.browser();
    enter(&mut browser, &client).await;
    let mut carried = other.browser();
    carried.cookies = browser.cookies.clone();
    assert_eq!(silent(&mut carried, &elsewhere).await.unwrap_err(), "login_required");
}
