//! Errors for applications that registered themselves: no request makes us redirect to an address that no one has checked.

use svc_keys::{Algorithm, Typ};

use super::*;

const GOODBYE: &str = "https://evil.example/goodbye";

/// The address of a request that is refused, by an application that registered itself.
async fn refused(world: &World, changes: &[(&str, &str)]) -> String {
    let id = self_registered(world).await;
    let changes: Vec<_> = changes.iter().copied().chain([("client_id", id.as_str())]).collect();
    world.authorize(&changes)
}

async fn self_registered(world: &World) -> String {
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..fixtures::cx(NOW) };
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let mut configuration = world.shop.configuration.clone();
    configuration.first_party = false;
    configuration.post_logout_redirect_uris = vec![GOODBYE.to_owned()];
    let new = apps::NewApp { configuration: &configuration, secret: Some(svc_keys::digest("secret")) };
    let app = apps::create_registered(&mut tx, &cx, &rules(), None, new).await.unwrap();
    tx.commit().await.unwrap();
    app.id.to_string()
}

/// An ID token that an application got when its owner signed in.
async fn hint(world: &World, audience: &str) -> String {
    let claims = serde_json::json!({
        "iss": world.tenant().await.issuer, "sub": "attacker", "aud": audience, "iat": NOW.as_secs(), "exp": NOW.as_secs() + 300,
    });
    let ring = world.app.services.keys.ring_of_deployment();
    ring.held(Algorithm::Es256).unwrap().sign(Typ::Jwt, &serde_json::to_vec(&claims).unwrap()).unwrap()
}

fn with_dest<'a>(world: &'a World, dest: &str) -> Browser<'a> {
    Browser { headers: vec![("sec-fetch-dest", dest.to_owned())], ..world.browser() }
}

#[tokio::test]
async fn a_page_with_a_link_stands_before_an_application_that_registered_itself() {
    let world = World::new().await;
    let path = refused(&world, &[("response_type", "token")]).await;
    let page = world.browser().get(&path).await;
    page.is_page(400, "leave-link");
    assert!(page.link(REDIRECT_URI).contains("error=unsupported_response_type"), "{page:?}");
    assert!(page.body.contains("no one at Acme"), "{page:?}");
    let checked = world.browser().get(&world.authorize(&[("response_type", "token")])).await;
    checked.is_refusal("unsupported_response_type");
}

#[tokio::test]
async fn an_error_that_the_application_wants_posted_is_posted_by_the_page() {
    let world = World::new().await;
    let path = refused(&world, &[("response_type", "token"), ("response_mode", "form_post")]).await;
    let page = world.browser().get(&path).await;
    page.is_page(400, "leave-submit");
    assert!(!page.body.contains("id=\"leave-link\""), "{page:?}");
    for field in ["name=\"error\" value=\"unsupported_response_type\"", "name=\"state\" value=\"xyz\""] {
        assert!(page.body.contains(field), "{field} in {page:?}");
    }
    assert!(page.header(header::CONTENT_SECURITY_POLICY).contains("form-action 'self' https://app.example;"));
}

#[tokio::test]
async fn a_silent_request_is_answered_in_a_frame_and_asks_where_a_person_would_follow_it() {
    let world = World::new().await;
    let path = refused(&world, &[("prompt", "none")]).await;
    with_dest(&world, "iframe").get(&path).await.is_refusal("login_required");
    with_dest(&world, "document").get(&path).await.is_page(400, "leave-link");
}

#[tokio::test]
async fn a_person_s_own_refusal_goes_back_by_itself() {
    let world = World::new().await;
    let path = refused(&world, &[]).await;
    let mut browser = world.browser();
    let page = browser.get(&path).await;
    let consent = browser.fill(&page, "ada", PASSWORD).await;
    consent.is_page(200, "unverified");
    let fields = [("flow", consent.flow()), ("decision", "deny")];
    browser.post("/auth/consent", &fields).await.is_refusal("access_denied");
}

#[tokio::test]
async fn consent_says_where_it_leads_and_that_others_operate_the_application() {
    let world = World::with(|configuration| configuration.first_party = false).await;
    let consent = world.browser().sign_in().await;
    consent.is_page(200, "not-operated");
    assert!(!consent.body.contains("id=\"unverified\""), "{consent:?}");
    let host = REDIRECT_URI.split('/').nth(2).unwrap();
    let destination = format!("<strong id=\"destination\" dir=\"ltr\">{host}</strong>");
    assert!(consent.body.contains(&destination), "{consent:?}");
}

#[tokio::test]
async fn a_sign_out_by_an_application_that_registered_itself_redirects_no_one_who_has_no_session() {
    let world = World::new().await;
    let id = self_registered(&world).await;
    let hint = hint(&world, &id).await;
    let fields = [("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", GOODBYE)];
    let page = world.browser().get(&crate::hosted::with_query("/oauth/end-session", fields)).await;
    page.is_page(200, "continue-link");
    assert_eq!(page.link(GOODBYE), GOODBYE, "{page:?}");
}
