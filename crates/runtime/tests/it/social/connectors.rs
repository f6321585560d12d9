//! Connectors as records: what a tenant registers itself at, and who may.

use serde_json::{Value, json};
use svc_http::Method;

use crate::changes::left_by;
use crate::harness::{Answer, Harness, Site};

const SECRET: &str = "the-secret-of-the-provider";
pub const PATH: &str = "/api/v1/connectors";

pub async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

/// Makes a connector, and returns its id.
pub async fn connect(site: &Site<'_>, wanted: Value) -> String {
    let made = send(site, Method::POST, PATH, Some(wanted)).await.expect(201).json();
    made["id"].as_str().unwrap().to_owned()
}

fn github() -> Value {
    json!({ "name": "github", "preset": "github", "client_id": "svc", "client_secret": SECRET, "enabled": true })
}

fn own() -> Value {
    json!({ "name": "own", "issuer": "https://login.acme.example", "client_id": "svc", "client_secret": SECRET })
}

/// The document with other members.
fn with(mut document: Value, members: &Value) -> Value {
    document.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    document
}

#[tokio::test]
async fn a_connector_is_made_read_changed_and_deleted_and_never_shows_its_secret() {
    let h = Harness::new().await;
    let site = &h.tenant("main").await;
    let [actions, events] = left_by(&h, connect(site, github())).await;
    assert_eq!(actions, ["connector.created"]);
    assert_eq!(events, ["admin.connector.created"]);
    let list = send(site, Method::GET, PATH, None).await.expect(200);
    assert!(!list.body.contains(SECRET), "{list:?}");
    let made = list.json()["data"][0].clone();
    let id = made["id"].as_str().unwrap();
    assert_eq!(made["return_path"], format!("/auth/return/{id}"));
    assert_eq!(made["has_client_secret"], true);
    let one = format!("{PATH}/{id}");
    let read = send(site, Method::GET, &one, None).await.expect(200);
    assert_eq!(read.json(), made);
    assert!(!read.header("etag").is_empty());
    let change = json!({ "display_name": "GitHub of Acme", "client_secret": "other" });
    let changed = send(site, Method::PATCH, &one, Some(change)).await.expect(200);
    assert_eq!(changed.json()["display_name"], "GitHub of Acme");
    assert_eq!(changed.json()["preset"], "github");
    assert_ne!(changed.header("etag"), read.header("etag"));
    let audit = send(site, Method::GET, "/api/v1/audit?action=connector.updated", None).await.expect(200);
    let entry = audit.json()["data"][0].clone();
    assert_eq!(entry["detail"]["client_secret"], "changed", "{entry}");
    assert_eq!(entry["detail"]["changes"]["display_name"]["after"], "GitHub of Acme", "{entry}");
    assert!(!audit.body.contains("\"other\""), "{audit:?}");
    let kept = with(github(), &json!({ "enabled": false, "client_secret": null }));
    let kept = send(site, Method::PUT, &one, Some(kept)).await.expect(200).json();
    assert_eq!((&kept["has_client_secret"], &kept["enabled"]), (&json!(true), &json!(false)));
    let _ = send(site, Method::DELETE, &one, None).await.expect(204);
    let _ = send(site, Method::GET, &one, None).await.expect(404);
}

#[tokio::test]
async fn a_secret_goes_to_no_other_provider_than_the_one_that_made_it() {
    let h = Harness::new().await;
    let site = &h.tenant("main").await;
    let one = format!("{PATH}/{}", connect(site, github()).await);
    for elsewhere in [
        json!({ "base_url": "https://attacker.example" }),
        json!({ "preset": "gitlab" }),
        json!({ "client_id": "other" }),
    ] {
        let refused = send(site, Method::PATCH, &one, Some(elsewhere)).await.expect(400);
        assert!(refused.body.contains("client_secret: give the secret"), "{refused:?}");
    }
    // A public client goes on without the secret of the former provider.
    let one = format!("{PATH}/{}", connect(site, own()).await);
    let moved = json!({ "issuer": "https://login.example" });
    let moved = send(site, Method::PATCH, &one, Some(moved)).await.expect(200).json();
    assert_eq!(moved["has_client_secret"], false);
}

#[tokio::test]
async fn whom_the_names_of_a_provider_mean_stays_as_it_was() {
    let h = Harness::new().await;
    let site = &h.tenant("main").await;
    let one = format!("{PATH}/{}", connect(site, own()).await);
    let refused =
        send(site, Method::PATCH, &one, Some(json!({ "subject_claim": "username" }))).await.expect(400);
    assert!(refused.body.contains("subject_claim: people are bound"), "{refused:?}");
    let refused = send(site, Method::PUT, &one, Some(github())).await.expect(400);
    assert!(refused.body.contains("make another connector"), "{refused:?}");
    let moved = json!({ "issuer": "https://login.example" });
    let _ = send(site, Method::PATCH, &one, Some(moved)).await.expect(200);
}

#[tokio::test]
async fn what_could_not_work_is_refused_with_what_to_do() {
    let h = Harness::with(&[("SVC_SOCIAL__MAX_CONNECTORS_PER_TENANT", "2")]).await;
    let site = &h.tenant("main").await;
    let endpoint = "https://login.acme.example/token";
    let apple = json!({ "preset": "apple", "team_id": "T", "key_id": "K" });
    for (base, change, told) in [
        (own(), json!({ "issuer": "http://login.acme.example" }), "issuer"),
        (own(), json!({ "issuer": "https://login.acme.example/?a=b" }), "issuer"),
        (own(), json!({ "issuer": "https://127.0.0.1" }), "issuer"),
        (own(), json!({ "issuer": "https://10.0.0.1" }), "issuer"),
        (own(), json!({ "issuer": null }), "preset: say which provider"),
        (own(), json!({ "issuer": null, "token_endpoint": endpoint }), "authorization_endpoint: give it"),
        (own(), json!({ "token_endpoint": endpoint }), "issuer: leave out the endpoints"),
        (own(), json!({ "base_url": "https://login.acme.example" }), "base_url"),
        (own(), json!({ "scopes": ["profile"] }), "scopes"),
        (own(), json!({ "scopes": ["openid profile"] }), "scopes"),
        (own(), json!({ "client_secret": null, "pkce": false }), "pkce"),
        (own(), json!({ "subject_claim": "" }), "subject_claim"),
        (own(), json!({ "name": "Own" }), "name"),
        (own(), json!({ "team_id": "T" }), "team_id"),
        (github(), json!({ "issuer": "https://login.acme.example" }), "preset"),
        (github(), json!({ "subject_claim": "login" }), "preset"),
        (github(), json!({ "base_url": "https://192.168.1.1" }), "base_url"),
        (github(), json!({ "client_secret": null }), "client_secret"),
        (github(), json!({ "client_id": "" }), "client_id"),
        (github(), json!({ "display_name": "" }), "display_name"),
        (github(), json!({ "preset": "myspace" }), "preset"),
        (github(), json!({ "preset": "apple" }), "team_id"),
        (github(), apple, "client_secret: give the key"),
        (github(), json!({ "trusted_email": true }), "trusted_email"),
    ] {
        let refused = send(site, Method::POST, PATH, Some(with(base, &change))).await.expect(400);
        assert!(refused.body.contains(told), "{change}: {refused:?}");
    }
    connect(site, github()).await;
    let second = send(site, Method::POST, PATH, Some(github())).await.expect(409);
    assert!(second.body.contains("name: another connector"), "{second:?}");
    let own_id = connect(site, own()).await;
    let renamed = json!({ "name": "github" });
    let _ = send(site, Method::PATCH, &format!("{PATH}/{own_id}"), Some(renamed)).await.expect(409);
    let third = send(site, Method::POST, PATH, Some(with(github(), &json!({ "name": "third" })))).await;
    assert!(third.expect(409).body.contains("social.max_connectors_per_tenant"));
}

#[tokio::test]
async fn a_connector_is_chosen_by_those_alone_who_may_give_every_privilege() {
    let h = Harness::new().await;
    let (site, other) = (&h.tenant("main").await, &h.tenant("other").await);
    for scope in ["connectors:write", "connectors:read privileges:grant"] {
        let token = site.mint(|claims| claims["scope"] = json!(scope));
        let _ = site.call(Method::POST, PATH, Some(&token), Some(github())).await.expect(403);
    }
    let one = format!("{PATH}/{}", connect(site, github()).await);
    for method in [Method::GET, Method::DELETE] {
        let _ = send(other, method, &one, None).await.expect(404);
    }
    let _ = send(other, Method::PUT, &one, Some(github())).await.expect(404);
    assert_eq!(send(other, Method::GET, PATH, None).await.expect(200).json()["data"], json!([]));
    // Another tenant may have the same name.
    connect(other, github()).await;
    let off = Harness::with(&[("SVC_OIDC__DISABLED_CAPABILITIES", "[\"social\"]")]).await;
    let _ = send(&off.tenant("main").await, Method::GET, PATH, None).await.expect(404);
}
