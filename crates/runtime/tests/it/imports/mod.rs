//! People brought from other systems: what an import may do, what it may not, and how the old passwords become ours.

mod export;
pub mod factors;
mod systems;
mod takeover;

use serde_json::{Value, json};
use svc_db::{SystemSql, Tx, args};
use svc_domain::people::accounts::{self, Email};
use svc_domain::people::{changes, credentials};
use svc_domain::tenancy::plans;
use svc_http::{Body, Method, Request};

use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const IMPORTS: &str = "/api/v1/imports";
const USERS: &str = "/api/v1/tenant-users";
/// bcrypt of [`PASSWORD`].
pub const BCRYPT: &str = "$2b$06$GB1hhGuR3tinEsCC9J3W5uXsLPVZSa6KesZRG.iSfnwT7fS6R74Fm";
const PASSWORD: &str = "correct horse battery";

async fn begun(site: &Site<'_>, more: Value) -> String {
    let mut body = json!({ "source": "elsewhere" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = site.call(Method::POST, IMPORTS, Some(&site.mint(|_| ())), Some(body)).await.expect(201);
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn sent(site: &Site<'_>, token: &str, place: (&str, u32), lines: &[Value]) -> Answer {
    sent_as(site, token, place, ("application/x-ndjson", lines)).await
}

async fn sent_as(
    site: &Site<'_>,
    token: &str,
    (import, chunk): (&str, u32),
    (media_type, lines): (&str, &[Value]),
) -> Answer {
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let request = Request::put(format!("{IMPORTS}/{import}/chunks/{chunk}"))
        .header("host", &site.host)
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", media_type);
    site.harness.send(request.body(Body::from(body)).unwrap()).await
}

/// An import of these lines.
pub async fn imported(site: &Site<'_>, more: Value, lines: &[Value]) -> Value {
    let import = begun(site, more).await;
    sent(site, &site.mint(|_| ()), (&import, 1), lines).await.expect(200).json()
}

/// The stored password of the account with an address.
async fn stored(h: &Harness, email: &str) -> Option<String> {
    let mut tx = h.app().db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT password FROM accounts WHERE email_key = $1");
    tx.one(select, args![email]).await.unwrap().maybe_text("password").unwrap()
}

async fn member(site: &Site<'_>, email: &str) -> Value {
    let path = format!("{USERS}?email={email}");
    let page = site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    page["data"][0].clone()
}

/// What the sign-in page answers.
async fn attempt<'h>(client: &Client<'h>, email: &str, password: &str) -> (Browser<'h>, Answer) {
    let mut browser = client.site.browser();
    let page = browser.get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    let answer = browser.submit(&page, &[("username", email), ("password", password)]).await;
    (browser, answer)
}

/// Signs in with the old password, after which the hash is ours.
pub async fn signs_in_with_the_old_password(
    site: &Site<'_>,
    client: &Client<'_>,
    email: &str,
    password: &str,
) {
    let h = site.harness;
    let before = stored(h, email).await.unwrap();
    let (_, wrong) = attempt(client, email, "another password").await;
    assert_eq!(wrong.status, 200, "{wrong:?}");
    assert_eq!(stored(h, email).await.unwrap(), before);
    let person = Person {
        id: member(site, email).await["id"].as_str().unwrap().parse().unwrap(),
        username: email.to_owned(),
        email: email.to_owned(),
        password: password.to_owned(),
        subject: String::new(),
    };
    client.tokens(&person).await;
    let after = stored(h, email).await.unwrap();
    assert!(after.starts_with("$argon2id$v=19$m=8192,t=1,p=1$") && after != before, "{before} {after}");
    client.tokens(&person).await;
    assert_eq!(stored(h, email).await.unwrap(), after);
}

#[tokio::test]
async fn a_person_signs_in_with_the_old_password_and_the_hash_becomes_ours() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let line = json!({
        "external_id": "1", "email": "grace@old.example", "email_verified": true, "roles": ["editor"],
        "profile": { "name": "Grace Hopper", "phone_number": "+15550100", "phone_number_verified": true },
        "public_metadata": { "plan": "gold" }, "factors": [{ "type": "smoke-signal", "secret": "JBSWY3DPEHPK3PXP" }],
        "password_hash": { "value": BCRYPT },
    });
    let outcome = imported(&site, json!({}), &[line]).await;
    assert_eq!(outcome["counts"]["created"], 1, "{outcome}");
    let grace = member(&site, "grace@old.example").await;
    assert_eq!((&grace["name"], &grace["roles"]), (&json!("Grace Hopper"), &json!(["editor"])));
    assert_eq!((&grace["status"], &grace["email_verified"]), (&json!("active"), &json!(false)));
    let app = site.app("old").await;
    signs_in_with_the_old_password(&site, &app, "grace@old.example", PASSWORD).await;
}

/// Gives a tenant a plan that counts its members, and lets it have many.
async fn counts_members(site: &Site<'_>) {
    let (h, tenant) = (site.harness, site.tenant.id);
    let plan = json!({ "name": "starter", "quotas": { "tenant_users": 100 } });
    let plan = serde_json::from_value(plan).unwrap();
    let mut tx = h.app().db.begin_system().await.unwrap();
    let plan = plans::create(&mut tx, &h.operator(), tenant.reference(), plan).await.unwrap();
    let update = SystemSql::new("UPDATE tenants SET plan_id = $2 WHERE id = $1");
    assert_eq!(tx.execute(update, args![tenant, plan.id]).await.unwrap(), 1);
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_import_and_one_of_its_people_who_joins_at_the_same_time_take_turns() {
    let h = Harness::pooled().await;
    let site = h.tenant("main").await;
    counts_members(&site).await;
    let zoe = site.stranger("zoe").await;
    let import = begun(&site, json!({})).await;
    let (db, cx) = (&h.app().db, h.operator());
    let mut open = db.begin(site.tenant.id).await.unwrap();
    let email = Email::parse(&zoe.email).unwrap();
    let account = accounts::find_by_email(&mut open, &email).await.unwrap().unwrap().id;
    credentials::held_of_account(&mut open, account).await.unwrap();
    let (token, lines) =
        (site.mint(|_| ()), [json!({ "email": "grace@old.example" }), json!({ "email": zoe.email })]);
    let importing = Box::pin(sent(&site, &token, (&import, 1), &lines));
    let importing = svc_testkit::meanwhile_then(db, open, importing, async |open: &mut Tx<_>| {
        changes::join(open, &cx, account).await.unwrap();
    });
    let outcome = importing.await.expect(200).json();
    let counts = &outcome["counts"];
    assert_eq!([&counts["created"], &counts["failed"]], [&json!(1), &json!(0)], "{outcome}");
    assert_eq!(member(&site, &zoe.email).await["status"], "active");
}

#[tokio::test]
async fn a_bad_line_is_named_with_its_field_and_stops_no_other() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let lines = [
        json!({ "email": "one@old.example" }),
        json!({ "email": "not an address", "external_id": "2" }),
        json!({ "email": "three@old.example", "colour": "blue" }),
        json!({ "email": "four@old.example", "roles": ["nobody-made-this"] }),
        json!({ "email": "five@old.example", "password_hash": { "value": "plain-secret-text" } }),
        json!({ "profile": { "name": "Nobody" } }),
        json!({ "email": "seven@old.example", "username": "seven" }),
        json!({ "email": "eight@old.example", "username": "Seven" }),
    ];
    let outcome = imported(&site, json!({}), &lines).await;
    assert_eq!(outcome["counts"]["created"], 2, "{outcome}");
    let fields: Vec<_> = outcome["failures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|failure| (failure["line"].as_u64().unwrap(), failure["errors"][0]["field"].clone()))
        .collect();
    let named = |line: u64, field: &str| (line, json!(field));
    assert_eq!(
        fields,
        [
            named(2, "email"),
            (3, Value::Null),
            named(4, "roles"),
            named(5, "password_hash"),
            named(6, "email"),
            named(8, "username")
        ],
        "{outcome}"
    );
    assert!(outcome.to_string().contains("colour") && !outcome.to_string().contains("plain-secret-text"));
}

#[tokio::test]
async fn claims_that_applications_could_not_read_are_refused_by_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let line = |number: u32, profile: Value| json!({ "email": format!("p{number}@old.example"), "profile": profile });
    let fit = json!({ "birthdate": "1906-12-09", "picture": "http://old.example/1.png", "zoneinfo": "Europe/Paris" });
    let lines = [
        line(1, fit),
        line(2, json!({ "birthdate": "0000-12-09", "website": "https://grace.example" })),
        line(3, json!({ "birthdate": "09/12/1906" })),
        line(4, json!({ "picture": "javascript:alert(1)", "website": "grace", "birthdate": "soon" })),
        line(5, json!({ "name": "Ada", "picture": "", "website": "", "birthdate": "" })),
        line(6, json!({ "zoneinfo": "Romance Standard Time" })),
    ];
    let outcome = imported(&site, json!({}), &lines).await;
    assert_eq!(outcome["counts"]["created"], 3, "{outcome}");
    let failures = outcome["failures"].as_array().unwrap().iter();
    let named = failures.flat_map(|failure| {
        let line = failure["line"].as_u64().unwrap();
        let errors = failure["errors"].as_array().unwrap().iter();
        errors.map(move |error| (line, error["field"].as_str().unwrap()))
    });
    let expected = [
        (3, "profile.birthdate"),
        (4, "profile.picture"),
        (4, "profile.website"),
        (4, "profile.birthdate"),
        (6, "profile.zoneinfo"),
    ];
    assert_eq!(named.collect::<Vec<_>>(), expected, "{outcome}");
}

#[tokio::test]
async fn a_chunk_that_comes_again_changes_nothing_and_other_lines_under_its_number_are_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (import, token) = (begun(&site, json!({ "on_conflict": "fail" })).await, site.mint(|_| ()));
    let lines = [json!({ "email": "one@old.example" }), json!({ "email": "two@old.example" })];
    let first = sent(&site, &token, (&import, 1), &lines).await.expect(200).json();
    assert_eq!(sent(&site, &token, (&import, 1), &lines).await.expect(200).json(), first);
    let _ = sent(&site, &token, (&import, 1), &lines[..1]).await.expect_problem(409, "conflict");
    let _ = sent(&site, &token, (&import, 3), &lines).await.expect_problem(409, "conflict");
    let again = sent(&site, &token, (&import, 2), &lines).await.expect(200).json();
    assert_eq!(again["counts"]["failed"], 2, "{again}");
    let path = format!("{IMPORTS}/{import}");
    let progress = site.call(Method::GET, &path, Some(&token), None).await.expect(200).json();
    assert_eq!((&progress["chunks"], &progress["counts"]["lines"]), (&json!(2), &json!(4)));
    assert_eq!((&progress["counts"]["created"], &progress["counts"]["failed"]), (&json!(2), &json!(2)));
    let many: Vec<_> = (0..201).map(|number| json!({ "email": format!("p{number}@old.example") })).collect();
    let _ = sent(&site, &token, (&import, 3), &many).await.expect_problem(400, "bad_request");
}

#[tokio::test]
async fn a_chunk_is_taken_under_either_name_of_json_lines_and_under_no_other() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (import, token) = (begun(&site, json!({})).await, site.mint(|_| ()));
    let lines = [json!({ "email": "one@old.example" })];
    let named = ["application/x-ndjson", "application/jsonl", "Application/JSONL; charset=utf-8"];
    for (chunk, name) in (1..).zip(named) {
        let _ = sent_as(&site, &token, (&import, chunk), (name, &lines)).await.expect(200);
    }
    for other in ["application/json", "text/plain", "application/jsonlines"] {
        let refused = sent_as(&site, &token, (&import, 4), (other, &lines)).await;
        let refused = refused.expect_problem(415, "unsupported_media_type").json();
        let told = "the request body must be application/x-ndjson or application/jsonl";
        assert_eq!(refused["detail"], told);
    }
}

#[tokio::test]
async fn an_empty_chunk_does_not_take_the_number_of_the_one_with_lines() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (import, token) = (begun(&site, json!({})).await, site.mint(|_| ()));
    let refused = sent(&site, &token, (&import, 1), &[]).await.expect_problem(400, "bad_request");
    assert_eq!(refused.json()["detail"], "the request body: send 1 to 200 lines in one chunk");
    let lines = [json!({ "email": "one@old.example" }), json!("two@old.example")];
    let outcome = sent(&site, &token, (&import, 1), &lines).await.expect(200).json();
    assert_eq!(outcome["counts"]["created"], 1, "{outcome}");
    let fault = json!({ "field": null, "detail": "the line: expected an object" });
    assert_eq!(outcome["failures"], json!([{ "line": 2, "errors": [fault] }]));
}

#[tokio::test]
async fn a_line_is_named_by_its_number_in_the_chunk_where_others_are_empty() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let import = begun(&site, json!({})).await;
    let request = Request::put(format!("{IMPORTS}/{import}/chunks/1"))
        .header("host", &site.host)
        .header("authorization", format!("Bearer {}", site.mint(|_| ())))
        .header("content-type", "application/jsonl");
    let body = Body::from("\r\n{\"email\":\"one@old.example\"}\n\nnothing\n");
    let outcome = h.send(request.body(body).unwrap()).await.expect(200).json();
    assert_eq!((&outcome["counts"]["lines"], &outcome["counts"]["created"]), (&json!(2), &json!(1)));
    assert_eq!(outcome["failures"][0]["line"], 4, "{outcome}");
}

#[tokio::test]
async fn a_dry_run_judges_every_line_and_changes_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let lines = [json!({ "email": "one@old.example" }), json!({ "email": "nothing" })];
    let outcome = imported(&site, json!({ "dry_run": true }), &lines).await;
    assert_eq!((&outcome["counts"]["created"], &outcome["counts"]["failed"]), (&json!(1), &json!(1)));
    assert_eq!(member(&site, "one@old.example").await, Value::Null);
}

#[tokio::test]
async fn members_are_passed_over_changed_or_refused_as_the_import_says() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let line = json!({ "external_id": "7", "email": "ada@old.example", "profile": { "name": "Ada" } });
    let changed = json!({ "external_id": "7", "profile": { "name": "Ada King" }, "roles": ["editor"],
        "email": "other@old.example", "password_hash": { "value": BCRYPT } });
    assert_eq!(imported(&site, json!({}), &[line]).await["counts"]["created"], 1);
    let lines = [changed];
    assert_eq!(imported(&site, json!({}), &lines).await["counts"]["skipped"], 1);
    assert_eq!(imported(&site, json!({ "on_conflict": "fail" }), &lines).await["counts"]["failed"], 1);
    assert_eq!(imported(&site, json!({ "on_conflict": "update" }), &lines).await["counts"]["updated"], 1);
    let ada = member(&site, "ada@old.example").await;
    assert_eq!((&ada["name"], &ada["roles"]), (&json!("Ada King"), &json!(["editor"])));
    assert_eq!(stored(&h, "ada@old.example").await, None, "a password is never set for one who is there");
}

#[tokio::test]
async fn an_update_leaves_claims_that_the_line_does_not_have() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let person =
        |profile: Value| json!({ "external_id": "7", "email": "ada@old.example", "profile": profile });
    let whole = json!({ "name": "Ada", "given_name": "Ada", "locale": "en", "phone_number": "+442079460777",
        "phone_number_verified": true });
    assert_eq!(imported(&site, json!({}), &[person(whole)]).await["counts"]["created"], 1);
    let part = json!({ "name": "Ada King", "phone_number": "+442079460778" });
    let update = json!({ "on_conflict": "update" });
    assert_eq!(imported(&site, update, &[person(part)]).await["counts"]["updated"], 1);
    let mut tx = h.app().db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT profile FROM accounts WHERE email_key = $1");
    let profile = tx.one(select, args!["ada@old.example"]).await.unwrap().text("profile").unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&profile).unwrap(),
        json!({ "name": "Ada King", "given_name": "Ada", "locale": "en", "phone_number": "+442079460777",
            "phone_number_verified": true })
    );
}

#[tokio::test]
async fn a_suspended_person_is_imported_suspended() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let line =
        json!({ "email": "eve@old.example", "status": "suspended", "password_hash": { "value": BCRYPT } });
    assert_eq!(imported(&site, json!({}), &[line]).await["counts"]["created"], 1);
    assert_eq!(member(&site, "eve@old.example").await["status"], "suspended");
    let (_, answer) = attempt(&site.app("old").await, "eve@old.example", PASSWORD).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}
