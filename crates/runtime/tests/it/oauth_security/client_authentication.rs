//! How applications prove themselves: the registered method and no other, one answer for every failure (N18–N20).

use futures_util::future::join_all;
use serde_json::{Value, json};
use svc_domain::apps::AuthMethod;
use svc_http::Method;

use super::{FORM, raw};
use crate::harness::client::basic;
use crate::harness::{Answer, Client, Harness};

/// A request that needs nothing but authentication to get to `invalid_grant`.
const BODY: &str = "grant_type=refresh_token&refresh_token=x";
const REGISTERED: [AuthMethod; 3] =
    [AuthMethod::None, AuthMethod::ClientSecretPost, AuthMethod::ClientSecretBasic];
const PRESENTED: &[&str] = &[
    "none",
    "client_secret_post",
    "client_secret_basic",
    "both",
    "private_key_jwt",
    "private_key_jwt and basic",
    "empty secret",
    "nothing",
    "bearer",
];
const ENDPOINTS: &[&str] = &["/oauth/token", "/oauth/introspect", "/oauth/revoke"];

async fn present(app: &Client<'_>, secret: &str, path: &str, how: &str) -> Answer {
    let authorization = basic(&app.id, secret);
    let assertion = "client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion=e30.e30.e30";
    let id = &app.id;
    let (header, form) = match how {
        "none" => (None, format!("&client_id={id}")),
        "client_secret_post" => (None, format!("&client_id={id}&client_secret={secret}")),
        "client_secret_basic" => (Some(authorization), String::new()),
        "both" => (Some(authorization), format!("&client_id={id}&client_secret={secret}")),
        "private_key_jwt" => (None, format!("&client_id={id}&{assertion}")),
        "private_key_jwt and basic" => (Some(authorization), format!("&{assertion}")),
        "empty secret" => (None, format!("&client_id={id}&client_secret=")),
        "nothing" => (None, String::new()),
        "bearer" => (Some(format!("Bearer {secret}")), format!("&client_id={id}")),
        other => panic!("{other}"),
    };
    let header = header.unwrap_or_default();
    let headers = [FORM, ("authorization", header.as_bytes())];
    let headers = if header.is_empty() { &headers[..1] } else { &headers[..] };
    raw(&app.site, path, headers, format!("{BODY}&token=x{form}")).await
}

fn is_right(registered: AuthMethod, how: &str) -> bool {
    registered.name() == how || (registered == AuthMethod::None && how == "empty secret")
}

#[tokio::test]
async fn the_registered_method_authenticates_and_no_other() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for registered in REGISTERED {
        let app = site
            .app_with(&registered.name().replace('_', "-"), |configuration| {
                configuration.token_endpoint_auth_method = registered;
                configuration.grant_types = vec!["refresh_token".to_owned()];
            })
            .await;
        let secret = app.secret.clone().unwrap_or_else(|| "none".to_owned());
        for how in PRESENTED {
            for path in ENDPOINTS {
                let answer = present(&app, &secret, path, how).await;
                let is_open = is_right(registered, how)
                    && !(*path == "/oauth/introspect" && registered == AuthMethod::None);
                match (is_open, *path) {
                    (true, "/oauth/token") => drop(answer.expect_problem(400, "invalid_grant")),
                    (true, _) => drop(answer.expect(200)),
                    (false, _) => is_refused(answer, &format!("{registered:?} {how} {path}")),
                }
            }
        }
    }
}

#[track_caller]
fn is_refused(answer: Answer, case: &str) {
    assert_eq!(answer.status, 401, "{case}: {answer:?}");
    let answer = answer.expect_problem(401, "invalid_client");
    assert!(answer.header("www-authenticate").starts_with("Basic realm="), "{case}: {answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store", "{case}");
}

#[tokio::test]
async fn a_malformed_basic_credential_is_refused_without_a_panic() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let secret = app.secret.clone().unwrap();
    let good = basic(&app.id, &secret);
    let long = format!("Basic {}", "QUFB".repeat(2000));
    let bad: &[&[u8]] = &[
        b"Basic",
        b"Basic ",
        b"Basic  ",
        b"Basic !!!!",
        b"Basic YQ",
        b"Basic YTpi=",
        b"Basic YWI=",
        b"Basic Og==",
        b"Basic YSUyOmI=",
        b"Basic JTA6Yg==",
        b"Basic YTolZmY=",
        b"Basic /w==",
        b"Basic AAAA",
        b"Basic\tYTpi",
        b"Basic YTpi YTpi",
        b"Basic \xff\xfe",
        b"Bearer YTpi",
        b"Digest username=a",
        b"",
        b",",
        long.as_bytes(),
        b"Basic YTpiJmM9ZA==",
    ];
    for header in bad {
        let answer = raw(&site, "/oauth/token", &[FORM, ("authorization", header)], BODY).await;
        is_refused(answer, &String::from_utf8_lossy(header));
    }
    let twice = [FORM, ("authorization", good.as_bytes()), ("authorization", good.as_bytes())];
    is_refused(raw(&site, "/oauth/token", &twice, BODY).await, "two headers");
    let huge = format!("Basic {}", "A".repeat(64 * 1024));
    let answer = raw(&site, "/oauth/token", &[FORM, ("authorization", huge.as_bytes())], BODY).await;
    assert!([401, 431].contains(&answer.status), "{answer:?}");
    let other_name = format!("{BODY}&client_id=app_00000000000000000000000000");
    is_refused(
        raw(&site, "/oauth/token", &[FORM, ("authorization", good.as_bytes())], other_name).await,
        "two names",
    );
    // The scheme's name has no case (RFC 9110 §11.1); the name may be repeated in the form.
    let lower = good.replace("Basic", "basic");
    let same_name = format!("{BODY}&client_id={}", app.id);
    for (header, body) in [(&good, BODY), (&lower, BODY), (&good, &same_name)] {
        let answer =
            raw(&site, "/oauth/token", &[FORM, ("authorization", header.as_bytes())], body.to_owned()).await;
        let _ = answer.expect_problem(400, "invalid_grant");
    }
}

#[tokio::test]
async fn unknown_disabled_and_wrong_applications_are_told_the_same_to_the_byte() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (app, foreign) = (site.app("web").await, globex.app("web").await);
    let disabled = site.app("disabled").await;
    disable(&disabled).await;
    let secret = |app: &Client<'_>| app.secret.clone().unwrap();
    let mut bodies = Vec::new();
    for (id, secret) in [
        (app.id.clone(), "wrong".to_owned()),
        (app.id.clone(), secret(&foreign)),
        ("app_00000000000000000000000000".to_owned(), "wrong".to_owned()),
        ("no id at all".to_owned(), "wrong".to_owned()),
        (foreign.id.clone(), secret(&foreign)),
        (disabled.id.clone(), secret(&disabled)),
    ] {
        let authorization = basic(&id, &secret);
        let answer =
            raw(&site, "/oauth/token", &[FORM, ("authorization", authorization.as_bytes())], BODY).await;
        assert!(!answer.body.contains(&secret) && !answer.body.contains(&id), "{answer:?}");
        is_refused(answer.clone(), &id);
        bodies.push((answer.without_request_id(), answer.headers.get("www-authenticate").cloned()));
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
}

/// Disables an application by the API.
async fn disable(app: &Client<'_>) {
    let token = app.site.mint(|_| ());
    let mut wanted = serde_json::to_value(&app.configuration).unwrap();
    wanted["enabled"] = false.into();
    let path = format!("/api/v1/applications/{}", app.id);
    let _ = app.site.call(Method::PUT, &path, Some(&token), Some(wanted)).await.expect(200);
}

/// The application with a new secret, and until when the former one is valid.
async fn rotated<'h>(app: &Client<'h>, query: &str) -> (Client<'h>, Value) {
    let path = format!("/api/v1/applications/{}/secret{query}", app.id);
    let token = app.site.mint(|_| ());
    let mut fresh = app.site.call(Method::POST, &path, Some(&token), None).await.expect(200).json();
    let mut app = app.clone();
    app.secret = fresh["client_secret"].as_str().map(str::to_owned);
    (app, fresh["former_expires_at"].take())
}

async fn secrets(app: &Client<'_>) -> Value {
    let path = format!("/api/v1/applications/{}/secrets", app.id);
    let token = app.site.mint(|_| ());
    app.site.call(Method::GET, &path, Some(&token), None).await.expect(200).json()["data"].take()
}

/// Whether a secret authenticates its application.
async fn counts(app: &Client<'_>) -> bool {
    let answer = app.refresh("x").await;
    assert!([400, 401].contains(&answer.status), "{answer:?}");
    answer.status == 400
}

#[tokio::test]
async fn a_replaced_secret_is_valid_for_another_day_or_as_long_as_is_chosen() {
    for (query, seconds) in [("", 86_400), ("?overlap_secs=60", 60)] {
        let h = Harness::new().await;
        let site = h.tenant("main").await;
        let former = site.app("web").await;
        let (present, _) = rotated(&former, query).await;
        h.advance(seconds - 1);
        assert!(counts(&former).await && counts(&present).await, "{query}");
        h.advance(1);
        assert!(!counts(&former).await && counts(&present).await, "{query}");
        assert_eq!(secrets(&present).await.as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_replaced_secret_ends_at_once_where_that_is_chosen() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let former = site.app("web").await;
    let (present, former_expires_at) = rotated(&former, "?overlap_secs=0").await;
    assert_eq!(former_expires_at, Value::Null);
    assert!(!counts(&former).await && counts(&present).await);
    let path = format!("/api/v1/applications/{}/secret", former.id);
    let token = site.mint(|_| ());
    for wrong in ["?overlap_secs=-1", "?overlap_secs=2592001", "?overlap_secs=x", "?overlap=1"] {
        let refused = site.call(Method::POST, &format!("{path}{wrong}"), Some(&token), None).await;
        assert!(refused.expect_problem(400, "bad_request").body.contains("overlap"), "{wrong}");
    }
}

#[tokio::test]
async fn of_replacements_at_once_for_one_version_one_is_made_so_that_the_secret_in_use_stays_valid() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let (path, token) = (format!("/api/v1/applications/{}", app.id), site.mint(|_| ()));
    let read = site.call(Method::GET, &path, Some(&token), None).await.expect(200);
    let (secret, version) = (format!("{path}/secret"), ("if-match", read.header("etag")));
    let replace = |()| site.call_with(Method::POST, &secret, &token, version, json!({}));
    let answers = join_all([(); 6].map(replace)).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);
    assert!(counts(&app).await, "the secret that the client has");
}

#[tokio::test]
async fn an_application_has_two_valid_secrets_at_most_and_the_former_can_be_ended() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let first = site.app("web").await;
    let (second, _) = rotated(&first, "").await;
    let (third, _) = rotated(&second, "").await;
    let valid = [counts(&first).await, counts(&second).await, counts(&third).await];
    assert_eq!(valid, [false, true, true]);
    let path = format!("/api/v1/applications/{}/secrets/former", first.id);
    let token = site.mint(|_| ());
    let _ = site.call(Method::DELETE, &path, Some(&token), None).await.expect(204);
    assert!(!counts(&second).await && counts(&third).await);
}

#[tokio::test]
async fn secrets_are_listed_with_when_they_were_made_used_and_end() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let first = site.app("web").await;
    let made = h.operator().now;
    assert!(counts(&first).await);
    h.run_jobs().await;
    h.advance(60);
    let (second, former_expires_at) = rotated(&first, "?overlap_secs=600").await;
    let rotated_at = h.operator().now;
    let expected = |used: Value| {
        json!([
            { "created_at": rotated_at, "last_used_at": used, "expires_at": null },
            { "created_at": made, "last_used_at": made, "expires_at": former_expires_at },
        ])
    };
    assert_eq!(secrets(&second).await, expected(Value::Null));
    assert!(counts(&second).await && counts(&first).await);
    h.run_jobs().await;
    // Uses within an hour are one.
    assert_eq!(secrets(&second).await, expected(json!(rotated_at)));
    let public = site.public_app("spa").await;
    assert_eq!(secrets(&public).await, json!([]));
}
