//! `UserInfo`: whose token it takes, where from, and what it tells (N44; OpenID Connect Core §5.3).

use serde_json::{Value, json};
use svc_http::{Body, Method, Request};
use svc_keys::{Algorithm, Jws, PublicKey, Typ};

use super::{FORM, raw, userinfo};
use crate::harness::client::{Tokens, claims};
use crate::harness::{Answer, Client, Harness, Person, Site};

async fn tokens_with(app: &Client<'_>, ada: &Person, scope: &str) -> Tokens {
    let code = app.code_with(&mut app.site.browser(), ada, &[("scope", scope)]).await;
    Tokens { response: app.exchange(&code).await.expect(200).json() }
}

async fn get(site: &Site<'_>, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get(path).header("host", &site.host);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.harness.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn without_openid_there_is_no_telling() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = tokens_with(&app, &ada, "profile email").await;
    assert_eq!(tokens.response.get("id_token"), None);
    let answer = userinfo(&site, tokens.access_token()).await.expect_problem(403, "insufficient_scope");
    let challenge = answer.header("www-authenticate");
    assert!(
        challenge.contains("error=\"insufficient_scope\"") && challenge.contains("scope=\"openid\""),
        "{challenge}"
    );
    assert!(!answer.body.contains("ada"), "{answer:?}");
}

#[tokio::test]
async fn the_token_comes_in_the_header_or_in_a_form_and_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = tokens_with(&app, &ada, "openid").await;
    let token = tokens.access_token();
    let bearer = format!("Bearer {token}");
    let told = json!({ "sub": ada.subject });
    let lower = format!("bearer {token}");
    for headers in [
        &[("authorization", bearer.as_str())][..],
        &[("authorization", &lower), ("accept", "image/png, x/y;q=0.1")],
    ] {
        assert_eq!(get(&site, "/userinfo", headers).await.expect(200).json(), told);
    }
    let in_form = format!("access_token={token}");
    assert_eq!(raw(&site, "/userinfo", &[FORM], in_form.clone()).await.expect(200).json(), told);
    let by_header = [FORM, ("authorization", bearer.as_bytes())];
    assert_eq!(raw(&site, "/userinfo", &by_header, "").await.expect(200).json(), told);
    assert_eq!(raw(&site, "/userinfo", &by_header[1..], "").await.expect(200).json(), told);
    // Anywhere else, or more than once, it is refused.
    let in_query = format!("/userinfo?access_token={token}");
    let _ = get(&site, &in_query, &[]).await.expect_problem(401, "unauthorized");
    let _ = raw(&site, &in_query, &[FORM], "").await.expect_problem(401, "unauthorized");
    for answer in [
        get(&site, &in_query, &[("authorization", &bearer)]).await,
        raw(&site, &in_query, &[FORM], in_form.clone()).await,
        raw(&site, "/userinfo", &by_header, in_form.clone()).await,
        raw(&site, "/userinfo", &[FORM], format!("{in_form}&{in_form}")).await,
    ] {
        let _ = answer.expect_problem(400, "invalid_request");
    }
    let twice = get(&site, "/userinfo", &[("authorization", &bearer), ("authorization", &bearer)]).await;
    assert_eq!(twice.status, 401, "{twice:?}");
    let json = ("content-type", &b"application/json"[..]);
    let answer = raw(&site, "/userinfo", &[json], json!({ "access_token": token }).to_string()).await;
    let _ = answer.expect_problem(415, "unsupported_media_type");
    for other in ["Basic eDp5", "DPoP x", "Bearer", "Bearer ", "Bearer a b", "Token x"] {
        assert_eq!(get(&site, "/userinfo", &[("authorization", other)]).await.status, 401, "{other}");
    }
}

#[tokio::test]
async fn a_call_goes_by_the_name_that_its_client_gave_or_by_one_of_ours() {
    const NAME: &str = "c770aef3-6784-41f7-8e0e-ff5f97bddb3a";
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let bearer = format!("Bearer {}", tokens.access_token());
    let called = async |headers: &[(&str, &str)]| {
        get(&site, "/userinfo", headers).await.header("x-fapi-interaction-id").to_owned()
    };
    for authorization in [bearer.as_str(), "Bearer x"] {
        let sent = ("authorization", authorization);
        assert_eq!(called(&[sent, ("x-fapi-interaction-id", NAME)]).await, NAME);
        let mut made = std::collections::BTreeSet::new();
        for other in ["", "1", "<script>", &NAME[1..]] {
            let name = called(&[sent, ("x-fapi-interaction-id", other)]).await;
            assert_eq!(name.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{name}");
            assert!(name[14..].starts_with('4') && name[19..].starts_with(['8', '9', 'a', 'b']), "{name}");
            assert!(made.insert(name));
        }
        assert!(made.insert(called(&[sent]).await));
    }
}

#[tokio::test]
async fn a_person_who_was_suspended_or_removed_is_not_told_about() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for (name, method, tail) in [("ada", Method::POST, "/suspend"), ("bob", Method::DELETE, "")] {
        let person = site.user(name).await;
        let tokens = app.tokens(&person).await;
        let _ = userinfo(&site, tokens.access_token()).await.expect(200);
        let path = format!("/api/v1/tenant-users/{}{tail}", person.id);
        let answer = site.call(method, &path, Some(&site.mint(|_| ())), None).await;
        assert!(answer.status < 300, "{answer:?}");
        let _ = userinfo(&site, tokens.access_token()).await.expect_problem(401, "invalid_token");
    }
}

#[tokio::test]
async fn a_token_of_an_application_itself_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api("https://notes.example", &["notes:read"]).await;
    let app = site.app("web").await;
    let token = app.own_token("notes:read", "https://notes.example").await;
    let _ = userinfo(&site, &token).await.expect_problem(401, "invalid_token");
    let with_openid = site.mint(|claims| {
        (claims["aud"], claims["scope"]) = (json!(site.issuer()), json!("openid"));
    });
    let _ = userinfo(&site, &with_openid).await.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn each_scope_tells_its_claims_rightly_typed_and_about_the_person_of_the_id_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    for scope in [
        "openid",
        "openid profile",
        "openid email",
        "openid phone",
        "openid address",
        "openid profile email phone",
    ] {
        let tokens = tokens_with(&app, &ada, scope).await;
        let told = userinfo(&site, tokens.access_token()).await.expect(200).json();
        assert_eq!(told["sub"], claims(tokens.id_token())["sub"]);
        let told = told.as_object().unwrap();
        assert!(told.values().all(|value| !value.is_null() && *value != ""), "{told:?}");
        assert_eq!(told.contains_key("email"), scope.contains("email"));
        assert_eq!(told.contains_key("phone_number"), scope.contains("phone"));
        assert_eq!(told.contains_key("name"), scope.contains("profile"));
        for (name, value) in told {
            let is_right = match name.as_str() {
                "email_verified" | "phone_number_verified" => value.is_boolean(),
                "updated_at" => value.is_i64(),
                "address" => value.is_object(),
                _ => value.is_string(),
            };
            assert!(is_right, "{name}: {value}");
        }
    }
}

#[tokio::test]
async fn an_application_that_asked_for_it_gets_a_signed_answer() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for algorithm in [Algorithm::Es256, Algorithm::Rs256, Algorithm::EdDsa] {
        let handle = algorithm.name().to_lowercase();
        let app = site
            .app_with(&handle, |configuration| configuration.userinfo_signed_response_alg = Some(algorithm))
            .await;
        let tokens = tokens_with(&app, &ada, "openid email").await;
        let answer = userinfo(&site, tokens.access_token()).await.expect(200);
        assert_eq!(answer.header("content-type"), "application/jwt");
        assert_eq!(answer.header("cache-control"), "no-store");
        let jws = Jws::parse(&answer.body, Typ::Jwt.algorithms()).unwrap();
        assert_eq!(jws.algorithm(), algorithm);
        // An application that asks for EdDSA brings such a key into the set, within a second.
        h.run_jobs().await;
        let published = site.get("/.well-known/jwks.json").await.expect(200).json();
        let key = published["keys"]
            .as_array()
            .unwrap()
            .iter()
            .find(|key| key["kid"].as_str() == jws.kid())
            .unwrap();
        let told = Value::Object(jws.verify(&PublicKey::from_jwk(key).unwrap()).unwrap().into_map());
        assert_eq!(
            told,
            json!({ "iss": site.issuer(), "aud": app.id, "sub": ada.subject, "email": ada.email, "email_verified": true })
        );
        // It is no token.
        let _ = userinfo(&site, &answer.body).await.expect_problem(401, "invalid_token");
    }
}
