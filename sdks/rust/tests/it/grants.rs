//! What is asked of the token endpoint, and how the application proves itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::Method;
use serde_json::{Value, json};
use svc_sdk::{
    Authentication, Call, Client, ClientConfig, Flow, Management, Metadata, ProofKey, Refused, RemoteKeys,
    TokenSource, challenge, tenant_issuer,
};
use tokio::net::TcpListener;

use crate::issuer::{Issuer, SECRET, SILENT, ok, problem, signed, tokens};

#[tokio::test]
async fn those_who_wait_for_the_metadata_together_share_the_failure_and_the_next_asks_again() {
    let (asked, listener) = (Arc::new(AtomicUsize::new(0)), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::clone(&asked);
    let away = move || {
        count.fetch_add(1, Ordering::SeqCst);
        async { axum::http::StatusCode::SERVICE_UNAVAILABLE }
    };
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(away)).await });
    let client = Client::new(ClientConfig::new(&url, "app", Authentication::None)).unwrap();
    let ask = || async { client.metadata().await.unwrap_err().status };
    let (one, two, three) = tokio::join!(ask(), ask(), ask());
    assert_eq!([one, two, three], [503; 3]);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    assert_eq!(ask().await, 503);
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn each_way_of_proving_is_used_alone() {
    let issuer = Issuer::start(|_| tokens()).await;
    let key = || ProofKey::generate().unwrap();
    let ways = [
        Authentication::None,
        Authentication::Basic(SECRET.into()),
        Authentication::Post(SECRET.into()),
        Authentication::Key(key(), "k".into()),
    ];
    for (number, authentication) in ways.into_iter().enumerate() {
        let mut config = ClientConfig::new(&issuer.url, "an app", authentication);
        config.proof_key = (number == 0).then(|| key().into());
        let client = Client::new(config).unwrap();
        client.client_credentials("orders:read", Some("https://api.example")).await.unwrap();
        let seen = issuer.seen().pop().unwrap();
        let form = seen.form();
        assert_eq!(form["scope"], "orders:read");
        assert_eq!(form["resource"], "https://api.example");
        assert_eq!(form.get("client_id").map(String::as_str), (number != 1).then_some("an app"));
        let basic = seen.header("authorization").starts_with("Basic ");
        let proven = [!seen.header("dpop").is_empty(), basic, form.contains_key("client_secret")];
        let proven = [proven[0], proven[1], proven[2], form.contains_key("client_assertion")];
        assert_eq!(proven.iter().position(|is| *is), Some(number));
        assert_eq!(proven.iter().filter(|is| **is).count(), 1);
    }
}

#[tokio::test]
async fn a_refresh_an_exchange_and_a_revocation_send_what_their_standards_say() {
    let issuer = Issuer::start(|_| tokens()).await;
    let client = issuer.client();
    client.refresh("r-1").await.unwrap();
    client.exchange_token("a-1", "https://api.example", "").await.unwrap();
    client.revoke("r-2").await.unwrap();
    let seen = issuer.seen();
    assert_eq!(seen[0].form()["refresh_token"], "r-1");
    let exchange = seen[1].form();
    assert_eq!(exchange["grant_type"], "urn:ietf:params:oauth:grant-type:token-exchange");
    assert_eq!(exchange["subject_token_type"], "urn:ietf:params:oauth:token-type:access_token");
    assert!(!exchange.contains_key("scope"), "an empty scope is no scope");
    assert_eq!((seen[2].path.as_str(), seen[2].form()["token"].as_str()), ("/revoke", "r-2"));
    client.refresh_with("r-3", &[("organization", "acme"), ("scope", "notes:read")]).await.unwrap();
    let form = issuer.seen()[3].form();
    assert_eq!(
        ["refresh_token", "organization", "scope"].map(|name| &*form[name]),
        ["r-3", "acme", "notes:read"]
    );
}

#[tokio::test]
async fn a_refresh_token_stays_where_the_server_makes_no_other() {
    for (next, kept) in [(Value::Null, "r-1"), (json!("r-2"), "r-2")] {
        let answer = json!({"access_token": "at", "token_type": "Bearer", "refresh_token": next});
        let issuer = Issuer::start(move |_| ok(answer.clone())).await;
        let tokens = issuer.client().refresh("r-1").await.unwrap();
        assert_eq!(tokens.refresh_token.as_deref(), Some(kept));
    }
}

#[tokio::test]
async fn an_error_has_the_code_the_request_and_the_issuer() {
    let issuer = Issuer::start(|_| problem(400, "invalid_grant")).await;
    let error = issuer.client().refresh("gone").await.unwrap_err();
    assert_eq!((error.code.as_str(), error.status), ("invalid_grant", 400));
    assert_eq!((error.request_id.as_deref(), error.tenant.as_str()), (Some("req-1"), issuer.url.as_str()));
    assert_eq!(issuer.seen().len(), 1, "a grant is not repeated");
}

#[tokio::test]
async fn errors_of_this_package_have_a_code_and_the_issuer_and_no_address() {
    let silent = || (SILENT, vec![], json!({}));
    let cases = [
        ("invalid_answer", ok(json!("canary-answer"))),
        ("invalid_answer", ok(json!({"sub": "usr_2"}))),
        ("unanswered", silent()),
    ];
    for (code, answer) in cases {
        let issuer = Issuer::start(move |_| answer.clone()).await;
        let client = issuer.client();
        let api = Management::new(&issuer.url, TokenSource::Static("canary-token".into())).unwrap();
        let query = vec![("q".to_owned(), "canary".to_owned())];
        let call = Call { method: Method::POST, path: "/scim/v2/Users".into(), query, ..Call::default() };
        let mut errors = vec![
            client.refresh("canary-token").await.unwrap_err(),
            client.userinfo("canary-token", Some("usr_1")).await.unwrap_err(),
            client.pushed_authorization_url(&Flow::start("https://app.example"), "", &[]).await.unwrap_err(),
            api.list::<u8>("/api/v1/things", &[("q", "canary")]).next().await.unwrap_err(),
        ];
        errors.extend(api.send(call).await.err());
        for error in errors {
            let text = error.to_string();
            assert_eq!((error.code.as_str(), error.tenant.as_str()), (code, issuer.url.as_str()), "{text}");
            assert!(text.contains(&issuer.url) && !text.contains("canary"), "{text}");
            assert!(!text.contains("JSON") || error.request_id.as_deref() == Some("req-1"), "{text}");
        }
    }
    for (issuer, error) in [
        ("https://id.example", Metadata::parse("https://id.example", b"{}").unwrap_err()),
        ("http://id.example", RemoteKeys::new("http://id.example").unwrap_err()),
        ("http://id.example", tenant_issuer("http://id.example", "acme").unwrap_err()),
    ] {
        assert_eq!(error.tenant, issuer, "{error}");
    }
}

#[tokio::test]
async fn userinfo_about_another_person_is_refused() {
    let issuer = Issuer::start(|_| ok(json!({"sub": "usr_1", "email": "ada@example.com"}))).await;
    let client = issuer.client();
    let claims = client.userinfo("token", Some("usr_1")).await.unwrap();
    assert_eq!((claims.subject(), claims.text("email")), ("usr_1", Some("ada@example.com")));
    assert_eq!(issuer.seen()[0].header("authorization"), "Bearer token");
    assert!(client.userinfo("token", Some("usr_2")).await.is_err());
    let nameless = Issuer::start(|_| ok(json!({"email": "ada@example.com"}))).await;
    assert!(nameless.client().userinfo("token", None).await.is_err());
}

#[tokio::test]
async fn a_nonce_of_the_server_is_put_into_the_next_proof() {
    let issuer = Issuer::start(|seen| {
        let payload = seen.header("dpop").split('.').nth(1).unwrap();
        let payload =
            base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, payload).unwrap();
        let claims: Value = serde_json::from_slice(&payload).unwrap();
        if claims["nonce"] == "n-1" {
            return if seen.path == "/userinfo" { ok(json!({"sub": "usr_1"})) } else { tokens() };
        }
        let (status, _, body) = problem(400, "use_dpop_nonce");
        (status, vec![("dpop-nonce", "n-1".into())], body)
    })
    .await;
    let mut config = ClientConfig::new(&issuer.url, "app", Authentication::None);
    config.proof_key = Some(ProofKey::generate().unwrap().into());
    let client = Client::new(config).unwrap();
    client.refresh("r").await.unwrap();
    assert_eq!(issuer.seen().len(), 2);
    client.userinfo("token", None).await.unwrap();
    assert_eq!(issuer.seen()[2].header("authorization"), "DPoP token");
}

#[tokio::test]
async fn no_error_repeats_an_assertion() {
    let issuer = Issuer::start(|seen| {
        let form = seen.form();
        let said = ["client_assertion", "assertion"].map(|name| form[name].clone()).join(" ");
        (400, vec![], json!({"error": "invalid_grant", "error_description": said}))
    })
    .await;
    let key = ProofKey::generate().unwrap();
    let config = ClientConfig::new(&issuer.url, "app", Authentication::Key(key, "k-1".into()));
    let form = [("assertion", "canary-assertion-1")];
    let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    let error = Client::new(config).unwrap().grant(grant, &form).await.unwrap_err();
    assert_eq!(error.description, "[redacted] [redacted]");
}

#[tokio::test]
async fn no_error_repeats_a_secret_as_it_stands_in_a_header_or_a_form() {
    let secret = "canary/secret=1";
    for authentication in [Authentication::Basic(secret.into()), Authentication::Post(secret.into())] {
        let issuer = Issuer::start(|seen| {
            let said = format!("{} {}", seen.header("authorization"), seen.body);
            (400, vec![], json!({"error": "invalid_client", "error_description": said}))
        })
        .await;
        let client = Client::new(ClientConfig::new(&issuer.url, "app", authentication)).unwrap();
        let said = client.refresh("canary/refresh=1").await.unwrap_err().description;
        assert!(said.contains("[redacted]") && said.contains("refresh_token"), "{said}");
        // The second is `app:canary%2Fsecret%3D1` in base64.
        assert!(!said.contains("canary") && !said.contains("YXBwOmNhbmFyeSUyRnNlY3JldCUzRDE"), "{said}");
    }
}

#[tokio::test]
async fn the_authorization_address_has_the_challenge_and_never_the_verifier() {
    let issuer = Issuer::start(|_| (201, vec![], json!({"request_uri": "urn:r:1", "expires_in": 60}))).await;
    let client = issuer.client();
    let flow = Flow {
        max_age: Some(60),
        acr_values: vec!["urn:svc:aal2".into()],
        ..Flow::start("https://app.example/cb")
    };
    let url = client.authorization_url(&flow, "openid", &[("prompt", "login")]).await.unwrap();
    let url = reqwest::Url::parse(&url).unwrap();
    let query: std::collections::HashMap<_, _> = url.query_pairs().into_owned().collect();
    assert_eq!(query["code_challenge"], challenge(&flow.verifier));
    assert_eq!((query["max_age"].as_str(), query["acr_values"].as_str()), ("60", "urn:svc:aal2"));
    assert_eq!((query["state"].as_str(), query["prompt"].as_str()), (flow.state.as_str(), "login"));
    assert!(!url.as_str().contains(&flow.verifier));
    for name in ["state", "redirect_uri", "acr_values"] {
        assert!(client.authorization_url(&flow, "openid", &[(name, "x")]).await.is_err(), "{name}");
    }
    let pushed = client.pushed_authorization_url(&flow, "openid", &[]).await.unwrap();
    assert!(pushed.ends_with("/authorize?client_id=app&request_uri=urn%3Ar%3A1"), "{pushed}");
    let form = issuer.seen()[0].form();
    assert_eq!(
        (form["state"].as_str(), form["redirect_uri"].as_str()),
        (flow.state.as_str(), "https://app.example/cb")
    );
}

#[tokio::test]
async fn the_address_of_a_sign_out_has_what_is_given_alone() {
    let issuer = Issuer::start(|_| tokens()).await;
    let client = issuer.client();
    let logout = format!("{}/logout?client_id=app", issuer.url);
    assert_eq!(client.sign_out_url(None, None).await.unwrap(), logout);
    let back = client.sign_out_url(Some("id-1"), Some("https://app.example/?a=1")).await.unwrap();
    let hints = "&id_token_hint=id-1&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F%3Fa%3D1";
    assert_eq!(back, format!("{logout}{hints}"));
}

#[tokio::test]
async fn a_logout_token_is_one_of_this_issuer_and_of_no_other_type() {
    let issuer = Issuer::start(|_| tokens()).await;
    let client = issuer.client();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let event = "http://schemas.openid.net/event/backchannel-logout";
    let claims = json!({
        "iss": issuer.url, "sub": "usr_1", "sid": "sess-1", "aud": "app", "iat": now, "exp": now + 120, "jti": "lgo-1",
        "events": {event: {}},
    });
    let token = |kid: &str, typ: &str| signed(&json!({"alg": "ES256", "kid": kid, "typ": typ}), &claims);
    let logout = client.verify_logout_token(&token("k1", "logout+jwt")).await.unwrap();
    assert_eq!((logout.session_id.as_deref(), logout.subject.as_deref()), (Some("sess-1"), Some("usr_1")));
    for (kid, typ) in [("k1", "JWT"), ("k1", "at+jwt"), ("k2", "logout+jwt"), ("", "logout+jwt")] {
        let error = client.verify_logout_token(&token(kid, typ)).await.unwrap_err();
        assert_eq!((error.status, error.code.as_str()), (400, "invalid_logout_token"), "{kid} {typ}");
        assert_eq!(error.tenant, issuer.url);
    }
}

#[tokio::test]
async fn a_callback_of_another_sign_in_asks_for_no_tokens() {
    let issuer = Issuer::start(|_| tokens()).await;
    let (client, flow) = (issuer.client(), Flow::start("https://app.example/cb"));
    let other = format!("/cb?code=c&state=other&iss={}", issuer.url);
    assert_eq!(client.finish(&flow, &other).await.unwrap_err(), Refused::Callback("state_mismatch"));
    let mixed_up = format!("/cb?code=c&state={}&iss=https://evil.example", flow.state);
    assert_eq!(client.finish(&flow, &mixed_up).await.unwrap_err(), Refused::Callback("issuer_mismatch"));
    let denied = format!("/cb?error=access_denied&state={}&iss={}", flow.state, issuer.url);
    let Refused::Server(error) = client.finish(&flow, &denied).await.unwrap_err() else { panic!() };
    assert_eq!(error.code, "access_denied");
    assert!(issuer.seen().is_empty());
}

#[tokio::test]
async fn a_sign_in_with_openid_needs_its_id_token() {
    for (scope, is_right) in [("openid email", false), ("notes:read", true)] {
        let issuer = Issuer::start(move |_| {
            let (status, headers, mut body) = tokens();
            body["scope"] = json!(scope);
            (status, headers, body)
        })
        .await;
        let flow = Flow::start("https://app.example/cb");
        let ended = issuer.client().exchange_code(&flow, "code-1").await;
        assert_eq!(ended.is_ok(), is_right, "{scope}");
        if let Err(error) = ended {
            assert_eq!((error.code.as_str(), error.tenant), ("invalid_id_token", issuer.url));
        }
    }
}
