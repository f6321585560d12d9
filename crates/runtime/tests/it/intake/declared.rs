//! What administrators declare, and what stays as people have accepted it.

use serde_json::json;
use svc_http::Method;

use super::{LONG_AGO, add_field, add_terms, company, document, rows};
use crate::harness::Harness;

#[tokio::test]
async fn a_version_in_effect_stays_as_people_have_accepted_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    let id = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    let path = format!("/api/v1/terms/{id}");
    for change in [
        json!({ "label": "2" }),
        json!({ "effective_at": "2999-01-01T00:00:00Z" }),
        json!({ "documents": { "en": { "url": "https://acme.example/other" } } }),
    ] {
        let refused = site.call(Method::PATCH, &path, Some(&token), Some(change)).await;
        let _ = refused.expect_problem(409, "conflict");
    }
    let may = json!({ "required": false, "accept_again_from": "2026-01-01T00:00:00Z" });
    let changed = site.call(Method::PATCH, &path, Some(&token), Some(may)).await.expect(200).json();
    assert_eq!((&changed["required"], &changed["label"]), (&json!(false), &json!("1")));
    for taken in [document("privacy", "1", "2021-01-01T00:00:00Z"), document("privacy", "2", LONG_AGO)] {
        let refused = site.call(Method::POST, "/api/v1/terms", Some(&token), Some(taken)).await;
        let _ = refused.expect_problem(409, "conflict");
    }
    let future = add_terms(&site, document("privacy", "2", "2999-01-01T00:00:00Z")).await;
    let path = format!("/api/v1/terms/{future}");
    let _ = site.call(Method::PATCH, &path, Some(&token), Some(json!({ "label": "3" }))).await.expect(200);
    let _ = site.call(Method::DELETE, &path, Some(&token), None).await.expect(204);
}

#[tokio::test]
async fn evidence_stays_when_its_version_is_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let id = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    let body = Some(json!({ "terms_id": id }));
    let _ = crate::account::own(&site, &ada, (Method::POST, "/terms"), body).await.expect(204);
    let path = format!("/api/v1/terms/{id}");
    let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
    assert_eq!((rows(&h, "terms").await, rows(&h, "terms_acceptances").await), (0, 1));
    let listed = crate::account::own(&site, &ada, (Method::GET, "/terms"), None).await.expect(200).json();
    assert_eq!(listed["accepted"][0]["url"], "https://acme.example/privacy");
    let path = format!("/api/v1/tenant-users/{}/terms", ada.id);
    let seen = site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    assert_eq!(seen["data"], listed["accepted"]);
}

#[tokio::test]
async fn questions_without_an_answer_are_refused_and_their_number_is_limited() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    let post = |body| site.call(Method::POST, "/api/v1/sign-up-fields", Some(&token), Some(body));
    for (member, value) in [
        ("name", json!("Company")),
        ("type", json!("password")),
        ("application_ids", json!(["app_01jcqzv7y0e8kstk6yq6k3a4mf"])),
        ("choices", json!([{ "value": "a" }])),
        ("max_length", json!(100_000)),
        ("unknown", json!(true)),
    ] {
        let refused = post(company(&[(member, value)])).await.expect(400).json();
        assert!(refused["detail"].as_str().unwrap().contains(member), "{member}: {refused}");
    }
    for number in 0..20 {
        let _ = add_field(&site, company(&[("name", json!(format!("field_{number}")))])).await;
    }
    let _ = post(company(&[])).await.expect_problem(409, "conflict");
}
