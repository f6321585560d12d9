//! Credentials of people whose account the tenant manages, as an administrator sees and removes them.

use serde_json::{Value, json};
use svc_domain::people::accounts::{self, Email};
use svc_http::Method;

use crate::changes::left_by;
use crate::harness::{Answer, Harness, Person, Site};

const PASSWORD: &str = "compiler nanosecond moth";
const GIVEN: &str = "relay tangerine lighthouse";
const NEW_PASSWORD: &str = "/auth/forgot/password";

/// A person whose account the tenant manages.
async fn managed(site: &Site<'_>) -> Person {
    let new = json!({ "username": "nell", "email": "nell@main.example" });
    let made = call(site, Method::POST, "", Some(new)).await.expect(201).json();
    let id = made["id"].as_str().unwrap();
    let _ = call(site, Method::PUT, &format!("/{id}/password"), Some(json!({ "password": PASSWORD })))
        .await
        .expect(204);
    Person {
        id: id.parse().unwrap(),
        username: "nell".to_owned(),
        email: "nell@main.example".to_owned(),
        password: PASSWORD.to_owned(),
        subject: made["sub"].as_str().unwrap_or_default().to_owned(),
    }
}

async fn call(site: &Site<'_>, method: Method, below: &str, body: Option<Value>) -> Answer {
    let path = format!("/api/v1/tenant-users{below}");
    site.call(method, &path, Some(&site.mint(|_| ())), body).await
}

#[tokio::test]
async fn an_administrator_removes_what_a_person_has_lost_and_the_person_is_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let nell = managed(&site).await;
    let web = site.app("web").await;
    let mut browser = site.sign_in(&web, &nell).await;
    site.second_factor(nell.id).await;
    let all = format!("/{}/credentials", nell.id);
    let listed = call(&site, Method::GET, &all, None).await.expect(200).json();
    let [app] = listed["data"].as_array().unwrap().as_slice() else { panic!("{listed}") };
    assert_eq!((&app["kind"], &app["name"]), (&json!("totp"), &json!("App")));
    let one = format!("{all}/{}", app["id"].as_str().unwrap());
    let [actions, events] = left_by(&h, call(&site, Method::DELETE, &one, None)).await;
    assert!(actions.iter().any(|action| action == "account.credential_removed"), "{actions:?}");
    assert!(events.iter().any(|event| event == "account.credential_removed"), "{events:?}");
    let left = call(&site, Method::GET, &all, None).await.expect(200).json();
    assert_eq!(left["data"], json!([]));
    let _ = call(&site, Method::DELETE, &one, None).await.expect_problem(404, "not_found");
    // Who had the lost device has no session any more.
    let _ = h.informed_app().await;
    let silently = web.authorize_path("v".repeat(43).as_str(), &[("prompt", "none")]);
    let answer = browser.get(&silently).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"), "{answer:?}");
    h.run_jobs().await;
    let mails = h.mails().await;
    let removed = "An authenticator app was removed from your account";
    let told = mails.iter().any(|mail| mail.to == nell.email && mail.text.contains(removed));
    assert!(told, "{mails:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_removals_of_one_credential_at_once_one_is_made() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let nell = managed(&site).await;
    let all = format!("/{}/credentials", nell.id);
    for _ in 0..8 {
        site.second_factor(nell.id).await;
        let listed = call(&site, Method::GET, &all, None).await.expect(200).json();
        let one = format!("{all}/{}", listed["data"][0]["id"].as_str().unwrap());
        let remove = || call(&site, Method::DELETE, &one, None);
        let (first, second) = tokio::join!(remove(), remove());
        let mut answered = [first.status, second.status];
        answered.sort_unstable();
        assert_eq!(answered, [204, 404]);
        h.advance(1);
    }
}

#[tokio::test]
async fn what_an_account_has_that_is_its_owner_s_alone_is_not_shown_and_not_removed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, nell) = (site.user("ada").await, managed(&site).await);
    site.second_factor(ada.id).await;
    site.second_factor(nell.id).await;
    let _ = call(&site, Method::GET, &format!("/{}/credentials", ada.id), None)
        .await
        .expect_problem(403, "forbidden");
    let listed =
        call(&site, Method::GET, &format!("/{}/credentials", nell.id), None).await.expect(200).json();
    let credential = listed["data"][0]["id"].as_str().unwrap();
    let path = format!("/{}/credentials/{credential}", ada.id);
    let _ = call(&site, Method::DELETE, &path, None).await.expect_problem(403, "forbidden");
    let weak = site.mint(|claims| claims["scope"] = json!("tenant-users:read"));
    let path = format!("/api/v1/tenant-users/{}/credentials/{credential}", nell.id);
    let _ =
        site.call(Method::DELETE, &path, Some(&weak), None).await.expect_problem(403, "insufficient_scope");
    let _ = site.call(Method::GET, "/api/v1/tenant-users", Some(&weak), None).await.expect(200);
}

/// Gives the person a password that they have to replace.
async fn given(site: &Site<'_>, person: &Person) {
    let body = json!({ "password": GIVEN, "must_change": true });
    let _ = call(site, Method::PUT, &format!("/{}/password", person.id), Some(body)).await.expect(204);
    site.harness.advance(1);
}

#[tokio::test]
async fn a_password_that_an_administrator_has_given_is_replaced_before_a_session_begins() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (nell, web) = (managed(&site).await, site.app("web").await);
    given(&site, &nell).await;
    let by = |password| [("username", nell.username.as_str()), ("password", password)];
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let led = browser.submit(&page, &by(GIVEN)).await.expect(303);
    assert!(!led.begins_session(), "{led:?}");
    let form = browser.get(led.location()).await.expect(200);
    assert!(form.body.contains("Choose a new password"), "{form:?}");
    let same = browser.submit(&form, &[("password", GIVEN)]).await.expect(200);
    assert!(same.body.contains("easy to guess"), "{same:?}");
    let done = browser.submit(&same, &[("password", PASSWORD)]).await.expect(200);
    assert!(done.body.contains("Sign in with the new one"), "{done:?}");
    h.advance(1);
    let _ = browser.submit(&form, &[("password", "a third one of no use")]).await.expect(403);
    let refused = browser.submit(&done, &by(GIVEN)).await.expect(200);
    assert!(!refused.begins_session(), "{refused:?}");
    assert!(browser.submit(&refused, &by(PASSWORD)).await.is_signed_in());
    h.advance(1);
    let _ = site.sign_in(&web, &nell).await;
    let told = h.mails().await.iter().any(|mail| mail.to == nell.email && mail.text.contains("password"));
    assert!(told, "the owner is notified");
}

#[tokio::test]
async fn a_given_password_alone_replaces_nothing_where_there_is_a_second_factor() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (nell, web) = (managed(&site).await, site.app("web").await);
    site.second_factor(nell.id).await;
    given(&site, &nell).await;
    let by = |password| [("username", nell.username.as_str()), ("password", password)];
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let asked = browser.submit(&page, &by(GIVEN)).await.expect(200);
    assert!(asked.body.contains("id=\"totp-submit\""), "{asked:?}");
    let flow = asked.body.split("name=\"flow\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let _ = browser.get(&format!("{NEW_PASSWORD}?flow={flow}")).await.expect(403);
    let _ = browser.post(NEW_PASSWORD, &[("flow", flow), ("password", PASSWORD)]).await.expect(403);
    let body = json!({ "password": PASSWORD });
    let _ = call(&site, Method::PUT, &format!("/{}/password", nell.id), Some(body)).await.expect(204);
    h.advance(1);
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let asked = browser.submit(&page, &by(PASSWORD)).await.expect(200);
    assert!(asked.body.contains("id=\"totp-submit\""), "{asked:?}");
}

#[tokio::test]
async fn a_password_that_an_administrator_sets_ends_the_lock_of_wrong_guesses() {
    let h = Harness::with(&[("SVC_AUTH__BRUTE_FORCE_MAX_ATTEMPTS", "3")]).await;
    let site = h.tenant("main").await;
    let (nell, web) = (managed(&site).await, site.app("web").await);
    h.advance(1);
    let path = web.authorize_path(&web.verifier(), &[]);
    for (name, password) in [(&nell.username, "wrong"); 3].into_iter().chain([(&nell.email, PASSWORD)]) {
        let mut browser = site.browser();
        let page = browser.get(&path).await.expect(200);
        let refused = browser.submit(&page, &[("username", name), ("password", password)]).await;
        assert!(!refused.begins_session(), "{refused:?}");
    }
    let body = json!({ "password": GIVEN });
    let _ = call(&site, Method::PUT, &format!("/{}/password", nell.id), Some(body)).await.expect(204);
    h.advance(1);
    for name in [&nell.username, &nell.email] {
        let mut browser = site.browser();
        let page = browser.get(&path).await.expect(200);
        let entered = browser.submit(&page, &[("username", name), ("password", GIVEN)]).await;
        assert!(entered.is_signed_in(), "{name}: {entered:?}");
    }
}

#[tokio::test]
async fn who_joins_with_a_password_that_another_person_has_chosen_replaces_it_too() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (nell, web) = (site.stranger("nell").await, site.app("web").await);
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let email = Email::parse(&nell.email).unwrap();
    let account = accounts::find_by_email(&mut tx, &email).await.unwrap().unwrap();
    accounts::have_password_replaced(&mut tx, account.id).await.unwrap();
    tx.commit().await.unwrap();
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let typed = [("username", nell.email.as_str()), ("password", nell.password.as_str())];
    let asked = browser.submit(&page, &typed).await.expect(200);
    assert!(asked.body.contains("/auth/join"), "{asked:?}");
    let led = browser.submit(&asked, &[]).await.expect(303);
    assert!(!led.begins_session(), "{led:?}");
    let form = browser.get(led.location()).await.expect(200);
    let done = browser.submit(&form, &[("password", GIVEN)]).await.expect(200);
    assert!(done.body.contains("Sign in with the new one"), "{done:?}");
}
