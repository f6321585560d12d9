//! Domains at which tenants answer: who asks for them, what proves them, who gets them, and what follows for tokens, sessions and
//! pages. A name server on this machine answers.

mod claiming;
mod losing;
mod moving;

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::names::Names;
use crate::harness::{Answer, Harness, Site};

const DOMAINS: &str = "/api/v1/custom-domains";
const NAME: &str = "login.acme.example";

/// Production mode has public names; this machine's own have no name servers.
async fn service(names: &Names) -> Harness {
    names.harness(&[("SVC_SECURITY__PRODUCTION", "true")]).await
}

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    // The issuer may have moved since the site was made.
    let site = present(site).await;
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

/// The site as its tenant is now.
async fn present<'h>(site: &Site<'h>) -> Site<'h> {
    let tenant = site.harness.informed_app().await.services.tenants.by_id(site.tenant.id).await.unwrap();
    Site { tenant, ..site.clone() }
}

async fn try_asking(site: &Site<'_>, domain: &str) -> Answer {
    send(site, Method::POST, DOMAINS, Some(json!({ "domain": domain }))).await
}

async fn ask(site: &Site<'_>, domain: &str) -> Value {
    try_asking(site, domain).await.expect(201).json()
}

fn path(asked: &Value) -> String {
    format!("{DOMAINS}/{}", asked["id"].as_str().unwrap())
}

async fn step(site: &Site<'_>, asked: &Value, step: &str) -> Answer {
    send(site, Method::POST, &format!("{}/{step}", path(asked)), None).await
}

async fn read(site: &Site<'_>, asked: &Value) -> Value {
    send(site, Method::GET, &path(asked), None).await.expect(200).json()
}

/// A domain that the tenant has proven.
async fn proven(site: &Site<'_>, names: &Names, domain: &str) -> Value {
    let asked = ask(site, domain).await;
    names.publish(&asked);
    step(site, &asked, "verify").await.expect(200).json()
}

/// A domain at which the tenant answers.
async fn active(site: &Site<'_>, names: &Names, domain: &str) -> Value {
    let proven = proven(site, names, domain).await;
    step(site, &proven, "activate").await.expect(200).json()
}

/// The issuer that a host publishes, at each node.
async fn issuer_at(h: &Harness, host: &str) -> Value {
    let path = "/.well-known/openid-configuration";
    let first = h.get(host, path).await.expect(200).json()["issuer"].clone();
    assert_eq!(h.get(host, path).await.expect(200).json()["issuer"], first);
    first
}
