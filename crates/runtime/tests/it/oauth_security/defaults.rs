//! What unmodified clients expect of a standard application, and what stays strict.

use serde_json::{Value, json};
use svc_db::{args, system_sql};
use svc_domain::apis::AccessTokenTyp;
use svc_domain::apps::{AuthMethod, IdTokenClaims, SubjectForm};
use svc_http::Method;

use crate::harness::client::{basic, claims};
use crate::harness::{Harness, Site};

const API: &str = "https://notes.example";

/// The header of a token.
fn header(token: &str) -> Value {
    let header = svc_keys::from_base64url(token.split('.').next().unwrap()).unwrap();
    serde_json::from_slice(&header).unwrap()
}

#[tokio::test]
async fn an_id_token_is_signed_with_rs256_and_has_the_claims_of_the_scopes_unless_it_is_minimal() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user_with_roles("ada", &["editor"]).await;
    let scope = [("scope", "openid email roles groups")];
    let mut told = Vec::new();
    for choice in [None, Some(IdTokenClaims::Minimal)] {
        let handle = format!("web-{}", told.len());
        let app = site.app_with(&handle, |configuration| {
            configuration.id_token_claims = choice;
            configuration.scope = "openid email roles groups".parse().unwrap();
        });
        let app = app.await;
        let code = app.code_with(&mut site.browser(), &ada, &scope).await;
        let tokens = app.exchange(&code).await.expect(200).json();
        let id_token = tokens["id_token"].as_str().unwrap();
        assert_eq!(header(id_token)["alg"], "RS256");
        let access_token = tokens["access_token"].as_str();
        let userinfo = site.call(Method::GET, "/userinfo", access_token, None).await.expect(200).json();
        assert_eq!(userinfo["roles"], json!(["editor"]));
        let claims = claims(id_token);
        told.push((claims["email"].clone(), claims["roles"].clone(), claims.get("groups").is_some()));
    }
    assert_eq!(told, [(json!(ada.email), json!(["editor"]), false), (Value::Null, Value::Null, false)]);
}

#[tokio::test]
async fn a_secret_may_be_sent_in_two_places_only_where_both_are_registered() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for others in [vec![], vec![AuthMethod::ClientSecretPost]] {
        let is_allowed = !others.is_empty();
        let handle = format!("web-{is_allowed}");
        let app = site.app_with(&handle, |configuration| {
            configuration.additional_auth_methods = others;
        });
        let app = app.await;
        let form = [("grant_type", "refresh_token"), ("refresh_token", "x")];
        let _ = app.token(&form, &[]).await.expect_problem(400, "invalid_grant");
        let secret = app.secret.clone().unwrap();
        let posted = [("client_id", app.id.as_str()), ("client_secret", secret.as_str())];
        let mut public = app.clone();
        public.configuration.token_endpoint_auth_method = AuthMethod::ClientSecretPost;
        let answer = public.token(&form, &posted).await;
        let (status, error) = if is_allowed { (400, "invalid_grant") } else { (401, "invalid_client") };
        let _ = answer.expect_problem(status, error);
    }
}

#[tokio::test]
async fn refused_clients_are_counted_with_the_cause_and_not_recorded_one_by_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let wrong = basic(&app.id, "wrong");
    let unknown = basic("app_unknown", "x");
    for authorization in [&wrong, &unknown] {
        for _ in 0..25 {
            let headers = [("authorization", authorization.as_str())];
            let mut public = app.clone();
            public.configuration.token_endpoint_auth_method = AuthMethod::PrivateKeyJwt;
            let form = [("grant_type", "client_credentials")];
            let answer = public.post_with("/oauth/token", &headers, &form, &[("client_id", "")]).await;
            let _ = answer.expect_problem(401, "invalid_client");
        }
    }
    assert_eq!(
        recorded(&site, "client.authentication_failed").await,
        [
            (app.id.clone(), json!({ "cause": "the client_secret is wrong", "count": 1 })),
            (app.id.clone(), json!({ "cause": "the client_secret is wrong", "count": 10 })),
            ("unknown".to_owned(), json!({ "cause": "the client_id is unknown", "count": 1 })),
            ("unknown".to_owned(), json!({ "cause": "the client_id is unknown", "count": 10 })),
        ]
    );
}

#[tokio::test]
async fn refused_token_requests_are_counted_and_not_recorded_one_by_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for app in [site.public_app("spa").await, site.app("web").await] {
        for _ in 0..25 {
            let _ = app.refresh("made up").await.expect_problem(400, "invalid_grant");
        }
        let entries = recorded(&site, "token.refused").await;
        let own = entries.iter().filter(|(target, _)| *target == app.id);
        let counts: Vec<_> = own.map(|(_, facts)| facts["count"].clone()).collect();
        assert_eq!(counts, [json!(1), json!(10)], "{}", app.id);
    }
    h.advance(3600);
    let app = site.app("again").await;
    let _ = app.refresh("made up").await.expect_problem(400, "invalid_grant");
    assert_eq!(recorded(&site, "token.refused").await.len(), 5);
}

/// Target and facts of the audit entries of one action, in order.
async fn recorded(site: &Site<'_>, action: &str) -> Vec<(String, Value)> {
    let mut tx = site.harness.app().db.read_system().await.unwrap();
    let select = system_sql!("SELECT target, detail FROM audit_log WHERE action = $1");
    let rows = tx.all(select, args![action]).await.unwrap();
    let read = |row: &svc_db::Row| {
        let facts = serde_json::from_str(&row.text("detail").unwrap()).unwrap();
        (row.text("target").unwrap(), facts)
    };
    let mut all: Vec<(String, Value)> = rows.iter().map(read).collect();
    // The clock stands still, so that ids do not tell the order.
    all.sort_by_key(|(target, facts)| (target.clone(), facts["count"].as_i64()));
    all
}

#[tokio::test]
async fn a_code_gives_tokens_for_the_granted_resource_only_and_survives_the_question() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read"]).await;
    site.api("https://other.example", &["notes:read"]).await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code =
        app.code_with(&mut site.browser(), &ada, &[("audience", API), ("scope", "openid notes:read")]).await;
    let other = app.exchange_with(&code, &[("resource", "https://other.example")]).await;
    let _ = other.expect_problem(400, "invalid_target");
    let tokens = app.exchange_with(&code, &[("resource", API)]).await.expect(200).json();
    let token = tokens["access_token"].as_str().unwrap();
    assert_eq!(claims(token)["aud"], API, "audience at authorize is read as resource");
    let refused = site.call(Method::GET, "/userinfo", Some(token), None).await;
    let _ = refused.expect_problem(401, "invalid_token");
}

#[tokio::test]
async fn an_api_without_a_path_may_be_named_with_a_slash_or_without_unless_that_is_another_api() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for api in [API, "https://two.example", "https://two.example/", "https://three.example/"] {
        site.api(api, &["notes:read"]).await;
    }
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let slash = format!("{API}/");
    let asked = [("scope", "openid notes:read"), ("resource", slash.as_str())];
    let code = app.code_with(&mut site.browser(), &ada, &asked).await;
    let tokens = app.exchange_with(&code, &[("resource", &slash)]).await.expect(200).json();
    assert_eq!(claims(tokens["access_token"].as_str().unwrap())["aud"], API);
    for (resource, audience) in [
        (slash.as_str(), API),
        ("https://two.example", "https://two.example"),
        ("https://two.example/", "https://two.example/"),
        ("https://TWO.example", "https://two.example"),
        ("https://TWO.example/", "https://two.example/"),
        ("https://three.example", "https://three.example/"),
        ("https://THREE.example:443", "https://three.example/"),
    ] {
        assert_eq!(claims(&app.own_token("notes:read", resource).await)["aud"], audience);
    }
    for (audience, api) in [(slash.as_str(), API), ("https://two.example/", "https://two.example/")] {
        let asked = [("scope", "openid notes:read"), ("audience", audience)];
        let code = app.code_with(&mut site.browser(), &ada, &asked).await;
        let tokens = app.exchange_with(&code, &[("audience", audience)]).await.expect(200).json();
        assert_eq!(claims(tokens["access_token"].as_str().unwrap())["aud"], api, "{audience} as audience");
        let form = [("grant_type", "client_credentials"), ("scope", "notes:read"), ("audience", audience)];
        let own = app.token(&form, &[]).await.expect(200).json();
        assert_eq!(claims(own["access_token"].as_str().unwrap())["aud"], api, "{audience} as audience");
    }
    let issuer = format!("{}/", site.issuer());
    let form = [("grant_type", "client_credentials"), ("resource", issuer.as_str())];
    let own = app.token(&form, &[]).await.expect(200).json();
    assert_eq!(claims(own["access_token"].as_str().unwrap())["aud"], site.issuer());
    for other in [format!("{API}//"), format!("{API}/x/"), format!("{}/", site.tenant.api_audience())] {
        let form = [("grant_type", "client_credentials"), ("resource", other.as_str())];
        let _ = app.token(&form, &[]).await.expect_problem(400, "invalid_target");
    }
}

#[tokio::test]
async fn an_api_may_be_named_with_its_host_in_capitals_and_never_with_its_path_so() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tools, upper) = ("https://mcp.example/tools", "https://UP.example/tools");
    for api in [API, tools, upper] {
        site.api(api, &["notes:read"]).await;
    }
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let asked = [("scope", "openid notes:read"), ("resource", "https://MCP.example:443/tools")];
    let code = app.code_with(&mut site.browser(), &ada, &asked).await;
    let tokens = app.exchange_with(&code, &[("resource", "HTTPS://mcp.example/tools")]).await;
    let tokens = tokens.expect(200).json();
    assert_eq!(claims(tokens["access_token"].as_str().unwrap())["aud"], tools);
    let loud = format!("{}/", API.replace("https", "HTTPS"));
    for (resource, audience) in [(loud.as_str(), API), (upper, upper)] {
        assert_eq!(claims(&app.own_token("notes:read", resource).await)["aud"], audience);
    }
    for other in ["https://MCP.example/Tools", "http://MCP.example/tools", "https://u@MCP.example/tools"] {
        let form = [("grant_type", "client_credentials"), ("resource", other)];
        let _ = app.token(&form, &[]).await.expect_problem(400, "invalid_target");
    }
}

#[tokio::test]
async fn an_api_may_want_access_tokens_of_the_type_jwt_which_are_no_id_tokens() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read"]).await;
    let found = {
        let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
        let api = svc_domain::apis::find_by_identifier(&mut tx, &site.tenant, API).await.unwrap().unwrap();
        let mut configuration = api.configuration.clone();
        configuration.access_token_typ = AccessTokenTyp::Jwt;
        svc_domain::apis::update(&mut tx, &h.operator(), &api, &configuration, true).await.unwrap();
        tx.commit().await.unwrap();
        h.operator().now
    };
    h.app().services.sync(&h.app().db, found, found).await.unwrap();
    let app = site.app("web").await;
    let token = app.own_token("notes:read", API).await;
    assert_eq!(header(&token)["typ"], "JWT");
    let state = app.post("/oauth/introspect", &[("token", &token)], &[]).await.expect(200).json();
    assert_eq!(state["active"], true);
    let answer = site.browser().get(&app.authorize_path("v", &[("id_token_hint", &token)])).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("invalid_request"));
}

#[tokio::test]
async fn every_third_party_application_knows_people_by_subjects_of_its_own() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let third = site.app_with("third", |configuration| configuration.first_party = false).await;
    let sub = claims(third.tokens(&ada).await.id_token())["sub"].clone();
    assert_ne!(sub, json!(ada.subject));
    let mut wanted = third.configuration.clone();
    wanted.subject_type = Some(SubjectForm::Public);
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let app = svc_domain::apps::find(&mut tx, third.id.parse().unwrap()).await.unwrap().unwrap();
    let change = svc_domain::apps::Change { configuration: &wanted, enabled: true };
    let error = svc_domain::apps::update(&mut tx, &h.operator(), h.rules(), &app, change).await.unwrap_err();
    assert_eq!(error.class().code(), "invalid_client_metadata");
}
