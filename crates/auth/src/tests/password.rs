//! Sign-in by password (N52–N60): forms that are ours, guesses that are counted, answers that tell nothing.

use super::*;

#[tokio::test]
async fn unknown_wrong_and_locked_read_the_same() {
    let world = World::new().await;
    let mut browser = world.browser();
    let mut texts = Vec::new();
    for (username, password) in
        [("ada", "wrong"), ("nobody", PASSWORD), ("ada@example.com", "wrong"), ("nobody@x.example", "w")]
    {
        let page = browser.open(&[]).await;
        let answer = browser.fill(&page, username, password).await;
        answer.is_page(200, "login-submit");
        assert!(browser.session().is_none());
        texts.push(
            answer.body.split_once("role=\"alert\"").unwrap().1.split_once("</p>").unwrap().0.to_owned(),
        );
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert_eq!(world.events("auth.login.failure").await, 4);
}

#[tokio::test]
async fn one_counter_per_person_locks_whatever_they_are_called_and_opens_after_a_while() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    for username in ["ada", "ADA", " ada ", "ada@example.com", "Ada@Example.COM"] {
        browser.fill(&page, username, "wrong").await.is_page(200, "login-submit");
    }
    assert_eq!(world.events("security.brute_force.detected").await, 1);
    // By a name of its own that is not locked, the account's lock looks like a wrong password.
    let locked = browser.fill(&page, "ada", PASSWORD).await;
    locked.is_page(200, "login-submit");
    assert!(locked.body.contains("is not right"), "{locked:?}");
    world.advance(900);
    let page = browser.open(&[]).await;
    browser.fill(&page, "ada", PASSWORD).await.code();
    assert_eq!(world.events("security.brute_force.detected").await, 1);
}

#[tokio::test]
async fn a_person_who_is_locked_out_learns_how_to_go_on_and_the_owner_is_mailed_once() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let mut texts = Vec::new();
    for username in ["ada", "nobody"] {
        for _ in 0..5 {
            browser.fill(&page, username, "wrong").await.is_page(200, "login-submit");
        }
        let locked = browser.fill(&page, username, PASSWORD).await;
        locked.is_page(429, "forgot-link");
        let alert =
            locked.body.split_once("role=\"alert\"").unwrap().1.split_once("</p>").unwrap().0.to_owned();
        assert!(alert.contains("Wait 15 minutes, or reset your password"), "{alert}");
        texts.push(alert);
        world.advance(300);
    }
    assert_eq!(texts[0], texts[1]);
    let mails = world.mails().await;
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["ada@example.com"]);
    assert_eq!(mails[0].subject, "Acme: too many wrong passwords for your account");
    world.advance(900);
    let page = browser.open(&[]).await;
    for _ in 0..5 {
        browser.fill(&page, "ada", "wrong").await;
    }
    assert_eq!(world.events("security.brute_force.detected").await, 3);
    assert!(world.mails().await.is_empty(), "one mail for a row of locks");
}

#[tokio::test]
async fn a_locked_out_person_is_sent_to_a_new_password_only_where_there_is_a_way_to_one() {
    for (keys, is_sent) in [
        (&[("SVC_USER_SELF_SERVICE__RECOVERY_ENABLED", "false")][..], false),
        (
            &[
                ("SVC_USER_SELF_SERVICE__RECOVERY_ENABLED", "false"),
                ("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true"),
            ][..],
            true,
        ),
    ] {
        let world = World::configured(keys).await;
        let mut browser = world.browser();
        let page = browser.open(&[]).await;
        for _ in 0..5 {
            browser.fill(&page, "ada", "wrong").await.is_page(200, "login-submit");
        }
        let locked = browser.fill(&page, "ada", PASSWORD).await;
        locked.is_page(429, "login-submit");
        assert_eq!(locked.body.contains("or reset your password"), is_sent, "{locked:?}");
        assert_eq!(locked.body.contains("id=\"forgot-link\""), is_sent, "{locked:?}");
        assert_eq!(locked.body.contains("Try again in 15 minutes"), !is_sent, "{locked:?}");
    }
}

#[tokio::test]
async fn correct_sign_ins_leave_the_address_its_guesses() {
    let world = World::new().await;
    let mut browser = world.browser();
    for _ in 0..14 {
        let page = browser.open(&[("prompt", "login")]).await;
        browser.fill(&page, "ada", PASSWORD).await.code();
    }
    let page = browser.open(&[("prompt", "login")]).await;
    for n in 0..12 {
        assert_eq!(browser.fill(&page, &format!("user{n}"), "wrong").await.status, StatusCode::OK);
    }
    browser.fill(&page, "ada", PASSWORD).await.is_page(429, "login-submit");
}

#[tokio::test]
async fn a_right_password_clears_the_count() {
    let world = World::new().await;
    let mut browser = world.browser();
    for _ in 0..2 {
        let page = browser.open(&[("prompt", "login")]).await;
        for _ in 0..4 {
            browser.fill(&page, "ada", "wrong").await;
        }
        browser.fill(&page, "ada", PASSWORD).await.code();
    }
}

#[tokio::test]
async fn guesses_from_one_address_are_limited_for_all_accounts() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    for n in 0..12 {
        assert_eq!(browser.fill(&page, &format!("user{n}"), "wrong").await.status, StatusCode::OK);
    }
    browser.fill(&page, "ada", PASSWORD).await.is_page(429, "login-submit");
    world.advance(300);
    browser.fill(&page, "ada", PASSWORD).await.code();
}

#[tokio::test]
async fn a_form_without_its_flow_its_browser_or_its_site_is_forbidden() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let credentials = [("username", "ada"), ("password", PASSWORD)];
    browser.post("/auth/sign-in", &credentials).await.is_error(403, "forbidden");
    browser.post("/auth/sign-in", &[]).await.is_error(403, "forbidden");
    let mut stranger = world.browser();
    stranger.fill(&page, "ada", PASSWORD).await.is_error(403, "forbidden");
    stranger.open(&[]).await;
    stranger.fill(&page, "ada", PASSWORD).await.is_error(403, "forbidden");
    assert!(stranger.session().is_none());
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
    ] {
        browser.headers = vec![(name, value.to_owned())];
        browser.fill(&page, "ada", PASSWORD).await.is_error(403, "forbidden");
    }
    browser.headers = vec![("sec-fetch-site", "same-origin".to_owned()), ("origin", "null".to_owned())];
    browser.fill(&page, "ada", PASSWORD).await.code();
}

#[tokio::test]
async fn every_form_refuses_a_get_and_a_missing_state() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let paths = [
        "/auth/sign-in",
        "/auth/join",
        "/auth/select-account",
        "/auth/select-organization",
        "/auth/consent",
        "/auth/register",
        "/auth/verify",
        "/auth/forgot",
        "/auth/reset",
        "/auth/sign-out",
    ];
    for path in paths {
        browser.post(path, &[("decision", "allow"), ("account", "x")]).await.is_error(403, "forbidden");
        browser.headers = vec![("sec-fetch-site", "cross-site".to_owned())];
        browser.post(path, &[]).await.is_error(403, "forbidden");
        browser.headers.clear();
    }
    for path in ["/auth/sign-in", "/auth/join", "/auth/select-account", "/auth/consent", "/auth/sign-out"] {
        assert_eq!(browser.get(path).await.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
    }
}

#[tokio::test]
async fn a_planted_session_cookie_does_not_survive_the_sign_in() {
    let world = World::new().await;
    let mut browser = world.browser();
    let planted = "A".repeat(43);
    browser.cookies.insert("svc_session".to_owned(), planted.clone());
    browser.sign_in().await.code();
    assert_ne!(browser.session(), Some(planted.as_str()));
}

#[tokio::test]
async fn a_flow_that_stood_open_too_long_starts_again() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    world.advance(900);
    browser.fill(&page, "ada", PASSWORD).await.is_error(400, "expired_token");
}

#[tokio::test]
async fn missing_and_overlong_fields_are_told_on_the_form() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    browser.fill(&page, "", PASSWORD).await.is_page(200, "form-error");
    browser.fill(&page, "ada", "").await.is_page(200, "form-error");
    browser.fill(&page, "ada", &"x".repeat(1025)).await.is_page(413, "form-error");
    browser.fill(&page, &"x".repeat(1000), "x").await.is_page(200, "form-error");
    browser.fill(&page, "ada", &"x".repeat(1 << 20)).await.is_error(413, "payload_too_large");
    browser.fill(&page, "ada", PASSWORD).await.code();
}

#[tokio::test]
async fn the_way_back_into_a_flow_shows_its_present_step() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let flow = page.link("/auth/forgot?flow=").split_once('=').unwrap().1.to_owned();
    let path = format!("/auth/continue?flow={flow}");
    browser.get(&path).await.is_page(200, "login-submit");
    browser.fill(&page, "ada", PASSWORD).await.code();
    browser.get(&path).await.code();
    world.browser().get(&path).await.is_error(403, "forbidden");
    browser.get("/auth/continue?flow=junk").await.is_error(403, "forbidden");
}
