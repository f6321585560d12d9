//! ID tokens: every claim that has to fit, and every way in which one does not.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use svc_sdk::{
    Claims, Error, Expected, Flow, Keys, Request, Required, Verifier, VerifierConfig, verify_id_token,
};

use crate::issuer::{Issuer, key, ok, signed};

const NOW: i64 = 1_800_000_000;
const ISSUER: &str = "https://id.example";

fn half(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(&digest(&SHA256, text.as_bytes()).as_ref()[..16])
}

fn claims() -> Value {
    json!({
        "iss": ISSUER, "sub": "usr_1", "aud": "app", "exp": NOW + 300, "iat": NOW, "auth_time": NOW - 10, "nonce": "n-1",
        "acr": "urn:svc:aal2", "at_hash": half("access"), "c_hash": half("code"),
    })
}

async fn verified(header: &Value, claims: &Value) -> Result<Claims, Error> {
    let keys = Keys::from_json(&json!({"keys": [key().1]})).unwrap();
    let acr_values = ["urn:svc:aal2".to_owned()];
    let expected = Expected {
        issuer: ISSUER,
        client_id: "app",
        nonce: Some("n-1"),
        access_token: Some("access"),
        code: Some("code"),
        max_age: Some(60),
        acr_values: &acr_values,
        leeway_secs: 10,
        now: NOW,
    };
    verify_id_token(&signed(header, claims), &keys, &expected).await
}

fn header() -> Value {
    json!({"alg": "ES256", "kid": "k1", "typ": "JWT"})
}

/// The claims with one changed, or taken away where it is null.
fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    claims
}

#[tokio::test]
async fn a_good_token_gives_its_claims() {
    assert_eq!(verified(&header(), &claims()).await.unwrap().subject(), "usr_1");
    let many = json!({"aud": ["other", "app"], "azp": "app"});
    let mut changed = claims();
    changed.as_object_mut().unwrap().extend(many.as_object().unwrap().clone());
    assert!(verified(&header(), &changed).await.is_ok());
    let good = [
        ("azp", json!("app")),
        ("exp", json!(NOW - 9)),
        ("iat", json!(NOW + 10)),
        ("at_hash", Value::Null),
        ("acr", json!("urn:svc:aal3")),
    ];
    for (name, value) in good {
        assert!(verified(&header(), &with(name, value)).await.is_ok(), "{name}");
    }
}

#[tokio::test]
async fn a_claim_that_does_not_fit_refuses_the_token() {
    let wrong = [
        ("iss", json!("https://id.example/")),
        ("iss", Value::Null),
        ("sub", Value::Null),
        ("sub", json!("")),
        ("aud", json!("other")),
        ("aud", json!([])),
        ("aud", json!(["other", "app"])),
        ("azp", json!("other")),
        ("azp", json!(7)),
        ("exp", json!(NOW - 10)),
        ("exp", json!("1900000000")),
        ("exp", Value::Null),
        ("iat", json!(NOW + 11)),
        ("iat", Value::Null),
        ("auth_time", json!(NOW - 71)),
        ("auth_time", Value::Null),
        ("nonce", json!("n-2")),
        ("nonce", Value::Null),
        ("acr", json!("urn:svc:aal1")),
        ("acr", json!("urn:svc:aal")),
        ("acr", json!("urn:other:aal3")),
        ("acr", Value::Null),
        ("at_hash", json!(half("other"))),
        ("at_hash", json!(7)),
        ("c_hash", json!(half("other"))),
    ];
    for (name, value) in wrong {
        let error = verified(&header(), &with(name, value.clone())).await.unwrap_err();
        let code = match name {
            "acr" => "acr_not_reached",
            "auth_time" if value.is_number() => "max_age_exceeded",
            _ => "invalid_id_token",
        };
        assert_eq!((error.code.as_str(), error.tenant.as_str()), (code, ISSUER), "{name}: {value}");
    }
}

#[tokio::test]
async fn a_clock_that_is_ten_minutes_off_is_named_with_the_seconds() {
    let access = signed(
        &json!({"alg": "ES256", "kid": "k1", "typ": "at+jwt"}),
        &json!({
            "iss": ISSUER, "aud": "api", "sub": "usr_1", "client_id": "app_1", "tenant_id": "tnt_1", "subject_type": "human",
            "iat": NOW, "exp": NOW + 300,
        }),
    );
    let identity = signed(&header(), &claims());
    let behind: fn() -> i64 = || NOW - 600;
    let ahead: fn() -> i64 = || NOW + 600;
    for (now, text) in [
        (behind, "iat is 600 s ahead of this machine's clock"),
        (ahead, "expired 300 s ago by this machine's clock"),
    ] {
        let keys = || Keys::from_json(&json!({"keys": [key().1]})).unwrap();
        let config = VerifierConfig::new(ISSUER, "api", "tnt_1").unwrap();
        let verifier = Verifier::new(VerifierConfig { keys: keys(), now, ..config }).unwrap();
        let field = format!("Bearer {access}");
        let request =
            Request { authorization: &[&field], dpop: &[], method: "GET", url: "https://api.example/" };
        let at_api = verifier.verify(request, &Required::scope("")).await.unwrap_err();
        let expected = Expected {
            issuer: ISSUER,
            client_id: "app",
            nonce: None,
            access_token: None,
            code: None,
            max_age: None,
            acr_values: &[],
            leeway_secs: 60,
            now: now(),
        };
        let at_sign_in = verify_id_token(&identity, &keys(), &expected).await.unwrap_err();
        assert!(at_api.description.contains(text), "{at_api}");
        assert!(at_sign_in.description.contains(text), "{at_sign_in}");
    }
}

#[tokio::test]
async fn an_api_whose_tokens_are_of_the_type_jwt_takes_those_and_no_others() {
    let claims = json!({
        "iss": ISSUER, "aud": "api", "sub": "usr_1", "client_id": "app_1", "tenant_id": "tnt_1", "subject_type": "human",
        "iat": NOW, "exp": NOW + 300,
    });
    let verifier = |typ: &str| {
        let keys = Keys::from_json(&json!({"keys": [key().1]})).unwrap();
        let config = VerifierConfig::new(ISSUER, "api", "tnt_1").unwrap();
        Verifier::new(VerifierConfig { keys, typ: typ.to_owned(), now: || NOW, ..config })
    };
    let cases = [
        ("at+jwt", "at+jwt", true),
        ("at+jwt", "JWT", false),
        ("JWT", "JWT", true),
        ("JWT", "at+jwt", false),
        ("JWT", "logout+jwt", false),
    ];
    for (wanted, typ, is_taken) in cases {
        let token = signed(&json!({"alg": "ES256", "kid": "k1", "typ": typ}), &claims);
        let field = format!("Bearer {token}");
        let request =
            Request { authorization: &[&field], dpop: &[], method: "GET", url: "https://api.example/" };
        let judged = verifier(wanted).unwrap().verify(request, &Required::scope("")).await;
        assert_eq!(judged.is_ok(), is_taken, "{typ} for an API of {wanted}");
    }
    assert!(verifier("").is_err() && verifier("logout+jwt").is_err());
}

#[tokio::test]
async fn another_type_algorithm_or_key_refuses_the_token() {
    let wrong = [
        json!({"alg": "none", "kid": "k1"}),
        json!({"alg": "HS256", "kid": "k1"}),
        json!({"alg": "RS256", "kid": "k1"}),
        json!({"alg": "EdDSA", "kid": "k1"}),
        json!({"alg": "ES256", "kid": "k2"}),
        json!({"alg": "ES256"}),
        json!({"alg": "ES256", "kid": "k1", "typ": "at+jwt"}),
        json!({"alg": "ES256", "kid": "k1", "typ": "logout+jwt"}),
        json!({"alg": "ES256", "kid": "k1", "crit": ["exp"]}),
    ];
    for header in wrong {
        assert_eq!(verified(&header, &claims()).await.unwrap_err().code, "invalid_id_token", "{header}");
    }
}

#[tokio::test]
async fn the_age_of_a_sign_in_counts_from_when_it_began() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let now = i64::try_from(now).unwrap();
    let issuer = Issuer::start(move |seen| {
        let url = format!("http://{}", seen.header("host"));
        let claims = json!({
            "iss": url, "sub": "usr_1", "aud": "app", "exp": now + 60, "iat": now, "nonce": seen.form()["code"],
            "auth_time": now - 300,
        });
        ok(json!({"access_token": "at-1", "token_type": "Bearer", "id_token": signed(&header(), &claims)}))
    })
    .await;
    let client = issuer.client();
    for (started_at, is_recent) in
        [(Some(now - 300), true), (Some(now), false), (None, false), (Some(now + 3600), false)]
    {
        let flow = Flow { max_age: Some(60), started_at, ..Flow::start("https://app.example/cb") };
        let signed_in = client.exchange_code(&flow, &flow.nonce).await;
        assert_eq!(signed_in.is_ok(), is_recent, "{started_at:?}");
        assert!(signed_in.err().is_none_or(|error| error.description.contains("max_age")));
    }
}

#[tokio::test]
async fn a_sign_in_ends_with_the_verified_claims_and_not_without() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let issuer = Issuer::start(move |seen| {
        let form = seen.form();
        let nonce = form["code"].trim_start_matches("for ");
        let url = format!("http://{}", seen.header("host"));
        let claims = json!({
            "iss": url, "sub": "usr_1", "aud": "app", "exp": now + 60, "iat": now, "nonce": nonce, "at_hash": half("at-1"),
        });
        ok(json!({"access_token": "at-1", "token_type": "Bearer", "id_token": signed(&header(), &claims)}))
    })
    .await;
    let (client, flow) = (issuer.client(), Flow::start("https://app.example/cb"));
    let sign_in = client.exchange_code(&flow, &format!("for {}", flow.nonce)).await.unwrap();
    assert_eq!(sign_in.claims.unwrap().subject(), "usr_1");
    assert_eq!(issuer.seen()[0].form()["code_verifier"], flow.verifier);
    let other = client.exchange_code(&flow, "for another").await.unwrap_err();
    assert_eq!(other.code, "invalid_id_token");
    let strong = Flow { acr_values: vec!["urn:svc:aal2".into()], ..flow.clone() };
    let weak = client.exchange_code(&strong, &format!("for {}", flow.nonce)).await.unwrap_err();
    assert!(weak.description.contains("acr"), "{weak}");
}
