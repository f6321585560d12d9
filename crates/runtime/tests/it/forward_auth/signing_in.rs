//! The code flow of a host behind a proxy, in the browser that began it.

use std::collections::BTreeMap;

use serde_json::json;
use svc_http::Method;

use super::{COOKIE, Host, SETTINGS, world};
use crate::harness::Harness;

#[tokio::test]
async fn a_person_signs_in_and_returns_to_the_page_that_was_asked_for() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let mut browser = site.browser();
    let answer = wiki.sign_in(&mut browser, &ada).await.expect(303);
    assert_eq!(answer.location(), "https://wiki.example/page?x=1");
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with(&format!("{COOKIE}={}~", wiki.app.id)), "{cookie}");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=28800; Secure"), "{cookie}");

    // With a session, a second host needs no form.
    let mut shop = Host::new(&site, "shop", |_| ()).await;
    let path = shop.begin().await;
    let answer = browser.get(&path).await.expect(303);
    let callback = shop.path_here(answer.location());
    let _ = shop.send(&callback, &[]).await.expect(303);
    assert!(shop.is_signed_in().await && wiki.is_signed_in().await);
}

#[tokio::test]
async fn a_sign_in_is_recorded_as_one_at_the_token_endpoint_is() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let _ = wiki.sign_in(&mut site.browser(), &ada).await.expect(303);
    let path = "/api/v1/audit?limit=200";
    let answer = site.call(Method::GET, path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    let entries = answer["data"].as_array().unwrap();
    let issued: Vec<_> = entries.iter().filter(|entry| entry["action"] == "token.issued").collect();
    let [entry] = issued[..] else { panic!("{answer}") };
    assert_eq!((&entry["target"], &entry["actor_id"]), (&json!(wiki.app.id), &json!(wiki.app.id)));
    let detail = json!({
        "client_id": wiki.app.id, "sub": ada.subject, "tenant_user_id": ada.id, "aud": site.issuer(),
        "scope": "openid", "grant_type": "authorization_code",
    });
    assert_eq!(entry["detail"], detail);
}

#[tokio::test]
async fn a_third_party_is_told_its_own_subject_after_the_person_consented() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, _) = world(&h).await;
    let mut blog = Host::new(&site, "blog", |app| app.first_party = false).await;
    let _ = blog.sign_in(&mut site.browser(), &ada).await.expect(303);
    let subject = blog.check().await.expect(200).header("x-svc-subject").to_owned();
    assert!(!subject.is_empty() && subject != ada.subject, "{subject}");
}

#[tokio::test]
async fn a_person_is_never_returned_to_another_site() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let mut browser = site.sign_in(&site.app("portal").await, &ada).await;
    for to in ["https://evil.example/", "evil", "\\\\evil.example", "/\\evil.example", "/a b", "/a\r\nb"] {
        let to: String = url::form_urlencoded::byte_serialize(to.as_bytes()).collect();
        let start = format!("/auth/proxy/start?client_id={}&to={to}", wiki.app.id);
        let answer = wiki.send(&start, &[]).await.expect(303);
        let path = answer.location().strip_prefix(site.issuer()).unwrap().to_owned();
        let callback = wiki.authorized(&mut browser, &path, &ada).await;
        let back = wiki.send(&callback, &[]).await.expect(303);
        assert_eq!(back.location(), "https://wiki.example/", "{to}");
    }
}

#[tokio::test]
async fn a_code_is_taken_from_the_browser_that_asked_for_it_and_once() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let mut browser = site.browser();
    let path = wiki.begin().await;
    let callback = wiki.authorized(&mut browser, &path, &ada).await;

    let mut victim = Host { cookies: BTreeMap::new(), ..wiki.clone() };
    let _ = victim.begin().await;
    let _ = victim.send(&callback, &[]).await.expect_problem(403, "forbidden");
    assert!(!victim.is_signed_in().await);
    let mut other = Host { name: "other.example".to_owned(), ..wiki.clone() };
    let _ = other.send(&callback, &[]).await.expect_problem(403, "forbidden");

    let _ = wiki.send(&callback, &[]).await.expect(303);
    assert!(wiki.is_signed_in().await);
    let _ = wiki.send(&callback, &[]).await.expect_problem(400, "invalid_grant");
    // Two have had the code: what it bought ends, as at the token endpoint.
    assert!(!wiki.is_signed_in().await);
}

#[tokio::test]
async fn a_code_or_an_answer_of_another_request_is_refused() {
    let h = Harness::with(&SETTINGS).await;
    let (site, ada, mut wiki) = world(&h).await;
    let mut browser = site.browser();
    let [first, second] = [wiki.begin().await, wiki.begin().await];
    let one = wiki.authorized(&mut browser, &first, &ada).await;
    let two = wiki.authorized(&mut browser, &second, &ada).await;
    let param = |path: &str, name: &str| {
        let url = url::Url::parse(&format!("https://wiki.example{path}")).unwrap();
        url.query_pairs().find(|(known, _)| known == name).unwrap().1.into_owned()
    };
    let query = |pairs: &[(&str, &str)]| {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        format!("/auth/proxy/callback?{query}")
    };
    let (code, state) = (param(&one, "code"), param(&two, "state"));
    let mixed = wiki.send(&query(&[("code", &code), ("state", &state)]), &[]).await;
    let _ = mixed.expect_problem(400, "invalid_grant");
    for pairs in [
        &[("error", "access_denied"), ("state", state.as_str())][..],
        &[("error", "login_required"), ("state", &state)],
        &[("code", &code), ("state", &state), ("iss", "https://evil.example")],
        &[("code", &code)],
    ] {
        let _ = wiki.send(&query(pairs), &[]).await.expect_problem(403, "forbidden");
    }
    assert!(!wiki.is_signed_in().await);
}
