//! Single sign-on of organizations as records, and how organizations have their members sign in.

use serde_json::{Value, json};
use svc_domain::organizations::Organization;
use svc_http::Method;

use super::{World, join};
use crate::changes::left_by;
use crate::harness::{Answer, Harness, Site};

const SECRET: &str = "the-secret-of-the-provider";

fn connections(organization: &Organization) -> String {
    format!("/api/v1/organizations/{}/sso-connections", organization.id)
}

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

fn staff() -> Value {
    json!({
        "display_name": "Acme staff", "issuer": "https://login.acme.example", "client_id": "svc", "client_secret": SECRET,
        "jit": { "enabled": true, "roles": ["editor"] },
        "group_roles": [{ "group": "writers", "roles": ["editor"] }],
        "enabled": true, "enforced": true
    })
}

async fn create(site: &Site<'_>, organization: &Organization, wanted: Value) -> Value {
    send(site, Method::POST, &connections(organization), Some(wanted)).await.expect(201).json()
}

#[tokio::test]
async fn a_connection_is_made_read_changed_and_deleted_and_never_shows_its_secret() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, path) = (&world.site, connections(&world.initech));
    let [actions, events] = left_by(&h, create(site, &world.initech, staff())).await;
    assert_eq!(actions, ["sso_connection.created"]);
    assert_eq!(events, ["sso.configured"]);
    let list = send(site, Method::GET, &path, None).await.expect(200);
    assert!(!list.body.contains(SECRET), "{list:?}");
    let made = list.json()["data"][0].clone();
    assert_eq!(made["kind"], "oidc");
    assert_eq!(made["client_auth"], "client_secret_basic");
    assert_eq!(made["claims"], json!({ "email": "email", "name": "name", "groups": "groups" }));
    assert_eq!(made["scopes"], json!(["openid", "profile", "email"]));
    assert_eq!(made["has_client_secret"], true);
    let one = format!("{path}/{}", made["id"].as_str().unwrap());
    let read = send(site, Method::GET, &one, None).await.expect(200);
    assert_eq!(read.json(), made);
    assert!(!read.header("etag").is_empty());
    let changed =
        send(site, Method::PATCH, &one, Some(json!({ "enforced": false, "client_secret": "other" })));
    let changed = changed.await.expect(200);
    assert_eq!(changed.json()["enforced"], false);
    assert_eq!(changed.json()["jit"], made["jit"]);
    let audit =
        send(site, Method::GET, "/api/v1/audit?action=sso_connection.updated", None).await.expect(200);
    let entry = audit.json()["data"][0].clone();
    assert_eq!(entry["detail"]["changes"]["enforced"], json!({ "before": true, "after": false }), "{entry}");
    assert!(!audit.body.contains("\"other\""), "{audit:?}");
    let _ = send(site, Method::DELETE, &one, None).await.expect(204);
    let _ = send(site, Method::GET, &one, None).await.expect(404);
}

#[tokio::test]
async fn a_secret_goes_to_no_other_provider_than_the_one_that_made_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let made = create(&world.site, &world.initech, staff()).await;
    let one = format!("{}/{}", connections(&world.initech), made["id"].as_str().unwrap());
    for elsewhere in [json!({ "issuer": "https://attacker.example" }), json!({ "client_id": "other" })] {
        let refused = send(&world.site, Method::PATCH, &one, Some(elsewhere)).await.expect(400);
        assert!(refused.body.contains("client_secret: give the secret"), "{refused:?}");
    }
    let moved = json!({ "issuer": "https://login.example", "client_secret": "another" });
    let moved = send(&world.site, Method::PATCH, &one, Some(moved)).await.expect(200).json();
    assert_eq!(moved["issuer"], "https://login.example");
    let without = json!({ "client_auth": "private_key_jwt" });
    let without = send(&world.site, Method::PATCH, &one, Some(without)).await.expect(200).json();
    assert_eq!(without["has_client_secret"], false);
}

#[tokio::test]
async fn what_could_not_work_is_refused_with_what_to_do() {
    let h = Harness::with(&[("SVC_ENTERPRISE_SSO__MAX_PER_ORGANIZATION", "2")]).await;
    let world = World::new(&h).await;
    let path = connections(&world.initech);
    for (member, value, told) in [
        ("issuer", json!("http://login.acme.example"), "issuer"),
        ("issuer", json!("https://login.acme.example/?a=b"), "issuer"),
        ("issuer", json!("https://127.0.0.1"), "issuer"),
        ("scopes", json!(["profile"]), "scopes"),
        ("scopes", json!(["openid profile"]), "scopes"),
        ("client_id", json!(""), "client_id"),
        ("client_secret", Value::Null, "client_secret"),
        ("client_auth", json!("private_key_jwt"), "client_secret"),
        ("claims", json!({ "email": "" }), "claims"),
        ("group_roles", json!([{ "group": "a", "roles": [] }]), "group_roles"),
        ("group_roles", json!([{ "group": "a", "roles": ["nobody"] }]), "roles"),
        ("jit", json!({ "enabled": true, "roles": ["nobody"] }), "roles"),
        ("second_factor_acr_values", json!(["a b"]), "second_factor_acr_values"),
        ("second_factor_acr_values", json!(["a", "a"]), "second_factor_acr_values"),
        ("enabled", json!(false), "enforced"),
        ("kind", json!("saml"), "kind"),
        ("other", json!(1), "other"),
    ] {
        let mut wanted = staff();
        wanted[member] = value;
        let refused = send(&world.site, Method::POST, &path, Some(wanted)).await.expect(400);
        assert!(refused.body.contains(told), "{member}: {refused:?}");
    }
    create(&world.site, &world.initech, staff()).await;
    let second = send(&world.site, Method::POST, &path, Some(staff())).await.expect(409);
    assert!(second.body.contains("enforced"), "{second:?}");
    let mut open = staff();
    open["enforced"] = json!(false);
    create(&world.site, &world.initech, open.clone()).await;
    let third = send(&world.site, Method::POST, &path, Some(open)).await.expect(409);
    assert!(third.body.contains("enterprise_sso.max_per_organization"), "{third:?}");
}

#[tokio::test]
async fn a_connection_is_opened_by_those_alone_who_may_give_every_privilege() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let other = h.tenant("other").await;
    let path = connections(&world.initech);
    let token =
        world.site.mint(|claims| claims["scope"] = json!("sso-connections:write organizations:write"));
    let _ = world.site.call(Method::POST, &path, Some(&token), Some(staff())).await.expect(403);
    let token = world.site.mint(|claims| claims["scope"] = json!("organizations:write privileges:grant"));
    let _ = world.site.call(Method::POST, &path, Some(&token), Some(staff())).await.expect(403);
    let made = create(&world.site, &world.initech, staff()).await;
    for (site, organization) in [(&world.site, &world.hooli), (&other, &world.initech)] {
        let foreign = format!("{}/{}", connections(organization), made["id"].as_str().unwrap());
        for method in [Method::GET, Method::DELETE] {
            let _ = send(site, method, &foreign, None).await.expect(404);
        }
        let _ = send(site, Method::PUT, &foreign, Some(staff())).await.expect(404);
        let _ = send(site, Method::POST, &format!("{foreign}/test"), None).await.expect(404);
    }
    let off = Harness::with(&[("SVC_ENTERPRISE_SSO__ENABLED", "false")]).await;
    let world = World::new(&off).await;
    let _ = send(&world.site, Method::GET, &connections(&world.initech), None).await.expect(404);
}

#[tokio::test]
async fn a_test_says_step_by_step_what_the_provider_lacks_and_is_no_means_to_send_requests() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let mut nowhere = staff();
    nowhere["issuer"] = json!("https://nowhere.invalid");
    let made = create(&world.site, &world.initech, nowhere).await;
    let path = format!("{}/{}/test", connections(&world.initech), made["id"].as_str().unwrap());
    let found = send(&world.site, Method::POST, &path, None).await.expect(200).json();
    assert_eq!(found["is_usable"], false);
    let back = found["redirect_uri"].as_str().unwrap().strip_prefix(world.site.issuer()).unwrap();
    assert!(back.starts_with("/auth/return/sso_"), "{back}");
    assert_eq!(found["steps"][0]["step"], "discovery");
    assert_eq!(found["steps"][0]["outcome"], "failed");
    let _ = send(&world.site, Method::POST, &path, None).await.expect(429);
}

pub async fn set_rules(world: &World<'_>, organization: &Organization, rules: Value) {
    let path = format!("/api/v1/organizations/{}", organization.id);
    let changed =
        send(&world.site, Method::PATCH, &path, Some(json!({ "sign_in": rules }))).await.expect(200);
    assert_eq!(changed.json()["sign_in"].as_object().map(|kept| kept.contains_key("sso")), Some(true));
}

#[tokio::test]
async fn an_organization_asks_for_sign_ins_of_its_own_kind() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    join(&world.site, &world.hooli, &world.ada, &[]).await;
    let mut browser = world.site.browser();
    let tokens = world.tokens(&mut browser, &world.ada, &[("organization", "hooli")]).await;
    for (rules, offered) in [
        (json!({ "sso": "required" }), "sso-link"),
        (json!({ "methods": ["sso"] }), "sso-link"),
        (json!({ "methods": ["passkey"] }), "passkey-submit"),
    ] {
        set_rules(&world, &world.initech, rules.clone()).await;
        let _ = h.informed_app().await;
        let silent = world.web.authorize_path("v", &[("organization", "initech"), ("prompt", "none")]);
        let refused = browser.get(&silent).await;
        assert_eq!(refused.redirect_param("error").as_deref(), Some("login_required"), "{rules}");
        let page =
            browser.get(&world.web.authorize_path("v", &[("organization", "initech")])).await.expect(200);
        assert!(page.body.contains(offered) && !page.body.contains("id=\"login-submit\""), "{rules}");
        // What counts in another organization does not come to count there by a refresh.
        let switched = world.refresh(&tokens, &[("organization", "initech")]).await;
        let _ = switched.expect_problem(400, "invalid_grant");
        set_rules(
            &world,
            &world.initech,
            json!({ "sso": "optional", "second_factor": "optional", "methods": [] }),
        )
        .await;
    }
    set_rules(&world, &world.initech, json!({ "methods": ["passkey", "password"] })).await;
    world.tokens(&mut browser, &world.ada, &[("organization", "initech")]).await;
}

#[tokio::test]
async fn an_organization_that_demands_a_second_factor_has_it_set_up() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    set_rules(&world, &world.initech, json!({ "second_factor": "required" })).await;
    let mut browser = world.site.browser();
    world.tokens(&mut browser, &world.ada, &[]).await;
    let silent = world.web.authorize_path("v", &[("organization", "initech"), ("prompt", "none")]);
    assert_eq!(browser.get(&silent).await.redirect_param("error").as_deref(), Some("login_required"));
    let page = browser.get(&world.web.authorize_path("v", &[("organization", "initech")])).await.expect(200);
    assert!(
        page.body.contains("id=\"set-up-totp-begin\"") && !page.body.contains("name=\"password\""),
        "{page:?}"
    );
}

#[tokio::test]
async fn what_the_organization_demands_is_set_up_whatever_strength_the_application_would_like() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    set_rules(&world, &world.initech, json!({ "second_factor": "required" })).await;
    for acr_values in ["urn:svc:aal1", "urn:svc:aal2", "urn:svc:aal2 urn:svc:aal1"] {
        let path = world.web.authorize_path("v", &[("organization", "initech"), ("acr_values", acr_values)]);
        let mut browser = world.site.browser();
        let page = browser.get(&path).await.expect(200);
        let fields = [("username", world.ada.username.as_str()), ("password", &world.ada.password)];
        let page = browser.submit(&page, &fields).await;
        let page = browser.settled(page).await;
        assert!(page.body.contains("id=\"set-up-totp-begin\""), "{acr_values}: {page:?}");
        let again = browser.get(&path).await.expect(200);
        assert!(again.body.contains("id=\"set-up-totp-begin\""), "{acr_values}: {again:?}");
    }
}

#[tokio::test]
async fn where_second_factors_are_off_who_has_none_reads_that_the_organization_demands_one() {
    let h = Harness::with(&[("SVC_TWO_FACTOR__ENABLED", "false")]).await;
    let world = World::new(&h).await;
    set_rules(&world, &world.initech, json!({ "second_factor": "required" })).await;
    let mut browser = world.site.browser();
    world.tokens(&mut browser, &world.ada, &[]).await;
    let page = browser.get(&world.web.authorize_path("v", &[("organization", "initech")])).await.expect(200);
    assert!(page.body.contains("it is not set up in your account"), "{page:?}");
}

#[tokio::test]
async fn a_sign_in_counts_in_an_organization_as_long_as_it_says() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    set_rules(&world, &world.initech, json!({ "session_max_age_secs": 600 })).await;
    let mut browser = world.site.browser();
    world.tokens(&mut browser, &world.ada, &[("organization", "initech")]).await;
    h.advance(601);
    let page = browser.get(&world.web.authorize_path("v", &[("organization", "initech")])).await.expect(200);
    assert!(page.body.contains("id=\"login-submit\""), "{page:?}");
    let elsewhere = browser.get(&world.web.authorize_path("v", &[])).await;
    assert!(elsewhere.redirect_param("code").is_some(), "{elsewhere:?}");
    world.tokens(&mut browser, &world.ada, &[("organization", "initech")]).await;
    for bad in
        [json!({ "session_max_age_secs": 1 }), json!({ "sso": "sometimes" }), json!({ "methods": ["A"] })]
    {
        let path = format!("/api/v1/organizations/{}", world.initech.id);
        let _ = send(&world.site, Method::PATCH, &path, Some(json!({ "sign_in": bad }))).await.expect(400);
    }
}
