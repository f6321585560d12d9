//! What every token response and every refusal looks like.

use serde_json::json;

use super::{FORM, raw};
use crate::harness::Harness;
use crate::harness::client::Tokens;

fn is_random_text(text: &str) -> bool {
    text.len() == 43 && svc_keys::from_base64url(text).is_some_and(|bytes| bytes.len() == 32)
}

#[tokio::test]
async fn codes_and_refresh_tokens_are_43_characters_of_base64url() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    let next = Tokens { response: app.refresh(tokens.refresh_token()).await.expect(200).json() };
    for secret in [&code.code, tokens.refresh_token(), next.refresh_token()] {
        assert!(is_random_text(secret), "{secret}");
    }
}

#[tokio::test]
async fn token_responses_are_json_and_never_kept() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api("https://notes.example", &["notes:read"]).await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let by_code = app.exchange(&app.code(&ada).await).await;
    let refresh_token = by_code.json()["refresh_token"].as_str().unwrap().to_owned();
    let form = [
        ("grant_type", "client_credentials"),
        ("scope", "notes:read"),
        ("resource", "https://notes.example"),
    ];
    for answer in [by_code, app.refresh(&refresh_token).await, app.token(&form, &[]).await] {
        let answer = answer.expect(200);
        assert!(answer.header("content-type").starts_with("application/json"), "{answer:?}");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(!answer.header("x-request-id").is_empty());
        let tokens = answer.json();
        assert_eq!(tokens["token_type"], "Bearer");
        assert!(tokens["expires_in"].is_u64(), "{tokens}");
        assert!(tokens["scope"].is_string());
    }
}

#[tokio::test]
async fn refusals_are_printable_and_repeat_nothing_that_was_sent() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let hostile = "\"\\\r\n\t<script>ä\u{202e}";
    for name in ["grant_type", "scope", "resource", "code", "refresh_token", "redirect_uri", "code_verifier"]
    {
        for grant in ["authorization_code", "refresh_token", "client_credentials"] {
            let form = [("grant_type", grant), ("code", "x"), ("refresh_token", "x")];
            let answer = app.token(&form, &[(name, hostile)]).await;
            assert_eq!(answer.header("cache-control"), "no-store");
            if grant == "client_credentials" && !["grant_type", "scope", "resource"].contains(&name) {
                let _ = answer.expect(200);
                continue;
            }
            assert_eq!(answer.status, 400, "{name}: {answer:?}");
            let error = answer.json();
            let text = error["error_description"].as_str().unwrap();
            let is_allowed = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
            assert!(!text.is_empty() && text.bytes().all(is_allowed), "{text}");
            assert!(!answer.body.contains("<script>"), "{answer:?}");
        }
    }
}

#[tokio::test]
async fn a_request_id_that_was_sent_comes_back_with_the_refusal() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let headers = [FORM, ("x-request-id", &b"of-the-client-1"[..])];
    let answer = raw(&site, "/oauth/token", &headers, "grant_type=refresh_token").await;
    assert_eq!(answer.expect_problem(401, "invalid_client").header("x-request-id"), "of-the-client-1");
}

#[tokio::test]
async fn an_answer_by_form_is_a_page_that_can_only_post_to_its_application() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    for (changes, expected) in
        [(&[][..], "code"), (&[("scope", "unknown")], "error"), (&[("max_age", "x")], "error")]
    {
        let changes: Vec<_> = changes.iter().copied().chain([("response_mode", "form_post")]).collect();
        let page = browser.get(&app.authorize_path(&app.verifier(), &changes)).await.expect(200);
        let form = crate::harness::browser::Form::of(&page);
        assert_eq!(form.action, app.redirect_uri());
        let field =
            |name: &str| form.hidden.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        assert!(field(expected).is_some(), "{page:?}");
        assert_eq!(field("state"), Some(crate::harness::client::STATE));
        assert_eq!(field("iss"), Some(site.issuer()));
        let policy = page.header("content-security-policy");
        let targets = policy.split(';').map(str::trim).find(|part| part.starts_with("form-action")).unwrap();
        assert!(targets.contains("https://web.app.example") && !targets.contains('*'), "{policy}");
        assert!(!targets.contains("https: ") && !targets.ends_with("https:"), "{policy}");
        assert!(page.body.contains("type=\"submit\""), "a button without scripts");
        assert_eq!(page.header("cache-control"), "no-store");
    }
    let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(
        document["response_modes_supported"],
        json!(["query", "fragment", "form_post", "jwt", "query.jwt", "fragment.jwt", "form_post.jwt"])
    );
}
