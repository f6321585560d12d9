//! What the claims of an organization's provider decide: whether an unknown person belongs to the organization, and their groups.

use serde_json::{Value, json};
use svc_db::{args, quiet_system_sql};
use svc_domain::people::tenant_users;
use svc_http::Method;

use super::World;
use super::sso_sign_in::{LOOPBACK, connect, led, prove};
use crate::changes::left_by;
use crate::harness::Harness;
use crate::harness::provider::Provider;

#[tokio::test]
async fn a_person_of_another_customer_of_the_provider_neither_becomes_a_member_nor_is_taken_for_one() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({ "claims": { "domain": "hd" } })).await;
    prove(&world.site, &world.initech, "acme.example").await;
    prove(&world.site, &world.initech, world.ada.email.rsplit('@').next().unwrap()).await;
    let sign_in = async |address: &str, domain: Value| {
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, address).await;
        let back = provider.vouch(&asked, &h, |claims| {
            (claims["sub"], claims["email"], claims["hd"]) = (json!(address), json!(address), domain);
        });
        browser.get(&back).await.is_signed_in()
    };
    for address in ["grace@acme.example", &world.ada.email] {
        for wrong in [
            Value::Null,
            json!(""),
            json!("other.example"),
            json!("mail.acme.example"),
            json!(["acme.example"]),
        ] {
            assert!(!sign_in(address, wrong.clone()).await, "{address} {wrong}");
        }
        assert!(sign_in(address, json!("ACME.example")).await, "{address}");
        // Who is bound is known by `sub` alone.
        assert!(sign_in(address, Value::Null).await, "{address}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_unknown_person_who_comes_by_several_tabs_at_once_gets_in_by_each() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let mut tabs = Vec::new();
    for _ in 0..4 {
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, "grace@acme.example").await;
        tabs.push((browser, provider.vouch(&asked, &h, |_| ())));
    }
    let coming = tabs.iter_mut().map(|(browser, back)| browser.get(back));
    for answer in futures_util::future::join_all(coming).await {
        assert!(answer.is_signed_in(), "{answer:?}");
    }
}

#[tokio::test]
async fn the_claim_of_the_domain_is_one_line() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    let made = connect(&world.site, &world.initech, &provider, json!({ "claims": { "domain": "hd" } })).await;
    assert_eq!(made["claims"]["domain"], "hd");
    let path = format!(
        "/api/v1/organizations/{}/sso-connections/{}",
        world.initech.id,
        made["id"].as_str().unwrap()
    );
    let admin = world.site.mint(|_| ());
    let wrong = Some(json!({ "claims": { "domain": "h\nd" } }));
    let refused = world.site.call(Method::PATCH, &path, Some(&admin), wrong).await.expect(400);
    assert!(refused.body.contains("claims: name each claim"), "{refused:?}");
    let none = Some(json!({ "claims": { "domain": null } }));
    let changed = world.site.call(Method::PATCH, &path, Some(&admin), none).await.expect(200).json();
    assert_eq!(changed["claims"].get("domain"), None, "{changed}");
}

#[tokio::test]
async fn groups_that_only_userinfo_names_give_their_roles() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let issuer = &provider.issuer;
    let metadata = json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"), "userinfo_endpoint": format!("{issuer}/userinfo"),
        "id_token_signing_alg_values_supported": ["ES256"], "code_challenge_methods_supported": ["S256"],
    });
    let person = json!({ "sub": "248289", "groups": ["writers"] });
    provider.pages.lock().unwrap().extend([
        ("/.well-known/openid-configuration".to_owned(), metadata),
        ("/userinfo".to_owned(), person),
    ]);
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    let back = provider.vouch(&asked, &h, |claims| {
        claims.as_object_mut().unwrap().remove("groups");
    });
    assert!(browser.get(&back).await.is_signed_in());
    let path = format!("/api/v1/organizations/{}/members", world.initech.id);
    let listed = world.site.call(Method::GET, &path, Some(&world.site.mint(|_| ())), None).await.expect(200);
    let listed = listed.json();
    let members = listed["data"].as_array().unwrap();
    assert!(members.iter().any(|member| member["roles"] == json!(["editor"])), "{listed}");
}

#[tokio::test]
async fn a_role_that_was_deleted_neither_keeps_people_out_nor_lets_them_keep_what_their_groups_gave() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    let role = world.site.role("trainee", &[]).await;
    let groups =
        json!([{ "group": "writers", "roles": ["editor"] }, { "group": "staff", "roles": ["trainee"] }]);
    let jit = json!({ "enabled": true, "roles": ["trainee"] });
    let changes = json!({ "group_roles": groups, "jit": jit });
    let made = connect(&world.site, &world.initech, &provider, changes).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let admin = world.site.mint(|_| ());
    let path = format!("/api/v1/roles/{}", role.id);
    let kept =
        world.site.call(Method::DELETE, &path, Some(&admin), None).await.expect_problem(409, "conflict");
    assert!(kept.body.contains(made["id"].as_str().unwrap()), "{kept:?}");
    // As versions did that deleted a role which connections named.
    let mut tx = h.app().db.begin_system().await.unwrap();
    let delete = quiet_system_sql!("a test", "DELETE FROM roles WHERE id = $1");
    tx.execute(delete, args![role.id]).await.unwrap();
    tx.commit().await.unwrap();
    let path = format!("/api/v1/organizations/{}/members", world.initech.id);
    for (groups, roles) in [(json!(["writers", "staff"]), json!(["editor"])), (json!(["staff"]), json!([]))] {
        h.advance(1);
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, "grace@acme.example").await;
        let answer = browser.get(&provider.vouch(&asked, &h, |claims| claims["groups"] = groups)).await;
        assert!(answer.is_signed_in(), "{answer:?}");
        let mut tx = h.app().db.read(world.site.tenant.id).await.unwrap();
        let grace = tenant_users::find_by_identifier(&mut tx, "grace@acme.example").await.unwrap().unwrap();
        drop(tx);
        let listed = world.site.call(Method::GET, &path, Some(&admin), None).await.expect(200).json();
        let mut members = listed["data"].as_array().unwrap().iter();
        let id = grace.id.to_string();
        let member = members.find(|member| member["tenant_user_id"] == id.as_str());
        assert_eq!(member.map(|member| &member["roles"]), Some(&roles), "{listed}");
    }
    // The connection can be switched off all the same, and names no other role that there is not.
    let connection = made["id"].as_str().unwrap();
    let path = format!("/api/v1/organizations/{}/sso-connections/{connection}", world.initech.id);
    let unknown = Some(json!({ "jit": { "enabled": true, "roles": ["intern"] } }));
    let _ = world.site.call(Method::PATCH, &path, Some(&admin), unknown).await.expect(400);
    let off = Some(json!({ "enabled": false }));
    let _ = world.site.call(Method::PATCH, &path, Some(&admin), off).await.expect(200);
}

#[tokio::test]
async fn what_a_provider_publishes_is_read_again_after_the_time_that_the_deployment_says() {
    // In one process: each has its own memory of providers.
    let h = Harness::in_one_process(&[LOOPBACK, ("SVC_ENTERPRISE_SSO__METADATA_TTL_SECS", "60")]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let led_to =
        async || led(&mut world.site.browser(), &world, "grace@acme.example").await.0.path().to_owned();
    assert_eq!(led_to().await, "/authorize");
    let base = &provider.issuer;
    let moved = json!({
        "issuer": base, "authorization_endpoint": format!("{base}/moved"), "token_endpoint": format!("{base}/token"),
        "jwks_uri": format!("{base}/jwks"),
    });
    provider.pages.lock().unwrap().insert("/.well-known/openid-configuration".to_owned(), moved);
    h.advance(59);
    assert_eq!(led_to().await, "/authorize");
    h.advance(1);
    assert_eq!(led_to().await, "/moved");
}

#[tokio::test]
async fn a_word_that_does_not_count_is_an_event() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({ "claims": { "domain": "hd" } })).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let mut browser = world.site.browser();
    let asked = led(&mut browser, &world, "grace@acme.example").await;
    let back = provider.vouch(&asked, &h, |claims| claims["hd"] = json!("other.example"));
    let [actions, events] = left_by(&h, async { browser.get(&back).await }).await;
    assert!(actions.iter().any(|done| done == "sso_connection.sign_in_failed"), "{actions:?}");
    assert!(events.iter().any(|told| told == "sso.login.failed"), "{events:?}");
}

#[tokio::test]
async fn a_provider_whose_tokens_say_where_its_keys_are_is_believed_by_the_keys_of_its_metadata() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    connect(&world.site, &world.initech, &provider, json!({})).await;
    prove(&world.site, &world.initech, "acme.example").await;
    let stranger = Provider::serve().await;
    for (signer, is_let_in) in [(&provider.signer, true), (&stranger.signer, false)] {
        let mut browser = world.site.browser();
        let asked = led(&mut browser, &world, "grace@acme.example").await;
        let mut said = json!({});
        let back = provider.vouch(&asked, &h, |claims| said = claims.clone());
        let mut header = signer.header();
        header["jku"] = json!(format!("{}/jwks", stranger.issuer));
        let token = signer.sign(&header, &said);
        provider.tokens.lock().unwrap().values_mut().for_each(|given| given.clone_from(&token));
        assert_eq!(browser.get(&back).await.is_signed_in(), is_let_in);
    }
}
