//! Whatever ends a person's or an application's access ends every way to a new token (N30, I5).

use serde_json::{Value, json};
use svc_domain::apis::management::ADMIN;
use svc_domain::people::tenant_users::{self, NewMember};
use svc_domain::tokens::access_token;
use svc_http::Method;

use super::{is_told, mailed_secret, userinfo};
use crate::breached::{self, UNKNOWN};
use crate::harness::client::{Tokens, claims};
use crate::harness::{Client, Code, Harness, Person, Site};

const API: &str = "https://notes.example";

/// What can end access, and what a refresh is then told.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Suspended,
    SuspendedAndBack,
    Removed,
    PasswordReset,
    AccessEnded,
    AppDisabled,
    AppDeleted,
    ApiDisabled,
    OfflineAccessWithdrawn,
    RefreshGrantWithdrawn,
    Revoked,
}

const ENDS: &[(End, u16, &str)] = &[
    (End::Suspended, 400, "invalid_grant"),
    (End::SuspendedAndBack, 400, "invalid_grant"),
    (End::Removed, 400, "invalid_grant"),
    (End::PasswordReset, 400, "invalid_grant"),
    (End::AccessEnded, 400, "invalid_grant"),
    (End::AppDisabled, 401, "invalid_client"),
    (End::AppDeleted, 401, "invalid_client"),
    (End::ApiDisabled, 400, "invalid_grant"),
    (End::OfflineAccessWithdrawn, 400, "invalid_grant"),
    (End::RefreshGrantWithdrawn, 400, "unauthorized_client"),
    (End::Revoked, 400, "invalid_grant"),
];

/// One tenant with a person who granted an application access to an API.
struct World<'h> {
    site: Site<'h>,
    app: Client<'h>,
    ada: Person,
    tokens: Tokens,
    late: Code,
}

async fn world<'h>(h: &'h Harness, slug: &str) -> World<'h> {
    let site = h.tenant(slug).await;
    site.api(API, &["notes:read"]).await;
    let (app, ada) = (site.app("web").await, site.user_with_roles("ada", &[ADMIN]).await);
    let mut browser = site.browser();
    let asked = [("scope", "openid offline_access notes:read"), ("resource", API)];
    let code = app.code_with(&mut browser, &ada, &asked).await;
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    let late = app.code_with(&mut browser, &ada, &asked).await;
    World { site, app, ada, tokens, late }
}

async fn api_call(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) {
    let token = site.mint(|_| ());
    let answer = site.call(method, path, Some(&token), body).await;
    assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
}

async fn change_app(world: &World<'_>, change: impl FnOnce(&mut Value)) {
    let mut wanted = serde_json::to_value(&world.app.configuration).unwrap();
    change(&mut wanted);
    api_call(&world.site, Method::PUT, &format!("/api/v1/applications/{}", world.app.id), Some(wanted)).await;
}

async fn change_api(site: &Site<'_>, enabled: bool) {
    let token = site.mint(|_| ());
    let all = site.call(Method::GET, "/api/v1/apis", Some(&token), None).await.expect(200).json();
    let id =
        all["data"].as_array().unwrap().iter().find(|api| api["identifier"] == API).unwrap()["id"].clone();
    let wanted = json!({ "name": "Notes", "scopes": [{ "name": "notes:read" }], "enabled": enabled });
    api_call(site, Method::PUT, &format!("/api/v1/apis/{}", id.as_str().unwrap()), Some(wanted)).await;
}

async fn reset_password(world: &World<'_>) {
    let mut browser = world.site.browser();
    let page = browser.get(&world.app.authorize_path(&world.app.verifier(), &[])).await.expect(200);
    let forgot = browser.get(&page.link("forgot-link")).await.expect(200);
    let _ = browser.submit(&forgot, &[("username", &world.ada.username)]).await.expect(200);
    let secret = mailed_secret(world.site.harness).await;
    let page = browser.get(&format!("/auth/reset?token={secret}")).await.expect(200);
    let _ = browser.submit(&page, &[("password", "another long passphrase")]).await.expect(200);
}

async fn bring_about(world: &World<'_>, end: End) {
    let user = format!("/api/v1/tenant-users/{}", world.ada.id);
    match end {
        End::Suspended => api_call(&world.site, Method::POST, &format!("{user}/suspend"), None).await,
        End::SuspendedAndBack => {
            api_call(&world.site, Method::POST, &format!("{user}/suspend"), None).await;
            api_call(&world.site, Method::POST, &format!("{user}/reactivate"), None).await;
        }
        End::Removed => api_call(&world.site, Method::DELETE, &user, None).await,
        End::PasswordReset => reset_password(world).await,
        End::AccessEnded => {
            api_call(&world.site, Method::DELETE, &format!("{user}/sessions"), None).await;
        }
        End::AppDisabled => change_app(world, |app| app["enabled"] = false.into()).await,
        End::AppDeleted => {
            api_call(&world.site, Method::DELETE, &format!("/api/v1/applications/{}", world.app.id), None)
                .await;
        }
        End::ApiDisabled => change_api(&world.site, false).await,
        End::OfflineAccessWithdrawn => {
            change_app(world, |app| app["scope"] = "openid notes:read".into()).await;
        }
        End::RefreshGrantWithdrawn => {
            change_app(world, |app| app["grant_types"] = json!(["authorization_code", "client_credentials"]))
                .await;
        }
        End::Revoked => {
            let _ = world
                .app
                .post("/oauth/revoke", &[("token", world.tokens.refresh_token())], &[])
                .await
                .expect(200);
        }
    }
}

#[tokio::test]
async fn a_refresh_after_the_end_is_refused() {
    let h = Harness::new().await;
    for (number, (end, status, error)) in ENDS.iter().enumerate() {
        let world = world(&h, &format!("t{number}")).await;
        h.advance(1);
        bring_about(&world, *end).await;
        let answer = world.app.refresh(world.tokens.refresh_token()).await;
        assert_eq!((answer.status, &answer.json()["error"]), (*status, &json!(error)), "{end:?}: {answer:?}");
        assert!(!answer.body.contains("access_token"), "{end:?}");
    }
}

#[tokio::test]
async fn a_code_that_was_under_way_is_refused_where_its_person_or_application_ended() {
    let h = Harness::new().await;
    for (number, (end, ..)) in ENDS.iter().enumerate() {
        let world = world(&h, &format!("t{number}")).await;
        h.advance(1);
        bring_about(&world, *end).await;
        let answer = world.app.exchange(&world.late).await;
        let expected = match end {
            End::AppDisabled | End::AppDeleted => 401,
            End::OfflineAccessWithdrawn | End::RefreshGrantWithdrawn | End::Revoked => 200,
            _ => 400,
        };
        assert_eq!(answer.status, expected, "{end:?}: {answer:?}");
        let has_refresh_token = answer.json().get("refresh_token").is_some();
        assert_eq!(has_refresh_token, *end == End::Revoked, "{end:?}: {answer:?}");
    }
}

#[tokio::test]
async fn access_tokens_die_with_their_person_application_and_family() {
    let h = Harness::new().await;
    for (number, (end, ..)) in ENDS.iter().enumerate() {
        let world = world(&h, &format!("t{number}")).await;
        let own = world.app.own_token("notes:read", API).await;
        h.advance(1);
        bring_about(&world, *end).await;
        let stays =
            matches!(end, End::ApiDisabled | End::OfflineAccessWithdrawn | End::RefreshGrantWithdrawn);
        let (services, issuer) = (&h.informed_app().await.services, world.site.issuer());
        let token = world.tokens.access_token();
        let claims =
            access_token::verify(&services.keys.ring_of_deployment(), token, issuer, h.operator().now)
                .unwrap();
        assert_eq!(services.revocations.is_revoked(&claims), !stays, "{end:?}");
        let stamped_later = access_token::Claims { iat: claims.iat + 2, ..claims };
        assert_eq!(services.revocations.is_revoked(&stamped_later), !stays, "{end:?}, by a race");
        if !matches!(end, End::AppDisabled | End::AppDeleted) {
            let told =
                world.app.post("/oauth/introspect", &[("token", world.tokens.access_token())], &[]).await;
            assert_eq!(told.expect(200).json()["active"], stays, "{end:?}");
            let told = world.app.post("/oauth/introspect", &[("token", &own)], &[]).await;
            assert_eq!(
                told.expect(200).json()["active"],
                true,
                "{end:?} is no matter of the application's own token"
            );
            let told =
                world.app.post("/oauth/introspect", &[("token", world.tokens.refresh_token())], &[]).await;
            let lives =
                matches!(end, End::ApiDisabled | End::OfflineAccessWithdrawn | End::RefreshGrantWithdrawn);
            assert_eq!(told.expect(200).json()["active"], lives, "{end:?}");
        }
    }
}

/// The secret of an API key that the person makes.
async fn key_of(site: &Site<'_>, person: &Person) -> String {
    let token = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(person.subject), json!("human"));
    });
    let body = json!({ "name": "mine", "scope": "tenant-users:read" });
    let made = site.call(Method::POST, "/api/v1/api-keys", Some(&token), Some(body)).await.expect(201);
    made.json()["key"].as_str().unwrap().to_owned()
}

async fn status_with(site: &Site<'_>, key: &str) -> u16 {
    site.call(Method::GET, "/api/v1/tenant-users", Some(key), None).await.status
}

#[tokio::test]
async fn an_api_key_of_a_person_ends_with_the_persons_access() {
    let h = Harness::new().await;
    for (number, (end, ..)) in ENDS.iter().enumerate() {
        let world = world(&h, &format!("t{number}")).await;
        let key = key_of(&world.site, &world.ada).await;
        assert_eq!(status_with(&world.site, &key).await, 200);
        h.advance(1);
        bring_about(&world, *end).await;
        let is_of_person = matches!(
            end,
            End::Suspended | End::SuspendedAndBack | End::Removed | End::PasswordReset | End::AccessEnded
        );
        let expected = if is_of_person { 401 } else { 200 };
        assert_eq!(status_with(&world.site, &key).await, expected, "{end:?}");
    }
}

/// The same account as a member of another tenant.
async fn joined(site: &Site<'_>, home: &Site<'_>, person: &Person) -> Person {
    let (db, cx) = (&site.harness.app().db, site.harness.operator());
    let mut tx = db.read(home.tenant.id).await.unwrap();
    let account = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap().account_id;
    drop(tx);
    let mut tx = db.begin(site.tenant.id).await.unwrap();
    let roles = [ADMIN.to_owned()];
    let new = NewMember { username: Some(&person.username), roles: &roles, ..NewMember::of(account) };
    let id = tenant_users::create(&mut tx, &cx, new).await.unwrap();
    let subject = tenant_users::find(&mut tx, id).await.unwrap().unwrap().subject;
    tx.commit().await.unwrap();
    Person { id, subject, ..person.clone() }
}

#[tokio::test]
async fn a_new_password_ends_what_the_old_one_began_at_every_tenant() {
    let h = Harness::new().await;
    let home = world(&h, "home").await;
    let site = h.tenant("elsewhere").await;
    let (app, ada) = (site.app("web").await, joined(&site, &home.site, &home.ada).await);
    let mut browser = site.browser();
    let code = app.code_in(&mut browser, &ada).await;
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    let late = app.code_in(&mut browser, &ada).await;
    let key = key_of(&site, &ada).await;
    assert_eq!(status_with(&site, &key).await, 200);
    h.advance(1);
    reset_password(&home).await;
    assert_eq!(status_with(&site, &key).await, 401);
    h.advance(1);
    let key = key_of(&site, &ada).await;
    assert_eq!(status_with(&site, &key).await, 200, "one that was made since");
    let _ = app.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let _ = app.exchange(&late).await.expect_problem(400, "invalid_grant");
    let silent = browser.get(&app.authorize_path(&app.verifier(), &[("prompt", "none")])).await;
    is_told(&silent, &app, "login_required", "the session is over");
}

#[tokio::test]
async fn a_new_password_ends_also_what_the_old_one_began_while_the_new_one_was_looked_up() {
    let api = breached::api().await;
    let h = breached::asking(&api, &[]).await;
    let home = world(&h, "home").await;
    let site = h.tenant("elsewhere").await;
    let (app, ada) = (site.app("web").await, joined(&site, &home.site, &home.ada).await);
    let mut owner = home.site.sign_in(&home.app, &home.ada).await;
    let page = owner.get("/account/password").await.expect(200);
    api.answer_with("/released", "200 OK", "");
    api.answer_after(&breached::path(UNKNOWN), "/released");
    let change = owner.submit(&page, &[("password", UNKNOWN)]);
    let meanwhile = async {
        api.asked(&breached::path(UNKNOWN)).await;
        h.advance(1);
        let browser = site.sign_in(&app, &ada).await;
        h.advance(1);
        api.ask("/released");
        browser
    };
    let (_, mut thief) = tokio::join!(change, meanwhile);
    let silent = thief.get(&app.authorize_path(&app.verifier(), &[("prompt", "none")])).await;
    is_told(&silent, &app, "login_required", "the session is over");
    let inside = owner.get("/account").await.expect(200);
    assert!(!inside.body.contains("login-submit"), "{inside:?}");
}

#[tokio::test]
async fn what_was_disabled_and_enabled_again_does_not_revive_its_tokens() {
    let h = Harness::new().await;
    let world = world(&h, "main").await;
    h.advance(1);
    bring_about(&world, End::AppDisabled).await;
    change_app(&world, |app| app["enabled"] = true.into()).await;
    let _ = userinfo(&world.site, world.tokens.access_token()).await.expect_problem(401, "invalid_token");
    h.advance(1);
    let again = world.app.tokens(&world.ada).await;
    let _ = userinfo(&world.site, again.access_token()).await.expect(200);
}

#[tokio::test]
async fn an_api_that_is_back_is_refreshed_for_again() {
    let h = Harness::new().await;
    let world = world(&h, "main").await;
    change_api(&world.site, false).await;
    let _ = world.app.refresh(world.tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let own = [("grant_type", "client_credentials"), ("scope", "notes:read"), ("resource", API)];
    let _ = world.app.token(&own, &[]).await.expect_problem(400, "invalid_target");
    change_api(&world.site, true).await;
    let next = Tokens { response: world.app.refresh(world.tokens.refresh_token()).await.expect(200).json() };
    assert_eq!(claims(next.access_token())["aud"], API);
}
