//! The host decides the tenant and nothing else; no header of a client changes what we say of ourselves (N62).

use svc_http::{Body, Request};

use super::refused;
use crate::harness::client::SCOPE;
use crate::harness::{Answer, Client, Harness, Person, Site};

/// What proxies and frameworks take for the host, scheme, path or method.
const SPOOFS: [(&str, &str); 16] = [
    ("x-forwarded-host", "evil.example"),
    ("x-forwarded-server", "evil.example"),
    ("x-forwarded-proto", "http"),
    ("x-forwarded-scheme", "http"),
    ("x-forwarded-port", "1234"),
    ("x-forwarded-prefix", "/evil"),
    ("forwarded", "for=1.2.3.4;host=evil.example;proto=http"),
    ("x-original-url", "https://evil.example/admin"),
    ("x-rewrite-url", "/metrics"),
    ("x-original-host", "evil.example"),
    ("x-host", "evil.example"),
    ("x-http-host-override", "evil.example"),
    ("x-http-method-override", "DELETE"),
    ("x-method-override", "DELETE"),
    ("base-url", "https://evil.example/"),
    ("x-forwarded-ssl", "off"),
];

/// Where peers are trusted to speak for clients, and where not.
const TRUST: [&str; 2] = ["[]", r#"["192.0.2.0/24"]"#];

async fn get(site: &Site<'_>, path: &str, headers: &[(&str, &str)]) -> Answer {
    let empty = Request::get(path).header("host", &site.host);
    let request = headers.iter().fold(empty, |request, (name, value)| request.header(*name, *value));
    site.harness.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn published_documents_and_pages_read_the_same_whatever_a_client_says_of_the_host() {
    for trusted in TRUST {
        let h = Harness::with(&[("SVC_SERVER__TRUSTED_PROXIES", trusted)]).await;
        let site = h.tenant("main").await;
        let app = site.app("web").await;
        let authorize = app.authorize_path(&app.verifier(), &[]);
        for path in [
            "/.well-known/openid-configuration",
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-protected-resource",
        ] {
            let honest = get(&site, path, &[]).await.expect(200);
            for spoof in SPOOFS {
                assert_eq!(
                    get(&site, path, &[spoof]).await.expect(200).body,
                    honest.body,
                    "{path} {spoof:?}"
                );
            }
        }
        for spoof in SPOOFS {
            let page = get(&site, &authorize, &[spoof]).await.expect(200);
            assert!(
                !page.body.contains("evil.example") && page.body.contains("id=\"login-submit\""),
                "{spoof:?}"
            );
            let cookie = page.header("set-cookie");
            assert!(cookie.starts_with("__Host-") && cookie.contains("; Secure"), "{spoof:?}: {cookie}");
        }
        let all: Vec<_> = SPOOFS.to_vec();
        let challenge = get(&site, "/userinfo", &all).await.expect(401);
        assert!(!challenge.header("www-authenticate").contains("evil.example"), "{challenge:?}");
    }
}

#[tokio::test]
async fn tokens_and_redirects_name_the_configured_issuer() {
    let h = Harness::with(&[("SVC_SERVER__TRUSTED_PROXIES", TRUST[1])]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let browser = site.sign_in(&app, &ada).await;
    let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let cookies = cookies.join("; ");
    let headers: Vec<_> = SPOOFS.into_iter().chain([("cookie", cookies.as_str())]).collect();
    let answer =
        get(&site, &app.authorize_path(&app.verifier(), &[("prompt", "none"), ("scope", SCOPE)]), &headers)
            .await;
    assert_eq!(answer.redirect_param("iss").as_deref(), Some(site.issuer()));
    assert!(answer.location().starts_with(app.redirect_uri()), "{answer:?}");
}

#[tokio::test]
async fn a_mailed_link_is_byte_for_byte_the_same_but_for_its_secret() {
    let mut mails = Vec::new();
    for trusted in TRUST {
        let h = Harness::with(&[("SVC_SERVER__TRUSTED_PROXIES", trusted)]).await;
        let site = h.tenant("main").await;
        let (app, ada) = (site.app("web").await, site.user("ada").await);
        for spoofs in [&[][..], &SPOOFS[..]] {
            let _ = forgot(&site, &app, &ada, spoofs).await.expect(200);
            let mail = h.mails().await.into_iter().next().unwrap();
            let secret = mail.links[0].strip_prefix("https://id.test/auth/reset?token=").unwrap().to_owned();
            mails.push((mail.subject, mail.text.replace(&secret, ""), mail.html.replace(&secret, "")));
        }
    }
    assert!(mails.windows(2).all(|pair| pair[0] == pair[1]), "{mails:#?}");
}

async fn forgot(site: &Site<'_>, app: &Client<'_>, person: &Person, spoofs: &[(&str, &str)]) -> Answer {
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
    let (_, link) = page.body.split_once("/auth/forgot?flow=").expect("the page leads to the form");
    let flow = link.split_once('"').expect("an attribute ends").0;
    let fields = [("flow", flow), ("username", person.username.as_str())];
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let kind = [("content-type", "application/x-www-form-urlencoded"), ("origin", site.issuer())];
    let headers: Vec<_> = kind.iter().chain(spoofs).copied().collect();
    browser.send(svc_http::Method::POST, "/auth/forgot", &headers, body).await
}

#[tokio::test]
async fn a_host_that_is_not_ours_is_misdirected_on_every_route() {
    let h = Harness::new().await;
    h.tenant("main").await;
    for place in super::places(&h) {
        if place.path.starts_with("/health/") {
            continue; // Probes reach an instance by its address.
        }
        for host in [
            "evil.example",
            "id.test.evil.example",
            "evil-id.test",
            "127.0.0.1",
            "localhost",
            "id.test.",
            "xn--id-test",
        ] {
            let request =
                Request::builder().method(place.method.clone()).uri(&place.path).header("host", host);
            let answer = h.send(request.body(Body::empty()).unwrap()).await;
            refused(&answer, 421, "misdirected_request");
            assert!(!answer.body.contains(host), "{host}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_subdomain_without_a_tenant_is_nowhere() {
    let h = Harness::new().await;
    h.tenant("main").await;
    for path in
        ["/.well-known/openid-configuration", "/oauth/authorize", "/api/v1/applications", "/auth/forgot"]
    {
        let answer = h.get("nobody.id.test", path).await;
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
        assert!(!answer.header("x-request-id").is_empty());
    }
}

#[tokio::test]
async fn a_person_at_a_subdomain_without_a_tenant_gets_a_page() {
    let h = Harness::new().await;
    h.tenant("main").await;
    h.tenant("acme").await;
    for path in ["/", "/oauth/authorize?client_id=x", "/auth/access", "/nowhere"] {
        let request = Request::get(path).header("host", "nobody.id.test").header("accept-language", "de");
        let request = request.header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        let page = h.send(request.body(Body::empty()).unwrap()).await;
        refused(&page, 404, "not_found");
        assert!(page.header("content-type").starts_with("text/html"), "{path}: {page:?}");
        assert!(page.body.contains("<html lang=\"de\""), "{path}: {page:?}");
        assert!(page.body.contains(page.header("x-request-id")), "{path}: {page:?}");
        assert!(!page.body.contains("acme"), "it says nothing of other tenants: {page:?}");
    }
}

#[tokio::test]
async fn a_missing_doubled_contradicting_or_misshapen_host_is_a_bad_request() {
    let h = Harness::new().await;
    h.tenant("main").await;
    let bad: [(&str, &[&str]); 12] = [
        ("/userinfo", &[]),
        ("/userinfo", &["id.test", "id.test"]),
        ("/userinfo", &["id.test", "evil.example"]),
        ("/userinfo", &["id.test, evil.example"]),
        ("/userinfo", &["id.test@evil.example"]),
        ("/userinfo", &["id.test/evil"]),
        ("/userinfo", &["id.test:x"]),
        ("/userinfo", &["id.test:80:80"]),
        ("/userinfo", &[""]),
        ("https://evil.example/userinfo", &["id.test"]),
        ("https://id.test:444/userinfo", &["id.test"]),
        ("https://id.test/userinfo", &["acme.id.test"]),
    ];
    for (target, hosts) in bad {
        let request = hosts.iter().fold(Request::get(target), |request, host| request.header("host", *host));
        refused(&h.send(request.body(Body::empty()).unwrap()).await, 400, "bad_request");
    }
    let absolute = Request::get("https://id.test/.well-known/openid-configuration").header("host", "id.test");
    let absolute = h.send(absolute.body(Body::empty()).unwrap()).await.expect(200);
    assert_eq!(absolute.json()["issuer"], "https://id.test");
}
