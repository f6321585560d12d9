//! Signed request objects at the authorization endpoint and in pushes (RFC 9101): what is signed counts, and nothing else.

use serde_json::{Value, json};
use svc_core::Scope;
use svc_domain::apps::{Configuration, Profile};
use svc_keys::{Algorithm, base64url};

use super::{VERIFIER, object_of, request_uri, signing_in, told, with_reference};
use crate::client_keys::signer::Signer;
use crate::client_keys::{Keyed, changed};
use crate::harness::client::{SCOPE, STATE};
use crate::harness::{Answer, Code, Harness, Site};

fn address(app: &Keyed<'_>, object: &str, outside: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("client_id", &app.client.id).append_pair("request", object).extend_pairs(outside);
    format!("/oauth/authorize?{}", query.finish())
}

fn typed(app: &Keyed<'_>, claims: &Value) -> String {
    app.signer.sign(&changed(app.signer.header(), &[("typ", json!("oauth-authz-req+jwt"))]), claims)
}

async fn signing<'h>(site: &Site<'h>, change: impl FnOnce(&mut Configuration)) -> Keyed<'h> {
    Keyed::with(site, "signing", Algorithm::Es256, change).await
}

#[tokio::test]
async fn a_signed_request_is_all_that_counts() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (signing(&site, |_| ()).await, site.user("ada").await);
    let claims = object_of(
        &app.client,
        &[("max_age", "")],
        &[("max_age", json!(3600)), ("resource", json!([site.issuer()]))],
    );
    let outside = [
        ("state", "outside"),
        ("redirect_uri", "https://evil.example/"),
        ("scope", "openid"),
        ("prompt", "none"),
    ];
    let aud = json!([site.issuer(), "https://other.example", "invalid"]);
    for path in [
        address(&app, &typed(&app, &changed(claims.clone(), &[("aud", aud)])), &[]),
        address(&app, &typed(&app, &claims), &[]),
        address(&app, &app.signer.sign(&app.signer.header(), &claims), &outside),
    ] {
        let answer = signing_in(&mut site.browser(), &path, &ada).await;
        assert_eq!(answer.redirect_param("state").as_deref(), Some(STATE), "{answer:?}");
        let code = Code { code: answer.redirect_param("code").unwrap(), verifier: VERIFIER.to_owned() };
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code.code.as_str()),
            ("redirect_uri", app.client.redirect_uri()),
            ("code_verifier", VERIFIER),
        ];
        let tokens = app.post_honestly("/oauth/token", &form).await.expect(200).json();
        let granted: Scope = tokens["scope"].as_str().unwrap().parse().unwrap();
        assert_eq!(granted, SCOPE.parse().unwrap(), "{tokens}");
    }
}

#[tokio::test]
async fn a_request_object_can_be_pushed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (signing(&site, |_| ()).await, site.user("ada").await);
    let object = typed(&app, &object_of(&app.client, &[], &[]));
    let reference =
        request_uri(&app.post_honestly("/oauth/par", &[("request", &object), ("state", "outside")]).await);
    let answer = signing_in(&mut site.browser(), &with_reference(&app.client.id, &reference), &ada).await;
    assert_eq!(answer.redirect_param("state").as_deref(), Some(STATE), "{answer:?}");
    assert!(answer.redirect_param("code").is_some());
}

#[tokio::test]
async fn an_object_that_is_wrong_in_anything_is_refused_and_only_a_registered_address_is_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other) = (signing(&site, |_| ()).await, Keyed::new(&site, "other", Algorithm::Es256).await);
    let now = h.operator().now.as_secs();
    let claims = |own: &[(&str, Value)]| object_of(&app.client, &[], own);
    let sign = |header: &[(&str, Value)], own: &[(&str, Value)]| {
        app.signer.sign(&changed(app.signer.header(), header), &claims(own))
    };
    let encoded = base64url(claims(&[]).to_string());
    for (case, object) in [
        ("another iss", sign(&[], &[("iss", json!(other.client.id))])),
        ("another client_id", sign(&[], &[("client_id", json!(other.client.id))])),
        ("a client_id that is no string", sign(&[], &[("client_id", json!(1))])),
        ("a subject", sign(&[], &[("sub", json!(app.client.id))])),
        ("another aud", sign(&[], &[("aud", json!("https://other.example"))])),
        ("other servers", sign(&[], &[("aud", json!(["https://other.example", "invalid"]))])),
        ("a server of a longer name", sign(&[], &[("aud", json!(format!("{}.example", site.issuer())))])),
        ("an endpoint", sign(&[], &[("aud", json!(format!("{}/oauth/authorize", site.issuer())))])),
        ("expired", sign(&[], &[("exp", json!(now))])),
        ("of the future", sign(&[], &[("nbf", json!(now + 61))])),
        ("exp a string", sign(&[], &[("exp", json!("never"))])),
        ("an object within", sign(&[], &[("request", json!("e30.e30.e30"))])),
        ("a reference within", sign(&[], &[("request_uri", json!("https://app.example/r"))])),
        ("NUL", sign(&[], &[("state", json!("a\u{0}b"))])),
        ("an assertion's type", sign(&[("typ", json!("client-authentication+jwt"))], &[])),
        ("a token's type", sign(&[("typ", json!("at+jwt"))], &[])),
        ("its own key", sign(&[("jwk", app.signer.jwk.clone())], &[])),
        ("unknown key", sign(&[("kid", json!("nobody"))], &[])),
        ("another's key", other.signer.sign(&other.signer.header(), &claims(&[]))),
        ("none", format!("{}.{encoded}.", base64url(r#"{"alg":"none"}"#))),
        ("nOnE", format!("{}.{encoded}.", base64url(r#"{"alg":"nOnE"}"#))),
        ("hmac", sign(&[("alg", json!("HS256"))], &[])),
        ("unsigned", format!("{}.{encoded}.", base64url(app.signer.header().to_string()))),
        ("no token", "x".to_owned()),
    ] {
        let outside = [("redirect_uri", app.client.redirect_uri()), ("state", "outside")];
        let answer = site.browser().get(&address(&app, &object, &outside)).await;
        assert_eq!(told(&answer, &app.client), "invalid_request_object", "{case}");
        assert_eq!(answer.redirect_param("state").as_deref(), Some("outside"), "{case}");
        let answer =
            site.browser().get(&address(&app, &object, &[("redirect_uri", "https://evil.example/")])).await;
        super::is_page(&answer, "invalid_request_object", case);
        let pushed = app.post_honestly("/oauth/par", &[("request", &object)]).await;
        assert_eq!(problem(&pushed), (400, "invalid_request_object".to_owned()), "{case}");
    }
    let answer = site
        .browser()
        .get(&address(&app, &typed(&app, &object_of(&app.client, &[("response_type", "token")], &[])), &[]))
        .await;
    assert_eq!(told(&answer, &app.client), "unsupported_response_type");
    let answer = site
        .browser()
        .get(&address(
            &app,
            &typed(&app, &object_of(&app.client, &[("redirect_uri", "https://evil.example/")], &[])),
            &[],
        ))
        .await;
    super::is_page(&answer, "invalid_redirect_uri", "a signed address that is not registered");
}

fn problem(answer: &Answer) -> (u16, String) {
    (answer.status, answer.json()["error"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn signing_needs_keys_and_may_be_a_duty() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let keyless = Keyed { client: site.app("keyless").await, signer: Signer::new(Algorithm::Es256) };
    let object = typed(&keyless, &object_of(&keyless.client, &[], &[]));
    let outside = [("redirect_uri", keyless.client.redirect_uri())];
    let answer = site.browser().get(&address(&keyless, &object, &outside)).await;
    assert_eq!(told(&answer, &keyless.client), "request_not_supported");
    let dutiful = signing(&site, |configuration| configuration.require_signed_request_object = true).await;
    let answer = site.browser().get(&dutiful.client.authorize_path(VERIFIER, &[])).await;
    assert_eq!(told(&answer, &dutiful.client), "invalid_request");
    let fields = super::request(&dutiful.client, &[]);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        problem(&dutiful.post_honestly("/oauth/par", &fields).await),
        (400, "invalid_request".to_owned())
    );
    let object = typed(&dutiful, &object_of(&dutiful.client, &[], &[]));
    let _ = dutiful.post_honestly("/oauth/par", &[("request", &object)]).await.expect(201);
}

#[tokio::test]
async fn a_registered_algorithm_is_the_only_one_for_requests() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app =
        signing(&site, |configuration| configuration.request_object_signing_alg = Some(Algorithm::Ps256))
            .await;
    let object = typed(&app, &object_of(&app.client, &[], &[]));
    let answer = app.post_honestly("/oauth/par", &[("request", &object)]).await;
    assert_eq!(problem(&answer), (400, "invalid_request_object".to_owned()));
}

#[tokio::test]
async fn a_strict_applications_object_is_for_us_and_short_lived() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = signing(&site, |configuration| configuration.profile = Profile::Fapi2).await;
    let now = h.operator().now.as_secs();
    let push = async |own: &[(&str, Value)]| {
        let object = typed(&app, &object_of(&app.client, &[], own));
        app.post_honestly("/oauth/par", &[("request", &object)]).await.status
    };
    assert_eq!(push(&[]).await, 201);
    for aud in [json!([site.issuer()]), json!(["x", site.issuer()])] {
        assert_eq!(push(&[("aud", aud)]).await, 201);
    }
    for bad in [
        &[("aud", json!(["x"]))][..],
        &[("aud", Value::Null)],
        &[("nbf", Value::Null)],
        &[("exp", Value::Null)],
        &[("nbf", json!(now - 3601)), ("exp", json!(now + 10))],
        &[("exp", json!(now + 3601))],
    ] {
        assert_eq!(push(bad).await, 400, "{bad:?}");
    }
}
