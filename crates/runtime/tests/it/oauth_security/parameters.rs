//! Parameters that are repeated, overlong, or more than text: N3, N7.

use super::{FORM, is_page, raw, signing_in};
use crate::harness::Harness;
use crate::harness::client::{basic, claims};

const OF_AUTHORIZE: &[&str] = &[
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
];

#[tokio::test]
async fn a_repeated_parameter_of_an_authorization_request_gets_a_page() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let path = app.authorize_path(&app.verifier(), &[]);
    let query = path.split_once('?').unwrap().1;
    let fields: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    for name in OF_AUTHORIZE {
        let (_, value) = fields.iter().find(|(known, _)| known == name).unwrap();
        for again in [*value, "another", ""] {
            let pair = url::form_urlencoded::Serializer::new(String::new()).append_pair(name, again).finish();
            is_page(&browser.get(&format!("{path}&{pair}")).await, name);
            is_page(&browser.get(&format!("/oauth/authorize?{pair}&{query}")).await, name);
            let twice: Vec<_> = fields.iter().copied().chain([(*name, again)]).collect();
            is_page(&browser.post("/oauth/authorize", &twice).await, name);
            is_page(&browser.post(&format!("/oauth/authorize?{pair}"), &fields).await, name);
        }
    }
    let escaped = format!("{path}&%73tate=x");
    is_page(&browser.get(&escaped).await, "an escaped name");
    app.code_in(&mut browser, &ada).await;
}

#[tokio::test]
async fn a_repeated_parameter_of_a_token_request_is_refused_and_spends_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", &code.code),
        ("redirect_uri", app.redirect_uri()),
        ("code_verifier", &code.verifier),
    ];
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let authorization = basic(&app.id, app.secret.as_deref().unwrap());
    let headers = [FORM, ("authorization", authorization.as_bytes())];
    for (name, value) in fields {
        for again in [value, "another", ""] {
            let pair = url::form_urlencoded::Serializer::new(String::new()).append_pair(name, again).finish();
            for body in [format!("{body}&{pair}"), format!("{pair}&{body}")] {
                let answer = raw(&site, "/oauth/token", &headers, body).await;
                let _ = answer.expect_problem(400, "invalid_request");
            }
            let answer = raw(&site, &format!("/oauth/token?{pair}"), &headers, body.clone()).await;
            let _ = answer.expect_problem(400, "invalid_request");
        }
    }
    let _ = app.exchange(&code).await.expect(200);
}

#[tokio::test]
async fn a_repeated_parameter_is_refused_at_introspection_and_revocation_too() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let authorization = basic(&app.id, app.secret.as_deref().unwrap());
    let headers = [FORM, ("authorization", authorization.as_bytes())];
    let body = format!("token={}&token=x", tokens.refresh_token());
    for path in ["/oauth/introspect", "/oauth/revoke"] {
        let _ = raw(&site, path, &headers, body.clone()).await.expect_problem(400, "invalid_request");
        let in_query = format!("{path}?token={}", tokens.refresh_token());
        let _ = raw(&site, &in_query, &headers, "").await.expect_problem(400, "invalid_request");
    }
    let _ = app.refresh(tokens.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn a_parameter_without_a_value_counts_as_left_out() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let authorization = basic(&app.id, app.secret.as_deref().unwrap());
    let headers = [FORM, ("authorization", authorization.as_bytes())];
    let path = app.authorize_path(&app.verifier(), &[]);
    let request = path.split_once('?').unwrap().1;
    let request = format!("{request}&request=&request_uri=&authorization_details=");
    let backchannel = "scope=openid&login_hint=ada&acr_values=&user_code=&request=&request_uri=";
    for (endpoint, form, status) in [
        ("/oauth/par", &*request, 201),
        ("/bc-authorize", backchannel, 200),
        ("/oauth/introspect", "token=x&token_type_hint=", 200),
    ] {
        let body = format!("{form}&client_secret=&client_assertion=&client_assertion_type=");
        let _ = raw(&site, endpoint, &headers, body).await.expect(status);
    }
}

#[tokio::test]
async fn state_and_nonce_come_back_byte_for_byte_and_never_raw() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let texts = [
        "x".repeat(384),
        "y".repeat(1000),
        "<script>alert(1)</script>".to_owned(),
        "\"><img src=x onerror=alert(1)>".to_owned(),
        "{{7*7}} ${7*7} %{7*7}".to_owned(),
        "a b+c&d=e;f%00%0d%0a#g?h".to_owned(),
        "ä€😀\u{202e}rtl".to_owned(),
        "'; DROP TABLE codes; --".to_owned(),
    ];
    for text in &texts {
        let mut browser = site.browser();
        let verifier = app.verifier();
        let path = app.authorize_path(&verifier, &[("state", text), ("nonce", text)]);
        let page = browser.get(&path).await.expect(200);
        assert!(!page.body.contains("alert(1)"), "{page:?}");
        let answer = signing_in(&mut browser, &path, &ada).await;
        assert_eq!(answer.redirect_param("state").as_deref(), Some(text.as_str()));
        assert!(
            answer.location().bytes().all(|byte| byte.is_ascii_graphic() && byte != b'<' && byte != b'"')
        );
        let code = crate::harness::Code { code: answer.redirect_param("code").unwrap(), verifier };
        let tokens = app.exchange(&code).await.expect(200).json();
        assert_eq!(claims(tokens["id_token"].as_str().unwrap())["nonce"], text.as_str());
        let posted = browser.get(&format!("{path}&response_mode=form_post")).await.expect(200);
        assert!(!posted.body.contains("<script>alert") && !posted.body.contains("<img src=x"), "{posted:?}");
    }
    let answer =
        signing_in(&mut site.browser(), &app.authorize_path(&app.verifier(), &[("state", "")]), &ada).await;
    assert_eq!(answer.redirect_param("state"), None);
    let long = "z".repeat(8 * 1024);
    let path = app.authorize_path(&app.verifier(), &[("state", &long), ("nonce", "")]);
    let answer = signing_in(&mut site.browser(), &path, &ada).await;
    assert_eq!(answer.redirect_param("state").as_deref(), Some(long.as_str()));
}

#[tokio::test]
async fn what_cannot_come_back_unharmed_is_refused_without_being_shown() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    for name in ["state", "nonce", "scope", "login_hint", "unknown"] {
        let path = app.authorize_path(&app.verifier(), &[(name, "")]);
        for bytes in ["%00", "a%00b", "%ff", "%c3%28", "%ed%a0%80", "%", "%4", "%zz"] {
            is_page(&browser.get(&format!("{path}&{name}={bytes}")).await, name);
        }
    }
    for name in ["state", "nonce", "scope"] {
        let path = app.authorize_path(&app.verifier(), &[(name, "")]);
        for bytes in ["a%0d%0aset-cookie:%20x=y", "%0a", "%1b[31m", &"%3Cscript%3E".repeat(2000)] {
            let answer = browser.get(&format!("{path}&{name}={bytes}")).await;
            assert!([303, 400].contains(&answer.status), "{name} {bytes}: {answer:?}");
            assert!(
                !answer.body.contains("<script>") && !answer.header("set-cookie").contains("x=y"),
                "{answer:?}"
            );
            assert_eq!(answer.headers.get("location").is_some(), answer.status == 303);
            if answer.status == 303 {
                assert_eq!(answer.redirect_param("code"), None, "{name} {bytes}: {answer:?}");
            }
        }
    }
    app.code_in(&mut browser, &ada).await;
}

#[tokio::test]
async fn unknown_and_tolerated_parameters_change_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tolerated = [
        ("display", "popup"),
        ("ui_locales", "de-CH xx-nonsense ../../etc/passwd {{7*7}}"),
        ("claims_locales", "fr"),
        ("login_hint", "ada@main.example"),
        ("acr_values", "urn:svc:aal1 unknown"),
        ("extra", "foobar"),
        ("scope", "phone openid  offline_access openid email profile"),
    ];
    let code = app.code_with(&mut site.browser(), &ada, &tolerated).await;
    let tokens = app.exchange_with(&code, &[("extra", "foobar")]).await.expect(200).json();
    assert_eq!(tokens["scope"], "email offline_access openid phone profile");
}
