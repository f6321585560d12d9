//! `tls_client_auth` and `self_signed_tls_client_auth` (RFC 8705 §2): the right certificate, and nothing else.

use serde_json::{Value, json};
use svc_domain::apps::{AuthMethod, Configuration};
use svc_http::Method;

use super::authority::{Authority, Certificate};
use super::{deployment, own, post, trust, vouched_for};
use crate::harness::Harness;

type Change = fn(&mut Configuration);

#[tokio::test]
async fn an_authority_of_the_tenant_vouches_for_a_client_by_each_kind_of_name() {
    let h = deployment().await;
    let mut site = h.tenant("main").await;
    let authority = Authority::new("acme");
    trust(&mut site, &authority).await;
    let certificate = authority.issue("client.example");
    let kinds: [(&str, Change, Change); 5] = [
        (
            "dn",
            |app| app.tls_client_auth_subject_dn = Some(r"CN=client.example,O=Acme\, Inc.".to_owned()),
            |app| app.tls_client_auth_subject_dn = Some("CN=client.example".to_owned()),
        ),
        (
            "dns",
            |app| app.tls_client_auth_san_dns = Some("client.example".to_owned()),
            |app| app.tls_client_auth_san_dns = Some("other.example".to_owned()),
        ),
        (
            "uri",
            |app| app.tls_client_auth_san_uri = Some("https://client.example/".to_owned()),
            |app| app.tls_client_auth_san_uri = Some("https://client.example/x".to_owned()),
        ),
        (
            "ip",
            |app| app.tls_client_auth_san_ip = Some("192.0.2.77".to_owned()),
            |app| app.tls_client_auth_san_ip = Some("192.0.2.78".to_owned()),
        ),
        (
            "email",
            |app| app.tls_client_auth_san_email = Some("ops@client.example".to_owned()),
            |app| app.tls_client_auth_san_email = Some("dev@client.example".to_owned()),
        ),
    ];
    for (name, right, wrong) in kinds {
        let with = |change: Change| {
            move |app: &mut Configuration| {
                app.tls_client_auth_san_dns = None;
                change(app);
            }
        };
        let named = vouched_for(&site, name, with(right)).await;
        let _ = own(&named, Some(&certificate)).await.expect(200);
        let other = vouched_for(&site, &format!("not-{name}"), with(wrong)).await;
        let _ = own(&other, Some(&certificate)).await.expect_problem(401, "invalid_client");
    }
}

#[tokio::test]
async fn only_a_certificate_of_the_tenants_own_authority_in_its_time_authenticates() {
    let h = deployment().await;
    let (mut main, mut acme) = (h.tenant("main").await, h.tenant("acme").await);
    let (ours, theirs) = (Authority::new("ours"), Authority::new("theirs"));
    trust(&mut main, &ours).await;
    trust(&mut acme, &theirs).await;
    let name = "web.client.example";
    let (app, at_acme) = (vouched_for(&main, "web", |_| ()).await, vouched_for(&acme, "web", |_| ()).await);
    let good = ours.issue(name);
    let _ = own(&app, Some(&good)).await.expect(200);
    let _ = own(&at_acme, Some(&theirs.issue(name))).await.expect(200);
    let expired = ours.issue_with(name, |params| params.not_after = rcgen::date_time_ymd(2026, 1, 1));
    let namesake = Authority::new("ours").issue(name);
    for certificate in [
        None,
        Some(&theirs.issue(name)),
        Some(&namesake),
        Some(&expired),
        Some(&ours.issue("other.client.example")),
        Some(&Certificate::self_signed(name)),
    ] {
        let refused = own(&app, certificate).await.expect_problem(401, "invalid_client");
        assert!(!refused.body.contains("certificate"), "{refused:?}");
    }
    let _ = own(&at_acme, Some(&good)).await.expect_problem(401, "invalid_client");
    // A tenant without authorities trusts none.
    let bare = h.tenant("bare").await;
    let app = vouched_for(&bare, "web", |_| ()).await;
    let _ = own(&app, Some(&good)).await.expect_problem(401, "invalid_client");
}

#[tokio::test]
async fn a_self_signed_certificate_is_the_one_that_the_client_published() {
    let h = deployment().await;
    let site = h.tenant("main").await;
    let (certificate, other) = (Certificate::self_signed("a.example"), Certificate::self_signed("a.example"));
    let app = site
        .app_with("web", |configuration| {
            configuration.token_endpoint_auth_method = AuthMethod::SelfSignedTlsClientAuth;
            configuration.jwks = Some(certificate.jwks());
        })
        .await;
    let _ = own(&app, Some(&certificate)).await.expect(200);
    let _ = own(&app, Some(&other)).await.expect_problem(401, "invalid_client");
    let _ = own(&app, None).await.expect_problem(401, "invalid_client");
}

#[tokio::test]
async fn a_certificate_is_the_method_where_it_is_registered_and_nowhere_else() {
    let h = deployment().await;
    let mut site = h.tenant("main").await;
    let authority = Authority::new("acme");
    trust(&mut site, &authority).await;
    let certificate = authority.issue("web.client.example");
    let (app, secretive) = (vouched_for(&site, "web", |_| ()).await, site.app("secretive").await);
    // With a secret in addition to the certificate, and with the certificate of another application's method.
    let form = [("grant_type", "client_credentials"), ("client_secret", "guess")];
    let _ = post(&app, "/oauth/token", &form, Some(&certificate)).await.expect_problem(401, "invalid_client");
    let mut silent = secretive.clone();
    silent.configuration.token_endpoint_auth_method = AuthMethod::None;
    let _ = own(&silent, Some(&certificate)).await.expect_problem(401, "invalid_client");
    let _ = own(&secretive, Some(&certificate)).await.expect(200);
    for path in ["/oauth/introspect", "/oauth/revoke"] {
        let _ = post(&app, path, &[("token", "x")], Some(&certificate)).await.expect(200);
        let _ = post(&app, path, &[("token", "x")], None).await.expect_problem(401, "invalid_client");
    }
}

#[tokio::test]
async fn the_header_of_a_certificate_says_nothing_from_others_or_where_it_is_not_believed() {
    let h = deployment().await;
    let mut site = h.tenant("main").await;
    let authority = Authority::new("acme");
    trust(&mut site, &authority).await;
    let app = vouched_for(&site, "web", |_| ()).await;
    let field = authority.issue("web.client.example").field();
    let request = |field: &str| {
        let body = format!("grant_type=client_credentials&client_id={}", app.id);
        svc_http::Request::post("/oauth/token")
            .header("host", &site.host)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("client-cert", field)
            .body(svc_http::Body::from(body))
            .unwrap()
    };
    let _ = h.send_from("192.0.2.1", request(&field)).await.expect(200);
    let _ = h.send_from("192.0.2.2", request(&field)).await.expect_problem(401, "invalid_client");
    let elsewhere = h.restarted_with(&[("SVC_SERVER__TRUSTED_PROXIES", "[\"192.0.2.1\"]")]).await;
    let _ = elsewhere.send_from("192.0.2.1", request(&field)).await.expect_problem(401, "invalid_client");
}

#[tokio::test]
async fn registration_takes_certificates_where_they_are_offered() {
    let open = ("SVC_OIDC__DYNAMIC_REGISTRATION", "open");
    let with = Harness::with(&[super::BEHIND_A_PROXY[0], super::BEHIND_A_PROXY[1], open]).await;
    let without = Harness::with(&[open]).await;
    let members = json!({
        "redirect_uris": ["https://app.example/cb"],
        "token_endpoint_auth_method": "tls_client_auth",
        "tls_client_auth_san_dns": "client.example",
        "tls_client_certificate_bound_access_tokens": true,
    });
    let register = async |h: &Harness, document: Value| {
        h.tenant("main").await.call(Method::POST, "/oauth/register", None, Some(document)).await
    };
    let told = register(&with, members.clone()).await.expect(201).json();
    for (name, value) in members.as_object().unwrap() {
        assert_eq!(told[name], *value, "{name}");
    }
    assert_eq!(told.get("client_secret"), None);
    let _ = register(&without, members).await.expect_problem(400, "invalid_client_metadata");
}
