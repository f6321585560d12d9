//! `/api/v1/identity`: the twin of the account centre, for applications of a person.

use serde_json::{Value, json};
use svc_core::Seconds;
use svc_db::{args, quiet_system_sql};
use svc_domain::grants::consents;
use svc_domain::people::sessions::{self, Lifetimes, NewSession};
use svc_domain::people::tenant_users;
use svc_http::Method;
use svc_keys::digest;

use super::{own, token_of};
use crate::backchannel_logout::endings::sign_in_again;
use crate::backchannel_logout::sid;
use crate::changes::left_by;
use crate::harness::Harness;
use crate::harness::client::{Tokens, claims};

#[tokio::test]
async fn a_person_reads_and_changes_their_names() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let read = own(&site, &ada, (Method::GET, "/profile"), None).await.expect(200).json();
    assert_eq!(read["sub"], ada.subject.as_str());
    assert_eq!(read["has_password"], true);
    let patch = json!({ "given_name": " Ada ", "nickname": "Countess" });
    let changed = own(&site, &ada, (Method::PATCH, "/profile"), Some(patch)).await.expect(200).json();
    assert_eq!(changed["names"]["given_name"], "Ada");
    assert_eq!(changed["names"]["name"], read["names"]["name"], "what the patch does not name stays");
    let gone = json!({ "nickname": null });
    let changed = own(&site, &ada, (Method::PATCH, "/profile"), Some(gone)).await.expect(200).json();
    assert_eq!(changed["names"]["nickname"], json!(null));
    for bad in [json!({ "name": "two\nlines" }), json!({ "name": "x".repeat(201) })] {
        let _ =
            own(&site, &ada, (Method::PATCH, "/profile"), Some(bad)).await.expect_problem(400, "bad_request");
    }
    let more = json!({ "email_verified": true });
    let _ =
        own(&site, &ada, (Method::PATCH, "/profile"), Some(more)).await.expect_problem(400, "bad_request");
}

#[tokio::test]
async fn a_name_that_is_refused_is_named_by_its_member() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for member in ["name", "given_name", "family_name", "nickname"] {
        let two_lines = json!({ member: "a\nb" });
        let refused = own(&site, &ada, (Method::PATCH, "/profile"), Some(two_lines)).await;
        let told = refused.expect_problem(400, "bad_request").json()["error_description"].clone();
        assert_eq!(told, format!("{member}: give one line of at most 200 characters"));
    }
}

#[tokio::test]
async fn of_two_changes_of_a_profile_at_once_neither_is_lost() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for round in 0..5 {
        let (given, nick) = (format!("Ada {round}"), format!("Countess {round}"));
        let change = |patch| own(&site, &ada, (Method::PATCH, "/profile"), Some(patch));
        let (first, second) =
            tokio::join!(change(json!({ "given_name": given })), change(json!({ "nickname": nick })));
        let _ = (first.expect(200), second.expect(200));
        let read = own(&site, &ada, (Method::GET, "/profile"), None).await.expect(200).json();
        assert_eq!((&read["names"]["given_name"], &read["names"]["nickname"]), (&json!(given), &json!(nick)));
    }
}

#[tokio::test]
async fn the_first_password_of_an_account_is_mailed_as_one_that_was_set() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let forget = quiet_system_sql!("a test", "UPDATE accounts SET password = NULL WHERE email = $1");
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(forget, args![&ada.email]).await.unwrap();
    tx.commit().await.unwrap();
    let first = json!({ "password": "compiler nanosecond moth" });
    let _ = own(&site, &ada, (Method::PUT, "/password"), Some(first)).await.expect(204);
    let mails = h.mails().await;
    let subjects: Vec<_> = mails.iter().map(|mail| mail.subject.as_str()).collect();
    assert_eq!(subjects, ["Tenant main: your account has a password now"]);
}

#[tokio::test]
async fn a_new_password_ends_every_session_and_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = web.tokens(&ada).await;
    h.advance(1);
    let common = json!({ "password": "password1" });
    let _ =
        own(&site, &ada, (Method::PUT, "/password"), Some(common)).await.expect_problem(400, "bad_request");
    let token = token_of(&site, &ada, 0);
    let new = json!({ "password": "compiler nanosecond moth" });
    let _ = own(&site, &ada, (Method::PUT, "/password"), Some(new)).await.expect(204);
    let _ = web.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let path = "/api/v1/identity/profile";
    let _ = site.call(Method::GET, path, Some(&token), None).await.expect_problem(401, "unauthorized");
    h.advance(1);
    let mails = h.mails().await;
    assert!(mails.iter().any(|mail| mail.subject.contains("password was changed")), "the owner is told");
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let fields = [("username", ada.username.as_str()), ("password", "compiler nanosecond moth")];
    let _ = browser.submit(&page, &fields).await.expect(303);
}

#[tokio::test]
async fn what_changes_how_a_person_signs_in_needs_a_recent_sign_in() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for (method, path, body) in [
        (Method::PUT, "/password", json!({ "password": "compiler nanosecond moth" })),
        (Method::POST, "/email", json!({ "email": "ada@new.example" })),
        (Method::POST, "/totp", json!(null)),
        (Method::POST, "/backup-codes", json!(null)),
        (Method::POST, "/passkeys", json!({ "use": "passkey" })),
        (Method::GET, "/data", json!(null)),
    ] {
        let path = format!("/api/v1/identity{path}");
        let body = Some(body).filter(|body| !body.is_null());
        let late = token_of(&site, &ada, 15 * 60 + 1);
        // As from the assertion of an issuer that the tenant trusts, which is no sign-in here.
        let vouched = site.mint(|claims| {
            (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
            claims["auth_time"] = claims["iat"].clone();
        });
        for token in [late, vouched] {
            let refused = site.call(method.clone(), &path, Some(&token), body.clone()).await;
            let refused = refused.expect_problem(401, "unauthorized");
            let challenge = refused.header("www-authenticate");
            assert!(challenge.contains("error=\"insufficient_user_authentication\""), "{path}: {challenge}");
            assert!(challenge.contains("max_age=\"900\""), "{path}: {challenge}");
        }
    }
    let path = "/api/v1/identity/profile";
    let _ = site.call(Method::GET, path, Some(&token_of(&site, &ada, 3600)), None).await.expect(200);
}

#[tokio::test]
async fn a_sign_in_of_exactly_fifteen_minutes_ago_is_recent_for_the_page_and_the_api() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    h.advance(15 * 60);
    for (ago, status) in [(15 * 60, 200), (15 * 60 + 1, 401)] {
        let page = browser.get("/account/email").await.expect(200);
        let token = token_of(&site, &ada, ago);
        let _ = site.call(Method::GET, "/api/v1/identity/data", Some(&token), None).await.expect(status);
        assert_eq!(page.body.contains("login-submit"), status == 401, "{ago}: {page:?}");
        h.advance(1);
    }
}

#[tokio::test]
async fn sessions_are_listed_and_ended_but_for_the_one_of_the_call() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    for _ in 0..2 {
        site.sign_in(&web, &ada).await;
        h.advance(1);
    }
    let listed = own(&site, &ada, (Method::GET, "/sessions"), None).await.expect(200).json();
    let ids: Vec<_> = listed["data"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    assert_eq!(ids.len(), 2);
    let first = own(&site, &ada, (Method::GET, "/sessions?limit=1"), None).await.expect(200).json();
    assert_eq!(first["data"], json!([listed["data"][0]]));
    let next = format!("/sessions?limit=1&cursor={}", first["next_cursor"].as_str().unwrap());
    let last = own(&site, &ada, (Method::GET, &next), None).await.expect(200).json();
    assert_eq!(last, json!({ "data": [listed["data"][1]], "next_cursor": null }));
    let token = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        claims["sid"] = ids[0].clone();
    });
    let path = "/api/v1/identity/sessions";
    let listed = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    assert_eq!(listed["data"][0]["is_current"], true);
    assert_eq!(listed["data"][1]["is_current"], false);
    let _ = site.call(Method::DELETE, path, Some(&token), None).await.expect(204);
    let listed = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    assert_eq!(listed["data"][0]["id"], ids[0]);
    let gone = format!("/sessions/{}", ids[1].as_str().unwrap());
    let _ = own(&site, &ada, (Method::DELETE, &gone), None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_token_of_before_a_further_sign_in_spares_the_session_in_which_the_person_is_now() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let code = web.code_in(&mut browser, &ada).await;
    let before = Tokens { response: web.exchange(&code).await.expect(200).json() };
    let after = sign_in_again(&mut browser, &web, &ada).await;
    site.sign_in(&web, &ada).await;
    let token = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        claims["sid"] = sid(&before);
    });
    let path = "/api/v1/identity/sessions";
    let _ = site.call(Method::DELETE, path, Some(&token), None).await.expect(204);
    let listed = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "{listed}");
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["is_current"]), (&sid(&after), &json!(true)));
}

#[tokio::test]
async fn a_token_that_may_outlive_its_session_spares_that_session_and_itself() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = web.tokens(&ada).await;
    let issued = claims(tokens.access_token());
    assert_eq!(issued["sid"], json!(null));
    h.advance(1);
    site.sign_in(&web, &ada).await;
    let token = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        claims["jti"] = issued["jti"].clone();
    });
    let path = "/api/v1/identity/sessions";
    let listed = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    let current: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|one| one["is_current"].clone()).collect();
    assert_eq!(current, [false, true], "the newest comes first");
    let _ = site.call(Method::DELETE, path, Some(&token), None).await.expect(204);
    let left = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    assert_eq!(left["data"], json!([listed["data"][1]]));
    let _ = web.refresh(tokens.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn however_many_sessions_there_are_all_others_end() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let first = web.tokens(&ada).await;
    h.advance(1);
    let (db, cx) = (&h.app().db, h.operator());
    let mut tx = db.begin(site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    let lifetimes = Lifetimes { idle: Seconds(3600), absolute: Seconds(3600) };
    for nth in 0..120 {
        let new = NewSession {
            digest: digest(&format!("session {nth}")),
            amr: &["pwd"],
            acr: "urn:svc:aal1",
            auth_time: cx.now,
            user_agent: "",
        };
        sessions::create(&mut tx, &cx, &person, new, lifetimes).unwrap();
    }
    tx.commit().await.unwrap();
    let listed = own(&site, &ada, (Method::GET, "/sessions"), None).await.expect(200).json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 121);
    let _ = own(&site, &ada, (Method::DELETE, "/sessions"), None).await.expect(204);
    let listed = own(&site, &ada, (Method::GET, "/sessions"), None).await.expect(200).json();
    assert_eq!(listed["data"], json!([]), "the call was made in none of them");
    let _ = web.refresh(first.refresh_token()).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn consents_are_taken_back_and_organizations_left_by_the_person_alone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let third = site.app_with("third", |configuration| configuration.first_party = false).await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let mut tokens = None;
    let [_, events] = left_by(&h, async { tokens = Some(third.tokens(&ada).await) }).await;
    assert!(events.contains(&"consent.granted".to_owned()), "{events:?}");
    let tokens = tokens.unwrap();
    let club = site.organization("club", bob.id).await;
    site.member(&club, ada.id).await;
    h.advance(1);
    let consents = own(&site, &ada, (Method::GET, "/consents"), None).await.expect(200).json();
    assert_eq!(consents["data"][0]["application_id"], third.id.as_str());
    let one = format!("/consents/{}", third.id);
    let _ = own(&site, &bob, (Method::DELETE, &one), None).await.expect_problem(404, "not_found");
    let taking = async { own(&site, &ada, (Method::DELETE, &one), None).await.expect(204) };
    let [_, events] = left_by(&h, taking).await;
    assert!(events.contains(&"consent.revoked".to_owned()), "{events:?}");
    let _ = third.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let places = own(&site, &ada, (Method::GET, "/organizations"), None).await.expect(200).json();
    assert_eq!(places["data"][0]["slug"], "club");
    let one = format!("/organizations/{}", club.id);
    let _ = own(&site, &bob, (Method::DELETE, &one), None).await.expect_problem(409, "conflict");
    let _ = own(&site, &ada, (Method::DELETE, &one), None).await.expect(204);
    let _ = own(&site, &ada, (Method::DELETE, &one), None).await.expect_problem(404, "not_found");
    let data = own(&site, &ada, (Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!((&data["consents"], &data["organizations"]), (&json!([]), &json!([])));
    assert_eq!(data["sub"], ada.subject.as_str());
}

#[tokio::test]
async fn however_much_a_person_has_allowed_all_of_it_is_shown() {
    const MANY: usize = 201;
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let (app, scope) = (web.id.parse().unwrap(), "notes:read".parse().unwrap());
    for number in 0..MANY {
        let api = format!("https://api-{number}.example");
        consents::grant(&mut tx, &h.operator(), ada.id, app, (api.as_str(), &scope)).await.unwrap();
    }
    let ours = site.tenant.api_audience();
    let stored = site.tenant.stored_audience(&ours);
    consents::grant(&mut tx, &h.operator(), ada.id, app, (stored, &scope)).await.unwrap();
    tx.commit().await.unwrap();
    let is_of_ours = |consent: &Value| consent["audience"] == ours.as_str();
    let listed = own(&site, &ada, (Method::GET, "/consents"), None).await.expect(200).json();
    let listed = listed["data"].as_array().unwrap();
    assert!(listed.len() == MANY + 1 && listed.iter().any(is_of_ours), "{listed:?}");
    let data = own(&site, &ada, (Method::GET, "/data"), None).await.expect(200).json();
    let taken_along = data["consents"].as_array().unwrap();
    assert!(taken_along.len() == MANY + 1 && taken_along.iter().any(is_of_ours), "{taken_along:?}");
    let page = site.sign_in(&web, &ada).await.get("/auth/access").await.expect(200);
    assert_eq!(page.body.matches("id=\"access-remove-").count(), MANY + 1);
}

#[tokio::test]
async fn an_application_acts_for_the_person_of_its_token_alone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let path = "/api/v1/identity/profile";
    let machine = site.mint(|_| ());
    let _ = site.call(Method::GET, path, Some(&machine), None).await.expect_problem(403, "forbidden");
    let delegated = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        claims["act"] = json!({ "sub": "agent" });
    });
    let _ = site.call(Method::GET, path, Some(&delegated), None).await.expect_problem(403, "forbidden");
    let third = site.app_with("third", |configuration| configuration.first_party = false).await;
    let foreign = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        claims["client_id"] = json!(third.id);
    });
    let _ = site.call(Method::GET, path, Some(&foreign), None).await.expect_problem(403, "forbidden");
    let unknown = site.mint(|claims| claims["subject_type"] = json!("human"));
    let _ = site.call(Method::GET, path, Some(&unknown), None).await.expect_problem(404, "not_found");
}
