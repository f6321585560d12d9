use serde_json::json;
use svc_core::Scope;
use svc_domain::apis::Api;
use svc_domain::apps::{App, AuthMethod, Kind, OrganizationUsage, RequirePkce};
use svc_http::Params;
use svc_keys::{Algorithm, KeyRing, KeyState, SigningKey, Typ};

use super::*;
use crate::authorize::assurance::Assurance;
use crate::authorize::reply::Redirectable;
use crate::authorize::request::PromptValue;
use crate::fixtures::{API, ISSUER, REDIRECT_URI, api, app, tenant};

const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A sound request with changes: an empty value takes a parameter away.
fn params(changes: &[(&str, &str)]) -> Params {
    let sound = [
        ("client_id", "app"),
        ("redirect_uri", REDIRECT_URI),
        ("response_type", "code"),
        ("scope", "openid profile"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    let unchanged = |(name, _): &(&str, &str)| !changes.iter().any(|(changed, _)| changed == name);
    sound.into_iter().filter(unchanged).chain(changes.iter().copied()).collect()
}

struct World {
    app: App,
    api: Option<Api>,
    known: Scope,
    ring: KeyRing,
    former: Option<KeyRing>,
    offers_signed_replies: bool,
}

impl World {
    fn new() -> Self {
        let key = SigningKey::generate(Algorithm::Es256).unwrap();
        Self {
            app: app(),
            api: None,
            known: api().scope(),
            ring: KeyRing::new(vec![(key, KeyState::Active)]).unwrap(),
            former: None,
            offers_signed_replies: true,
        }
    }

    fn check(&self, changes: &[(&str, &str)]) -> Result<AuthorizationRequest> {
        self.check_at(Authorize, changes)
    }

    fn check_at(&self, endpoint: Endpoint, changes: &[(&str, &str)]) -> Result<AuthorizationRequest> {
        let (params, tenant) = (params(changes), tenant());
        let reply_to = Redirectable::prove(&self.app, &params).unwrap();
        let mut request = AuthorizationRequest::new(self.app.id, reply_to);
        let named = params.one("resource").map(str::to_owned);
        let audience = target::audience(named, &self.app, &tenant);
        let input = CheckInput {
            params: &params,
            app: &self.app,
            audience: &audience,
            known_scope: &self.known,
            api: self.api.as_ref(),
            tenant: &tenant,
            ring: &self.ring,
            former: self.former.as_ref(),
            default_max_age: self.app.configuration.default_max_age,
            default_acr_values: &self.app.configuration.default_acr_values,
            offers_details: true,
            offers_signed_replies: self.offers_signed_replies,
        };
        check(endpoint, &input, &mut request).map(|()| request)
    }

    fn refused(&self, changes: &[(&str, &str)]) -> &'static str {
        self.check(changes).unwrap_err().class().code()
    }

    fn hint(&self, iss: &str, aud: &str) -> String {
        let payload = json!({ "iss": iss, "aud": aud, "sub": "ada-subject", "iat": 1, "exp": 2 }).to_string();
        self.ring.held(Algorithm::Es256).unwrap().sign(Typ::Jwt, payload.as_bytes()).unwrap()
    }
}

#[test]
fn a_sound_request_is_read_whole() {
    let request = World::new()
        .check(&[
            ("nonce", "n"),
            ("max_age", "60"),
            ("prompt", "login"),
            ("login_hint", "ada"),
            ("ui_locales", "de en"),
        ])
        .unwrap();
    assert_eq!(request.scope, "openid profile".parse().unwrap());
    assert_eq!(request.audience, ISSUER);
    assert_eq!((request.nonce.as_deref(), request.max_age), (Some("n"), Some(60)));
    assert_eq!(request.code_challenge.as_deref(), Some(CHALLENGE));
    assert!(request.prompt.has(PromptValue::Login));
    assert_eq!((request.login_hint.as_deref(), request.ui_locales.as_deref()), (Some("ada"), Some("de en")));
}

#[test]
fn only_the_response_type_code_exists() {
    let world = World::new();
    assert_eq!(world.refused(&[("response_type", "")]), "invalid_request");
    for other in ["token", "id_token", "code token", "code id_token", "none", "CODE"] {
        assert_eq!(world.refused(&[("response_type", other)]), "unsupported_response_type", "{other}");
    }
}

#[test]
fn an_application_without_the_grant_is_told_so() {
    let mut world = World::new();
    world.app.configuration.grant_types = vec!["client_credentials".to_owned()];
    assert_eq!(world.refused(&[]), "unauthorized_client");
}

#[test]
fn an_answer_travels_in_query_or_form_and_for_browser_applications_in_the_fragment() {
    let mut world = World::new();
    for mode in ["fragment", "fragment.jwt", "web_message", "query.jwe", "Query"] {
        assert_eq!(world.refused(&[("response_mode", mode)]), "invalid_request", "{mode}");
    }
    for mode in ["query", "form_post", "jwt", "query.jwt", "form_post.jwt"] {
        assert!(world.check(&[("response_mode", mode)]).is_ok(), "{mode}");
    }
    world.app.configuration.kind = Kind::Spa;
    for mode in ["fragment", "fragment.jwt"] {
        assert!(world.check(&[("response_mode", mode)]).is_ok(), "{mode}");
    }
}

#[test]
fn a_signed_answer_is_refused_where_it_is_not_offered() {
    let mut world = World::new();
    world.offers_signed_replies = false;
    for mode in ["jwt", "query.jwt", "form_post.jwt"] {
        assert_eq!(world.refused(&[("response_mode", mode)]), "invalid_request", "{mode}");
    }
    assert!(world.check(&[("response_mode", "form_post")]).is_ok());
}

#[test]
fn request_objects_are_refused_by_name() {
    let world = World::new();
    assert_eq!(world.refused(&[("request", "a.b.c")]), "request_not_supported");
    assert_eq!(world.refused(&[("request_uri", "https://app.example/r")]), "request_uri_not_supported");
    assert_eq!(
        world.refused(&[("request_uri", "urn:x"), ("response_type", "")]),
        "request_uri_not_supported"
    );
    assert_eq!(world.refused(&[("registration", "{}")]), "registration_not_supported");
}

#[test]
fn prompt_and_max_age_are_read_strictly() {
    let world = World::new();
    for prompt in ["none login", "later"] {
        assert_eq!(world.refused(&[("prompt", prompt)]), "invalid_request", "{prompt}");
    }
    for age in ["-1", "1.5", "ten", "+5", "9999999999999", "0x10"] {
        assert_eq!(world.refused(&[("max_age", age)]), "invalid_request", "{age}");
    }
}

#[test]
fn what_an_application_prefers_counts_where_the_request_says_nothing() {
    let mut world = World::new();
    world.app.configuration.default_max_age = Some(300);
    world.app.configuration.default_acr_values = vec!["urn:svc:aal2".to_owned(), "phr".to_owned()];
    let preferred = |values: &[&str]| Assurance::new(values.iter().copied(), false);
    let request = world.check(&[]).unwrap();
    assert_eq!((request.max_age, request.assurance), (Some(300), preferred(&["urn:svc:aal2"])));
    let request = world.check(&[("max_age", "60"), ("acr_values", "urn:svc:aal1")]).unwrap();
    assert_eq!((request.max_age, request.assurance), (Some(60), preferred(&["urn:svc:aal1"])));
    let essential = r#"{"id_token":{"acr":{"essential":true,"value":"urn:svc:aal3"}}}"#;
    let request = world.check(&[("claims", essential)]).unwrap();
    assert_eq!(request.assurance, Assurance::new(["urn:svc:aal3"], true));
}

#[test]
fn pkce_cannot_be_left_out_or_downgraded() {
    let mut world = World::new();
    for is_public in [true, false] {
        let method = if is_public { AuthMethod::None } else { AuthMethod::ClientSecretBasic };
        world.app.configuration.token_endpoint_auth_method = method;
        world.app.configuration.require_pkce = if is_public { RequirePkce::No } else { RequirePkce::Yes };
        assert_eq!(
            world.refused(&[("code_challenge", ""), ("code_challenge_method", "")]),
            "invalid_request"
        );
    }
    let short = &CHALLENGE[1..];
    for bad in [
        &[("code_challenge_method", "")][..],
        &[("code_challenge_method", "plain")],
        &[("code_challenge_method", "s256")],
        &[("code_challenge", "")],
        &[("code_challenge", short)],
        &[("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c=")],
    ] {
        assert_eq!(world.refused(bad), "invalid_request", "{bad:?}");
    }
}

#[test]
fn a_confidential_application_may_be_registered_without_pkce_but_is_held_to_a_challenge_it_sends() {
    let mut world = World::new();
    world.app.configuration.require_pkce = RequirePkce::No;
    let request = world.check(&[("code_challenge", ""), ("code_challenge_method", "")]).unwrap();
    assert_eq!(request.code_challenge, None);
    assert_eq!(world.refused(&[("code_challenge_method", "plain")]), "invalid_request");
    assert_eq!(world.refused(&[("code_challenge", "")]), "invalid_request", "a method without a challenge");
}

#[test]
fn a_confidential_application_may_send_openid_and_a_nonce_instead_of_a_challenge() {
    let world = World::new();
    let plain = [("code_challenge", ""), ("code_challenge_method", "")];
    assert!(world.check(&[plain[0], plain[1], ("nonce", "n")]).is_ok());
    assert_eq!(world.refused(&plain), "invalid_request", "no nonce");
    let without_openid = [plain[0], plain[1], ("nonce", "n"), ("scope", "profile")];
    assert_eq!(world.refused(&without_openid), "invalid_request", "no ID token would carry the nonce");
    assert_eq!(world.refused(&[plain[0], ("nonce", "n")]), "invalid_request", "a method without a challenge");
}

#[test]
fn beside_openid_a_scope_that_nothing_knows_is_ignored() {
    let world = World::new();
    assert_eq!(
        world.check(&[("scope", "openid admin profile")]).unwrap().scope,
        "openid profile".parse().unwrap()
    );
    assert_eq!(world.refused(&[("scope", "profile admin")]), "invalid_scope", "a request without openid");
    let known = world.check(&[("scope", "openid orders:read")]).unwrap_err();
    let expected = "scope: these tokens are not for the API of orders:read; name that API by resource";
    assert_eq!(known.detail(), expected);
}

#[test]
fn a_scope_must_exist_and_belong_to_application_and_api() {
    let mut world = World::new();
    for bad in ["admin", "orders:read", "openid phone", "bad\"scope", "ä"] {
        assert_eq!(world.refused(&[("scope", bad)]), "invalid_scope", "{bad}");
    }
    world.api = Some(api());
    let request = world.check(&[("resource", API), ("scope", "openid orders:read")]).unwrap();
    assert_eq!((request.audience.as_str(), request.scope.has("orders:read")), (API, true));
    assert_eq!(world.refused(&[("resource", API), ("scope", "orders:write")]), "invalid_scope");
}

#[test]
fn without_a_scope_everything_registered_is_asked_for_but_access_in_absence() {
    let mut world = World::new();
    assert_eq!(world.check(&[("scope", "")]).unwrap().scope, "openid profile email".parse().unwrap());
    world.api = Some(api());
    let request = world.check(&[("scope", ""), ("resource", API)]).unwrap();
    assert_eq!(request.scope, "openid profile email orders:read".parse().unwrap());
}

#[test]
fn the_target_is_an_api_of_the_tenant_or_the_tenant_itself() {
    let mut world = World::new();
    assert_eq!(world.refused(&[("resource", API)]), "invalid_target", "no enabled API has this name");
    assert_eq!(world.check(&[("resource", ISSUER)]).unwrap().audience, ISSUER);
    world.app.configuration.audience = Some(API.to_owned());
    assert_eq!(world.refused(&[]), "invalid_target", "the application's own API is gone");
    world.api = Some(api());
    assert_eq!(world.check(&[]).unwrap().audience, API);
}

#[test]
fn a_hint_is_an_id_token_of_ours_for_this_application_however_old() {
    let world = World::new();
    let client_id = world.app.id.to_string();
    let hint = world.hint(ISSUER, &client_id);
    let request = world.check(&[("id_token_hint", &hint)]).unwrap();
    assert_eq!(request.hinted_subject.as_deref(), Some("ada-subject"));
    let unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.";
    for bad in [
        world.hint(ISSUER, "app_another"),
        world.hint("https://other.example", &client_id),
        World::new().hint(ISSUER, &client_id),
        unsigned.to_owned(),
        hint[..hint.len() - 1].to_owned(),
    ] {
        assert_eq!(world.refused(&[("id_token_hint", &bad)]), "invalid_request", "{bad}");
    }
}

#[test]
fn a_hint_may_be_signed_by_a_key_that_has_been_followed() {
    let (mut world, earlier) = (World::new(), World::new());
    let hint = earlier.hint(ISSUER, &world.app.id.to_string());
    assert_eq!(world.refused(&[("id_token_hint", &hint)]), "invalid_request");
    world.former = Some(earlier.ring);
    let request = world.check(&[("id_token_hint", &hint)]).unwrap();
    assert_eq!(request.hinted_subject.as_deref(), Some("ada-subject"));
}

#[test]
fn useless_hints_and_unknown_parameters_change_nothing() {
    let world = World::new();
    let long = "x".repeat(10_000);
    let noise = [
        ("login_hint", long.as_str()),
        ("ui_locales", "../../etc/passwd {{7*7}}"),
        ("acr_values", "urn:x"),
        ("display", "touch"),
        ("claims_locales", "de"),
        ("foo", "bar"),
    ];
    let request = world.check(&noise).unwrap();
    assert_eq!(request.login_hint, None);
    assert_eq!(request.scope, world.check(&[]).unwrap().scope);
}

#[test]
fn a_state_of_eight_kibibytes_fits_and_more_of_everything_does_not() {
    let world = World::new();
    let state = "x".repeat(8192);
    assert!(world.check(&[("state", &state)]).is_ok());
    let nonce = "n".repeat(2048);
    assert!(world.check(&[("nonce", &nonce)]).is_ok());
    assert_eq!(world.refused(&[("state", &state), ("nonce", &nonce)]), "invalid_request");
    assert_eq!(world.refused(&[("nonce", &"n".repeat(2049))]), "invalid_request");
    assert_eq!(world.refused(&[("nonce", "a\r\nb")]), "invalid_request");
}

#[test]
fn claims_are_kept_as_far_as_the_application_could_ever_be_told_them() {
    let world = World::new();
    let claims = json!({
        "userinfo": {
            "email": { "essential": true, "unheard_of": [1] },
            "birthdate": null,
            "phone_number": null,
            "verified_claims": [{ "trust_framework": null }],
            "name#de": null,
        },
        "id_token": { "name": { "value": "Ada", "values": [1, {}] }, "auth_time": { "essential": true } },
        "purpose": "none of ours",
    });
    let request = world.check(&[("claims", &claims.to_string())]).unwrap();
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(request.claims.userinfo, set(&["birthdate", "email"]));
    assert_eq!(request.claims.id_token, set(&["name"]));
    assert!(request.subjects.is_empty() && request.assurance.is_empty());
    let without = world.check(&[("claims", &claims.to_string()), ("scope", "profile")]).unwrap();
    assert!(without.claims.is_empty(), "without openid nothing has an effect");
    assert!(world.check(&[("claims", "{}")]).unwrap().claims.is_empty());
}

#[test]
fn claims_of_another_shape_are_refused() {
    let world = World::new();
    let deep = format!("{{\"x\":{}1{}}}", "[".repeat(100), "]".repeat(100));
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(8192));
    for bad in [
        "{",
        "[]",
        "null",
        "\"userinfo\"",
        "{}{}",
        r#"{"userinfo":null}"#,
        r#"{"userinfo":["email"]}"#,
        r#"{"id_token":"email"}"#,
        r#"{"userinfo":{"email":true}}"#,
        r#"{"userinfo":{"email":[]}}"#,
        r#"{"userinfo":{"email":{"essential":"yes"}}}"#,
        r#"{"userinfo":{"email":{"values":"a"}}}"#,
        r#"{"userinfo":{},"userinfo":{}}"#,
        r#"{"userinfo":{"email":null,"email":null}}"#,
        r#"{"id_token":{"acr":{"values":[1]}}}"#,
        r#"{"id_token":{"sub":{"value":1}}}"#,
        r#"{"id_token":{"sub":{"value":"a\u0000b"}}}"#,
        r#"{"id_token":{"sub":{"value":"a"}},"userinfo":{"sub":{"value":"b"}}}"#,
        &deep,
        &long,
    ] {
        assert_eq!(world.refused(&[("claims", bad)]), "invalid_request", "{bad}");
    }
}

#[test]
fn the_claim_sub_names_people_and_the_claim_acr_a_strength() {
    let world = World::new();
    let read = |claims: serde_json::Value| world.check(&[("claims", &claims.to_string())]).unwrap();
    let named = read(json!({ "id_token": { "sub": { "value": "a" } } }));
    assert_eq!(named.subjects, ["a"]);
    let both = json!({
        "userinfo": { "sub": { "values": ["a", "b"] } },
        "id_token": { "sub": { "values": ["b", "c"] } },
    });
    assert_eq!(read(both).subjects, ["b"]);
    let acr =
        read(json!({ "id_token": { "acr": { "essential": true, "values": ["urn:svc:aal2", "phr"] } } }));
    assert_eq!(acr.assurance, Assurance::new(["urn:svc:aal2"], true));
    assert!(read(json!({ "id_token": { "acr": { "essential": true } } })).assurance.is_empty());
    assert!(
        read(json!({ "userinfo": { "acr": { "essential": true, "value": "phr" } } })).assurance.is_empty()
    );
}

#[test]
fn an_organization_is_named_where_the_application_takes_one() {
    let mut world = World::new();
    for endpoint in [Authorize, Par, Pushed, Device, Backchannel] {
        let request = world.check_at(endpoint, &[("organization", "initech"), ("scope", "openid")]).unwrap();
        assert_eq!(request.organization.as_deref(), Some("initech"), "{endpoint:?}");
    }
    for bad in ["Initech", "-", "org_x", "a b"] {
        assert_eq!(world.refused(&[("organization", bad)]), "invalid_request", "{bad}");
    }
    for usage in [OrganizationUsage::Deny, OrganizationUsage::Require] {
        world.app.configuration.organization_usage = Some(usage);
        let is_taken = world.check(&[("organization", "initech")]).is_ok();
        assert_eq!(is_taken, usage == OrganizationUsage::Require);
    }
    world.app.configuration.organization_usage = None;
    world.app.handle = "https://client.example/metadata".to_owned();
    assert_eq!(world.refused(&[("organization", "initech")]), "invalid_request");
}

#[test]
fn the_claim_acr_counts_for_more_than_acr_values() {
    let world = World::new();
    let request = world.check(&[("acr_values", "phr urn:svc:aal2 urn:svc:aal1")]).unwrap();
    assert_eq!(request.assurance, Assurance::new(["urn:svc:aal2", "urn:svc:aal1"], false));
    let claims = json!({ "id_token": { "acr": { "essential": true, "value": "urn:svc:aal1" } } }).to_string();
    let request = world.check(&[("acr_values", "urn:svc:aal2"), ("claims", &claims)]).unwrap();
    assert_eq!(request.assurance, Assurance::new(["urn:svc:aal1"], true));
}

#[test]
fn where_the_person_is_elsewhere_nothing_has_to_be_held_to() {
    let world = World::new();
    for (claims, is_fine) in [
        (
            json!({ "userinfo": { "email": { "essential": true } }, "id_token": { "acr": null, "sub": null } }),
            true,
        ),
        (json!({ "id_token": { "acr": { "value": "urn:svc:aal1" } } }), true),
        (json!({ "id_token": { "acr": { "essential": true, "value": "urn:svc:aal1" } } }), false),
        (json!({ "id_token": { "sub": { "value": "ada-subject" } } }), false),
    ] {
        for endpoint in [Device, Backchannel] {
            let outcome = world.check_at(endpoint, &[("claims", &claims.to_string())]);
            let refusal = outcome.err().map(|error| error.class().code());
            assert_eq!(refusal, (!is_fine).then_some("invalid_request"), "{claims}");
        }
    }
}
