//! The way of a reference through the browser (RFC 9126 §4): read as often as a page is reloaded, spent by one code.

use svc_http::Method;
use url::Url;

use super::{VERIFIER, is_page, push, request_uri, signing_in, told, with_reference};
use crate::harness::client::STATE;
use crate::harness::{Code, Harness};

#[tokio::test]
async fn client_id_and_reference_are_all_that_the_browser_brings() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for client in [site.app("web").await, site.public_app("spa").await] {
        let reference = request_uri(&push(&client, &[]).await);
        let answer = signing_in(&mut site.browser(), &with_reference(&client.id, &reference), &ada).await;
        assert_eq!(answer.redirect_param("state").as_deref(), Some(STATE));
        assert_eq!(answer.redirect_param("iss").as_deref(), Some(site.issuer()));
        let code = Code { code: answer.redirect_param("code").unwrap(), verifier: VERIFIER.to_owned() };
        let _ = client.exchange(&code).await.expect(200);
    }
}

#[tokio::test]
async fn pushed_values_win_and_what_is_outside_says_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("web").await, site.user("ada").await);
    for outside in [
        "&state=outside&redirect_uri=https%3A%2F%2Fevil.example%2F&scope=openid&prompt=none&response_type=token",
        "&scope=openid&scope=email",
        "&request=e30.e30.e30&code_challenge=x",
    ] {
        let reference = request_uri(&push(&client, &[]).await);
        let path = format!("{}{outside}", with_reference(&client.id, &reference));
        let answer = signing_in(&mut site.browser(), &path, &ada).await;
        assert!(answer.location().starts_with(client.redirect_uri()), "{outside}: {answer:?}");
        assert_eq!(answer.redirect_param("state").as_deref(), Some(STATE), "{outside}");
        assert!(answer.redirect_param("code").is_some(), "{outside}: {answer:?}");
    }
}

#[tokio::test]
async fn what_is_doubled_next_to_a_reference_says_nothing_in_a_form_either() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    let path = with_reference(&client.id, &request_uri(&push(&client, &[]).await));
    let counts = path.split_once('?').unwrap().1;
    let mut browser = site.browser();
    let endpoint = "/oauth/authorize";
    let own = site.issuer().to_owned();
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("origin", own.as_str()),
        ("sec-fetch-site", "same-origin"),
    ];
    for (query, form) in [
        ("", format!("{counts}&scope=openid&scope=email")),
        ("?state=a", format!("{counts}&state=b")),
        ("?scope=openid&scope=email", counts.to_owned()),
    ] {
        let answer = browser.send(Method::POST, &format!("{endpoint}{query}"), &headers, form.clone()).await;
        assert!(answer.body.contains("id=\"login-submit\""), "{query} {form}: {answer:?}");
    }
    for (query, form) in [
        ("", format!("{counts}&client_id={}", client.id)),
        (&*format!("?client_id={}", client.id), counts.to_owned()),
        ("", format!("client_id={}&scope=openid&scope=email", client.id)),
    ] {
        let answer = browser.send(Method::POST, &format!("{endpoint}{query}"), &headers, form.clone()).await;
        is_page(&answer, "invalid_request", &form);
    }
}

#[tokio::test]
async fn a_page_can_be_reloaded_until_a_code_has_been_issued() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("web").await, site.user("ada").await);
    let path = with_reference(&client.id, &request_uri(&push(&client, &[]).await));
    let mut browser = site.browser();
    for _ in 0..3 {
        assert!(browser.get(&path).await.body.contains("id=\"login-submit\""));
    }
    let answer = signing_in(&mut browser, &path, &ada).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    is_page(&browser.get(&path).await, "invalid_request_uri", "the same browser");
    is_page(&site.browser().get(&path).await, "invalid_request_uri", "another browser");
}

#[tokio::test]
async fn a_person_who_came_in_time_may_take_longer_to_sign_in() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("web").await, site.user("ada").await);
    let path = with_reference(&client.id, &request_uri(&push(&client, &[]).await));
    let mut browser = site.browser();
    let page = browser.get(&path).await;
    h.advance(61);
    is_page(&site.browser().get(&path).await, "invalid_request_uri", "expired");
    h.run_jobs().await;
    let answer = browser.submit(&page, &[("username", &ada.username), ("password", &ada.password)]).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
}

#[tokio::test]
async fn an_unknown_reference_and_one_of_another_application_are_the_same() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (client, other) = (site.app("web").await, site.app("other").await);
    let reference = request_uri(&push(&client, &[]).await);
    let stranger = globex.app("web").await;
    for (case, browser, id, reference) in [
        ("another application", site.browser(), &other.id, reference.as_str()),
        ("another tenant", globex.browser(), &stranger.id, reference.as_str()),
        ("unknown", site.browser(), &client.id, "urn:ietf:params:oauth:request_uri:AAAA"),
        ("empty", site.browser(), &client.id, "urn:ietf:params:oauth:request_uri:"),
    ] {
        let mut browser = browser;
        is_page(&browser.get(&with_reference(id, reference)).await, "invalid_request_uri", case);
    }
    // What an address names is not fetched.
    let path = with_reference(&client.id, "https://app.example/request");
    let path = format!("{path}&redirect_uri={}", client.redirect_uri());
    assert_eq!(told(&site.browser().get(&path).await, &client), "request_uri_not_supported");
}

#[tokio::test]
async fn a_request_that_the_person_has_refused_is_answered() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app_with("shop", |app| app.first_party = false).await, site.user("ada").await);
    let path = with_reference(&client.id, &request_uri(&push(&client, &[]).await));
    let mut browser = site.browser();
    let page = signing_in(&mut browser, &path, &ada).await.expect(200);
    for press in ["first", "second"] {
        let answer = browser.submit(&page, &[("decision", "deny")]).await;
        assert_eq!(told(&answer, &client), "access_denied", "{press}");
    }
    is_page(&browser.get(&path).await, "invalid_request_uri", "refused");
    let answer = browser.submit(&page, &[("decision", "allow")]).await;
    assert_eq!(told(&answer, &client), "invalid_request_uri");
}

#[tokio::test]
async fn of_two_browsers_with_one_reference_one_gets_a_code() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("web").await, site.user("ada").await);
    let path = with_reference(&client.id, &request_uri(&push(&client, &[]).await));
    let mut browsers = Vec::new();
    for _ in 0..5 {
        let mut browser = site.browser();
        let page = browser.get(&path).await;
        browsers.push((browser, page));
    }
    let fields = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let submitted = browsers.iter_mut().map(|(browser, page)| browser.submit(page, &fields));
    let answers = futures_util::future::join_all(submitted).await;
    let codes = answers.iter().filter(|answer| answer.redirect_param("code").is_some()).count();
    assert_eq!(codes, 1, "{answers:?}");
    for answer in answers.iter().filter(|answer| answer.redirect_param("code").is_none()) {
        assert_eq!(told(answer, &client), "invalid_request_uri");
    }
}

#[tokio::test]
async fn of_two_browsers_that_are_signed_in_and_come_at_once_one_gets_a_code() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let (mut one, mut other) = (site.sign_in(&app, &ada).await, site.sign_in(&app, &ada).await);
    for _ in 0..5 {
        let path = with_reference(&app.id, &request_uri(&push(&app, &[]).await));
        let (first, second) = tokio::join!(one.get(&path), other.get(&path));
        let (won, lost) =
            if first.redirect_param("code").is_some() { (first, second) } else { (second, first) };
        assert!(won.redirect_param("code").is_some() && lost.redirect_param("code").is_none(), "{lost:?}");
        // What was spent when it came is a page; what is spent meanwhile goes back to the application.
        if lost.status == 400 {
            is_page(&lost, "invalid_request_uri", "spent before");
        } else {
            assert_eq!(told(&lost, &app), "invalid_request_uri");
        }
    }
}

#[tokio::test]
async fn an_application_that_must_push_is_refused_without() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let client =
        site.app_with("pushing", |configuration| configuration.require_pushed_authorization_requests = true);
    let (client, ada) = (client.await, site.user("ada").await);
    assert_eq!(
        told(&site.browser().get(&client.authorize_path(VERIFIER, &[])).await, &client),
        "invalid_request"
    );
    let reference = request_uri(&push(&client, &[]).await);
    let answer = signing_in(&mut site.browser(), &with_reference(&client.id, &reference), &ada).await;
    assert!(Url::parse(answer.location()).unwrap().query().unwrap().contains("code="));
}

#[tokio::test]
async fn what_was_pushed_is_held_against_the_application_as_it_is_now() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    let path = with_reference(&client.id, &request_uri(&push(&client, &[]).await));
    let mut configuration = serde_json::to_value(&client.configuration).unwrap();
    configuration["redirect_uris"] = serde_json::json!(["https://elsewhere.example/cb"]);
    let (token, one) = (site.mint(|_| ()), format!("/api/v1/applications/{}", client.id));
    let _ = site.call(Method::PUT, &one, Some(&token), Some(configuration)).await.expect(200);
    is_page(&site.browser().get(&path).await, "invalid_redirect_uri", "withdrawn");
}
