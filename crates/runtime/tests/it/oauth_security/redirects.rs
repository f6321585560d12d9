//! Where an authorization request may send people: N1, N4, N5, N8.

use svc_domain::apps::Kind;

use super::{is_page, is_told};
use crate::harness::Harness;
use crate::harness::client::STATE;

/// Everything that resembles `https://web.app.example/callback` without being it.
const NEARLY: &[&str] = &[
    "https://web.app.example/callbac",
    "https://web.app.example/callbackk",
    "https://web.app.example/callbacj",
    "https://web.app.example/Callback",
    "https://WEB.app.example/callback",
    "HTTPS://web.app.example/callback",
    "http://web.app.example/callback",
    "https://web.app.example:443/callback",
    "https://web.app.example:8443/callback",
    "https://web.app.example/callback/",
    "https://web.app.example/callback?",
    "https://web.app.example/callback?next=https://evil.example",
    "https://web.app.example/callback#",
    "https://web.app.example/callback#fragment",
    "https://web.app.example@evil.example/callback",
    "https://web.app.example:x@evil.example/callback",
    "https://evil@web.app.example/callback",
    "https://web.app.example/..;/callback",
    "https://web.app.example/x/../callback",
    "https://web.app.example/%2e%2e/callback",
    "https://web.app.example/%63allback",
    "https://web.app.example\\callback",
    "https://web.app.example/callback\\",
    "https://web.app.example/callback\t",
    "https://web.app.example/callback\n",
    "https://web.app.example/callback\r\nlocation: https://evil.example",
    " https://web.app.example/callback",
    "https://web.app.example/callback ",
    "https://web.app.example/callback%00",
    "https://webxapp.example/callback",
    "https://web.appxexample/callback",
    "https://web.app.example.evil.example/callback",
    "https://evil.example/web.app.example/callback",
    "https://evil.example/?https://web.app.example/callback",
    "https://web.app.example./callback",
    "https://wеb.app.example/callback",
    "https://web。app。example/callback",
    "https://xn--wb-1lc.app.example/callback",
    "//web.app.example/callback",
    "/callback",
    "callback",
    "web.app.example/callback",
    "javascript:alert(1)//https://web.app.example/callback",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "*",
    "https://web.app.example/callback https://evil.example/",
];

#[tokio::test]
async fn an_address_that_is_not_the_registered_one_to_the_letter_gets_a_page_of_ours() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    // With a session nothing stands between the request and a redirect but the check.
    let mut browser = site.sign_in(&app, &ada).await;
    for address in NEARLY {
        let path = app.authorize_path(&app.verifier(), &[("redirect_uri", address)]);
        let got = browser.get(&path).await;
        is_page(&got, address);
        // What was sent is shown to developers as text, in its own place, and leads nowhere.
        let (page, sent) = got.body.split_once("id=\"mismatch\"").unwrap_or((&got.body, ""));
        assert!(!page.contains("evil") && !page.contains("alert(1)"), "{address}: {got:?}");
        assert!(!sent.contains("href=") && !sent.contains("<script"), "{address}: {got:?}");
        let silent = format!("{path}&prompt=none&response_mode=form_post");
        is_page(&browser.get(&silent).await, address);
        let fields: Vec<_> =
            url::form_urlencoded::parse(path.split_once('?').unwrap().1.as_bytes()).collect();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect();
        is_page(&browser.post("/oauth/authorize", &fields).await, address);
    }
    app.code_in(&mut browser, &ada).await;
}

#[tokio::test]
async fn a_name_of_the_loopback_is_not_its_address_and_ports_are_free_for_native_applications_only() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for (kind, any_port) in [(Kind::Web, 400), (Kind::Native, 200)] {
        let handle = if kind == Kind::Web { "web" } else { "native" };
        let app = site
            .app_with(handle, |configuration| {
                configuration.kind = kind;
                configuration.redirect_uris = vec!["http://127.0.0.1:8765/callback".to_owned()];
            })
            .await;
        for (address, status) in [
            ("http://127.0.0.1:8765/callback", 200),
            ("http://127.0.0.1:9999/callback", any_port),
            ("http://127.0.0.1/callback", any_port),
            ("http://localhost:8765/callback", 400),
            ("http://[::1]:8765/callback", 400),
            ("http://127.0.0.2:8765/callback", 400),
            ("http://127.0.0.1:8765/other", 400),
            ("http://127.0.0.1:8765@evil.example/callback", 400),
            ("http://127.0.0.1:99999/callback", 400),
            ("http://127.1:8765/callback", 400),
            ("https://127.0.0.1:8765/callback", 400),
        ] {
            let answer =
                site.browser().get(&app.authorize_path(&app.verifier(), &[("redirect_uri", address)])).await;
            assert_eq!(answer.status, status, "{kind:?} {address}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn no_answer_is_posted_to_an_address_that_is_not_on_the_web() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app_with("native", |configuration| {
        configuration.kind = Kind::Native;
        configuration.redirect_uris = vec!["com.example.app:/callback".to_owned()];
    });
    let (app, ada) = (app.await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    for mode in ["form_post", "form_post.jwt"] {
        let answer = browser.get(&app.authorize_path(&app.verifier(), &[("response_mode", mode)])).await;
        is_told(&answer, &app, "invalid_request", mode);
    }
    let _ = app.exchange(&app.code_in(&mut browser, &ada).await).await.expect(200);
}

#[tokio::test]
async fn an_address_that_is_left_out_is_not_guessed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let one = site.app("web").await;
    let two = site.app_with("two", |configuration| {
        configuration.redirect_uris.push("https://two.app.example/other".to_owned());
    });
    for app in [one, two.await] {
        let answer = site.browser().get(&app.authorize_path(&app.verifier(), &[("redirect_uri", "")])).await;
        is_page(&answer, &app.configuration.name);
    }
}

#[tokio::test]
async fn a_registered_query_stays_beside_the_answer() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let uri = "https://web.app.example/callback?tenant=a%20b&x=1";
    let app = site.app_with("web", |configuration| configuration.redirect_uris = vec![uri.to_owned()]).await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let code = app.code_in(&mut browser, &ada).await;
    let _ = app.exchange(&code).await.expect(200);
    let answer = browser.get(&app.authorize_path(&app.verifier(), &[])).await;
    assert!(answer.location().starts_with(&format!("{uri}&code=")), "{answer:?}");
    let changed =
        app.authorize_path(&app.verifier(), &[("redirect_uri", "https://web.app.example/callback?x=1")]);
    is_page(&browser.get(&changed).await, "a part of the query");
}

#[tokio::test]
async fn only_codes_are_handed_out_and_only_by_query_or_form() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    for kind in [
        "token",
        "id_token",
        "code token",
        "code id_token",
        "id_token token",
        "none",
        "CODE",
        " code",
        "code code",
    ] {
        let answer = browser.get(&app.authorize_path(&app.verifier(), &[("response_type", kind)])).await;
        is_told(&answer, &app, "unsupported_response_type", kind);
    }
    let answer = browser.get(&app.authorize_path(&app.verifier(), &[("response_type", "")])).await;
    is_told(&answer, &app, "invalid_request", "no response_type");
    for mode in ["fragment", "fragment.jwt", "web_message", "query.jwe", "QUERY", "query form_post"] {
        let answer = browser.get(&app.authorize_path(&app.verifier(), &[("response_mode", mode)])).await;
        is_told(&answer, &app, "invalid_request", mode);
    }
    let _ = app.exchange(&app.code_in(&mut browser, &ada).await).await.expect(200);
}

#[tokio::test]
async fn a_request_object_or_a_foreign_request_uri_is_refused_by_name_and_never_fetched() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for (name, value, error) in [
        ("request", "eyJhbGciOiJub25lIn0.e30.", "request_not_supported"),
        ("request_uri", "https://web.app.example/request.jwt", "request_uri_not_supported"),
        ("request_uri", "http://169.254.169.254/latest/meta-data", "request_uri_not_supported"),
        ("registration", "{}", "registration_not_supported"),
    ] {
        let answer = site.browser().get(&app.authorize_path(&app.verifier(), &[(name, value)])).await;
        is_told(&answer, &app, error, name);
    }
}

#[tokio::test]
async fn two_issuers_name_themselves_in_success_and_refusal() {
    let h = Harness::new().await;
    let sites = [h.tenant("main").await, h.tenant("acme").await, h.tenant("globex").await];
    let mut issuers = Vec::new();
    for site in &sites {
        let (app, ada) = (site.app("web").await, site.user("ada").await);
        let mut browser = site.sign_in(&app, &ada).await;
        let granted = browser.get(&app.authorize_path(&app.verifier(), &[])).await;
        let refused = browser.get(&app.authorize_path(&app.verifier(), &[("scope", "unknown")])).await;
        is_told(&refused, &app, "invalid_scope", "refusal");
        for answer in [granted, refused] {
            assert_eq!(answer.redirect_param("state").as_deref(), Some(STATE));
            issuers.push(answer.redirect_param("iss").unwrap());
        }
        let discovery = site.get("/.well-known/openid-configuration").await.expect(200).json();
        assert_eq!(discovery["issuer"], issuers.last().unwrap().as_str());
    }
    assert_eq!(issuers[0], issuers[1]);
    assert!(issuers[0] != issuers[2] && issuers[2] != issuers[4]);
}
