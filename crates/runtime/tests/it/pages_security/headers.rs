//! Every hosted page carries the headers that keep it from being framed, leaked or scripted (N6, N87, N88).

use svc_http::Method;

use super::errands::{self, FORMS, SCRIPTED};
use super::{new_cookie, request, world};
use crate::harness::{Answer, Harness};

/// Pages as people meet them: each form, what comes after it, and errors.
async fn tour(h: &Harness) -> Vec<(String, Answer)> {
    let home = world(h, "main").await;
    let mut seen = Vec::new();
    for path in FORMS {
        let mut errand = errands::open(&home, path, "tour").await;
        seen.push((format!("the form of {path}"), errand.page.clone()));
        let answer = errand.run().await;
        if !SCRIPTED.contains(&path) {
            seen.push((format!("what follows {path}"), answer));
        }
        let forged = errand.browser.clone().post(path, &[("flow", "x")]).await;
        seen.push((format!("the refusal of {path}"), forged));
        h.advance(1);
    }
    let mut browser = home.site.sign_in(&home.first, &home.ada).await;
    seen.push((
        "form_post".to_owned(),
        errands::asked(&home, &mut browser, &[("response_mode", "form_post")]).await,
    ));
    for (name, changes) in [
        ("an unknown application", [("client_id", "nobody")]),
        ("an unregistered address", [("redirect_uri", "https://evil.example/")]),
    ] {
        seen.push((name.to_owned(), errands::asked(&home, &mut browser, &changes).await));
    }
    for path in [
        "/auth/continue",
        "/auth/reset?token=x",
        "/auth/verify?token=x",
        "/oauth/end-session?id_token_hint=x",
    ] {
        seen.push((path.to_owned(), home.site.browser().get(path).await));
    }
    // What a person takes along is a file, and no page.
    seen.retain(|(_, answer)| answer.header("content-disposition").is_empty());
    seen
}

fn directive<'a>(policy: &'a str, name: &str) -> &'a str {
    let found = policy.split(';').map(str::trim).find_map(|part| part.strip_prefix(name));
    found.unwrap_or_else(|| panic!("no {name} in {policy}")).trim()
}

#[tokio::test]
async fn no_hosted_page_can_be_framed_leaked_cached_or_read_across_origins() {
    let h = Harness::with(errands::EVERYTHING).await;
    for (name, answer) in tour(&h).await {
        assert_eq!(answer.header("x-frame-options"), "DENY", "{name}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{name}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{name}");
        assert_eq!(answer.header("cache-control"), "no-store", "{name}");
        assert!(answer.header("strict-transport-security").starts_with("max-age="), "{name}");
        assert_eq!(answer.header("access-control-allow-origin"), "", "{name}");
        let policy = answer.header("content-security-policy");
        assert_eq!(directive(policy, "default-src"), "'none'", "{name}");
        assert_eq!(directive(policy, "frame-ancestors"), "'none'", "{name}");
        if answer.status != 303 {
            assert_eq!(directive(policy, "base-uri"), "'none'", "{name}");
            assert!(!policy.contains("unsafe-"), "{name}: {policy}");
            assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{name}");
        }
    }
}

#[tokio::test]
async fn redirects_after_a_form_make_it_a_get() {
    let h = Harness::with(errands::EVERYTHING).await;
    for (name, answer) in tour(&h).await {
        assert!(!(300..400).contains(&answer.status) || answer.status == 303, "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn a_pages_form_leads_here_or_from_a_sign_in_to_any_site_over_tls() {
    let h = Harness::with(errands::EVERYTHING).await;
    let mut leading_on = 0;
    for (name, answer) in tour(&h).await {
        if answer.status == 303 {
            continue;
        }
        let targets = directive(answer.header("content-security-policy"), "form-action");
        let is_for_an_application = answer.body.contains("name=\"flow\"");
        match targets {
            "'self'" => (),
            // The answer itself is posted, to this address and no other.
            "'self' https://first.app.example" => assert_eq!(name, "form_post"),
            "'self' https:" => {
                assert!(is_for_an_application, "{name}: {targets}");
                leading_on += 1;
            }
            _ => panic!("{name}: {targets}"),
        }
    }
    assert!(leading_on > 3);
}

#[tokio::test]
async fn whatever_is_inline_carries_the_pages_own_fresh_nonce() {
    let h = Harness::with(errands::EVERYTHING).await;
    let mut nonces = Vec::new();
    for (name, answer) in tour(&h).await {
        if answer.status == 303 {
            continue;
        }
        let policy = answer.header("content-security-policy").to_owned();
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        for tag in answer.body.split('<').filter(|tag| tag.starts_with("script") || tag.starts_with("style"))
        {
            let tag = tag.split('>').next().unwrap();
            assert!(
                tag.contains(&format!("nonce=\"{nonce}\"")) || tag.contains("src=\"/auth/assets/"),
                "{name}: {tag}"
            );
        }
        for handler in [" onclick=", " onload=", " onerror=", " style=", "javascript:"] {
            assert!(!answer.body.contains(handler), "{name}: {handler}");
        }
        nonces.push(nonce);
    }
    let count = nonces.len();
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), count);
}

#[tokio::test]
async fn every_cookie_is_first_party_by_prefix_and_out_of_reach_of_scripts() {
    let h = Harness::with(errands::EVERYTHING).await;
    for (name, answer) in tour(&h).await {
        for cookie in answer.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.starts_with("__Host-"), "{name}: {cookie}");
            for attribute in ["; Path=/", "; Secure", "; HttpOnly", "; SameSite=Lax"] {
                assert!(cookie.contains(attribute), "{name}: {cookie}");
            }
            assert!(!cookie.contains("Domain="), "{name}: {cookie}");
        }
    }
}

#[tokio::test]
async fn cookies_that_a_neighbouring_host_could_plant_count_for_nothing() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let signed_in = home.site.sign_in(&home.first, &home.ada).await;
    let session = signed_in.cookies["__Host-svc_session"].clone();
    let silent = home.first.authorize_path(&home.first.verifier(), &[("prompt", "none")]);
    for planted in [
        format!("svc_session={session}"),
        format!("__host-svc_session={session}"),
        format!("__Secure-svc_session={session}"),
        format!("__Host-svc_session={session}; __Host-svc_session={session}"),
        format!("__Host-svc_session={session}; __Host-svc_session={}", "A".repeat(43)),
        format!("__Host-svc_session=\"{session}\""),
        format!("__Host-svc_session={}", session.to_lowercase()),
        format!("__Host-svc_session={session}A"),
    ] {
        let answer = h.send(request(&home.site, "GET", &silent, &[("cookie", &planted)])).await;
        assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"), "{planted}");
        assert_eq!(new_cookie(&answer, "__Host-svc_session"), None, "{planted}");
    }
    let answer = signed_in.clone().send(Method::GET, &silent, &[], String::new()).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
}

#[tokio::test]
async fn a_session_is_worth_nothing_at_another_tenant() {
    let h = Harness::with(errands::EVERYTHING).await;
    let (home, elsewhere) = (world(&h, "main").await, world(&h, "other").await);
    let mut browser = elsewhere.site.browser();
    browser.cookies = home.site.sign_in(&home.first, &home.ada).await.cookies;
    let answer = errands::asked(&elsewhere, &mut browser, &[("prompt", "none")]).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
}

#[tokio::test]
async fn no_hosted_page_answers_another_origin() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let authorize = home.first.authorize_path(&home.first.verifier(), &[]);
    let paths = FORMS.into_iter().chain([authorize.as_str(), "/auth/continue", "/oauth/end-session"]);
    for path in paths {
        for origin in ["https://first.app.example", "null", "https://id.test", "https://evil.example"] {
            for method in ["GET", "OPTIONS", "POST"] {
                let headers = [("origin", origin), ("access-control-request-method", "POST")];
                let answer = h.send(request(&home.site, method, path, &headers)).await;
                let shared: Vec<_> = answer
                    .headers
                    .keys()
                    .filter(|name| name.as_str().starts_with("access-control-"))
                    .collect();
                assert!(shared.is_empty(), "{method} {path} from {origin}: {answer:?}");
            }
        }
    }
}
