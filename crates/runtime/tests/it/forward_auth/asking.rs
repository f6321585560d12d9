//! What a proxy learns of a request, and which proxies are answered.

use svc_core::capability::Capability;

use super::{COOKIE, Host, SETTINGS, SUBJECT, world};
use crate::harness::Harness;

#[tokio::test]
async fn a_request_without_a_session_is_told_where_to_sign_in() {
    let h = Harness::with(&SETTINGS).await;
    let (_, _, mut wiki) = world(&h).await;
    let start = format!("https://wiki.example/auth/proxy/start?client_id={}&to=%2Fpage%3Fx%3D1", wiki.app.id);

    let answer = wiki.check().await.expect(401);
    assert_eq!((answer.header("location"), answer.body.as_str()), (start.as_str(), ""));
    assert_eq!(answer.header("www-authenticate"), "Session realm=\"id.test\"");
    assert_eq!(answer.header(SUBJECT), "");

    assert_eq!(wiki.forward(&[("accept", "text/html")]).await.expect(303).location(), start);
    for other in [
        [("x-forwarded-method", "POST")],
        [("accept", "application/json")],
        [("sec-fetch-mode", "cors")],
        [("x-requested-with", "XMLHttpRequest")],
    ] {
        let answer = wiki.forward(&other).await.expect(401);
        assert_eq!(answer.header("location"), start, "{other:?}");
    }
}

#[tokio::test]
async fn a_signed_in_request_is_told_by_its_subject_alone() {
    let h = Harness::with(&SETTINGS).await;
    let (_, ada, mut wiki) = world(&h).await;
    let _ = wiki.sign_in(&mut wiki.app.site.browser(), &ada).await.expect(303);
    for answer in [wiki.check().await, wiki.forward(&[("x-forwarded-method", "POST")]).await] {
        let answer = answer.expect(200);
        assert_eq!((answer.header(SUBJECT), answer.body.as_str()), (ada.subject.as_str(), ""));
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn the_subject_is_in_the_header_that_is_configured() {
    let named = [SETTINGS[0], SETTINGS[1], ("SVC_PROXY__SUBJECT_HEADER", "Remote-User")];
    let h = Harness::with(&named).await;
    let (_, ada, mut wiki) = world(&h).await;
    let _ = wiki.sign_in(&mut wiki.app.site.browser(), &ada).await.expect(303);
    let answer = wiki.check().await.expect(200);
    assert_eq!((answer.header("remote-user"), answer.header(SUBJECT)), (ada.subject.as_str(), ""));
    let _ = wiki.check_with(&[("remote-user", "admin")]).await.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn a_request_that_claims_another_subject_never_passes() {
    let h = Harness::with(&SETTINGS).await;
    let (_, ada, mut wiki) = world(&h).await;
    for name in [SUBJECT, "x_svc_subject"] {
        let _ = wiki.check_with(&[(name, &ada.subject)]).await.expect(401);
    }
    let _ = wiki.sign_in(&mut wiki.app.site.browser(), &ada).await.expect(303);
    for name in [SUBJECT, "x_svc_subject"] {
        let _ = wiki.check_with(&[(name, "admin")]).await.expect_problem(403, "forbidden");
        // A proxy in front may have asked already.
        let _ = wiki.check_with(&[(name, &ada.subject)]).await.expect(200);
    }
}

#[tokio::test]
async fn only_trusted_proxies_are_answered() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let _ = wiki.sign_in(&mut site.browser(), &ada).await.expect(303);
    let cookie = format!("{COOKIE}={}", wiki.cookies[COOKIE]);
    let paths = ["check", "forward", "start", "callback", "sign-out"];
    for path in paths.map(|path| format!("/auth/proxy/{path}?client_id={}", wiki.app.id)) {
        let request = svc_http::Request::get(&path).header("host", &site.host).header("cookie", &cookie);
        let request = request.header("x-forwarded-proto", "https").header("x-forwarded-host", "wiki.example");
        let answer = h.send_from("192.0.2.9", request.body(svc_http::Body::empty()).unwrap()).await;
        let _ = answer.expect_problem(403, "forbidden");
    }
    assert!(wiki.is_signed_in().await);
}

#[tokio::test]
async fn what_a_proxy_leaves_out_or_passes_on_twice_is_refused() {
    let h = Harness::with(&SETTINGS).await;
    let (_, _, mut wiki) = world(&h).await;
    for changes in [
        &[("x-forwarded-host", "")][..],
        &[("x-forwarded-proto", "")],
        &[("x-forwarded-proto", "ftp")],
        &[("x-forwarded-host", "wiki.example"), ("x-forwarded-host", "evil.example")],
        &[("x-forwarded-host", "evil.example, wiki.example")],
        &[("x-forwarded-host", "user@wiki.example")],
        &[("x-forwarded-uri", "/"), ("x-forwarded-uri", "/other")],
    ] {
        let answer = wiki.check_with(changes).await.expect_problem(400, "bad_request");
        assert!(
            answer.json()["detail"].as_str().unwrap().to_lowercase().contains("x-forwarded-"),
            "{changes:?}"
        );
    }
}

#[tokio::test]
async fn an_application_is_known_at_its_own_hosts_only() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let _ = wiki.sign_in(&mut site.browser(), &ada).await.expect(303);
    for (name, value) in [
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-host", "wiki.example:8443"),
        ("x-forwarded-proto", "http"),
    ] {
        let _ = wiki.check_with(&[(name, value)]).await.expect_problem(403, "forbidden");
    }
    for id in ["", "app_00000000000000000000000000"] {
        let answer = wiki.send(&format!("/auth/proxy/check?client_id={id}"), &[]).await;
        assert!([400, 403].contains(&answer.status), "{answer:?}");
    }
    let goes_without = |app: &mut svc_domain::apps::Configuration| {
        app.disabled_capabilities = [Capability::PROXY.name].into_iter().collect();
    };
    let is_bound = |app: &mut svc_domain::apps::Configuration| app.dpop_bound_access_tokens = true;
    for mut host in
        [Host::new(&site, "without", goes_without).await, Host::new(&site, "bound", is_bound).await]
    {
        let _ = host.check().await.expect_problem(403, "forbidden");
    }
}

#[tokio::test]
async fn a_cookie_of_another_host_application_or_tenant_is_worth_nothing() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let _ = wiki.sign_in(&mut site.browser(), &ada).await.expect(303);
    let ticket = wiki.cookies[COOKIE].clone();

    let two_hosts = |app: &mut svc_domain::apps::Configuration| {
        app.redirect_uris.push("https://other.example/auth/proxy/callback".to_owned());
    };
    let mut shop = Host::new(&site, "shop", two_hosts).await;
    let acme = h.tenant("acme").await;
    let mut theirs = Host::new(&acme, "wiki", |_| ()).await;
    for host in [&mut shop, &mut theirs] {
        host.cookies.insert(COOKIE.to_owned(), ticket.clone());
        assert!(!host.is_signed_in().await, "{}", host.app.site.host);
    }
    let _ = shop.sign_in(&mut site.browser(), &ada).await.expect(303);
    assert!(shop.is_signed_in().await);
    shop.name = "other.example".to_owned();
    assert!(!shop.is_signed_in().await);

    for forged in ["", "x", &ticket[..ticket.len() - 1], &ticket.replace(&wiki.app.id, &shop.app.id)] {
        wiki.cookies.insert(COOKIE.to_owned(), forged.to_owned());
        assert!(!wiki.is_signed_in().await, "{forged}");
    }
}

#[tokio::test]
async fn requests_of_people_who_signed_in_are_not_limited_and_those_of_strangers_are() {
    let limited = [SETTINGS[0], SETTINGS[1], ("SVC_SERVER__ENDPOINT_THROTTLE", "5")];
    let h = Harness::in_one_process(&limited).await;
    let (_, ada, mut wiki) = world(&h).await;
    let _ = wiki.sign_in(&mut wiki.app.site.browser(), &ada).await.expect(303);
    for _ in 0..20 {
        assert!(wiki.is_signed_in().await);
    }
    wiki.cookies.clear();
    for _ in 0..5 {
        assert!(!wiki.is_signed_in().await);
    }
    let refused = wiki.check().await.expect_problem(429, "rate_limited");
    assert_eq!(refused.header("ratelimit"), "\"address\";r=0;t=60");
}
