//! What is asked on the way to some applications, and what becomes of it when they are deleted.

use serde_json::{Value, json};
use svc_domain::apps;
use svc_http::Method;

use super::{add_field, begin, company, rows};
use crate::harness::{Answer, Client, Harness, Site};

/// A field that is asked on the way to these applications.
fn on_the_way_to(applications: &[&Client<'_>], name: &str) -> Value {
    let ids: Vec<_> = applications.iter().map(|application| &application.id).collect();
    company(&[("name", json!(name)), ("application_ids", json!(ids)), ("required", json!(true))])
}

/// As an application goes that unregisters itself.
async fn unregister(site: &Site<'_>, gone: &Client<'_>) {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    apps::delete(&mut tx, &site.harness.operator(), gone.id.parse().unwrap()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, &format!("/api/v1/{path}"), Some(&site.mint(|_| ())), body).await
}

#[tokio::test]
async fn what_was_asked_on_the_way_to_a_deleted_application_is_not_asked_on_the_way_to_others() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, gone, stays) = (site.app("web").await, site.app("gone").await, site.app("stays").await);
    let _ = add_field(&site, on_the_way_to(&[&gone], "company")).await;
    let shared = add_field(&site, on_the_way_to(&[&gone, &stays], "team")).await;
    let _ = send(&site, Method::DELETE, &format!("applications/{}", gone.id), None).await.expect(204);
    assert_eq!(rows(&h, "sign_up_fields").await, 1);
    let left = send(&site, Method::GET, &format!("sign-up-fields/{shared}"), None).await.expect(200).json();
    assert_eq!(left["application_ids"], json!([stays.id]));
    let ada = site.user("ada").await;
    assert!(begin(&mut site.browser(), &web, &ada).await.0.is_signed_in());
}

#[tokio::test]
async fn a_field_for_an_application_that_unregistered_itself_can_change_and_is_asked_of_no_one_else() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, gone, ada) = (site.app("web").await, site.app("gone").await, site.user("ada").await);
    let field = add_field(&site, on_the_way_to(&[&gone], "company")).await;
    unregister(&site, &gone).await;
    let path = format!("sign-up-fields/{field}");
    let changed = send(&site, Method::PATCH, &path, Some(json!({ "order": 7 }))).await.expect(200).json();
    assert_eq!(changed["application_ids"], json!([gone.id]));
    let theirs = h.tenant("other").await.app("theirs").await.id;
    let wanted = json!({ "application_ids": [gone.id, theirs] });
    let refused = send(&site, Method::PATCH, &path, Some(wanted)).await.expect_problem(400, "bad_request");
    assert!(refused.body.contains(&theirs), "{refused:?}");
    assert!(begin(&mut site.browser(), &web, &ada).await.0.is_signed_in());
}

#[tokio::test]
async fn an_application_that_unregistered_itself_is_taken_out_of_fields_and_hooks_before_long() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (gone, stays) = (site.app("gone").await, site.app("stays").await);
    let mut shared = Vec::new();
    for (name, applications) in [("company", vec![&gone]), ("team", vec![&gone, &stays])] {
        let ids: Vec<_> = applications.iter().map(|application| &application.id).collect();
        let hook = json!({
            "point": "pre_token", "url": "https://receiver.example/hook", "on_failure": "deny", "application_ids": ids
        });
        let hook = send(&site, Method::POST, "hooks", Some(hook)).await.expect(201).json();
        let field = add_field(&site, on_the_way_to(&applications, name)).await;
        shared = vec![format!("sign-up-fields/{field}"), format!("hooks/{}", hook["id"].as_str().unwrap())];
    }
    h.run_jobs().await;
    assert_eq!((rows(&h, "sign_up_fields").await, rows(&h, "hooks").await), (2, 2), "none is gone");
    unregister(&site, &gone).await;
    h.run_jobs().await;
    assert_eq!((rows(&h, "sign_up_fields").await, rows(&h, "hooks").await), (1, 1));
    for path in shared {
        let left = send(&site, Method::GET, &path, None).await.expect(200).json();
        assert_eq!(left["application_ids"], json!([stays.id]), "{path}");
    }
}
