//! People as directories provision them.

use serde_json::{Value, json};
use svc_domain::people::tenant_users;
use svc_http::{Body, Method, Request};

use super::{Directory, USERS, at, directory, refused};
use crate::account::own;
use crate::apply::apply_text;
use crate::delegation::{NOTES, exchange};
use crate::harness::{Answer, Client, Harness, Person, Site};

const ENTERPRISE: &str = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

fn ada() -> Value {
    json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User", ENTERPRISE],
        "externalId": "0a21f0f2", "userName": "Ada@initech.example", "active": true, "displayName": "Ada Lovelace", "title": "Countess",
        "name": { "givenName": "Ada", "familyName": "Lovelace" }, "locale": "en-GB", "timezone": "Europe/London",
        "emails": [{ "value": "ada@initech.example", "type": "work", "primary": true }],
        "phoneNumbers": [{ "value": "+44 20 1", "type": "mobile" }],
        ENTERPRISE: { "employeeNumber": "7", "department": "Engines", "manager": { "value": "usr_1" } },
        "urn:example:hat": { "size": 58 },
    })
}

/// The same request with a header.
pub(super) async fn with(
    directory: &Directory<'_>,
    method: Method,
    path: &str,
    header: (&str, &str),
    body: &str,
) -> Answer {
    let request = Request::builder().method(method).uri(path).header("host", &directory.site.host);
    let request =
        request.header("authorization", format!("Bearer {}", directory.token)).header(header.0, header.1);
    let request = request.header("content-type", "application/scim+json; charset=utf-8");
    directory.site.harness.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

#[tokio::test]
async fn a_person_is_provisioned_without_loss_as_a_member_of_the_tenant_and_of_the_organization() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let answer = directory.send(Method::POST, USERS, Some(ada())).await.expect(201);
    let made = answer.json();
    for (name, value) in ada().as_object().unwrap().iter().filter(|(name, _)| *name != "schemas") {
        assert_eq!(&made[name], value, "{name}");
    }
    let schemas = json!(["urn:ietf:params:scim:schemas:core:2.0:User", "urn:example:hat", ENTERPRISE]);
    assert_eq!(made["schemas"], schemas, "its own comes first");
    let location = format!("{}{}", site.issuer(), at(&made));
    assert_eq!((&made["meta"]["location"], answer.header("location")), (&json!(location), location.as_str()));
    assert_eq!(made["meta"]["version"], answer.header("etag"));
    assert_eq!(directory.get(&at(&made)).await.expect(200).json(), made);
    let admin = site.mint(|_| ());
    let id = made["id"].as_str().unwrap();
    let user = site
        .call(Method::GET, &format!("/api/v1/tenant-users/{id}"), Some(&admin), None)
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&user["email"], &user["email_verified"], &user["name"], &user["status"]),
        (&json!("ada@initech.example"), &json!(false), &json!("Ada Lovelace"), &json!("active"))
    );
    let member = format!("/api/v1/organizations/{}/members/{id}", directory.organization.id);
    let _ = site.call(Method::GET, &member, Some(&admin), None).await.expect(200);
    let log = site.call(Method::GET, "/api/v1/audit?limit=50", Some(&admin), None).await.expect(200).json();
    let entry =
        log["data"].as_array().unwrap().iter().find(|entry| entry["action"] == "scim_user.created").unwrap();
    assert!(entry["actor_id"].as_str().unwrap().starts_with("sct_") && entry["target"] == *id, "{entry}");
}

#[tokio::test]
async fn identity_is_bound_by_the_record_and_never_by_a_name_or_an_address() {
    let h = Harness::new().await;
    let (site, elsewhere) = (h.tenant("main").await, h.tenant("other").await);
    let directory = directory(&site, "initech").await;
    let grace = site.user("grace").await;
    let _ = directory.create(ada()).await;
    for body in [
        ada(),
        json!({ "userName": "ADA@initech.example" }),
        json!({ "userName": "x", "externalId": "0a21f0f2" }),
        json!({ "userName": "grace" }),
        json!({ "userName": grace.email }),
        json!({ "userName": "x", "emails": [{ "value": grace.email }] }),
    ] {
        let _ = refused(directory.send(Method::POST, USERS, Some(body)).await, 409, Some("uniqueness"));
    }
    // An account of another tenant is not told of, not linked, and keeps its address.
    let stranger = elsewhere.user("mallory").await;
    let made = directory
        .create(json!({ "userName": stranger.email, "emails": [{ "value": stranger.email }] }))
        .await;
    assert_eq!(made["emails"][0]["value"], json!(stranger.email));
    let path = format!("/api/v1/tenant-users/{}", made["id"].as_str().unwrap());
    let user = site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    assert_eq!(user["email"], Value::Null);
}

#[tokio::test]
async fn a_directory_sees_the_people_of_its_organization_alone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (one, other) = (directory(&site, "initech").await, directory(&site, "hooli").await);
    let (made, grace) = (one.create(ada()).await, site.user("grace").await);
    let unknown =
        refused(other.get(&format!("{USERS}/usr_00000000000000000000000000")).await, 404, None).json();
    for id in [made["id"].as_str().unwrap(), &grace.id.to_string()] {
        let path = format!("{USERS}/{id}");
        for (method, body) in [
            (Method::GET, None),
            (Method::PUT, Some(ada())),
            (
                Method::PATCH,
                Some(json!({ "Operations": [{ "op": "replace", "path": "active", "value": false }] })),
            ),
            (Method::DELETE, None),
        ] {
            let answer = refused(other.send(method, &path, body).await, 404, None);
            assert_eq!(answer.json()["detail"], unknown["detail"]);
        }
    }
    assert_eq!(other.named("filter=userName+pr").await, Vec::<String>::new());
    assert_eq!(one.named("").await, ["Ada@initech.example"]);
}

#[tokio::test]
async fn deactivation_and_deletion_end_what_the_person_has() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(json!({ "userName": "ada" })).await;
    let id = made["id"].as_str().unwrap();
    let admin = site.mint(|_| ());
    let subject = async || {
        site.call(Method::GET, &format!("/api/v1/tenant-users/{id}"), Some(&admin), None)
            .await
            .expect(200)
            .json()
    };
    let sub = subject().await["sub"].clone();
    let own = site.mint(|claims| (claims["sub"], claims["subject_type"]) = (sub.clone(), json!("human")));
    let body = json!({ "name": "mine", "scope": "tenant-users:read" });
    let key = site.call(Method::POST, "/api/v1/api-keys", Some(&own), Some(body)).await.expect(201).json();
    let opens =
        async |token: &str| site.call(Method::GET, "/api/v1/tenant-users", Some(token), None).await.status;
    assert_eq!(opens(&own).await, 200);
    h.advance(1);
    let off = directory
        .patch(&made, json!([{ "op": "Replace", "path": "active", "value": "False" }]))
        .await
        .expect(200);
    assert_eq!((&off.json()["active"], &subject().await["status"]), (&json!(false), &json!("suspended")));
    assert_eq!((opens(&own).await, opens(key["key"].as_str().unwrap()).await), (401, 401));
    let on =
        directory.patch(&made, json!([{ "op": "replace", "value": { "active": true } }])).await.expect(200);
    assert_eq!((&on.json()["active"], &subject().await["status"]), (&json!(true), &json!("active")));
    let _ = site
        .call(Method::POST, &format!("/api/v1/tenant-users/{id}/suspend"), Some(&admin), None)
        .await
        .expect(200);
    let kept =
        directory.patch(&made, json!([{ "op": "replace", "value": { "active": true } }])).await.expect(200);
    assert_eq!(
        (&kept.json()["active"], &subject().await["status"]),
        (&json!(false), &json!("suspended")),
        "the tenant's decision"
    );
    let _ = directory.send(Method::DELETE, &at(&made), None).await.expect(204);
    let _ = refused(directory.get(&at(&made)).await, 404, None);
    assert_eq!(subject().await["status"], "removed");
    let again = directory.create(json!({ "userName": "ada" })).await;
    assert_ne!(again["id"], made["id"]);
}

#[tokio::test]
async fn who_was_let_in_again_by_the_tenant_is_deactivated_again_by_the_directory_when_it_says_so_and_not_before()
 {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(json!({ "userName": "ada" })).await;
    let tenant_user = format!("/api/v1/tenant-users/{}", made["id"].as_str().unwrap());
    let admin = site.mint(|_| ());
    let status = async || {
        let read = site.call(Method::GET, &tenant_user, Some(&admin), None).await.expect(200).json();
        read["status"].as_str().unwrap().to_owned()
    };
    let off = || json!([{ "op": "Replace", "path": "active", "value": "False" }]);
    let _ = directory.patch(&made, off()).await.expect(200);
    let reactivate = format!("{tenant_user}/reactivate");
    let _ = site.call(Method::POST, &reactivate, Some(&admin), None).await.expect(200);
    let shown = directory.get(&at(&made)).await.expect(200).json();
    assert_eq!((&shown["active"], status().await.as_str()), (&json!(true), "active"));
    let titled = json!([{ "op": "replace", "path": "title", "value": "Countess" }]);
    let titled = directory.patch(&made, titled).await.expect(200).json();
    assert_eq!(
        (&titled["active"], status().await.as_str()),
        (&json!(true), "active"),
        "it said nothing of that"
    );
    let again = directory.patch(&made, off()).await.expect(200).json();
    assert_eq!((&again["active"], status().await.as_str()), (&json!(false), "suspended"));
    let _ = site.call(Method::POST, &reactivate, Some(&admin), None).await.expect(200);
    let again = directory.patch(&made, off()).await.expect(200).json();
    assert_eq!(
        (&again["active"], status().await.as_str()),
        (&json!(false), "suspended"),
        "as it had said before"
    );
}

#[tokio::test]
async fn whom_the_tenant_suspended_the_directory_does_not_let_in_whatever_it_said_meanwhile() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(json!({ "userName": "ada" })).await;
    let tenant_user = format!("/api/v1/tenant-users/{}", made["id"].as_str().unwrap());
    let admin = site.mint(|_| ());
    let tenant = async |does: &str| {
        let _ =
            site.call(Method::POST, &format!("{tenant_user}/{does}"), Some(&admin), None).await.expect(200);
    };
    let said = async |active: bool| {
        let operation = json!([{ "op": "replace", "path": "active", "value": active }]);
        directory.patch(&made, operation).await.expect(200).json()["active"].clone()
    };
    tenant("suspend").await;
    assert_eq!([said(false).await, said(true).await], [json!(false), json!(false)]);
    let title = json!([{ "op": "replace", "path": "title", "value": "Countess" }]);
    assert_eq!(directory.patch(&made, title).await.expect(200).json()["active"], false);
    tenant("reactivate").await;
    assert_eq!([said(false).await, said(true).await], [json!(false), json!(true)], "its own suspension");
    assert_eq!(said(false).await, json!(false));
    tenant("reactivate").await;
    tenant("suspend").await;
    assert_eq!(said(true).await, json!(false), "the tenant was the last to suspend");
    tenant("reactivate").await;
    assert_eq!(said(false).await, json!(false));
    for silent in [json!({ "userName": "ada" }), json!({ "userName": "ada", "title": "Lady" })] {
        let replaced = directory.send(Method::PUT, &at(&made), Some(silent)).await.expect(200).json();
        assert_eq!(replaced["active"], false, "it said nothing of that");
    }
    let removed = directory.patch(&made, json!([{ "op": "remove", "path": "active" }])).await.expect(200);
    assert!(removed.json().get("active").is_none(), "{removed:?}");
    let shown = site.call(Method::GET, &tenant_user, Some(&admin), None).await.expect(200).json();
    assert_eq!(shown["status"], "suspended", "taking the word back lets no one in");
    assert_eq!([said(false).await, said(true).await], [json!(false), json!(true)]);
    let inactive = directory.create(json!({ "userName": "bob", "active": false })).await;
    let on = json!([{ "op": "replace", "path": "active", "value": true }]);
    assert_eq!(directory.patch(&inactive, on).await.expect(200).json()["active"], true);
}

#[tokio::test]
async fn whom_the_directory_suspended_the_tenant_can_keep_out_too() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(json!({ "userName": "ada" })).await;
    let admin = site.mint(|_| ());
    let tenant = async |does: &str| {
        let path = format!("/api/v1/tenant-users/{}/{does}", made["id"].as_str().unwrap());
        site.call(Method::POST, &path, Some(&admin), None).await
    };
    let said = async |active: bool| {
        let operation = json!([{ "op": "replace", "path": "active", "value": active }]);
        directory.patch(&made, operation).await.expect(200).json()["active"].clone()
    };
    assert_eq!(said(false).await, json!(false));
    assert_eq!(tenant("suspend").await.expect(200).json()["status"], "suspended");
    let _ = tenant("suspend").await.expect_problem(409, "conflict");
    assert_eq!(said(true).await, json!(false), "the tenant keeps the person out");
    let _ = tenant("reactivate").await.expect(200);
    assert_eq!([said(false).await, said(true).await], [json!(false), json!(true)]);
}

#[tokio::test]
async fn whom_a_file_let_in_and_the_tenant_suspended_the_directory_does_not_let_in() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(json!({ "userName": "ada" })).await;
    let said = async |active: bool| {
        let operation = json!([{ "op": "replace", "path": "active", "value": active }]);
        directory.patch(&made, operation).await.expect(200).json()["active"].clone()
    };
    assert_eq!(said(false).await, json!(false));
    let file = "[[tenant]]\nslug = \"main\"\nname = \"Tenant main\"\nsettings = { registration = true }\n\n\
        [[tenant.user]]\nusername = \"ada\"\nsuspended = false\n";
    let _ = apply_text(&h, file).await.unwrap();
    assert_eq!(directory.get(&at(&made)).await.expect(200).json()["active"], true);
    let suspend = format!("/api/v1/tenant-users/{}/suspend", made["id"].as_str().unwrap());
    let _ = site.call(Method::POST, &suspend, Some(&site.mint(|_| ())), None).await.expect(200);
    assert_eq!(said(true).await, json!(false), "the tenant was the last to suspend");
}

#[tokio::test]
async fn whom_the_directory_suspended_and_a_file_keeps_out_the_directory_does_not_let_in() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(json!({ "userName": "ada" })).await;
    let said = async |active: bool| {
        let operation = json!([{ "op": "replace", "path": "active", "value": active }]);
        directory.patch(&made, operation).await.expect(200).json()["active"].clone()
    };
    assert_eq!(said(false).await, json!(false));
    let file = "[[tenant]]\nslug = \"main\"\nname = \"Tenant main\"\nsettings = { registration = true }\n\n\
        [[tenant.user]]\nusername = \"ada\"\nsuspended = true\n";
    let outcome = apply_text(&h, file).await.unwrap().to_string();
    assert!(outcome.contains("suspended: \"by the directory\" → true"), "{outcome}");
    assert!(apply_text(&h, file).await.unwrap().is_unchanged());
    assert_eq!(said(true).await, json!(false), "the tenant keeps the person out");
}

async fn is_active(client: &Client<'_>, tokens: &Value) -> bool {
    let token = tokens["access_token"].as_str().unwrap();
    client.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json()["active"] == true
}

#[tokio::test]
async fn deactivation_ends_the_session_its_tokens_and_what_is_done_for_the_person() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let (web, agent, admin) = (site.app("web").await, site.app("agent").await, site.mint(|_| ()));
    let directory = directory(&site, "initech").await;
    let made = directory.create(json!({ "userName": "ada" })).await;
    let (id, password) = (made["id"].as_str().unwrap(), "relay moth compiler");
    let path = format!("/api/v1/tenant-users/{id}");
    let body = Some(json!({ "password": password }));
    let _ = site.call(Method::PUT, &format!("{path}/password"), Some(&admin), body).await.expect(204);
    // A new password ends what was begun before it, in the same second too.
    h.advance(1);
    let read = site.call(Method::GET, &path, Some(&admin), None).await.expect(200).json();
    let ada = Person {
        id: id.parse().unwrap(),
        username: "ada".to_owned(),
        email: String::new(),
        password: password.to_owned(),
        subject: read["sub"].as_str().unwrap().to_owned(),
    };
    let mut browser = site.browser();
    let wanted = [("scope", "openid offline_access notes:read"), ("resource", NOTES)];
    let code = web.code_with(&mut browser, &ada, &wanted).await;
    let tokens = web.exchange(&code).await.expect(200).json();
    let subject_token = tokens["access_token"].as_str().unwrap();
    let delegated = exchange(&agent, subject_token, &[]).await.expect(200).json();
    let silent = web.authorize_path(&web.verifier(), &[("prompt", "none")]);
    assert!(browser.get(&silent).await.is_signed_in());
    assert!(is_active(&web, &tokens).await && is_active(&agent, &delegated).await);
    h.advance(1);
    let off = json!([{ "op": "replace", "path": "active", "value": false }]);
    let _ = directory.patch(&made, off).await.expect(200);
    let _ = h.informed_app().await;
    assert!(!is_active(&web, &tokens).await && !is_active(&agent, &delegated).await);
    let refreshed = web.refresh(tokens["refresh_token"].as_str().unwrap()).await;
    let _ = refreshed.expect_problem(400, "invalid_grant");
    let silent = browser.get(&silent).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("login_required"));
    let links = site.call(Method::GET, "/api/v1/delegations", Some(&admin), None).await.expect(200).json();
    let states: Vec<_> = links["data"].as_array().unwrap().iter().map(|link| &link["state"]).collect();
    assert_eq!(states, ["revoked"], "{links}");
}

#[tokio::test]
async fn a_change_is_meant_for_a_version() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(ada()).await;
    let version = made["meta"]["version"].as_str().unwrap().to_owned();
    let same = with(&directory, Method::GET, &at(&made), ("if-none-match", &version), "").await.expect(304);
    assert_eq!((same.header("etag"), same.body.as_str()), (version.as_str(), ""));
    let patch = json!({ "Operations": [{ "op": "replace", "path": "title", "value": "Lady" }] }).to_string();
    let changed =
        with(&directory, Method::PATCH, &at(&made), ("if-match", &version), &patch).await.expect(200).json();
    assert_ne!(changed["meta"]["version"], version);
    for (method, body) in
        [(Method::PATCH, patch), (Method::PUT, ada().to_string()), (Method::DELETE, String::new())]
    {
        let _ = refused(with(&directory, method, &at(&made), ("if-match", &version), &body).await, 412, None);
    }
    let mut whole = ada();
    whole.as_object_mut().unwrap().remove("title");
    let replaced = directory.send(Method::PUT, &at(&made), Some(whole)).await.expect(200).json();
    assert_eq!((replaced.get("title"), &replaced["id"]), (None, &made["id"]));
    let again = directory.send(Method::PUT, &at(&made), Some(replaced.clone())).await.expect(200).json();
    assert_eq!(again, replaced, "nothing changed");
}

#[tokio::test]
async fn what_is_no_resource_is_refused_in_the_words_of_the_standard() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    for (body, kind) in [
        ("", "invalidSyntax"),
        ("[]", "invalidSyntax"),
        ("{\"userName\":\"a\",\"userName\":\"b\"}", "invalidSyntax"),
        ("{}", "invalidValue"),
        ("{\"userName\":\"a\",\"active\":3}", "invalidValue"),
        ("{\"userName\":\"a\",\"schemas\":[\"urn:example:hat\"]}", "invalidValue"),
    ] {
        let _ = refused(with(&directory, Method::POST, USERS, ("x-a", "b"), body).await, 400, Some(kind));
    }
    let form = "application/x-www-form-urlencoded";
    let request = Request::builder().method(Method::POST).uri(USERS).header("host", &site.host);
    let request =
        request.header("authorization", format!("Bearer {}", directory.token)).header("content-type", form);
    let answer = h.send(request.body(Body::from("userName=a")).unwrap()).await;
    let _ = refused(answer, 415, Some("invalidSyntax"));
    let made = directory.create(json!({ "userName": "a", "password": "correct horse battery" })).await;
    assert_eq!(made.get("password"), None);
    let _ = refused(
        directory.patch(&made, json!([{ "op": "replace", "path": "meta", "value": {} }])).await,
        400,
        Some("mutability"),
    );
    let _ = refused(
        directory.patch(&made, json!([{ "op": "remove", "path": "userName" }])).await,
        400,
        Some("mutability"),
    );
}

/// The person whom a directory has provisioned.
async fn person(site: &Site<'_>, made: &Value) -> Person {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    let id = made["id"].as_str().unwrap().parse().unwrap();
    let found = tenant_users::find(&mut tx, id).await.unwrap().unwrap();
    Person {
        id,
        username: found.username.unwrap_or_default(),
        email: found.email.unwrap_or_default(),
        password: String::new(),
        subject: found.subject,
    }
}

#[tokio::test]
async fn a_language_that_the_person_chose_stays_where_the_directory_names_none() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(json!({ "userName": "grace@initech.example" })).await;
    let grace = person(&site, &made).await;
    let chosen = Some(json!({ "locale": "de" }));
    let _ = own(&site, &grace, (Method::PATCH, "/profile"), chosen).await.expect(200);
    for (title, locale) in [(json!({ "title": "Admiral" }), "de"), (json!({ "locale": "fr-FR" }), "fr-FR")] {
        let change = json!([{ "op": "replace", "value": title }]);
        let _ = directory.patch(&made, change).await.expect(200);
        let read = own(&site, &grace, (Method::GET, "/profile"), None).await.expect(200).json();
        assert_eq!(read["names"]["locale"], locale);
    }
}

#[tokio::test]
async fn the_copy_of_own_data_has_what_the_directory_says_of_the_person() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let made = directory.create(ada()).await;
    let person = person(&site, &made).await;
    let data = own(&site, &person, (Method::GET, "/data"), None).await.expect(200).json();
    let told = &data["directory"];
    assert_eq!(told["organization_id"], json!(directory.organization.id));
    assert_eq!(told["resource"]["title"], "Countess", "{data}");
    assert_eq!(told["resource"][ENTERPRISE]["employeeNumber"], "7", "{data}");
}
