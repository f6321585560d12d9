//! Applications and people who mean harm: other people's accounts, addresses inside, and answers that are not what they seem.

use serde_json::json;
use svc_http::Method;

use super::{TOKEN, Target, call, push, with_application};
use crate::harness::Harness;

const USERS: &str = "POST /scim/v2/Users";

#[tokio::test]
async fn an_application_cannot_make_one_account_that_of_two_people() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    application.answer_next(USERS, "201 Created", r#"{"id":"r1"}"#);
    let grace = site.user("grace").await;
    push(&h).await;
    let link = target.link(&site, grace.id).await;
    assert_eq!((&link["state"], &link["remote_id"]), (&json!("failed"), &json!(null)));
    assert_eq!(link["last_error"], "the application gave an id that is another's");
    assert_eq!(target.link(&site, ada.id).await["remote_id"], "r1");
}

#[tokio::test]
async fn an_answer_about_another_or_without_a_usable_id_makes_no_link() {
    for (body, why) in [
        (
            r#"{"id":"x","externalId":"usr_of_another"}"#,
            "the application answered with the externalId of another",
        ),
        (r#"{"id":""}"#, "the application did not say which id it has given"),
        (r#"{"id":".."}"#, "the application did not say which id it has given"),
        (r#"{"id":7}"#, "the application did not say which id it has given"),
        (r#"{"id":"a\nb"}"#, "the application did not say which id it has given"),
        ("no document", "the application did not say which id it has given"),
    ] {
        let (h, application) = with_application().await;
        let site = h.tenant("main").await;
        let ada = site.user("ada").await;
        let target = Target::new(&site, &application.base_url()).await;
        application.answer_next(USERS, "201 Created", body);
        push(&h).await;
        let link = target.link(&site, ada.id).await;
        assert_eq!((&link["state"], &link["last_error"]), (&json!("failed"), &json!(why)), "{body}");
        assert_eq!(link["remote_id"], json!(null));
    }
}

#[tokio::test]
async fn an_id_of_the_application_stays_within_its_own_path() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    Target::with(&site, &application.base_url(), &json!({ "user_name": "username" })).await;
    application.answer_next(USERS, "201 Created", r#"{"id":"../Groups/g1?x=#y"}"#);
    push(&h).await;
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    let _ = call(&site, Method::PATCH, &path, Some(json!({ "username": "ada-l" }))).await.expect(200);
    push(&h).await;
    let [patched] = application.asked("PATCH").try_into().unwrap();
    assert_eq!(patched.path, "/scim/v2/Users/..%2FGroups%2Fg1%3Fx%3D%23y");
}

#[tokio::test]
async fn a_list_with_more_than_was_asked_for_gives_no_foreign_account() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let foreign = application.has(json!({ "userName": "ada@main.example", "externalId": "of-another" }));
    let target = Target::new(&site, &application.base_url()).await;
    let list = json!({ "totalResults": 1, "Resources": [{ "id": foreign, "userName": "ada@main.example" }] });
    for _ in 0..2 {
        application.answer_next("GET /scim/v2/Users?", "200 OK", &list.to_string());
    }
    push(&h).await;
    assert_eq!(target.link(&site, ada.id).await["state"], "failed");
    assert!(application.asked("PATCH").is_empty() && application.asked("PUT").is_empty());

    let twice =
        json!({ "Resources": [{ "id": "a", "externalId": ada.id }, { "id": "b", "externalId": ada.id }] });
    application.answer_next("GET /scim/v2/Users?", "200 OK", &twice.to_string());
    h.advance(11);
    let _ = target.sync(&site).await.expect(200);
    push(&h).await;
    let why = target.link(&site, ada.id).await["last_error"].as_str().unwrap().to_owned();
    assert!(why.starts_with("the application has several accounts"), "{why}");
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_a_long_answer_is_cut() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    application.answer_next(USERS, "307 Elsewhere\r\nlocation: /scim/v2/Elsewhere", "");
    push(&h).await;
    assert_eq!(target.link(&site, ada.id).await["last_error"], "answered 307");
    assert!(application.asked("POST /scim/v2/Elsewhere").is_empty());
    let long = format!(r#"{{"detail":"{}\u0007{}"}}"#, TOKEN, "x".repeat(500_000));
    application.answer_next("GET", "400 Bad", &long);
    application.answer_next("GET", "400 Bad", &long);
    application.answer_next(USERS, "400 Bad", &long);
    h.advance(60);
    push(&h).await;
    assert_eq!(target.link(&site, ada.id).await["last_error"], "answered 400");
}

#[tokio::test]
async fn what_an_application_says_of_a_fault_is_shown_without_the_token() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    let body = json!({ "detail": format!("you said {TOKEN}\u{7}\n{}", "y".repeat(400)) }).to_string();
    application.answer_next(USERS, "400 Bad", &body);
    push(&h).await;
    let why = target.link(&site, ada.id).await["last_error"].as_str().unwrap().to_owned();
    assert!(why.starts_with("answered 400: you said ***y") && why.len() < 330, "{why}");
    assert!(!h.log().contains(TOKEN));
}

#[tokio::test]
async fn an_address_of_this_machine_is_out_of_reach_unless_development_allows_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for base_url in
        ["http://127.0.0.1:9/scim", "https://localhost/scim", "https://[::1]/scim", "https://2130706433/"]
    {
        let body =
            json!({ "name": "App", "base_url": base_url, "people": { "everyone": true }, "secret": TOKEN });
        let refusal = call(&site, Method::POST, super::TARGETS, Some(body)).await.expect(400).json();
        assert!(refusal["detail"].as_str().unwrap().starts_with("base_url: "), "{refusal}");
    }
}

#[tokio::test]
async fn a_target_of_another_tenant_is_unknown_and_its_people_are_not_pushed_here() {
    let (h, application) = with_application().await;
    let (main, other) = (h.tenant("main").await, h.tenant("other").await);
    let target = Target::new(&main, &application.base_url()).await;
    main.user("ada").await;
    other.user("grace").await;
    push(&h).await;
    let names: Vec<_> = application.all("Users").iter().map(|account| account["userName"].clone()).collect();
    assert_eq!(names, ["ada@main.example"]);
    for below in ["", "/status", "/links"] {
        let _ = call(&other, Method::GET, &target.path(below), None).await.expect(404);
    }
    for below in ["/sync", "/test"] {
        let _ = call(&other, Method::POST, &target.path(below), None).await.expect(404);
    }
    let owner = main.user("owner").await;
    let organization = main.organization("acme", owner.id).await;
    let group = main.group("writers", &[]).await;
    for people in [json!({ "organization_ids": [organization.id] }), json!({ "group_ids": [group.id] })] {
        let body =
            json!({ "name": "App", "base_url": application.base_url(), "people": people, "secret": TOKEN });
        let _ = call(&other, Method::POST, super::TARGETS, Some(body)).await.expect(400);
    }
}
