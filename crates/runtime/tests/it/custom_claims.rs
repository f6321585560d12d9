//! What a tenant notes of its people, and the claims of its own that tokens and UserInfo make of that.

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::client::claims;
use crate::harness::{Answer, Harness, Person, Site};

const NOTES: &str = "https://notes.example";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Value) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), Some(body)).await
}

async fn note(site: &Site<'_>, person: &Person, metadata: Value) -> Value {
    send(site, Method::PATCH, &path_of(person), metadata).await.expect(200).json()
}

fn path_of(person: &Person) -> String {
    format!("/api/v1/tenant-users/{}", person.id)
}

/// Gives the application and the API of a handle and an identifier these claims.
async fn claim(site: &Site<'_>, (resource, query): (&str, &str), wanted: Value) -> Answer {
    let token = site.mint(|_| ());
    let path = format!("/api/v1/{resource}");
    let list =
        site.call(Method::GET, &format!("{path}?{query}"), Some(&token), None).await.expect(200).json();
    let path = format!("{path}/{}", list["data"][0]["id"].as_str().unwrap());
    send(site, Method::PATCH, &path, json!({ "custom_claims": wanted })).await
}

#[tokio::test]
async fn metadata_are_noted_with_the_person_changed_in_part_and_gone_with_the_membership() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let new = json!({
        "username": "grace",
        "public_metadata": { "team": { "name": "compilers" }, "desk": 4 },
        "private_metadata": { "salary": 9 },
    });
    let made = send(&site, Method::POST, "/api/v1/tenant-users", new.clone()).await.expect(201).json();
    assert_eq!(
        [&made["public_metadata"], &made["private_metadata"]],
        [&new["public_metadata"], &new["private_metadata"]]
    );
    let path = format!("/api/v1/tenant-users/{}", made["id"].as_str().unwrap());
    let patch = json!({ "public_metadata": { "desk": null, "team": { "name": "runtimes" } } });
    let changed = send(&site, Method::PATCH, &path, patch).await.expect(200).json();
    assert_eq!(changed["public_metadata"], json!({ "team": { "name": "runtimes" } }));
    assert_eq!(changed["private_metadata"], json!({ "salary": 9 }));

    let large = json!({ "private_metadata": { "text": "x".repeat(16 * 1024) } });
    let refused = send(&site, Method::PATCH, &path, large).await.expect_problem(400, "bad_request");
    assert!(refused.body.contains("private_metadata: use at most 16 KiB"), "{}", refused.body);

    let _ = send(&site, Method::DELETE, &path, Value::Null).await.expect(204);
    let gone = site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    assert_eq!([&gone["public_metadata"], &gone["private_metadata"]], [&json!({}), &json!({})]);
}

#[tokio::test]
async fn tokens_and_userinfo_say_what_application_and_api_ask_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let (web, ada) = (site.app("web").await, site.user_with_roles("ada", &[]).await);
    let initech = site.organization("initech", ada.id).await;
    let of_initech = json!({ "metadata": { "region": "eu" } });
    let path = format!("/api/v1/organizations/{}", initech.id);
    let _ = send(&site, Method::PATCH, &path, of_initech).await.expect(200);
    note(&site, &ada, json!({ "public_metadata": { "department": "compilers", "level": 7 } })).await;
    let of_app = json!([
        { "name": "https://main.example/department", "from": "public_metadata.department" },
        { "name": "region", "from": "organization.metadata.region" },
    ]);
    let _ = claim(&site, ("applications", "handle=web"), of_app).await.expect(200);
    let of_api = json!([
        { "name": "level", "from": "public_metadata.level" },
        { "name": "customer", "from": "organization.name" },
        { "name": "absent", "from": "public_metadata.absent" },
    ]);
    let _ = claim(&site, ("apis", &format!("identifier={NOTES}")), of_api).await.expect(200);

    let asked = [("scope", "openid notes:read"), ("resource", NOTES), ("organization", "initech")];
    let code = web.code_with(&mut site.browser(), &ada, &asked).await;
    let tokens = web.exchange(&code).await.expect(200).json();
    let [access, id] = ["access_token", "id_token"].map(|token| claims(tokens[token].as_str().unwrap()));
    assert_eq!([&access["level"], &access["customer"]], [&json!(7), &json!("initech")]);
    assert_eq!((access.get("absent"), access.get("region")), (None, None));
    assert_eq!([&id["https://main.example/department"], &id["region"]], [&json!("compilers"), &json!("eu")]);
    assert_eq!(id.get("level"), None);

    // Without an organization nothing is said of one, and a change is told at once.
    let tokens = web.tokens(&ada).await;
    note(&site, &ada, json!({ "public_metadata": { "department": "runtimes" } })).await;
    let _ = h.informed_app().await;
    let told =
        site.call(Method::GET, "/userinfo", Some(tokens.access_token()), None).await.expect(200).json();
    assert_eq!(told["https://main.example/department"], "runtimes");
    assert_eq!(told.get("region"), None);
    let code = web.code_with(&mut site.browser(), &ada, &[("organization", "initech")]).await;
    let tokens = web.exchange(&code).await.expect(200).json();
    let token = tokens["access_token"].as_str();
    let told = site.call(Method::GET, "/userinfo", token, None).await.expect(200).json();
    assert_eq!(told["region"], "eu");
}

#[tokio::test]
async fn a_claim_of_the_standards_cannot_be_defined() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let _ = site.app("web").await;
    let of_standards = ["sub", "scope", "aud", "act", "cnf", "roles", "email", "_claim_names"];
    for name in of_standards.into_iter().chain(["org", "tenant_id"]) {
        let wanted = json!([{ "name": name, "from": "public_metadata.role" }]);
        for (place, code) in [
            (("applications", "handle=web"), "invalid_client_metadata"),
            (("apis", "identifier=https://notes.example"), "bad_request"),
        ] {
            let refused = claim(&site, place, wanted.clone()).await.expect_problem(400, code);
            assert!(refused.body.contains("custom_claims[0].name"), "{name}: {}", refused.body);
        }
    }
    for from in ["private_metadata.salary", "password", "public_metadata."] {
        let wanted = json!([{ "name": "x", "from": from }]);
        let _ = claim(&site, ("applications", "handle=web"), wanted).await.expect_problem(400, "bad_request");
    }
}
