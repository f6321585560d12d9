//! What an application may answer instead, and what becomes of people then: nothing is lost, and nothing is created twice.

use serde_json::json;
use svc_http::Method;

use super::{TARGETS, Target, call, push, tell, with_application};

/// What a status line and a body say together.
fn fault(status: u16, detail: &str) -> String {
    let schema = "urn:ietf:params:scim:api:messages:2.0:Error";
    json!({ "schemas": [schema], "status": status.to_string(), "detail": detail }).to_string()
}

const USERS: &str = "POST /scim/v2/Users";

#[tokio::test]
async fn an_account_that_is_there_already_is_adopted_by_our_external_id_alone() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let foreign =
        application.has(json!({ "userName": "ada@main.example", "title": "Administrator", "active": true }));
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    let link = target.link(&site, ada.id).await;
    assert_eq!((&link["state"], &link["remote_id"]), (&json!("failed"), &json!(null)));
    let why = link["last_error"].as_str().unwrap();
    assert!(
        why.starts_with("answered 409: uniqueness: there is one; if an account with this userName"),
        "{why}"
    );
    assert!(why.contains(&format!("give it the externalId {}", ada.id)), "{why}");
    assert_eq!(application.all("Users").len(), 1);
    assert_eq!(application.all("Users")[0].get("externalId"), None, "it was not touched");

    // What another person was given is not adopted either.
    application.set(&foreign, "externalId", &json!("usr_of_another"));
    h.advance(11);
    let _ = target.sync(&site).await.expect(200);
    push(&h).await;
    assert_eq!(target.counts(&site).await, [0, 0, 0, 1]);
    assert_eq!(application.asked("PATCH").len() + application.asked("PUT").len(), 0);

    // An administrator of the application says whose it is.
    application.set(&foreign, "externalId", &json!(ada.id));
    h.advance(11);
    let _ = target.sync(&site).await.expect(200);
    push(&h).await;
    assert_eq!(target.link(&site, ada.id).await["remote_id"], foreign.as_str());
    let account = application.of(ada.id).unwrap();
    assert_eq!(
        (&account["displayName"], &account["title"]),
        (&json!("ada of main"), &json!("Administrator"))
    );
}

#[tokio::test]
async fn a_creation_whose_answer_is_lost_is_found_again_also_by_another_process() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    application.loses_answers(true);
    push(&h).await;
    assert_eq!((application.all("Users").len(), target.counts(&site).await), (1, [1, 0, 0, 0]));
    assert!(target.status(&site).await["held_until"].is_string());
    push(&h).await;
    assert_eq!(application.asked(USERS).len(), 1, "an application that is silent is left alone");

    let restarted = h.restarted().await;
    restarted.advance(60);
    push(&restarted).await;
    assert_eq!(target.counts(&site).await, [0, 1, 0, 0]);
    assert_eq!(
        (application.all("Users").len(), application.asked(USERS).len()),
        (1, 1),
        "it is not created twice"
    );
    assert_eq!(target.link(&site, ada.id).await["remote_id"], "r1");
}

#[tokio::test]
async fn a_person_who_is_removed_while_a_creation_is_uncertain_leaves_nothing_there() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::with(&site, &application.base_url(), &json!({ "on_removal": "delete" })).await;
    application.loses_answers(true);
    push(&h).await;
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
    h.advance(60);
    push(&h).await;
    assert!(application.all("Users").is_empty());
    assert!(target.links(&site, "").await.is_empty());
}

#[tokio::test]
async fn an_account_that_was_removed_there_is_created_again() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    application.remove("r1");
    h.advance(11);
    let _ = target.sync(&site).await.expect(200);
    push(&h).await;
    push(&h).await;
    assert_eq!(target.link(&site, ada.id).await["remote_id"], "r2");
    assert_eq!(application.of(ada.id).unwrap()["active"], true);
    // One that is gone before it is deactivated is gone.
    application.remove("r2");
    tell(&site, ada.id, "suspend").await;
    push(&h).await;
    assert!(target.links(&site, "").await.is_empty());
}

#[tokio::test]
async fn an_application_that_asks_for_time_gets_it() {
    for head in ["429 Too Many Requests\r\nretry-after: 120", "503 Service Unavailable\r\nretry-after: 120"] {
        let (h, application) = with_application().await;
        let site = h.tenant("main").await;
        let people = [site.user("ada").await, site.user("grace").await];
        let target = Target::new(&site, &application.base_url()).await;
        for _ in people {
            application.answer_next(USERS, head, "");
        }
        push(&h).await;
        let asked = application.asked("").len();
        assert_eq!(target.counts(&site).await, [2, 0, 0, 0], "{head}");
        let status = target.status(&site).await;
        assert!(status["last_error"].as_str().unwrap().starts_with("answered "), "{status}");
        h.advance(119);
        push(&h).await;
        assert_eq!(application.asked("").len(), asked, "{head}: nothing is asked before");
        h.advance(2);
        push(&h).await;
        assert_eq!(target.counts(&site).await, [0, 2, 0, 0], "{head}");
        assert_eq!(target.status(&site).await["held_until"], json!(null));
        assert_eq!(application.all("Users").len(), 2);
    }
}

#[tokio::test]
async fn a_fault_of_the_application_passes_and_a_refusal_waits_for_the_next_change() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    application.answer_next(USERS, "500 Oops", "");
    let target = Target::with(&site, &application.base_url(), &json!({ "user_name": "username" })).await;
    push(&h).await;
    let link = target.link(&site, ada.id).await;
    assert_eq!((&link["state"], &link["last_error"]), (&json!("waiting"), &json!("answered 500")));
    h.advance(10);
    push(&h).await;
    assert_eq!(target.counts(&site).await, [0, 1, 0, 0]);

    application.answer_next("PATCH", "400 Bad Request", &fault(400, "userName is too short"));
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    let _ = call(&site, Method::PATCH, &path, Some(json!({ "username": "al" }))).await.expect(200);
    push(&h).await;
    let [failed] = target.links(&site, "?state=failed").await.try_into().unwrap();
    assert_eq!(failed["last_error"], "answered 400: userName is too short");
    assert_eq!(failed["remote_id"], "r1");
    h.advance(86_400);
    push(&h).await;
    assert_eq!(application.asked("PATCH").len(), 1, "it is not asked for ever");
    let _ = call(&site, Method::PATCH, &path, Some(json!({ "username": "ada-l" }))).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["userName"], "ada-l");
    assert_eq!(target.counts(&site).await, [0, 1, 0, 0]);
}

#[tokio::test]
async fn an_application_that_refuses_the_token_is_not_asked_again_until_it_has_another() {
    for (head, reason) in [("401 Unauthorized", "unauthorized"), ("403 Forbidden", "forbidden")] {
        let (h, application) = with_application().await;
        let site = h.tenant("main").await;
        site.user("ada").await;
        site.user("grace").await;
        let target = Target::new(&site, &application.base_url()).await;
        for _ in 0..2 {
            application.answer_next(USERS, head, &fault(401, super::TOKEN));
        }
        push(&h).await;
        let now = target.read(&site).await;
        assert_eq!((&now["active"], &now["deactivated_because"]), (&json!(false), &json!(reason)));
        let status = target.status(&site).await;
        assert_eq!((&status["last_error"], &status["people"]["waiting"]), (&json!(reason), &json!(2)));
        let asked = application.asked("").len();
        site.user("joan").await;
        h.advance(86_400);
        push(&h).await;
        assert_eq!(application.asked("").len(), asked, "{reason}");
        let events = call(&site, Method::GET, "/api/v1/events?limit=200", None).await.expect(200).json();
        let told: Vec<_> = events["data"].as_array().unwrap().iter().map(|event| &event["type"]).collect();
        assert!(told.contains(&&json!("admin.scim_target.deactivated")), "{told:?}");

        let change = json!({ "active": true, "secret": "another-token-of-it" });
        let _ = target.change(&site, change).await.expect(200);
        push(&h).await;
        assert_eq!(target.counts(&site).await, [0, 3, 0, 0], "{reason}");
        let last = application.asked(USERS).pop().unwrap();
        assert!(last.head.contains("Bearer another-token-of-it"), "{}", last.head);
        assert_eq!(target.read(&site).await["deactivated_because"], json!(null));
    }
}

#[tokio::test]
async fn an_application_that_takes_nothing_for_days_is_given_up() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let base = application.base_url();
    let target = Target::new(&site, &base).await;
    for day in 0..=5 {
        site.user(&format!("user{day}")).await;
        for _ in 0..20 {
            application.answer_next("", "502 Bad Gateway", "");
        }
        push(&h).await;
        h.advance(86_400);
    }
    push(&h).await;
    let now = target.read(&site).await;
    assert_eq!((&now["active"], &now["deactivated_because"]), (&json!(false), &json!("failing")));
    let list = call(&site, Method::GET, TARGETS, None).await.expect(200).json();
    assert_eq!(list["data"][0]["deactivated_because"], "failing");
}

#[tokio::test]
async fn the_person_who_made_a_target_is_mailed_once_when_the_service_deactivates_it() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let token =
        site.mint(|claims| (claims["subject_type"], claims["sub"]) = (json!("human"), json!(ada.subject)));
    let body = json!({
        "name": "Wiki", "base_url": application.base_url(), "people": { "everyone": true }, "secret": super::TOKEN
    });
    application.answer_next(USERS, "401 Unauthorized", "");
    let _ = site.call(Method::POST, TARGETS, Some(&token), Some(body)).await.expect(201);
    push(&h).await;
    let mails = h.mails().await;
    let told: Vec<_> = mails.iter().filter(|mail| mail.subject == "A SCIM target was deactivated").collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].to == ada.email && told[0].text.contains("refuses the token"), "{:?}", told[0].text);
}

#[tokio::test]
async fn an_application_that_does_not_filter_by_external_id_is_asked_by_user_name() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let known = application.has(json!({ "userName": "ada@main.example", "externalId": ada.id }));
    for head in ["400 Bad Request", "501 Not Implemented"] {
        application.answer_next("GET /scim/v2/Users?filter=externalId", head, &fault(400, "invalidFilter"));
        let target = Target::new(&site, &application.base_url()).await;
        push(&h).await;
        assert_eq!(target.link(&site, ada.id).await["remote_id"], known.as_str(), "{head}");
    }
    assert_eq!(application.all("Users").len(), 1);
}
