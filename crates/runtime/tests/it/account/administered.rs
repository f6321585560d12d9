//! Credentials of people whose account the tenant manages, as an administrator sees and removes them.

use serde_json::{Value, json};
use svc_http::Method;

use crate::changes::left_by;
use crate::harness::{Answer, Harness, Person, Site};

const PASSWORD: &str = "compiler nanosecond moth";

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
    let told =
        mails.iter().any(|mail| mail.to == nell.email && mail.text.contains("was removed from your account"));
    assert!(told, "{mails:?}");
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
