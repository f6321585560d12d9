//! Calls of the management API: what is sent, what is repeated, what is not.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::{Value, json};
use svc_sdk::{Authentication, Call, Client, ClientConfig, Management, ProofKey, TokenSource, tenant_issuer};

use crate::issuer::{Answer, Issuer, SILENT, Seen, ok, problem, tokens};

/// Answers these one after the other, and then the last.
async fn api(answers: Vec<Answer>) -> (Issuer, Management) {
    let next = AtomicUsize::new(0);
    let issuer = Issuer::start(move |_| {
        let number = next.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
        answers[number].clone()
    })
    .await;
    let api = Management::new(&issuer.url, TokenSource::Static("canary-token-90".into())).unwrap();
    (issuer, api)
}

fn later(status: u16, secs: &str) -> Answer {
    let (status, _, body) = problem(status, "temporarily_unavailable");
    (status, vec![("retry-after", secs.to_owned())], body)
}

#[tokio::test]
async fn every_write_carries_one_key_and_is_repeated_by_it() {
    let made = || ok(json!({"id": "org_1"}));
    let (issuer, api) = api(vec![later(503, "0"), later(429, "0"), made(), later(409, "0"), made()]).await;
    let first = api.organizations().create(&json!({"name": "A"}), None).await.unwrap();
    assert_eq!(first["id"], "org_1");
    let renamed: Value = api.organizations().update("org_1", &json!({"name": "B"})).await.unwrap();
    assert_eq!(renamed["id"], "org_1");
    api.organizations().delete("org_1").await.unwrap();
    let seen = issuer.seen();
    let keys: Vec<_> = seen.iter().map(|seen| seen.header("idempotency-key")).collect();
    assert!(keys.iter().all(|key| key.len() == 43));
    assert!(keys[0] == keys[1] && keys[1] == keys[2] && keys[3] == keys[4]);
    assert!(keys[0] != keys[3] && keys[3] != keys[5]);
    assert_eq!(
        (seen[3].method.as_str(), seen[3].header("content-type")),
        ("PATCH", "application/merge-patch+json")
    );
    assert_eq!((seen[5].method.as_str(), seen[5].path.as_str()), ("DELETE", "/api/v1/organizations/org_1"));
}

#[tokio::test]
async fn a_refusal_and_a_wait_that_is_too_long_are_given_back_at_once() {
    let refusals = [
        problem(400, "invalid_request"),
        problem(409, "conflict"),
        problem(500, "internal"),
        later(429, "31"),
        later(429, "99999999999999999999"),
    ];
    for refusal in refusals {
        let (issuer, api) = api(vec![refusal]).await;
        let error = api.organizations().create(&json!({}), Some("mine")).await.unwrap_err();
        assert_eq!(issuer.seen().len(), 1, "{error}");
        assert_eq!(issuer.seen()[0].header("idempotency-key"), "mine");
        assert_eq!(
            (error.request_id.as_deref(), error.tenant.as_str()),
            (Some("req-1"), issuer.url.as_str())
        );
    }
}

#[tokio::test]
async fn a_write_without_idempotency_keys_is_not_repeated_unless_nothing_was_done() {
    let methods =
        [(Method::POST, 1), (Method::PATCH, 1), (Method::PUT, 2), (Method::DELETE, 2), (Method::GET, 2)];
    for status in [502, 503, 504, SILENT] {
        for (method, times) in &methods {
            let (issuer, api) = api(vec![later(status, "0"), ok(json!({}))]).await;
            let call = Call { method: method.clone(), path: "/scim/v2/Users".into(), ..Call::default() };
            assert_eq!(api.send(call).await.is_ok(), *times == 2, "{method} after {status}");
            assert_eq!(issuer.seen().len(), *times, "{method} after {status}");
        }
        let (issuer, api) = api(vec![later(status, "0"), ok(json!({"id": "org_1"}))]).await;
        api.organizations().create(&json!({}), None).await.unwrap();
        assert_eq!(issuer.seen().len(), 2, "a write that has a key, after {status}");
    }
    let (issuer, api) = api(vec![later(429, "0"), ok(json!({}))]).await;
    let call = Call { method: Method::POST, path: "/scim/v2/Users".into(), ..Call::default() };
    api.send(call).await.unwrap();
    assert_eq!(issuer.seen().len(), 2, "what the server did not do is safe to repeat");
}

#[tokio::test]
async fn repeating_has_an_end() {
    let (issuer, api) = api(vec![later(502, "0")]).await;
    assert_eq!(api.organizations().find("org_1").await.unwrap_err().status, 502);
    assert_eq!(issuer.seen().len(), 4);
    assert_eq!(issuer.seen()[0].header("idempotency-key"), "", "a read needs no key");
}

#[tokio::test]
async fn a_list_that_turns_in_circles_or_is_none_is_an_error() {
    let page = ok(json!({"data": [1], "next_cursor": "c"}));
    for (answers, items) in [(vec![page], 1), (vec![ok(json!({"items": []}))], 0), (vec![ok(json!([]))], 0)] {
        let (_issuer, api) = api(answers).await;
        let mut list = api.list::<u8>("/api/v1/things", &[]);
        let mut found = 0;
        let end = loop {
            match list.next().await {
                Ok(Some(_)) => found += 1,
                end => break end,
            }
        };
        assert!(end.is_err());
        assert_eq!(found, items);
    }
}

#[tokio::test]
async fn ids_and_paths_lead_nowhere_else() {
    let (issuer, api) = api(vec![ok(json!({}))]).await;
    for id in ["", "..", "a/b", "a?b", "a#b", "%2e%2e"] {
        assert!(api.organizations().find(id).await.is_err(), "{id}");
    }
    for id in ["", "..", "a/b"] {
        assert!(api.organization_invitations(id).find("inv_1").await.is_err(), "{id}");
        assert!(api.organization_invitations(id).all(&[]).next().await.is_err(), "{id}");
    }
    for path in [
        "api/v1/x",
        "/x?y=1",
        "/x\\y",
        "/api/v1/../x",
        "/api/v1/./x",
        "/api/v1/%2E%2e/x",
        "/api/v1/.\t./x",
        "/api/v1/.. ",
    ] {
        let call = Call { method: Method::GET, path: path.to_owned(), ..Call::default() };
        assert!(api.send(call).await.is_err(), "{path}");
    }
    assert!(issuer.seen().is_empty());
    assert!(Management::new("http://id.example", TokenSource::Static("t".into())).is_err());
}

#[tokio::test]
async fn a_record_below_another_is_read_and_replaced_at_its_path() {
    let (issuer, api) = api(vec![ok(json!({"id": "x"}))]).await;
    api.organization_invitations("org_1").find("inv_1").await.unwrap();
    api.group_members("grp_1").replace("usr_1", &json!({})).await.unwrap();
    let seen = issuer.seen();
    assert_eq!(seen[0].path, "/api/v1/organizations/org_1/invitations/inv_1");
    assert_eq!(
        (seen[1].method.as_str(), seen[1].path.as_str()),
        ("PUT", "/api/v1/groups/grp_1/members/usr_1")
    );
}

#[tokio::test]
async fn a_token_by_client_credentials_is_asked_for_once() {
    let issuer =
        Issuer::start(|seen| if seen.path == "/token" { tokens() } else { ok(json!({"id": "x"})) }).await;
    let source = TokenSource::credentials(issuer.client(), "organizations:read", None);
    let api = Arc::new(Management::new(&issuer.url, source).unwrap());
    for _ in 0..3 {
        api.organizations().find("org_1").await.unwrap();
    }
    let asked = issuer.seen().iter().filter(|seen| seen.path == "/token").count();
    assert_eq!(asked, 1);
    assert_eq!(issuer.seen()[1].header("authorization"), "Bearer canary-access-77aa");
}

#[tokio::test]
async fn those_who_wait_for_a_token_together_share_the_failure_and_the_next_asks_again() {
    let issuer = Issuer::start(|_| problem(401, "invalid_client")).await;
    let api = Management::new(&issuer.url, TokenSource::credentials(issuer.client(), "", None)).unwrap();
    let call = || async { api.organizations().find("org_1").await.unwrap_err().code };
    let (one, two, three) = tokio::join!(call(), call(), call());
    assert_eq!([one, two, three], ["invalid_client"; 3]);
    assert_eq!(sent(&issuer), (1, 0));
    assert_eq!(call().await, "invalid_client");
    assert_eq!(sent(&issuer), (2, 0));
}

/// Refuses the first token that it gives, and every other one where it is strict.
async fn refusing(is_strict: bool) -> (Issuer, Management) {
    let given = AtomicUsize::new(1);
    let issuer = Issuer::start(move |seen| {
        if seen.path == "/token" {
            let token = format!("canary-access-{}", given.fetch_add(1, Ordering::SeqCst));
            return ok(json!({"access_token": token, "token_type": "Bearer", "expires_in": 60}));
        }
        let is_refused = is_strict || seen.header("authorization") == "Bearer canary-access-1";
        if is_refused { problem(401, "invalid_token") } else { ok(json!({"id": "org_1"})) }
    })
    .await;
    let api = Management::new(&issuer.url, TokenSource::credentials(issuer.client(), "", None)).unwrap();
    (issuer, api)
}

/// How many requests went for tokens, and to the API.
fn sent(issuer: &Issuer) -> (usize, usize) {
    let seen = issuer.seen();
    let tokens = seen.iter().filter(|seen| seen.path == "/token").count();
    (tokens, seen.len() - tokens)
}

#[tokio::test]
async fn a_token_that_is_refused_is_dropped_and_the_call_sent_once_more_where_that_is_safe() {
    let cases = [
        (Method::GET, "/api/v1/webhooks", 2),
        (Method::POST, "/api/v1/webhooks", 2),
        (Method::PUT, "/scim/v2/Users", 2),
        (Method::POST, "/scim/v2/Users", 1),
    ];
    for (method, path, times) in cases {
        let (issuer, api) = refusing(false).await;
        let call = Call { method: method.clone(), path: path.to_owned(), ..Call::default() };
        assert_eq!(api.send(call.clone()).await.is_ok(), times == 2, "{method} {path}");
        assert_eq!(sent(&issuer), (times, times), "{method} {path}");
        assert!(api.send(call).await.is_ok(), "{method} {path}: the token stays");
        assert_eq!(sent(&issuer).0, 2, "{method} {path}");
    }
}

#[tokio::test]
async fn tokens_that_are_all_refused_are_asked_for_once_more_and_not_for_ever() {
    let (issuer, strict) = refusing(true).await;
    assert_eq!(strict.organizations().find("org_1").await.unwrap_err().status, 401);
    assert_eq!(sent(&issuer), (2, 2));
    let (issuer, api) = api(vec![problem(401, "invalid_token")]).await;
    assert_eq!(api.organizations().find("org_1").await.unwrap_err().status, 401);
    assert_eq!(issuer.seen().len(), 1, "a token that does not change is not sent twice");
    let issuer = Issuer::start(|_| problem(401, "invalid_client")).await;
    let api = Management::new(&issuer.url, TokenSource::credentials(issuer.client(), "", None)).unwrap();
    assert_eq!(api.organizations().find("org_1").await.unwrap_err().code, "invalid_client");
    assert_eq!(sent(&issuer), (1, 0), "who gets no token is not asked again");
}

/// The claims of the proof of a request.
fn proof(seen: &Seen) -> Value {
    let payload = seen.header("dpop").split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

#[tokio::test]
async fn a_token_that_is_bound_to_a_key_comes_with_a_proof_of_the_call_and_the_nonce_of_the_server() {
    let issuer = Issuer::start(|seen| {
        if seen.path == "/token" {
            return tokens();
        }
        if seen.path == "/api/v1/webhooks/refused" {
            return problem(401, "invalid_dpop_proof");
        }
        if proof(seen)["nonce"] == "n-1" {
            return ok(json!({"id": "org_1"}));
        }
        let (status, _, body) = problem(401, "use_dpop_nonce");
        (status, vec![("dpop-nonce", "n-1".into())], body)
    })
    .await;
    let mut config = ClientConfig::new(&issuer.url, "app", Authentication::None);
    config.proof_key = Some(ProofKey::generate().unwrap().into());
    let source = TokenSource::credentials(Client::new(config).unwrap(), "", None);
    let api = Management::new(&issuer.url, source).unwrap();
    let query = vec![("expand".to_owned(), "a".to_owned())];
    let call = Call { path: "/api/v1/organizations/org_1".into(), query, ..Call::default() };
    api.send(call).await.unwrap();
    api.webhooks().delete("refused").await.unwrap_err();
    let seen = issuer.seen();
    assert_eq!(sent(&issuer), (1, 3), "the token stays: the proof was what was wrong");
    for call in &seen[1..] {
        assert_eq!(call.header("authorization"), "DPoP canary-access-77aa");
        let proof = proof(call);
        assert_eq!(
            (&proof["htm"], &proof["htu"]),
            (&json!(call.method), &json!(format!("{}{}", issuer.url, call.path)))
        );
        let ath = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, b"canary-access-77aa");
        assert_eq!(proof["ath"], URL_SAFE_NO_PAD.encode(ath));
    }
    assert_eq!(proof(&seen[3])["nonce"], "n-1", "the nonce is kept for the next proof");
}

#[tokio::test]
async fn a_record_is_changed_where_it_is_still_the_one_that_was_read() {
    let (issuer, api) = api(vec![(200, vec![("etag", "\"7\"".into())], json!({"id": "whk_1"}))]).await;
    let read = Call { path: "/api/v1/webhooks/whk_1".into(), ..Call::default() };
    let (webhook, if_match) = api.send_tagged(read.clone()).await.unwrap();
    assert_eq!((&webhook["id"], if_match.as_deref()), (&json!("whk_1"), Some("\"7\"")));
    let change = Call { method: Method::PATCH, body: Some(json!({"description": "a"})), if_match, ..read };
    api.send(change).await.unwrap();
    assert_eq!(issuer.seen()[0].header("if-match"), "");
    assert_eq!(issuer.seen()[1].header("if-match"), "\"7\"");
}

#[tokio::test]
async fn a_body_is_of_the_media_type_that_its_path_takes() {
    let (issuer, api) = api(vec![ok(json!({}))]).await;
    let cases = [
        (Method::PATCH, "/scim/v2/Users/usr_1", "application/scim+json"),
        (Method::POST, "/scim/v2/Users", "application/scim+json"),
        (Method::PATCH, "/api/v1/webhooks/whk_1", "application/merge-patch+json"),
        (Method::PUT, "/api/v1/webhooks/whk_1", "application/json"),
    ];
    for (number, (method, path, kind)) in cases.into_iter().enumerate() {
        let body = Some(json!({"a": 1}));
        api.send(Call { method, path: path.to_owned(), body, ..Call::default() }).await.unwrap();
        assert_eq!(issuer.seen()[number].header("content-type"), kind, "{path}");
    }
}

#[tokio::test]
async fn an_error_says_what_the_challenge_or_the_detail_of_scim_says() {
    let challenge = "Bearer realm=\"x\", error=\"invalid_token\", error_description=\"it has expired\"";
    let (_issuer, refusing) =
        api(vec![(401, vec![("www-authenticate", challenge.into())], json!(null))]).await;
    assert_eq!(refusing.organizations().find("org_1").await.unwrap_err().code, "invalid_token");
    let scim = json!({"status": "409", "scimType": "uniqueness", "detail": "userName is taken"});
    let (_issuer, refusing) = api(vec![(409, vec![], scim)]).await;
    let call = Call { method: Method::POST, path: "/scim/v2/Users".into(), ..Call::default() };
    let error = refusing.send(call).await.unwrap_err();
    assert_eq!((error.code.as_str(), error.description.as_str()), ("http_409", "userName is taken"));
}

#[tokio::test]
async fn no_error_repeats_what_a_body_has_confided() {
    let (_issuer, api) = api(vec![(
        400,
        vec![],
        json!({"error": "invalid_request", "error_description": "canary-password-1 and canary-name-22"}),
    )])
    .await;
    let members = json!({"new_password": "canary-password-1", "name": "canary-name-22"});
    let error = api.tenant_users().create(&members, None).await.unwrap_err();
    assert_eq!(error.description, "[redacted] and canary-name-22");
}

#[test]
fn a_tenants_issuer_is_a_label_before_that_of_the_deployment() {
    assert_eq!(tenant_issuer("https://id.example", "acme").unwrap(), "https://acme.id.example");
    assert_eq!(tenant_issuer("http://localhost:8080", "a-1").unwrap(), "http://a-1.localhost:8080");
    for slug in ["", "a.b", "A", "-a", "a/", "a@b"] {
        assert!(tenant_issuer("https://id.example", slug).is_err(), "{slug}");
    }
}
