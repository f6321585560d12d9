//! Forged forms (CSRF, login CSRF): every state-changing form refuses what its own page in this browser did not send.

use svc_http::Method;

use super::errands::{self, Errand, FORMS};
use super::{World, refused, state_of, world};
use crate::harness::browser::Form;
use crate::harness::{Answer, Browser, Harness};

/// A way to send a form that its page would never take.
type Forgery = (&'static str, &'static [(&'static str, &'static str)], fn(&Material) -> Option<String>);

/// What an attacker may have at hand.
struct Material {
    own: String,
    /// The same form, opened in the attacker's browser.
    others: String,
    /// The same form of another tenant, opened in a browser with the same cookie.
    foreign: String,
    /// A state that this browser got for another purpose.
    other_purpose: String,
}

const OWN: &[(&str, &str)] = &[("origin", "https://id.test"), ("sec-fetch-site", "same-origin")];

const FORGERIES: [Forgery; 14] = [
    ("no state", OWN, |_| None),
    ("an empty state", OWN, |_| Some(String::new())),
    ("junk", OWN, |_| Some("AAAA".to_owned())),
    ("an attacker's state", OWN, |material| Some(material.others.clone())),
    ("another tenant's state", OWN, |material| Some(material.foreign.clone())),
    ("the state of another purpose", OWN, |material| Some(material.other_purpose.clone())),
    ("a cut state", OWN, |material| Some(material.own[..material.own.len() - 1].to_owned())),
    ("a padded state", OWN, |material| Some(format!("{}=", material.own))),
    ("a lengthened state", OWN, |material| Some(format!("{}A", material.own))),
    ("another site's origin", &[("origin", "https://evil.example")], |material| Some(material.own.clone())),
    ("a sibling tenant's origin", &[("origin", "https://other.id.test")], |material| {
        Some(material.own.clone())
    }),
    ("our host in the clear", &[("origin", "http://id.test")], |material| Some(material.own.clone())),
    ("cross-site", &[("sec-fetch-site", "cross-site")], |material| Some(material.own.clone())),
    ("same-site", &[("origin", "null"), ("sec-fetch-site", "same-site")], |material| {
        Some(material.own.clone())
    }),
];

/// The hidden state of a page's form.
fn state(page: &Answer) -> String {
    Form::of(page).hidden.into_iter().find(|(name, _)| name == "flow").unwrap().1
}

async fn send(
    browser: &mut Browser<'_>,
    errand: &Errand<'_>,
    headers: &[(&str, &str)],
    flow: Option<&str>,
) -> Answer {
    let fields = errand.fields().into_iter().chain(flow.map(|flow| ("flow", flow)));
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    let headers: Vec<_> = kind.iter().chain(headers).copied().collect();
    browser.send(Method::POST, errand.path, &headers, body).await
}

async fn material(world: &World<'_>, elsewhere: &World<'_>, errand: &Errand<'_>) -> Material {
    let other_path = if errand.path == "/auth/sign-out" { "/auth/sign-in" } else { "/auth/sign-out" };
    let others = errands::open(world, errand.path, "attacker").await;
    let foreign = errands::open(elsewhere, errand.path, "attacker").await;
    let mut same = errands::open(world, other_path, "same").await;
    // Its page is opened again with the cookies of the browser under attack.
    same.browser
        .cookies
        .insert("__Host-svc_browser".to_owned(), errand.browser.cookies["__Host-svc_browser"].clone());
    let again = if other_path == "/auth/sign-out" { "/oauth/end-session".to_owned() } else { String::new() };
    let other_purpose = if again.is_empty() {
        state(&world.sign_in_page(&mut same.browser).await)
    } else {
        state(&same.browser.get(&again).await)
    };
    Material {
        own: state(&errand.page),
        others: state(&others.page),
        foreign: state(&foreign.page),
        other_purpose,
    }
}

#[tokio::test]
async fn a_forged_form_is_forbidden_changes_nothing_and_leaves_the_real_one_working() {
    let h = Harness::with(errands::EVERYTHING).await;
    let (home, elsewhere) = (world(&h, "main").await, world(&h, "other").await);
    for path in FORMS {
        let mut errand = errands::open(&home, path, "victim").await;
        let material = material(&home, &elsewhere, &errand).await;
        let before = state_of(&h).await;
        for (what, headers, flow) in FORGERIES {
            let mut browser = errand.browser.clone();
            let answer = send(&mut browser, &errand, headers, flow(&material).as_deref()).await;
            refused(&answer, 403, "forbidden");
            assert_eq!(state_of(&h).await, before, "{path}: {what}");
        }
        let done = errand.run().await;
        assert!(errands::is_done(&done), "{path}: {done:?}");
        h.advance(1);
    }
}

#[tokio::test]
async fn a_form_is_worth_nothing_in_a_browser_that_did_not_open_it() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    for path in FORMS {
        let mut errand = errands::open(&home, path, "victim").await;
        let own = state(&errand.page);
        let before = state_of(&h).await;
        let planted = "A".repeat(43);
        for cookies in [
            vec![],
            vec![("__Host-svc_browser", planted.as_str())],
            vec![("svc_browser", errand.browser.cookies["__Host-svc_browser"].as_str())],
        ] {
            let mut stranger = home.site.browser();
            stranger
                .cookies
                .extend(cookies.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
            refused(&send(&mut stranger, &errand, OWN, Some(&own)).await, 403, "forbidden");
        }
        assert_eq!(state_of(&h).await, before, "{path}");
        let done = errand.run().await;
        assert!(errands::is_done(&done), "{path}: {done:?}");
        h.advance(1);
    }
}

#[tokio::test]
async fn no_errand_is_done_by_get_or_by_another_method() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    for path in FORMS {
        let errand = errands::open(&home, path, "victim").await;
        let own = state(&errand.page);
        let before = state_of(&h).await;
        let fields = errand.fields().into_iter().chain([("flow", own.as_str())]);
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        for method in [Method::GET, Method::HEAD, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]
        {
            let mut browser = errand.browser.clone();
            let answer = browser.send(method.clone(), &format!("{path}?{query}"), &[], String::new()).await;
            let is_page =
                matches!(method, Method::GET | Method::HEAD) && [200, 400, 403].contains(&answer.status);
            assert!(is_page || answer.status == 405, "{method} {path}: {answer:?}");
            assert_eq!(state_of(&h).await, before, "{method} {path}");
        }
        h.advance(1);
    }
}

#[tokio::test]
async fn an_altered_state_is_never_opened() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let errand = errands::open(&home, "/auth/sign-in", "victim").await;
    let own = state(&errand.page);
    for at in (0..own.len()).step_by(29) {
        let other = if own.as_bytes()[at] == b'A' { "B" } else { "A" };
        let altered = format!("{}{other}{}", &own[..at], &own[at + 1..]);
        let answer = send(&mut errand.browser.clone(), &errand, OWN, Some(&altered)).await;
        refused(&answer, 403, "forbidden");
    }
    let mut errand = errand;
    assert!(errands::is_done(&errand.run().await));
}

#[tokio::test]
async fn no_one_is_signed_in_to_an_attackers_account() {
    let h = Harness::with(errands::EVERYTHING).await;
    let home = world(&h, "main").await;
    let mallory = home.site.user("mallory").await;
    let mut attacker = home.site.browser();
    let page = home.sign_in_page(&mut attacker).await;
    let own = state(&page);
    let fields = vec![("username", mallory.username), ("password", mallory.password)];
    let errand = Errand { path: "/auth/sign-in", browser: attacker, page, fields };
    let mut victim = home.site.sign_in(&home.first, &home.ada).await;
    refused(&send(&mut victim, &errand, OWN, Some(&own)).await, 403, "forbidden");
    // The way back into a flow is bound alike, so that the attacker's page cannot be handed over either.
    refused(&victim.get(&format!("/auth/continue?flow={own}")).await, 403, "forbidden");
    let answer = errands::asked(&home, &mut victim, &[("prompt", "none")]).await;
    let code = answer.redirect_param("code").expect("Ada is still signed in");
    assert!(!code.is_empty());
}

#[tokio::test]
async fn a_sign_in_page_is_good_for_as_long_as_the_configuration_says() {
    for (seconds, status) in [(59, 303), (60, 400)] {
        let h = Harness::with(&[("SVC_OIDC__LOGIN_TRANSACTION_LIFETIME_SECS", "60")]).await;
        let home = world(&h, "main").await;
        let mut browser = home.site.browser();
        let page = home.sign_in_page(&mut browser).await;
        h.advance(seconds);
        let fields = [("username", home.ada.username.as_str()), ("password", home.ada.password.as_str())];
        assert_eq!(browser.submit(&page, &fields).await.status, status, "after {seconds} seconds");
    }
}
