//! Sign in with Apple as it answers: by a form that its own page posts, with a name the first time alone, and with words where others
//! have booleans.

use serde_json::{Value, json};
use svc_http::Method;
use svc_keys::{Algorithm, from_base64url};
use url::form_urlencoded::{self, Serializer};

use super::{LOOPBACK, led, told};
use crate::changes::left_by;
use crate::client_keys::signer::Signer;
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::{Answer, Browser, Harness};

const RELAYED: &str = "dpdcnf87nu@privaterelay.appleid.com";
/// What Apple posts the first time that a person comes.
const USER: &str =
    r#"{"name":{"firstName":"Grace","lastName":"Brewster Hopper"},"email":"grace@acme.example"}"#;
/// Six months: no secret of a client may be good for longer.
const LONGEST: i64 = 15_777_000;

/// A service that is registered at a provider as Apple's; the key proves it there.
async fn with_apple() -> (Harness, Provider, Signer) {
    // Apple's own tokens are signed by RSA keys, the secrets of clients on P-256.
    let provider = Provider::signing_by(Signer::new(Algorithm::Rs256)).await;
    let key = Signer::new(Algorithm::Es256);
    let h = Harness::with(&[
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__APPLE__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__APPLE__TEAM_ID", "TEAM"),
        ("SVC_SOCIAL__APPLE__KEY_ID", "KEY"),
        ("SVC_SOCIAL__APPLE__PRIVATE_KEY", &key.pem.replace('\n', " ")),
        ("SVC_SOCIAL__APPLE__BASE_URL", &provider.issuer),
    ])
    .await;
    (h, provider, key)
}

/// What Apple's tokens say: no name, an address that relays, and what is true in words.
fn relayed(claims: &mut Value) {
    let said = claims.as_object_mut().unwrap();
    said.remove("name");
    said.remove("groups");
    (claims["email"], claims["email_verified"]) = (json!(RELAYED), json!("true"));
    (claims["is_private_email"], claims["nonce_supported"]) = (json!("true"), json!(true));
}

/// Apple's page posts what stands in this address. As a page of another site it gets no `SameSite=Lax` cookies sent and must set none;
/// the browser brings the answer itself by the redirect, which still began elsewhere.
async fn posted(browser: &mut Browser<'_>, back: &str, more: &[(&str, &str)]) -> Answer {
    let (path, query) = back.split_once('?').unwrap();
    let given: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let fields: Vec<_> = given.chain(more.iter().copied()).collect();
    let mut without_cookies = browser.site.browser();
    let answer = without_cookies.post_from("https://appleid.apple.com", path, &fields).await.expect(303);
    assert!(without_cookies.cookies.is_empty(), "{answer:?}");
    let elsewhere = [("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "document")];
    browser.send(Method::GET, answer.location(), &elsewhere, String::new()).await
}

/// The address of an answer that says why there is no code.
fn refused(asked: &AuthorizationRequest, error: &str) -> String {
    let path = asked.back(String::new()).split('?').next().unwrap().to_owned();
    let state = asked.param("state");
    let said = [("error", error), ("state", state.as_str())];
    format!("{path}?{}", Serializer::new(String::new()).extend_pairs(said).finish())
}

/// The fields of the last call of the token endpoint.
fn exchanged(provider: &Provider) -> Vec<(String, String)> {
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    form_urlencoded::parse(sent.split("\r\n\r\n").nth(1).unwrap().as_bytes()).into_owned().collect()
}

#[tokio::test]
async fn apple_is_shown_a_secret_that_the_operators_key_has_signed_for_this_call() {
    let (h, provider, key) = with_apple().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "apple").await;
    assert_eq!(asked.param("response_mode"), "form_post");
    assert_eq!((asked.param("response_type"), asked.param("client_id")), ("code".into(), "svc".into()));
    assert_eq!(asked.param("scope"), "openid email name");
    let back = provider.vouch(&asked, &h, relayed);
    assert!(posted(&mut browser, &back, &[("user", USER)]).await.is_signed_in());
    let sent = exchanged(&provider);
    let field = |name: &str| sent.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    assert_eq!((field("client_id"), field("code_verifier")), (Some("svc"), None));
    assert_eq!(field("redirect_uri"), Some(asked.param("redirect_uri").as_str()));
    let secret = field("client_secret").unwrap();
    let header = from_base64url(secret.split('.').next().unwrap()).unwrap();
    let header: Value = serde_json::from_slice(&header).unwrap();
    assert_eq!((&header["alg"], &header["kid"]), (&json!("ES256"), &json!("KEY")));
    let claims = key.verified(secret, "KEY");
    assert_eq!((&claims["iss"], &claims["sub"]), (&json!("TEAM"), &json!("svc")));
    assert_eq!(claims["aud"], json!(provider.issuer));
    let (now, until) = (h.operator().now.as_secs(), claims["exp"].as_i64().unwrap());
    assert_eq!(claims["iat"], json!(now));
    assert!((now + 1..=now + LONGEST).contains(&until), "{claims}");
}

#[tokio::test]
async fn the_name_that_apple_tells_once_is_kept_and_none_that_a_browser_brings_later_is_taken() {
    let (h, provider, _) = with_apple().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let forged = USER.replace("Grace", "Mallory");
    let mut seen = Vec::new();
    for user in [Some(USER), None, Some(forged.as_str()), Some("no JSON")] {
        let mut browser = site.browser();
        let asked = led(&mut browser, &client, "apple").await;
        let back = provider.vouch(&asked, &h, relayed);
        let more: Vec<_> = user.map(|user| ("user", user)).into_iter().collect();
        let answer = posted(&mut browser, &back, &more).await;
        assert!(answer.is_signed_in(), "{user:?}: {answer:?}");
        let said = told(&client, &answer).await;
        assert_eq!(said["name"], "Grace Brewster Hopper", "{user:?}");
        // The address is the one that Apple has signed, not the one of the form.
        assert_eq!((&said["email"], &said["email_verified"]), (&json!(RELAYED), &json!(true)), "{user:?}");
        seen.push(said["sub"].clone());
        h.advance(1);
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

#[tokio::test]
async fn an_address_counts_where_apple_says_by_a_word_or_a_boolean_that_it_is_proven() {
    let (h, provider, _) = with_apple().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let words =
        [json!("true"), json!(true), json!("false"), json!(false), json!("TRUE"), json!(""), Value::Null];
    for (number, word) in words.into_iter().enumerate() {
        let mut browser = site.browser();
        let asked = led(&mut browser, &client, "apple").await;
        let back = provider.vouch(&asked, &h, |claims| {
            relayed(claims);
            claims["sub"] = json!(format!("001234.{number}"));
            (claims["email"], claims["email_verified"]) =
                (json!(format!("{number}@privaterelay.appleid.com")), word.clone());
        });
        let answer = posted(&mut browser, &back, &[("user", USER)]).await;
        assert_eq!(answer.is_signed_in(), number < 2, "{word}: {answer:?}");
        assert!(number < 2 || answer.body.contains("no confirmed address"), "{word}: {answer:?}");
    }
}

#[tokio::test]
async fn an_answer_of_apple_that_was_declined_forged_or_used_before_opens_nothing() {
    let (h, provider, _) = with_apple().await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "apple").await;
    let (declined, mut page) = (refused(&asked, "user_cancelled_authorize"), None);
    let recorded = left_by(&h, async { page = Some(posted(&mut browser, &declined, &[]).await) }).await;
    let page = page.unwrap();
    assert!(page.status == 200 && page.body.contains("id=\"login-submit\""), "{page:?}");
    assert!(page.body.contains("The sign-in there was cancelled"), "{page:?}");
    assert_eq!(recorded, [vec!["session.created"], vec!["auth.login.failure"]]);

    let asked = led(&mut browser, &client, "apple").await;
    let forged = provider.vouch(&asked, &h, |claims| {
        relayed(claims);
        claims["nonce"] = json!("another");
    });
    assert!(!posted(&mut browser, &forged, &[("user", USER)]).await.is_signed_in());

    let asked = led(&mut browser, &client, "apple").await;
    let back = provider.vouch(&asked, &h, |claims| {
        relayed(claims);
        claims.as_object_mut().unwrap().remove("nonce");
    });
    assert!(!posted(&mut browser, &back, &[("user", USER)]).await.is_signed_in());

    let asked = led(&mut browser, &client, "apple").await;
    let back = provider.vouch(&asked, &h, relayed);
    let _ = posted(&mut site.browser(), &back, &[("user", USER)]).await.expect(403);
    assert!(posted(&mut browser, &back, &[("user", USER)]).await.is_signed_in());
    // The same answer once more, and then where Apple would give a token for its code again.
    for _ in 0..2 {
        let answer = posted(&mut browser, &back, &[("user", USER)]).await;
        assert!(!answer.is_signed_in(), "each answer counts once: {answer:?}");
        assert_eq!(provider.vouch(&asked, &h, relayed), back);
    }
}
