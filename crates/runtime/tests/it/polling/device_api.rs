//! `/api/v1/identity/device/requests`: a person lets a device in through an application of theirs.

use serde_json::{Value, json};
use svc_db::system_sql;
use svc_http::Method;

use super::ciba_api::token;
use super::{allow_device, count, poll_device, start};
use crate::harness::{Answer, Client, Harness, Person, Site};

const REQUESTS: &str = "/api/v1/identity/device/requests";

/// A device, and the person who has it before them.
struct World<'h> {
    site: Site<'h>,
    tv: Client<'h>,
    ada: Person,
}

impl<'h> World<'h> {
    async fn new(h: &'h Harness) -> Self {
        let site = h.tenant("main").await;
        let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
        Self { site, tv, ada }
    }

    async fn enter(&self, person: &Person, user_code: &str) -> Answer {
        let body = Some(json!({ "user_code": user_code }));
        self.site.call(Method::POST, REQUESTS, Some(&token(&self.site, person)), body).await
    }

    async fn waiting(&self, person: &Person) -> Vec<Value> {
        let token = token(&self.site, person);
        let list = self.site.call(Method::GET, REQUESTS, Some(&token), None).await.expect(200).json();
        list["data"].as_array().unwrap().clone()
    }

    async fn act(&self, person: &Person, request: &Value, verb: &str) -> Answer {
        let path = format!("{REQUESTS}/{}/{verb}", request["id"].as_str().unwrap());
        self.site.call(Method::POST, &path, Some(&token(&self.site, person)), None).await
    }
}

#[tokio::test]
async fn a_person_enters_the_code_reads_who_asks_and_lets_the_device_in() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let started = start(&world.tv, "openid email offline_access").await;
    assert!(world.waiting(&world.ada).await.is_empty());
    let typed = started.user_code.to_lowercase().replace('-', " ");
    let request = world.enter(&world.ada, &typed).await.expect(200).json();
    assert_eq!(request["user_code"], started.user_code.as_str());
    assert_eq!(
        (&request["application"], &request["client_id"]),
        (&json!("Application tv"), &json!(world.tv.id))
    );
    assert_eq!(request["scope"], "email offline_access openid");
    assert_eq!(world.waiting(&world.ada).await, [request.clone()]);
    let _ = poll_device(&world.tv, &started.device_code).await.expect_problem(400, "authorization_pending");
    let _ = world.act(&world.ada, &request, "approve").await.expect(204);
    assert!(world.waiting(&world.ada).await.is_empty());
    for verb in ["approve", "deny"] {
        let _ = world.act(&world.ada, &request, verb).await.expect_problem(409, "conflict");
    }
    h.advance(5);
    let tokens = poll_device(&world.tv, &started.device_code).await.expect(200).json();
    let id_token = crate::harness::client::claims(tokens["id_token"].as_str().unwrap());
    assert_eq!(id_token["sub"], world.ada.subject.as_str());
}

#[tokio::test]
async fn a_device_that_the_person_turns_away_gets_nothing() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let started = start(&world.tv, "openid").await;
    let request = world.enter(&world.ada, &started.user_code).await.expect(200).json();
    let _ = world.act(&world.ada, &request, "deny").await.expect(204);
    let _ = world.act(&world.ada, &request, "approve").await.expect_problem(409, "conflict");
    let _ = poll_device(&world.tv, &started.device_code).await.expect_problem(400, "access_denied");
}

#[tokio::test]
async fn a_wrong_an_expired_a_used_and_a_foreign_code_are_refused_alike() {
    let h = Harness::new().await;
    let (world, acme) = (World::new(&h).await, h.tenant("acme").await);
    let theirs = acme.public_app("tv").await;
    let (used, expired) = (start(&world.tv, "openid").await, start(&world.tv, "openid").await);
    allow_device(&world.site, &world.ada, &used.user_code).await;
    h.advance(600);
    let foreign = start(&theirs, "openid").await;
    let mut told = Vec::new();
    for bad in [&used.user_code, &expired.user_code, &foreign.user_code, "BCDF-GHJK", "nonsense", "", "<b>"] {
        let refused = world.enter(&world.ada, bad).await.expect_problem(404, "not_found").json();
        told.push(refused["detail"].as_str().unwrap().to_owned());
    }
    told.dedup();
    assert!(told.len() == 1 && told[0].starts_with("user_code: "), "{told:?}");
}

#[tokio::test]
async fn only_who_entered_the_code_decides() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let eve = world.site.user("eve").await;
    let started = start(&world.tv, "openid").await;
    let request = world.enter(&world.ada, &started.user_code).await.expect(200).json();
    assert!(world.waiting(&eve).await.is_empty());
    let _ = world.act(&eve, &request, "approve").await.expect_problem(404, "not_found");
    // The person who enters it last decides, as at the page.
    let _ = world.enter(&eve, &started.user_code).await.expect(200);
    let _ = world.act(&world.ada, &request, "approve").await.expect_problem(404, "not_found");
    let machine = world.site.mint(|claims| claims["sub"] = json!(world.ada.subject));
    let body = Some(json!({ "user_code": started.user_code }));
    let refused = world.site.call(Method::POST, REQUESTS, Some(&machine), body).await;
    let _ = refused.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn an_application_of_others_lets_no_device_in() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let theirs = world.site.app_with("theirs", |app| app.first_party = false).await;
    let started = start(&world.tv, "openid").await;
    let request = world.enter(&world.ada, &started.user_code).await.expect(200).json();
    let approve = format!("{REQUESTS}/{}/approve", request["id"].as_str().unwrap());
    let now = h.operator().now.as_secs();
    let token = world.site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(world.ada.subject), json!("human"));
        (claims["scope"], claims["client_id"]) = (json!("identity:approve"), json!(theirs.id));
        (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
    });
    for (path, body) in [(REQUESTS, Some(json!({ "user_code": started.user_code }))), (&approve, None)] {
        let refused = world.site.call(Method::POST, path, Some(&token), body).await;
        let _ = refused.expect_problem(403, "forbidden");
    }
}

#[tokio::test]
async fn guesses_count_together_with_those_at_the_page() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let started = start(&world.tv, "openid").await;
    for _ in 0..20 {
        let _ = world.enter(&world.ada, "BCDF-GHJK").await.expect(404);
    }
    let refused = world.enter(&world.ada, &started.user_code).await.expect_problem(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), "600");
    let mut browser = super::signed_in(&world.site, &world.ada).await;
    let _ = super::enter(&mut browser, &started.user_code).await.expect(429);
    let events = system_sql!(
        "SELECT COUNT(*) AS number FROM (SELECT type FROM outbox UNION ALL SELECT type FROM events) recorded WHERE type = 'security.brute_force.detected'"
    );
    assert_eq!(count(&h, events).await, 1);
    h.advance(600);
    let started = start(&world.tv, "openid").await;
    let _ = world.enter(&world.ada, &started.user_code).await.expect(200);
}

#[tokio::test]
async fn where_no_device_can_ask_there_is_nothing_to_decide() {
    let h = Harness::with(&[("SVC_DEVICE_AUTHORIZATION__ENABLED", "false")]).await;
    let world = World::new(&h).await;
    let _ = world.enter(&world.ada, "BCDF-GHJK").await.expect(404);
    let listed = world.site.call(Method::GET, REQUESTS, Some(&token(&world.site, &world.ada)), None).await;
    let _ = listed.expect(404);
}
