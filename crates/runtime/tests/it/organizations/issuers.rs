//! Trusted issuers of organizations (RFC 7523 §3): believed about members, in that organization, and no further.

use serde_json::{Value, json};
use svc_domain::apis::management::ADMIN;
use svc_domain::apps::OrganizationUsage;
use svc_domain::organizations::{Organization, Status};
use svc_http::Method;
use svc_keys::{Algorithm, SigningKey, Typ};

use super::api_keys::{path_of, send};
use super::{NOTES, World, join};
use crate::delegation::present;
use crate::harness::client::claims;
use crate::harness::{Answer, Client, Harness, Person, Site};

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const JWT: &str = "urn:ietf:params:oauth:token-type:jwt";

/// An issuer elsewhere.
struct Idp {
    issuer: &'static str,
    key: SigningKey,
}

impl Idp {
    fn new() -> Self {
        Self { issuer: "https://idp.example", key: SigningKey::generate(Algorithm::Es256).unwrap() }
    }

    fn document(&self) -> Value {
        json!({ "issuer": self.issuer, "name": "Elsewhere", "jwks": { "keys": [self.key.public_jwk()] } })
    }

    /// Makes an organization trust it; returns the record's address.
    async fn trusted(&self, site: &Site<'_>, organization: &Organization) -> String {
        let issuers = format!("{}/trusted-issuers", path_of(organization));
        let made = manage(site, Method::POST, &issuers, Some(self.document())).await.expect(201).json();
        assert_eq!(made["organization_id"], json!(organization.id));
        format!("{issuers}/{}", made["id"].as_str().unwrap())
    }

    fn assertion(&self, site: &Site<'_>, subject: &str) -> String {
        let cx = site.harness.operator();
        let now = cx.now.as_secs();
        let claims = json!({
            "iss": self.issuer, "sub": subject, "aud": site.issuer(), "jti": svc_keys::token(&*cx.entropy),
            "iat": now, "exp": now + 120,
        });
        self.key.sign(Typ::Jwt, claims.to_string().as_bytes()).unwrap()
    }
}

async fn manage(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    send(site, &site.mint(|_| ()), method, path, body).await
}

async fn link(site: &Site<'_>, issuer: &str, person: &Person, subject: &str) -> Answer {
    let path = format!("{issuer}/subjects/{}", person.id);
    manage(site, Method::PUT, &path, Some(json!({ "subject": subject }))).await
}

async fn exchange(client: &Client<'_>, token: &str, changes: &[(&str, &str)]) -> Answer {
    let usual = [
        ("grant_type", EXCHANGE),
        ("subject_token", token),
        ("subject_token_type", ACCESS_TOKEN),
        ("audience", NOTES),
    ];
    client.token(&usual, changes).await
}

fn access_token(answer: Answer) -> String {
    answer.expect(200).json()["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_issuer_of_an_organization_speaks_for_members_there_with_the_roles_that_they_have_there() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, idp) = (&world.site, Idp::new());
    let issuer = idp.trusted(site, &world.initech).await;
    let _ = link(site, &issuer, &world.ada, "ada there").await.expect(204);
    let _ = link(site, &issuer, &world.bob, "bob there").await.expect(204);
    let token = claims(&access_token(present(&world.web, &idp.assertion(site, "ada there"), &[]).await));
    assert_eq!(token["org"], json!({ "id": world.initech.id, "slug": "initech", "roles": ["editor"] }));
    assert_eq!(
        (&token["sub"], &token["scope"]),
        (&json!(world.ada.subject), &json!("notes:read notes:write"))
    );
    // Lists are in the order of time.
    h.advance(1);
    // Bob is an editor of the tenant, and not of the organization.
    let assertion = idp.assertion(site, "bob there");
    let token = claims(&access_token(present(&world.web, &assertion, &[("organization", "initech")]).await));
    assert_eq!((&token["org"]["roles"], &token["scope"]), (&json!([]), &json!("notes:read")));
    let more = present(&world.web, &idp.assertion(site, "bob there"), &[("scope", "notes:write")]).await;
    let _ = more.expect_problem(400, "invalid_scope");
    let listed = manage(site, Method::GET, "/api/v1/delegations", None).await.expect(200).json();
    let link = &listed["data"][0];
    assert_eq!((&link["source"], &link["organization_id"]), (&json!(idp.issuer), &json!(world.initech.id)));
    assert_eq!((&link["actor"], &link["state"]), (&json!(world.web.id), &json!("live")));
    assert_eq!(link["tenant_user_id"], json!(world.bob.id));
}

#[tokio::test]
async fn only_a_member_is_a_subject_and_only_as_long_as_the_membership_lasts() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, other, idp) = (&world.site, h.tenant("other").await, Idp::new());
    let issuer = idp.trusted(site, &world.initech).await;
    let (eve, foreign) = (site.user("eve").await, other.user("mallory").await);
    for person in [&eve, &foreign] {
        let _ = link(site, &issuer, person, "x").await.expect_problem(404, "not_found");
    }
    let unknown = present(&world.web, &idp.assertion(site, "eve@main.example"), &[]).await;
    let _ = unknown.expect_problem(400, "invalid_grant");
    let _ = link(site, &issuer, &world.ada, "ada there").await.expect(204);
    let _ = link(site, &issuer, &world.bob, "ada there").await.expect_problem(409, "conflict");
    let token = access_token(present(&world.web, &idp.assertion(site, "ada there"), &[]).await);
    world.remove(&world.initech, &world.ada).await;
    assert!(!world.is_active(&json!(token)).await);
    let refused = async |why: &str| {
        let answer = present(&world.web, &idp.assertion(site, "ada there"), &[]).await;
        assert_eq!(answer.expect_problem(400, "invalid_grant").status, 400, "{why}");
    };
    refused("taken out").await;
    join(site, &world.initech, &world.ada, &["editor"]).await;
    refused("come back, and linked no more").await;
    let _ = link(site, &issuer, &world.ada, "ada there").await.expect(204);
    h.advance(2);
    let token = access_token(present(&world.web, &idp.assertion(site, "ada there"), &[]).await);
    let path = format!("{issuer}/subjects/{}", world.ada.id);
    let _ = manage(site, Method::DELETE, &path, None).await.expect(204);
    assert!(!world.is_active(&json!(token)).await, "what came of the word ends with the link");
    refused("taken back").await;
}

#[tokio::test]
async fn its_word_counts_in_no_other_organization_and_at_none_of_our_own_apis() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, idp) = (&world.site, Idp::new());
    let boss = site.user_with_roles("boss", &[ADMIN, "editor"]).await;
    for organization in [&world.initech, &world.hooli] {
        join(site, organization, &boss, &[]).await;
    }
    let issuer = idp.trusted(site, &world.initech).await;
    let _ = link(site, &issuer, &boss, "boss there").await.expect(204);
    let assertion = || idp.assertion(site, "boss there");
    let ours = [site.tenant.api_audience(), site.tenant.control_plane_audience()];
    for (changes, code) in [
        (vec![("organization", "hooli")], "invalid_grant"),
        (vec![("organization", "nowhere")], "invalid_grant"),
        (vec![("resource", ours[0].as_str())], "invalid_target"),
        (vec![("resource", ours[1].as_str())], "invalid_target"),
    ] {
        let refused = present(&world.web, &assertion(), &changes).await;
        assert_eq!((refused.status, &refused.json()["error"]), (400, &json!(code)), "{changes:?}");
        let changes: Vec<_> = [("subject_token_type", JWT)]
            .into_iter()
            .chain(
                changes
                    .into_iter()
                    .map(|(name, value)| (if name == "resource" { "audience" } else { name }, value)),
            )
            .collect();
        let refused = exchange(&world.web, &assertion(), &changes).await;
        assert_eq!(refused.status, 400, "{changes:?}: {refused:?}");
    }
    let as_subject = [("subject_token_type", JWT), ("scope", "notes:read offline_access")];
    let exchanged = exchange(&world.web, &assertion(), &as_subject).await.expect(200).json();
    assert!(exchanged.get("refresh_token").is_none(), "{exchanged}");
    let agent = site.app("agent").await;
    let token = access_token(present(&world.web, &assertion(), &[]).await);
    for (changes, code) in [
        (vec![("audience", ours[0].as_str())], "invalid_target"),
        (vec![("organization", "hooli")], "invalid_request"),
        (vec![("scope", "notes:write")], "invalid_scope"),
    ] {
        let refused = exchange(&agent, &token, &changes).await;
        assert_eq!((refused.status, &refused.json()["error"]), (400, &json!(code)), "{changes:?}");
    }
    let passed_on = exchange(&agent, &token, &[("scope", "notes:read")]).await.expect(200).json();
    assert!(passed_on.get("refresh_token").is_none(), "{passed_on}");
    let again = passed_on["access_token"].as_str().unwrap();
    assert_eq!(claims(again)["org"]["slug"], "initech");
    let third = site.app("third").await;
    let refused = exchange(&third, again, &[("audience", &ours[0])]).await;
    let _ = refused.expect_problem(400, "invalid_target");
}

#[tokio::test]
async fn its_word_is_not_passed_on_as_the_tenants() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, idp) = (&world.site, Idp::new());
    let issuer = idp.trusted(site, &world.initech).await;
    let _ = link(site, &issuer, &world.ada, "ada there").await.expect(204);
    let target = json!({ "audience": "https://as.elsewhere.example", "scope": "files:read" });
    let broker = site
        .app_with("broker", |app| app.identity_assertions = vec![serde_json::from_value(target).unwrap()])
        .await;
    let token = access_token(present(&broker, &idp.assertion(site, "ada there"), &[]).await);
    let jag = [
        ("requested_token_type", "urn:ietf:params:oauth:token-type:id-jag"),
        ("audience", "https://as.elsewhere.example"),
    ];
    let refused = exchange(&broker, &token, &jag).await.expect_problem(400, "invalid_request");
    assert!(refused.body.contains("not passed on"), "{refused:?}");
}

#[tokio::test]
async fn an_issuer_is_trusted_once_and_reached_below_its_organization_alone() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, other, idp) = (&world.site, h.tenant("other").await, Idp::new());
    let issuer = idp.trusted(site, &world.initech).await;
    let id = issuer.rsplit('/').next().unwrap();
    let flat = "/api/v1/trusted-issuers";
    for issuers in [flat.to_owned(), format!("{}/trusted-issuers", path_of(&world.hooli))] {
        let taken = manage(site, Method::POST, &issuers, Some(idp.document())).await;
        let _ = taken.expect_problem(409, "conflict");
        let one = format!("{issuers}/{id}");
        let mut change = idp.document();
        change.as_object_mut().unwrap().remove("issuer");
        for (method, body) in
            [(Method::GET, None), (Method::PUT, Some(change.clone())), (Method::DELETE, None)]
        {
            let _ = manage(site, method, &one, body).await.expect_problem(404, "not_found");
        }
        let _ = link(site, &one, &world.bob, "bob").await.expect_problem(404, "not_found");
    }
    for query in ["", "?issuer=https://idp.example", "?search=Else"] {
        let listed = manage(site, Method::GET, &format!("{flat}{query}"), None).await.expect(200).json();
        assert_eq!(listed["data"], json!([]), "{query}");
    }
    let there = send(&other, &other.mint(|_| ()), Method::GET, &issuer, None).await;
    let _ = there.expect_problem(404, "not_found");
    let weak = site.mint(|claims| claims["scope"] = json!("trusted-issuers:write trusted-issuers:read"));
    let second = format!("{}/trusted-issuers", path_of(&world.hooli));
    let mut document = idp.document();
    document["issuer"] = json!("https://second.example");
    let refused = send(site, &weak, Method::POST, &second, Some(document)).await;
    let _ = refused.expect_problem(403, "insufficient_scope");
    let path = format!("{issuer}/subjects/{}", world.ada.id);
    let linked = send(site, &weak, Method::PUT, &path, Some(json!({ "subject": "x" }))).await;
    let _ = linked.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn its_word_ends_with_the_issuer_and_with_the_organization() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, idp) = (&world.site, Idp::new());
    let issuer = idp.trusted(site, &world.initech).await;
    let _ = link(site, &issuer, &world.ada, "ada there").await.expect(204);
    let ask = async || present(&world.web, &idp.assertion(site, "ada there"), &[]).await;
    let set = async |enabled: bool| {
        let body = Some(json!({ "enabled": enabled }));
        let _ = manage(site, Method::PATCH, &issuer, body).await.expect(200);
    };
    let token = json!(access_token(ask().await));
    set(false).await;
    assert!(!world.is_active(&token).await);
    let _ = ask().await.expect_problem(400, "invalid_grant");
    set(true).await;
    assert!(!world.is_active(&token).await);
    let token = json!(access_token(ask().await));
    world.set_status(&world.initech, Status::Suspended).await;
    assert!(!world.is_active(&token).await);
    let _ = ask().await.expect_problem(400, "invalid_grant");
    world.set_status(&world.initech, Status::Active).await;
    h.advance(2);
    let token = json!(access_token(ask().await));
    let _ = manage(site, Method::DELETE, &path_of(&world.initech), None).await.expect(204);
    assert!(!world.is_active(&token).await);
    let _ = ask().await.expect_problem(400, "invalid_grant");
    // Its name is free again.
    idp.trusted(site, &world.hooli).await;
}

#[tokio::test]
async fn an_application_that_takes_no_organization_takes_none_from_an_issuer() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, idp) = (&world.site, Idp::new());
    let issuer = idp.trusted(site, &world.initech).await;
    let _ = link(site, &issuer, &world.ada, "ada there").await.expect(204);
    let lone = site.app_with("lone", |app| app.organization_usage = Some(OrganizationUsage::Deny)).await;
    let refused = present(&lone, &idp.assertion(site, "ada there"), &[]).await;
    let _ = refused.expect_problem(400, "invalid_grant");
}
