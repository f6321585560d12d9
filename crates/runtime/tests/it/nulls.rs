//! Null in a merge patch (RFC 7396): what has a default takes it, whatever the record is.

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::{Harness, Site};

async fn send(site: &Site<'_>, method: Method, path: &str, body: Value) -> Value {
    let status = if method == Method::POST { 201 } else { 200 };
    site.call(method, path, Some(&site.mint(|_| ())), Some(body)).await.expect(status).json()
}

#[tokio::test]
async fn null_in_a_patch_is_the_default_and_what_a_put_leaves_out_stays() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let initech = site.organization("initech", site.user("ada").await.id).await;
    let keys = json!("https://idp.example/jwks");
    let own = format!("organizations/{}/trusted-issuers", initech.id);
    let receiver = json!({ "webhook": { "url": "https://receiver.example/audit" } });
    let target = json!({ "name": "Wiki", "base_url": "https://app.example", "people": { "everyone": true } });
    let shop = json!({ "name": "Shop", "redirect_uris": ["https://shop.example/back"] });
    let readers = json!({ "name": "Readers", "text": "permit(principal, action, resource);" });
    let issuer = |name: &str| json!({ "name": name, "jwks_uri": keys });
    let is_on = ("enabled", json!(false), json!(true));
    let is_active = ("active", json!(false), json!(true));
    let status = ("status", json!("archived"), json!("draft"));
    for (collection, identity, document, (member, other, default)) in [
        ("applications", json!({}), shop, &is_on),
        ("apis", json!({ "identifier": "https://notes.example" }), json!({ "name": "Notes" }), &is_on),
        ("trusted-issuers", json!({ "issuer": "https://idp.example" }), issuer("Partner"), &is_on),
        (own.as_str(), json!({ "issuer": "https://own.example" }), issuer("Own"), &is_on),
        ("audit/streams", json!({}), json!({ "name": "Log", "destination": receiver }), &is_active),
        ("scim-targets", json!({ "secret": "token" }), target, &is_active),
        ("policies", json!({}), readers, &status),
    ] {
        let mut new = document.clone();
        new.as_object_mut().unwrap().extend(identity.as_object().unwrap().clone());
        let made = send(&site, Method::POST, &format!("/api/v1/{collection}"), new).await;
        let path = format!("/api/v1/{collection}/{}", made["id"].as_str().unwrap());
        assert_eq!(&made[*member], default, "{collection}");
        let mut change = json!({});
        change[*member] = other.clone();
        let changed = send(&site, Method::PATCH, &path, change.clone()).await;
        assert_eq!(&changed[*member], other, "{collection}");
        let replaced = send(&site, Method::PUT, &path, document).await;
        assert_eq!(&replaced[*member], other, "{collection}: what a PUT leaves out");
        change[*member] = Value::Null;
        let removed = send(&site, Method::PATCH, &path, change).await;
        assert_eq!(&removed[*member], default, "{collection}: null");
    }
}
