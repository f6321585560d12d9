//! Where people land by mistake, each with a way on: an address of no page, a form's address, a state that is too old, an
//! address that is not registered.

use svc_http::Guard;

use super::*;

/// What a browser sends when a person opens an address.
fn navigating(world: &World) -> Browser<'_> {
    Browser {
        headers: vec![("accept", "text/html,application/xhtml+xml,*/*;q=0.8".to_owned())],
        ..world.browser()
    }
}

#[tokio::test]
async fn every_declared_form_refuses_what_another_site_sends() {
    let world = World::configured(&[("SVC_SMS__ENABLED", "true"), ("SVC_MAGIC_LINK__ENABLED", "true")]).await;
    let forms: Vec<_> = crate::routes()
        .iter()
        .filter(|route| matches!(route.guard, Guard::Form(_)))
        .map(|route| (route.method.clone(), route.path))
        .collect();
    assert!(forms.len() > 8, "{forms:?}");
    for (method, path) in forms {
        assert_eq!(method, "POST", "{path}");
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.example"),
        ] {
            let mut browser = world.browser();
            browser.headers = vec![(name, value.to_owned())];
            let answer = browser.post(path, &[]).await;
            answer.is_error(403, "forbidden");
            assert!(answer.body.contains("this form was sent from another site"), "{path}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn who_asks_for_a_page_gets_one_wherever_nothing_is() {
    let world = World::new().await;
    let page = navigating(&world).get("/nowhere").await;
    page.is_error(404, "not_found");
    assert!(page.body.contains("id=\"retry-link\" href=\"/account\">Back to Acme<"), "{page:?}");
    let forms = ["/auth/sign-in", "/auth/consent", "/auth/select-account", "/auth/sign-out"];
    for path in forms {
        let page = navigating(&world).get(path).await;
        page.is_error(405, "method_not_allowed");
        assert_eq!(page.header(header::ALLOW), "POST", "{path}");
        assert!(page.body.contains("<h1>Please start again</h1>"), "{page:?}");
        assert!(page.body.contains("id=\"retry-link\" href=\"/account\">Back to Acme<"), "{page:?}");
    }
    let answer = world.browser().get("/nowhere").await;
    assert_eq!(answer.header(header::CONTENT_TYPE), "application/problem+json", "programs get a document");
}

#[tokio::test]
async fn who_sends_a_form_where_none_is_taken_any_more_gets_a_page() {
    let world = World::new().await;
    let mut browser = navigating(&world);
    browser.headers.push(("sec-fetch-mode", "navigate".to_owned()));
    let page = browser.post("/nowhere", &[]).await;
    page.is_error(404, "not_found");
    page.is_page(404, "retry-link");
    let page = browser.post("/account", &[]).await;
    page.is_error(405, "method_not_allowed");
    assert_eq!(page.header(header::ALLOW), "GET,HEAD");
    let answer = navigating(&world).post("/account", &[]).await;
    let kind = answer.header(header::CONTENT_TYPE);
    assert_eq!(kind, "application/problem+json", "programs that accept everything get a document");
}

#[tokio::test]
async fn a_page_that_was_open_for_too_long_leads_back_to_its_application() {
    let world =
        World::with(|configuration| configuration.client_uri = Some("https://shop.example/".to_owned()))
            .await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    world.advance(16 * 60);
    let late = browser.fill(&page, "ada", PASSWORD).await;
    late.is_error(400, "expired_token");
    assert!(late.body.contains("<h1>Please start again</h1>"), "{late:?}");
    late.is_page(400, "retry-link");
    assert_eq!(late.link("https://shop.example/"), "https://shop.example/");
    // Sealed by a key that is gone, the state still says whom it belongs to.
    let app = world.shop.id;
    let lost = browser.post("/auth/sign-in", &[("flow", &format!("{app}~AAAA"))]).await;
    lost.is_error(403, "forbidden");
    assert!(lost.body.contains("Back to Shop"), "{lost:?}");
    let foreign = browser.post("/auth/sign-in", &[("flow", "app_unknown~AAAA")]).await;
    foreign.is_error(403, "forbidden");
    assert!(
        foreign.body.contains("id=\"retry-link\" href=\"/account\">Back to Acme<"),
        "where the application does not exist, the account centre leads on: {foreign:?}"
    );
}

#[tokio::test]
async fn an_application_that_begins_sign_ins_for_others_learns_with_whom() {
    for (address, separator) in [("https://shop.example/login", "?"), ("https://shop.example/login?a", "&")] {
        let world = World::with(|configuration| {
            configuration.initiate_login_uri = Some(address.to_owned());
            configuration.client_uri = Some("https://shop.example/".to_owned());
        })
        .await;
        let mut browser = world.browser();
        let page = browser.open(&[]).await;
        world.advance(16 * 60);
        let late = browser.fill(&page, "ada", PASSWORD).await;
        late.is_error(400, "expired_token");
        let issuer = &world.tenant().await.issuer;
        let expected = crate::hosted::with_query(address, [("iss", issuer.as_str())]);
        assert!(expected.starts_with(&format!("{address}{separator}iss=http")), "{expected}");
        assert_eq!(late.link(address), expected);
    }
}

#[tokio::test]
async fn a_return_address_that_is_not_registered_is_shown_beside_those_that_are() {
    let world = World::new().await;
    let sent = format!("{REDIRECT_URI}x");
    let page = world.browser().get(&world.authorize(&[("redirect_uri", &sent)])).await;
    page.is_page(400, "mismatch");
    assert!(page.body.contains(&format!("<code>{REDIRECT_URI}<mark>x</mark></code>")), "{page:?}");
    assert!(page.body.contains(&format!("<code>{REDIRECT_URI}</code>")), "{page:?}");
}

#[tokio::test]
async fn a_sign_out_with_an_address_that_is_not_registered_says_so() {
    let world = World::new().await;
    let path = |client: &str| {
        let fields = [("client_id", client), ("post_logout_redirect_uri", "https://app.example/nowhere")];
        crate::hosted::with_query("/oauth/end-session", fields)
    };
    let path = path(&world.shop.id.to_string());
    let mut browser = world.browser();
    let page = browser.get(&path).await;
    page.is_page(200, "signout-unregistered");
    assert!(page.body.contains("<mark>https://app.example/nowhere</mark>"), "{page:?}");
    browser.sign_in().await.code();
    let question = browser.get(&path).await;
    question.is_page(200, "logout-confirm");
    question.is_page(200, "signout-unregistered");
}

#[tokio::test]
async fn a_bare_address_says_where_one_is_and_password_managers_find_the_form() {
    let world = World::new().await;
    let edge = crate::routes().merge(crate::landing()).service(&world.app);
    let world = World { edge, ..world };
    let mut browser = world.browser();
    let page = browser.get("/").await;
    assert!(page.status == StatusCode::OK && page.body.contains("<h1>Acme</h1>"), "{page:?}");
    assert!(page.body.contains("<title>Sign in · Acme</title>"), "{page:?}");
    assert_eq!(page.link("/account"), "/account");
    browser.sign_in().await.code();
    let page = browser.get("/").await;
    page.is_page(200, "signout-link");
    page.is_page(200, "account-link");
    let answer = browser.get("/.well-known/change-password").await;
    assert_eq!((answer.status, answer.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/auth/forgot"));
}
