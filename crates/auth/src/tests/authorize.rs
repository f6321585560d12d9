//! The authorization endpoint (N1–N8, N66): proof before redirects, sessions, prompts.

use super::*;

#[tokio::test]
async fn a_person_signs_in_and_the_application_gets_a_code() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    assert!(page.header(header::CONTENT_SECURITY_POLICY).contains("form-action 'self' https:;"));
    let first = browser.fill(&page, "ada", PASSWORD).await.code();
    let second = browser.get(&world.authorize(&[])).await.code();
    assert_ne!(first, second);
    let silent = browser.get(&world.authorize(&[("prompt", "none")])).await;
    silent.code();
    assert_eq!(world.events("auth.login.success").await, 1);
}

#[tokio::test]
async fn a_request_for_headers_alone_issues_no_code() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let answer = browser.send("HEAD", &world.authorize(&[]), None).await;
    assert_eq!((answer.status, answer.header(header::LOCATION)), (StatusCode::OK, ""));
    browser.get(&world.authorize(&[])).await.code();
}

#[tokio::test]
async fn until_application_and_address_are_proven_there_is_no_redirect() {
    let world = World::new().await;
    let mut browser = world.browser();
    for changes in [
        &[("client_id", "")][..],
        &[("client_id", "app_01jd3x00000000000000000000")],
        &[("client_id", "nonsense")],
        &[("redirect_uri", "")],
        &[("state", "a\r\nb")],
    ] {
        let answer = browser.get(&world.authorize(changes)).await;
        answer.is_error(400, "invalid_request");
        assert!(answer.body.contains(answer.headers["x-request-id"].to_str().unwrap()));
    }
    for uri in [
        "https://app.example/cb/",
        "https://evil.example/cb",
        "https://app.example/cb?x=1",
        "javascript:alert(1)",
    ] {
        browser.get(&world.authorize(&[("redirect_uri", uri)])).await.is_error(400, "invalid_redirect_uri");
    }
    for raw in ["&client_id=x", "&state=2", "&s%74ate=2", "&x=%ff", "&x=%", "&x=%00"] {
        let address = format!("{}{raw}", world.authorize(&[]));
        browser.get(&address).await.is_error(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_state_of_eight_kibibytes_comes_back_through_every_page() {
    let world = World::new().await;
    let mut browser = world.browser();
    let state = "<&% é".repeat(1365);
    let page = browser.open(&[("state", &state)]).await;
    let page = browser.get(&page.link("/auth/register")).await;
    let page = browser.get(&page.link("/auth/continue")).await;
    let answer = browser.fill(&page, "ada", PASSWORD).await;
    assert_eq!(answer.carried()["state"], state);
}

#[tokio::test]
async fn a_disabled_application_gets_a_page() {
    let world = World::new().await;
    let cx = world.app.cx("req", None);
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    apps::update(
        &mut tx,
        &cx,
        &rules(),
        &world.shop,
        apps::Change { configuration: &world.shop.configuration, enabled: false },
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    world.browser().get(&world.authorize(&[])).await.is_error(400, "invalid_request");
}

#[tokio::test]
async fn a_proven_application_is_told_by_redirect() {
    let world = World::new().await;
    let mut browser = world.browser();
    for (changes, code) in [
        (&[("response_type", "token")][..], "unsupported_response_type"),
        (&[("response_type", "")], "invalid_request"),
        (&[("scope", "admin")], "invalid_scope"),
        (&[("code_challenge", ""), ("code_challenge_method", "")], "invalid_request"),
        (&[("code_challenge_method", "plain")], "invalid_request"),
        (&[("resource", "https://unknown.example")], "invalid_target"),
        (&[("request", "x.y.z")], "request_not_supported"),
        (&[("request_uri", "urn:x")], "request_uri_not_supported"),
        (&[("prompt", "none login")], "invalid_request"),
        (&[("prompt", "none")], "login_required"),
        (&[("id_token_hint", "junk")], "invalid_request"),
    ] {
        browser.get(&world.authorize(changes)).await.is_refusal(code);
    }
    assert!(browser.cookies.is_empty(), "refusals leave nothing behind");
}

#[tokio::test]
async fn a_form_post_answer_is_a_page_that_posts_to_the_application_only() {
    let world = World::new().await;
    let mut browser = world.browser();
    let hostile = "\"><script>alert(1)</script>";
    let page = browser
        .get(&world.authorize(&[("response_mode", "form_post"), ("prompt", "none"), ("state", hostile)]))
        .await;
    page.is_page(200, "form-post-submit");
    assert!(page.body.contains("login_required") && !page.body.contains("<script>alert"));
    assert!(page.header(header::CONTENT_SECURITY_POLICY).contains("form-action 'self' https://app.example;"));
}

#[tokio::test]
async fn the_endpoint_takes_posts_and_refuses_what_is_in_query_and_body() {
    let world = World::new().await;
    let mut browser = world.browser();
    let address = world.authorize(&[]);
    let form = address.split_once('?').unwrap().1.to_owned();
    browser.send("POST", "/oauth/authorize", Some(form.clone())).await.is_page(200, "login-submit");
    browser
        .send("POST", "/oauth/authorize?state=2", Some(form.clone()))
        .await
        .is_error(400, "invalid_request");
    browser.headers =
        vec![("sec-fetch-site", "cross-site".to_owned()), ("origin", "https://app.example".to_owned())];
    let moved = browser.send("POST", "/oauth/authorize", Some(form)).await;
    assert_eq!((moved.status, moved.header(header::LOCATION)), (StatusCode::SEE_OTHER, address.as_str()));
}

#[tokio::test]
async fn prompt_login_and_max_age_ask_again_and_auth_time_grows() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let before = browser.session().unwrap().to_owned();
    for changes in [("prompt", "login"), ("max_age", "0")] {
        let page = browser.open(&[changes]).await;
        browser.fill(&page, "ada", PASSWORD).await.code();
    }
    assert_ne!(browser.session().unwrap(), before, "every sign-in is a new session");
    world.advance(100);
    browser.get(&world.authorize(&[("max_age", "10000")])).await.code();
    browser.open(&[("max_age", "99")]).await;
    browser.get(&world.authorize(&[("max_age", "1"), ("prompt", "none")])).await.is_refusal("login_required");
}

#[tokio::test]
async fn the_account_is_chosen_or_another_signs_in() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let silent = browser.get(&world.authorize(&[("prompt", "none"), ("id_token_hint", "")])).await;
    silent.code();
    let page = browser.get(&world.authorize(&[("prompt", "select_account")])).await;
    page.is_page(200, "account-0");
    let value =
        page.body.split_once("name=\"account\" value=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
    let flow = page.flow().to_owned();
    browser.post("/auth/select-account", &[("flow", &flow), ("account", &value)]).await.code();
    let other = browser.post("/auth/select-account", &[("flow", &flow), ("account", "other")]).await;
    other.is_page(200, "login-submit");
    browser.fill(&other, "ada", PASSWORD).await.code();
}

#[tokio::test]
async fn an_ended_session_or_a_suspended_person_means_sign_in() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    world.advance(14 * 86_400);
    browser.open(&[]).await;
    browser.get(&world.authorize(&[("prompt", "none")])).await.is_refusal("login_required");
}

#[tokio::test]
async fn hints_of_the_application_reach_the_page_harmlessly() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[("login_hint", "\"><script>x"), ("ui_locales", "de")]).await;
    assert!(page.body.contains("<html lang=\"de\"") && !page.body.contains("<script>x"));
    let page =
        browser.open(&[("ui_locales", "../../etc/passwd"), ("display", "touch"), ("acr_values", "x")]).await;
    assert!(page.body.contains("<html lang=\"en\""));
}
