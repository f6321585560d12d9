//! Sign-in through the provider of an organization: a provider on this machine, honest and dishonest.

use serde_json::{Value, json};
use svc_domain::organizations::Organization;
use svc_domain::organizations::domains::{self, DomainName};
use svc_domain::people::tenant_users;
use svc_http::Method;
use url::Url;

use super::{World, join};
use crate::changes::left_by;
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::publisher::Publisher;
use crate::harness::{Answer, Browser, Harness, Site};

pub const LOOPBACK: (&str, &str) = ("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true");

/// A connection of Initech's, whose domain is proven.
pub async fn connect(
    site: &Site<'_>,
    organization: &Organization,
    provider: &Provider,
    changes: Value,
) -> Value {
    let mut wanted = json!({
        "display_name": "Acme staff", "issuer": provider.issuer, "client_id": "svc", "client_secret": "upstream-secret",
        "jit": { "enabled": true, "roles": [] }, "group_roles": [{ "group": "writers", "roles": ["editor"] }], "enabled": true
    });
    for (name, value) in changes.as_object().unwrap() {
        wanted[name] = value.clone();
    }
    let path = format!("/api/v1/organizations/{}/sso-connections", organization.id);
    site.call(Method::POST, &path, Some(&site.mint(|_| ())), Some(wanted)).await.expect(201).json()
}

pub async fn prove(site: &Site<'_>, organization: &Organization, name: &str) {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let (cx, name) = (site.harness.operator(), DomainName::parse(name).unwrap());
    let new = (&name, "challenge".to_owned());
    let made = domains::create(&mut tx, &cx, (organization.id, 10), new).await.unwrap();
    domains::prove(&mut tx, &cx, &made).await.unwrap();
    tx.commit().await.unwrap();
}

/// From the sign-in page by the address to the provider.
pub async fn led(browser: &mut Browser<'_>, world: &World<'_>, address: &str) -> AuthorizationRequest {
    let page = browser.get(&world.web.authorize_path("v", &[])).await.expect(200);
    let page =
        browser.submit(&page, &[("username", address), ("password", "whatever"), ("method", "sso")]).await;
    follow(browser, &page.expect(200)).await
}

pub async fn follow(browser: &mut Browser<'_>, page: &Answer) -> AuthorizationRequest {
    let link = page.body.split("id=\"sso-continue\" href=\"").nth(1).unwrap_or_else(|| panic!("{page:?}"));
    let link = link.split('"').next().unwrap().replace("&amp;", "&");
    AuthorizationRequest(Url::parse(browser.get(&link).await.expect(303).location()).unwrap())
}

#[tokio::test]
async fn a_stranger_becomes_a_member_with_the_roles_of_their_groups_and_is_known_the_next_time() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    let made = connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    assert!(asked.0.as_str().starts_with(&format!("{}/authorize?", provider.issuer)));
    assert_eq!(
        asked.param("redirect_uri"),
        format!("{}{}", world.site.issuer(), made["return_path"].as_str().unwrap())
    );
    assert_eq!(
        (asked.param("code_challenge_method"), asked.param("client_id")),
        ("S256".into(), "svc".into())
    );
    assert_eq!(asked.param("login_hint"), "grace@acme.example");
    let back = provider.vouch(&asked, &h, |_| ());
    let mut answer = None;
    let [actions, events] = left_by(&h, async { answer = Some(browser.get(&back).await) }).await;
    assert!(answer.as_ref().unwrap().is_signed_in(), "{answer:?}");
    for action in
        ["sso_connection.user_provisioned", "sso_connection.identity_bound", "sso_connection.signed_in"]
    {
        assert!(actions.iter().any(|done| done == action), "{action} in {actions:?}");
    }
    for event in ["sso.user.provisioned", "sso.login.success", "org.member.added"] {
        assert!(events.iter().any(|told| told == event), "{event} in {events:?}");
    }
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    assert!(sent.contains("authorization: Basic ") && sent.contains("code_verifier="), "{sent}");
    let silent = world.web.authorize_path("v", &[("organization", "initech"), ("prompt", "none")]);
    assert!(browser.get(&silent).await.is_signed_in());

    let mut other = world.site.browser();
    let asked = led(&mut other, &world, "anyone@acme.example").await;
    let back = provider.vouch(&asked, &h, |claims| claims["groups"] = json!([]));
    let mut answer = None;
    let [actions, _] = left_by(&h, async { answer = Some(other.get(&back).await) }).await;
    assert!(answer.as_ref().unwrap().is_signed_in(), "{answer:?}");
    assert!(!actions.iter().any(|done| done == "sso_connection.user_provisioned"), "{actions:?}");
    assert!(actions.iter().any(|done| done == "organization.member_role_changed"), "{actions:?}");
}

#[tokio::test]
async fn an_answer_that_is_not_the_providers_word_for_this_sign_in_opens_nothing() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider, another) = (World::new(&h).await, Provider::serve().await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let foreign = another.signer.clone();
    type Change = Box<dyn Fn(&mut Value)>;
    let wrongs: Vec<(&str, Change)> = vec![
        ("iss", Box::new(|claims| claims["iss"] = json!("https://other.example"))),
        ("aud", Box::new(|claims| claims["aud"] = json!("another"))),
        ("azp", Box::new(|claims| claims["azp"] = json!("another"))),
        ("two aud", Box::new(|claims| claims["aud"] = json!(["svc", "another"]))),
        ("exp", Box::new(|claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 61))),
        ("iat", Box::new(|claims| claims["iat"] = json!(claims["iat"].as_i64().unwrap() + 3600))),
        ("nonce", Box::new(|claims| claims["nonce"] = json!("another"))),
        ("sub", Box::new(|claims| claims["sub"] = json!(""))),
        ("at_hash", Box::new(|claims| claims["at_hash"] = json!("another"))),
    ];
    for (name, wrong) in wrongs {
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, "grace@acme.example").await;
        let page = browser.get(&provider.vouch(&asked, &h, wrong)).await;
        assert!(page.status == 200 && page.body.contains("id=\"login-submit\""), "{name}: {page:?}");
    }
    // Signed by another provider.
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    let back = provider.vouch(&asked, &h, |_| ());
    let claims = json!({
        "iss": provider.issuer, "sub": "1", "aud": "svc", "iat": h.operator().now.as_secs(),
        "exp": h.operator().now.as_secs() + 300, "nonce": asked.param("nonce"),
    });
    let forged = foreign.sign(&foreign.header(), &claims);
    *provider.tokens.lock().unwrap().values_mut().next().unwrap() = forged;
    assert!(browser.get(&back).await.body.contains("id=\"login-submit\""));
    // Named by another (RFC 9207), replayed, and in another browser.
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    let back = provider.vouch(&asked, &h, |_| ());
    let mixed = browser.get(&format!("{back}&iss=https%3A%2F%2Fother.example")).await;
    assert!(mixed.body.contains("id=\"login-submit\""), "{mixed:?}");
    let mut thief = world.site.browser();
    assert!(!thief.get(&back).await.is_signed_in());
    assert!(browser.get(&back).await.is_signed_in());
    let again = provider.vouch(&asked, &h, |_| ());
    assert!(!browser.get(&again).await.is_signed_in());
}

#[tokio::test]
async fn a_provider_reaches_no_account_by_an_address_that_is_not_of_its_organization() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let (victim, account) = (&world.bob, world.bob.email.clone());
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    let back = provider.vouch(&asked, &h, |claims| claims["email"] = json!(account));
    assert!(browser.get(&back).await.is_signed_in());
    let owners = h.app().db.read(world.site.tenant.id).await.unwrap();
    drop(owners);
    let mut tx = h.app().db.read(world.site.tenant.id).await.unwrap();
    let bound = svc_domain::federation::sso::serving(&mut tx, world.initech.id).await.unwrap().unwrap();
    let identity = svc_domain::federation::sso::Identity {
        connection: bound.id,
        issuer: provider.issuer.clone(),
        subject: "248289".to_owned(),
    };
    let person = svc_domain::federation::sso::person(&mut tx, &identity).await.unwrap().unwrap();
    assert_ne!(person, victim.id);
}

#[tokio::test]
async fn people_of_an_enforced_domain_sign_in_there_and_nowhere_else_whether_they_exist_or_not() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({ "enforced": true, "jit": { "enabled": false } }))
        .await;
    let domain = world.ada.email.rsplit('@').next().unwrap().to_owned();
    prove(&world.site, &world.initech, &domain).await;
    let mut pages = Vec::new();
    for address in [world.ada.email.clone(), format!("none@{domain}")] {
        let mut browser = world.site.browser();
        let page = browser.get(&world.web.authorize_path("v", &[])).await.expect(200);
        let fields = [("username", address.as_str()), ("password", world.ada.password.as_str())];
        let page = browser.submit(&page, &fields).await.expect(200);
        assert!(
            page.body.contains("id=\"sso-continue\"") && !page.body.contains("id=\"login-submit\""),
            "{page:?}"
        );
        assert!(
            page.body.contains("No other way to sign in is accepted for your organization here."),
            "{page:?}"
        );
        pages.push(page.body.split("<main").nth(1).unwrap().split("href=\"").next().unwrap().to_owned());
    }
    assert_eq!(pages[0], pages[1]);
    // By the user name the right password leads there too.
    let mut browser = world.site.browser();
    let page = browser.get(&world.web.authorize_path("v", &[])).await.expect(200);
    let fields = [("username", world.ada.username.as_str()), ("password", world.ada.password.as_str())];
    let page = browser.submit(&page, &fields).await;
    assert!(page.body.contains("id=\"sso-continue\""), "{page:?}");
    let asked = follow(&mut browser, &page).await;
    let email = world.ada.email.clone();
    let back = provider.vouch(&asked, &h, |claims| claims["email"] = json!(email));
    assert!(browser.get(&back).await.is_signed_in());
    // The organization of a request leads there at once.
    let page = world.site.browser().get(&world.web.authorize_path("v", &[("organization", "initech")])).await;
    assert!(page.expect(200).body.contains("id=\"sso-continue\""));
    // So does the domain of the address that a request hints at, whether there is an account or not, and no other hint.
    for (hint, is_led) in [
        (world.ada.email.clone(), true),
        (format!("none@{domain}"), true),
        (format!("none@mail.{domain}"), false),
        (world.ada.username.clone(), false),
    ] {
        let path = world.web.authorize_path("v", &[("login_hint", &hint)]);
        let page = world.site.browser().get(&path).await.expect(200);
        assert_eq!(page.body.contains("id=\"sso-continue\""), is_led, "{hint}: {page:?}");
        assert_eq!(page.body.contains("id=\"login-submit\""), !is_led, "{hint}: {page:?}");
    }
    // Another subject with the same address is not the same person.
    let mut other = world.site.browser();
    let asked = led(&mut other, &world, &world.ada.email).await;
    let email = world.ada.email.clone();
    let back =
        provider.vouch(&asked, &h, |claims| (claims["sub"], claims["email"]) = (json!("2"), json!(email)));
    assert!(!other.get(&back).await.is_signed_in());
}

#[tokio::test]
async fn a_connection_leads_nowhere_in_another_tenant_for_unproven_domains_or_when_it_is_off() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    let made = connect(&world.site, &world.initech, &provider, json!({})).await;
    let ask = async |address: &str| {
        let mut browser = world.site.browser();
        let page = browser.get(&world.web.authorize_path("v", &[])).await.expect(200);
        browser
            .submit(&page, &[("username", address), ("password", "x"), ("method", "sso")])
            .await
            .expect(200)
    };
    assert!(!ask("grace@acme.example").await.body.contains("id=\"sso-continue\""));
    prove(&world.site, &world.initech, "acme.example").await;
    assert!(ask("grace@acme.example").await.body.contains("id=\"sso-continue\""));
    assert!(!ask("grace@mail.acme.example").await.body.contains("id=\"sso-continue\""));
    let other = h.tenant("other").await;
    let web = other.app("web").await;
    let mut browser = other.browser();
    let page = browser.get(&web.authorize_path("v", &[])).await.expect(200);
    let page = browser
        .submit(&page, &[("username", "grace@acme.example"), ("password", "x"), ("method", "sso")])
        .await;
    assert!(!page.body.contains("id=\"sso-continue\""), "{page:?}");
    // What was begun here brings nothing there.
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    let back = provider.vouch(&asked, &h, |_| ());
    assert!(!other.browser().get(&back).await.is_signed_in());
    // Nor once the connection is off.
    let path = format!(
        "/api/v1/organizations/{}/sso-connections/{}",
        world.initech.id,
        made["id"].as_str().unwrap()
    );
    let off = Some(json!({ "enabled": false }));
    let _ = world.site.call(Method::PATCH, &path, Some(&world.site.mint(|_| ())), off).await.expect(200);
    assert!(!browser.get(&back).await.is_signed_in());
    assert!(!ask("grace@acme.example").await.body.contains("id=\"sso-continue\""));
}

#[tokio::test]
async fn an_organization_that_demands_its_provider_is_satisfied_by_it() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let rules = Some(json!({ "sign_in": { "sso": "required" } }));
    let path = format!("/api/v1/organizations/{}", world.initech.id);
    let _ = world.site.call(Method::PATCH, &path, Some(&world.site.mint(|_| ())), rules).await.expect(200);
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    let back = provider.vouch(&asked, &h, |_| ());
    assert!(browser.get(&back).await.is_signed_in());
    let silent = world.web.authorize_path("v", &[("organization", "initech"), ("prompt", "none")]);
    assert!(browser.get(&silent).await.is_signed_in());
}

/// A provider sends the person on to another one with its own way back in place of that one's: the answer with the honest
/// provider's code comes back to the address of the dishonest one, or with the state of a sign-in at the other.
#[tokio::test]
async fn the_answer_of_one_provider_is_not_taken_for_the_answer_of_another() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, honest, evil) = (World::new(&h).await, Provider::serve().await, Provider::serve().await);
    connect(&world.site, &world.initech, &honest, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let other = world.site.organization("evil-corp", world.ada.id).await;
    connect(&world.site, &other, &evil, json!({})).await;
    prove(&world.site, &other, "evil.example").await;
    let mut browser = world.site.browser();
    let to_evil = led(&mut browser, &world, "grace@evil.example").await;
    // The evil provider sends the browser to the honest one, with the state of its own sign-in.
    let to_honest = led(&mut browser, &world, "grace@acme.example").await;
    let back = honest.vouch(&to_honest, &h, |_| ());
    let swapped = back.replace(
        &url::form_urlencoded::byte_serialize(to_honest.param("state").as_bytes()).collect::<String>(),
        &url::form_urlencoded::byte_serialize(to_evil.param("state").as_bytes()).collect::<String>(),
    );
    assert_ne!(swapped, back);
    let _ = browser.get(&swapped).await.expect(403);
    assert!(evil.asked.lock().unwrap().is_empty(), "no code is sent to the evil provider");
    assert!(browser.get(&back).await.is_signed_in());
}

#[tokio::test]
async fn the_page_asks_for_the_address_where_none_was_typed() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let mut browser = world.site.browser();
    let page = browser.get(&world.web.authorize_path("v", &[])).await.expect(200);
    let asks =
        browser.submit(&page, &[("username", ""), ("password", ""), ("method", "sso")]).await.expect(200);
    assert!(!asks.body.contains("id=\"sso-continue\""), "{asks:?}");
    let found = browser.submit(&asks, &[("username", "grace@acme.example"), ("method", "sso")]).await;
    let asked = follow(&mut browser, &found.expect(200)).await;
    assert_eq!(asked.param("login_hint"), "grace@acme.example");
}

#[tokio::test]
async fn who_was_removed_and_is_provisioned_again_signs_in_as_a_new_member() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({ "jit": { "enabled": false, "roles": [] } }))
        .await;
    prove(&world.site, &world.initech, "acme.example").await;
    let body = json!({ "organization_id": world.initech.id, "name": "Entra ID" });
    let admin = world.site.mint(|_| ());
    let made =
        world.site.call(Method::POST, "/api/v1/scim-tokens", Some(&admin), Some(body)).await.expect(201);
    let directory = made.json()["token"].as_str().unwrap().to_owned();
    let provision = async || {
        let address = json!([{ "value": "grace@acme.example" }]);
        let body = json!({ "userName": "grace@acme.example", "emails": address });
        let made = world.site.call(Method::POST, "/scim/v2/Users", Some(&directory), Some(body)).await;
        made.expect(201).json()["id"].as_str().unwrap().to_owned()
    };
    let sign_in = async |groups: Value| {
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, "grace@acme.example").await;
        let back = provider.vouch(&asked, &h, |claims| claims["groups"] = groups);
        assert!(browser.get(&back).await.is_signed_in());
    };
    let first = provision().await;
    sign_in(json!(["writers"])).await;
    h.advance(60);
    let path = format!("/scim/v2/Users/{first}");
    let _ = world.site.call(Method::DELETE, &path, Some(&directory), None).await.expect(204);
    h.advance(60);
    let second = provision().await;
    assert_ne!(first, second);
    sign_in(json!([])).await;
    let path = format!("/api/v1/organizations/{}/members", world.initech.id);
    let listed = world.site.call(Method::GET, &path, Some(&world.site.mint(|_| ())), None).await.expect(200);
    let (listed, is_hers) = (listed.json(), |member: &&Value| member["tenant_user_id"] == second.as_str());
    let member = listed["data"].as_array().unwrap().iter().find(is_hers);
    assert_eq!(member.map(|member| &member["roles"]), Some(&json!([])), "{listed}");
}

#[tokio::test]
async fn a_session_that_a_provider_vouched_for_stays_one_when_its_person_sets_a_password() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let rules = Some(json!({ "sign_in": { "sso": "required" } }));
    let path = format!("/api/v1/organizations/{}", world.initech.id);
    let _ = world.site.call(Method::PATCH, &path, Some(&world.site.mint(|_| ())), rules).await.expect(200);
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
    h.advance(60);
    let page = browser.get("/account/password").await.expect(200);
    let done = browser.submit(&page, &[("password", "relay tangerine lighthouse")]).await;
    assert!(done.begins_session(), "{done:?}");
    let silent = world.web.authorize_path("v", &[("organization", "initech"), ("prompt", "none")]);
    assert!(browser.get(&silent).await.is_signed_in());
}

#[tokio::test]
async fn people_of_an_enforced_domain_do_not_leave_it_by_another_address() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({ "enforced": true })).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
    let before = h.mails().await.len();
    let page = browser.get("/account/email").await.expect(200);
    let refused = browser.submit(&page, &[("email", "grace@private.example")]).await.expect(200);
    assert!(refused.body.contains("Your organization decides how you sign in"), "{refused:?}");
    let mut tx = h.app().db.read(world.site.tenant.id).await.unwrap();
    let grace = tenant_users::find_by_identifier(&mut tx, "grace@acme.example").await.unwrap().unwrap();
    drop(tx);
    let now = h.operator().now.as_secs();
    let token = world.site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(grace.subject), json!("human"));
        (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal2"));
    });
    let body = Some(json!({ "email": "grace@private.example" }));
    let twin = world.site.call(Method::POST, "/api/v1/identity/email", Some(&token), body).await;
    let _ = twin.expect_problem(403, "forbidden");
    assert_eq!(h.mails().await.len(), before);
}

#[tokio::test]
async fn a_hook_keeps_out_whom_a_provider_knows_before_anything_is_written() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider, server) = (World::new(&h).await, Provider::serve().await, Publisher::start().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let json_answer = "200 OK\r\ncontent-type: application/json";
    server.answer_with("/hook", json_answer, &json!({ "verdict": "deny", "message": "No" }).to_string());
    let hook = json!({ "point": "pre_registration", "url": server.url("/hook"), "on_failure": "deny" });
    let admin = world.site.mint(|_| ());
    let _ = world.site.call(Method::POST, "/api/v1/hooks", Some(&admin), Some(hook)).await.expect(201);
    let _ = h.informed_app().await;
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    let back = provider.vouch(&asked, &h, |_| ());
    let mut answer = None;
    let [actions, events] = left_by(&h, async { answer = Some(browser.get(&back).await) }).await;
    let page = answer.unwrap().expect(200);
    assert!(page.body.contains("You cannot register here"), "{page:?}");
    let is_of_newcomer = |name: &String| name.contains("provision") || name.contains("tenant_user");
    assert!(!actions.iter().chain(&events).any(is_of_newcomer), "{actions:?} {events:?}");
    let mut tx = h.app().db.read(world.site.tenant.id).await.unwrap();
    assert!(tenant_users::find_by_identifier(&mut tx, "grace@acme.example").await.unwrap().is_none());
    drop(tx);
    let told: Value = serde_json::from_str(&server.requests("/hook")[0].content).unwrap();
    assert_eq!(told["subject"], json!({ "type": "registration", "email": "grace@acme.example" }));
    assert_eq!(told["organization"]["slug"], "initech");
    // Where it allows them, they are a member as before.
    server.answer_with("/hook", json_answer, &json!({ "verdict": "allow" }).to_string());
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
}
