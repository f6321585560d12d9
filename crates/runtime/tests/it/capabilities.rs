//! Every capability, switched off by the deployment and by a tenant: its endpoints, grants, parameters and metadata are gone;
//! switched off by an application, they are refused to it. So is what else uses a capability.

use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_domain::apps::GrantType;
use svc_domain::tenancy::tenants::{self, Impersonation, NewTenant, TenantSettings};
use svc_http::{Body, Method, Request};
use svc_runtime::compose;

use crate::dpop::prover::Prover;
use crate::harness::{Client, Harness, Site};

/// What is off unless it is asked for.
const OPEN: (&str, &str) = ("SVC_OIDC__DYNAMIC_REGISTRATION", "open");

/// A tenant of its own that goes without a capability.
async fn without<'h>(h: &'h Harness, capability: &Capability) -> Site<'h> {
    let mut site = h.tenant(&format!("no-{}", capability.name.replace('_', "-"))).await;
    let settings = TenantSettings {
        client_id_metadata_documents: true,
        impersonation: Impersonation { enabled: true, ..Impersonation::default() },
        disabled_capabilities: [capability.name].into_iter().collect(),
        ..site.tenant.settings.clone()
    };
    let (slug, name) = (site.tenant.slug.clone(), site.tenant.name.clone());
    let mut tx = h.app().db.begin_system().await.unwrap();
    let new = NewTenant { slug, name, custom_domain: None, settings };
    tenants::update(&mut tx, &h.operator(), site.tenant.id, &new).await.unwrap();
    tx.commit().await.unwrap();
    h.app().services.tenants.forget();
    site.tenant = h.app().services.tenants.by_id(site.tenant.id).await.unwrap();
    site
}

async fn is_gone(h: &Harness, site: &Site<'_>, capability: &Capability) {
    let routes = compose::planes_of(&h.app().config);
    for route in routes.iter() {
        if capability.endpoints.contains(&route.path) {
            let path = ["{*path}", "{id}", "{client_id}", "{delivery_id}"]
                .iter()
                .fold(route.path.to_owned(), |path, parameter| path.replace(parameter, "x"));
            let answer = site.call(route.method.clone(), &path, Some(&site.mint(|_| ())), None).await;
            assert_eq!(answer.status, 404, "{} {path}: {answer:?}", route.method);
            let is_declared = |method: &Method| {
                routes.iter().any(|other| other.path == route.path && other.method == *method)
            };
            let all = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
            for method in all.into_iter().filter(|method| !is_declared(method)) {
                let answer = site.call(method.clone(), &path, None, None).await;
                assert_eq!(answer.status, 404, "{method} {path}: {answer:?}");
                assert_eq!(answer.header("allow"), "", "{method} {path}");
            }
        }
    }
    let metadata = h.get(&site.host, "/.well-known/openid-configuration").await.expect(200).json();
    for name in capability.metadata {
        assert!(matches!(metadata[*name], Value::Null | Value::Bool(false)), "{name}: {}", metadata[*name]);
    }
    let app = site.app("client").await;
    let belongs = |grant: &GrantType| grant.capability.is_some_and(|of| of.name == capability.name);
    for grant in svc_auth::grant_types().filter(belongs) {
        assert!(!metadata["grant_types_supported"].as_array().unwrap().iter().any(|name| name == grant.name));
        let _ =
            app.token(&[("grant_type", grant.name)], &[]).await.expect_problem(400, "unsupported_grant_type");
    }
    let document = h.get(&site.host, "/openapi.json").await.expect(200).json();
    let paths = document["paths"].as_object().unwrap();
    assert!(capability.endpoints.iter().all(|path| !paths.contains_key(*path)), "{}", capability.name);
    assert_eq!(document["servers"][0]["url"], site.issuer());
}

#[tokio::test]
async fn what_a_tenant_goes_without_is_gone_there_and_nowhere_else() {
    // Passwords stay where nothing is mailed.
    let h = Harness::with(&[OPEN, ("SVC_EMAIL_OTP__ENABLED", "true")]).await;
    let whole = h.tenant("whole").await;
    let complete = h.get(&whole.host, "/openapi.json").await.expect(200).json();
    for capability in Capability::ALL {
        let site = without(&h, capability).await;
        is_gone(&h, &site, capability).await;
        assert_eq!(h.get(&whole.host, "/openapi.json").await.expect(200).json(), complete);
    }
}

#[tokio::test]
async fn that_backchannel_requests_may_be_signed_is_published_where_requests_may_be() {
    let h = Harness::new().await;
    let name = "backchannel_authentication_request_signing_alg_values_supported";
    for (site, is_there) in [(h.tenant("whole").await, true), (without(&h, &Capability::JAR).await, false)] {
        let metadata = h.get(&site.host, "/.well-known/openid-configuration").await.expect(200).json();
        assert!(metadata["backchannel_authentication_endpoint"].is_string(), "{metadata}");
        assert_eq!(metadata.get(name).is_some(), is_there);
    }
}

#[tokio::test]
async fn a_browser_that_asks_before_it_calls_finds_nothing_where_a_capability_is_off() {
    let h = Harness::with(&[OPEN]).await;
    let whole = h.tenant("whole").await;
    for (capability, path) in [
        (&Capability::PAR, "/oauth/par"),
        (&Capability::DYNAMIC_REGISTRATION, "/oauth/register"),
        (&Capability::DEVICE, "/api/v1/identity/device/requests"),
    ] {
        let site = without(&h, capability).await;
        assert_eq!(whole.call(Method::OPTIONS, path, None, None).await.status, 204, "{path}");
        assert_eq!(site.call(Method::OPTIONS, path, None, None).await.status, 404, "{path}");
    }
}

/// What is there for organizations alone: their records, and what belongs to one.
fn is_of_organizations(path: &str) -> bool {
    path.starts_with("/api/v1/organizations") || path.starts_with("/api/v1/identity/organizations")
}

#[tokio::test]
async fn without_organizations_nothing_of_them_is_there() {
    let h = Harness::new().await;
    let site = without(&h, &Capability::ORGANIZATIONS).await;
    let config = &h.app().config;
    for capability in [Capability::ENTERPRISE_SSO, Capability::VERIFIED_DOMAINS, Capability::SCIM] {
        assert!(!site.tenant.offers(config, &capability), "{}", capability.name);
    }
    let token = site.mint(|_| ());
    for route in compose::planes_of(config).iter().filter(|route| is_of_organizations(route.path)) {
        let is_off =
            Capability::of_path(route.path).any(|capability| !site.tenant.offers(config, capability));
        assert!(is_off, "{} {} belongs to no capability", route.method, route.path);
        let path = route.path.replace(['{', '}'], "");
        let answer = site.call(route.method.clone(), &path, Some(&token), None).await;
        assert_eq!(answer.status, 404, "{} {path}: {answer:?}", route.method);
    }
    let document = h.get(&site.host, "/openapi.json").await.expect(200).json();
    let mut paths = document["paths"].as_object().unwrap().keys();
    assert!(!paths.any(|path| is_of_organizations(path)), "{document}");
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    assert!(!browser.get("/account").await.expect(200).body.contains("/account/organizations"));
    let _ = browser.get("/account/organizations").await.expect(404);
}

#[tokio::test]
async fn without_passkeys_no_operation_adds_one() {
    let h = Harness::new().await;
    let site = without(&h, &Capability::PASSKEYS).await;
    let document = h.get(&site.host, "/openapi.json").await.expect(200).json();
    let mut paths = document["paths"].as_object().unwrap().keys();
    assert!(!paths.any(|path| path.contains("passkey")), "{document}");
}

#[tokio::test]
async fn what_the_deployment_goes_without_no_tenant_has() {
    // Operators sign in by a password at the default tenant, so that no deployment which has one goes without.
    for capability in Capability::ALL.iter().filter(|one| one.name != Capability::PASSWORD.name) {
        let disabled = format!("[\"{}\"]", capability.name);
        let mailed = ("SVC_MAGIC_LINK__ENABLED", "true");
        let settings = [OPEN, mailed, ("SVC_OIDC__DISABLED_CAPABILITIES", disabled.as_str())];
        let h = Harness::with(&settings).await;
        is_gone(&h, &h.tenant("acme").await, capability).await;
    }
}

#[tokio::test]
async fn a_deployment_may_be_operated_without_the_api_of_the_control_plane() {
    let h = Harness::with(&[("SVC_OIDC__DISABLED_CAPABILITIES", "[\"control_plane\"]")]).await;
    is_gone(&h, &h.tenant("main").await, &Capability::CONTROL_PLANE).await;
}

/// A value that shows whether a parameter is read.
fn value_of(parameter: &str) -> &'static str {
    if parameter == "request_uri" { "urn:ietf:params:oauth:request_uri:none" } else { "1" }
}

#[tokio::test]
async fn a_parameter_of_what_is_off_is_refused_by_an_error_of_its_own() {
    let h = Harness::with(&[OPEN]).await;
    for capability in Capability::ALL {
        let site = without(&h, capability).await;
        let app = site.app("client").await;
        for name in capability.parameters {
            let path = app.authorize_path(&app.verifier(), &[(*name, value_of(name))]);
            let answer = site.call(Method::GET, &path, None, None).await;
            assert_eq!(answer.redirect_param("error").as_deref(), Some(capability.refusal.code()), "{name}");
            assert!(answer.redirect_param("error_description").unwrap().contains(name), "{answer:?}");
        }
    }
}

/// What uses a capability besides its endpoints and grants, and the parameters of an authorization request.
struct Use {
    capability: Capability,
    path: &'static str,
    form: &'static [(&'static str, &'static str)],
    has_proof: bool,
    error: &'static str,
    description: &'static str,
}

const USES: &[Use] = &[
    Use {
        capability: Capability::DPOP,
        path: "/oauth/token",
        form: &[("grant_type", "client_credentials")],
        has_proof: true,
        error: "invalid_dpop_proof",
        description: "DPoP is not offered here; send no proof",
    },
    Use {
        capability: Capability::DPOP,
        path: "/oauth/par",
        form: &[],
        has_proof: true,
        error: "invalid_dpop_proof",
        description: "DPoP is not offered here; send no proof",
    },
    Use {
        capability: Capability::JAR,
        path: "/oauth/par",
        form: &[("request", "a.b.c")],
        has_proof: false,
        error: "request_not_supported",
        description: "request: this parameter is not offered here",
    },
    Use {
        capability: Capability::JAR,
        path: "/bc-authorize",
        form: &[("request", "a.b.c")],
        has_proof: false,
        error: "invalid_request",
        description: "request: this parameter is not offered here",
    },
    Use {
        capability: Capability::CLAIMS,
        path: "/bc-authorize",
        form: &[("login_hint", "ada"), ("scope", "openid"), ("claims", "{}")],
        has_proof: false,
        error: "invalid_request",
        description: "claims: this parameter is not offered here",
    },
    Use {
        capability: Capability::CLAIMS,
        path: "/oauth/device/code",
        form: &[("claims", "{}")],
        has_proof: false,
        error: "invalid_request",
        description: "claims: this parameter is not offered here",
    },
    Use {
        capability: Capability::AUTHORIZATION_DETAILS,
        path: "/oauth/device/code",
        form: &[("authorization_details", "[]")],
        has_proof: false,
        error: "invalid_authorization_details",
        description: "authorization_details: this parameter is not offered here",
    },
    Use {
        capability: Capability::AUTHORIZATION_DETAILS,
        path: "/oauth/token",
        form: &[("grant_type", "client_credentials"), ("authorization_details", "[]")],
        has_proof: false,
        error: "invalid_authorization_details",
        description: "authorization_details: this parameter is not offered here",
    },
];

impl Use {
    async fn answer(&self, app: &Client<'_>) -> Value {
        let proof = Prover::new().proof("POST", &format!("{}{}", app.site.issuer(), self.path), &[]);
        let headers: &[_] = if self.has_proof { &[("dpop", proof.as_str())] } else { &[] };
        app.post_with(self.path, headers, self.form, &[]).await.json()
    }

    async fn is_refused(&self, app: &Client<'_>) {
        let answer = self.answer(app).await;
        let told = (answer["error"].as_str(), answer["error_description"].as_str());
        assert_eq!(told, (Some(self.error), Some(self.description)), "{} {:?}", self.path, self.form);
    }
}

#[tokio::test]
async fn what_uses_a_capability_is_refused_at_every_level_that_goes_without_it() {
    let h = Harness::new().await;
    let main = h.tenant("main").await;
    let whole = main.app("whole").await;
    for used in USES {
        let name = used.capability.name;
        let told = used.answer(&whole).await["error_description"].clone();
        assert_ne!(told, json!(used.description), "{name} {}", used.path);
        let handle = format!("no-{name}-{}", used.path.replace('/', "-").to_lowercase());
        let app = main.app_with(&handle, |app| app.disabled_capabilities = [name].into_iter().collect());
        used.is_refused(&app.await).await;
    }
    for capability in Capability::ALL {
        let site = without(&h, capability).await;
        let app = site.app("client").await;
        for used in USES.iter().filter(|used| used.capability.name == capability.name) {
            used.is_refused(&app).await;
        }
    }
}

#[tokio::test]
async fn what_uses_a_capability_that_the_deployment_goes_without_is_refused() {
    for capability in Capability::ALL {
        let uses: Vec<_> = USES.iter().filter(|used| used.capability.name == capability.name).collect();
        if uses.is_empty() {
            continue;
        }
        let disabled = format!("[\"{}\"]", capability.name);
        let h = Harness::with(&[("SVC_OIDC__DISABLED_CAPABILITIES", disabled.as_str())]).await;
        let app = h.tenant("acme").await.app("client").await;
        for used in uses {
            used.is_refused(&app).await;
        }
    }
}

#[tokio::test]
async fn metadata_of_an_api_says_nothing_of_what_its_tenant_goes_without() {
    let h = Harness::new().await;
    let path = "/.well-known/oauth-protected-resource";
    let whole = h.tenant("whole").await.get(path).await.expect(200).json();
    assert!(whole["dpop_signing_alg_values_supported"].is_array());
    for capability in Capability::ALL {
        let here = without(&h, capability).await.get(path).await.expect(200).json();
        for name in capability.metadata {
            assert!(here[*name].is_null(), "{}: {name}: {here}", capability.name);
        }
    }
}

#[tokio::test]
async fn userinfo_and_the_management_api_ask_for_no_proof_where_dpop_is_not_offered() {
    let h = Harness::new().await;
    let (whole, site) = (h.tenant("whole").await, without(&h, &Capability::DPOP).await);
    for (site, starts) in [(&whole, "DPoP realm="), (&site, "Bearer realm=")] {
        let tokens = site.app("web").await.tokens(&site.user("ada").await).await;
        let of_api = site.mint(|_| ());
        let applications = "/api/v1/applications";
        for (path, token) in
            [("/userinfo", tokens.access_token()), (applications, of_api.as_str()), (applications, "none")]
        {
            let sent = format!("DPoP {token}");
            let request = Request::get(path).header("host", &site.host).header("authorization", sent);
            let answer = h.send(request.body(Body::empty()).unwrap()).await.expect(401);
            let challenge = answer.header("www-authenticate");
            assert!(challenge.starts_with(starts), "{path}: {challenge}");
            assert_eq!(challenge.contains("algs="), starts.starts_with("DPoP"), "{path}: {challenge}");
        }
    }
}

/// The error and the description that an authorization request with a parameter is answered with; empty for a page.
async fn refusal(app: &Client<'_>, parameter: &str) -> [String; 2] {
    let path = app.authorize_path(&app.verifier(), &[(parameter, value_of(parameter))]);
    let answer = app.site.call(Method::GET, &path, None, None).await;
    if answer.header("location").is_empty() {
        return [String::new(), String::new()];
    }
    ["error", "error_description"].map(|name| answer.redirect_param(name).unwrap_or_default())
}

#[tokio::test]
async fn what_an_application_goes_without_is_refused_to_it_and_to_no_other() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let whole = site.app("whole").await;
    for capability in Capability::ALL.iter().filter(|capability| capability.is_of_applications) {
        let handle = format!("no-{}", capability.name);
        let app = site.app_with(&handle, |app| {
            app.disabled_capabilities = [capability.name].into_iter().collect();
        });
        let app = app.await;
        for name in capability.parameters {
            let expected = format!("{name}: this parameter is not offered here");
            assert_eq!(refusal(&app, name).await, [capability.refusal.code().to_owned(), expected.clone()]);
            assert_ne!(refusal(&whole, name).await[1], expected);
        }
        let belongs = |grant: &GrantType| grant.capability.is_some_and(|of| of.name == capability.name);
        for grant in svc_auth::grant_types().filter(belongs) {
            let form = [("grant_type", grant.name)];
            let _ = app.token(&form, &[]).await.expect_problem(400, "unauthorized_client");
            assert_ne!(whole.token(&form, &[]).await.json()["error"], "unauthorized_client");
        }
        let asked = ["/oauth/par", "/oauth/device/code", "/bc-authorize", "/oauth/introspect"];
        for path in asked.into_iter().filter(|path| capability.endpoints.contains(path)) {
            assert_eq!(app.post(path, &[], &[]).await.expect(400).json()["error"], "unauthorized_client");
            assert_ne!(whole.post(path, &[], &[]).await.json()["error"], "unauthorized_client", "{path}");
        }
    }
}

#[tokio::test]
async fn an_application_goes_without_what_exists_what_concerns_it_and_what_it_need_not_use() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for (name, more) in [
        ("telepathy", json!({})),
        ("dynamic_registration", json!({})),
        ("dpop", json!({ "dpop_bound_access_tokens": true })),
        ("par", json!({ "require_pushed_authorization_requests": true })),
    ] {
        let mut body = json!({ "name": "Shop", "disabled_capabilities": [name] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let path = "/api/v1/applications";
        let refused = site.call(Method::POST, path, Some(&site.mint(|_| ())), Some(body)).await;
        let refused = refused.expect_problem(400, "invalid_client_metadata");
        assert!(refused.body.contains("disabled_capabilities"), "{name}: {refused:?}");
    }
}

#[tokio::test]
async fn an_application_gives_no_other_what_it_goes_without() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let console =
        site.app_with("console", |app| app.disabled_capabilities = ["par"].into_iter().collect()).await;
    let token = console.own_token("applications:write", &site.tenant.api_audience()).await;
    let path = "/api/v1/applications";
    let create = async |body: Value| site.call(Method::POST, path, Some(&token), Some(body)).await;
    let refused = create(json!({ "name": "Shop" })).await.expect_problem(403, "insufficient_scope");
    assert!(refused.body.contains("disabled_capabilities: par"), "{refused:?}");
    let _ = create(json!({ "name": "Shop", "disabled_capabilities": ["par"] })).await.expect(201);
}
