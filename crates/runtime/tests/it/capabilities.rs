//! Every capability, switched off by the deployment and by a tenant: its endpoints, grants, parameters and metadata are gone.

use serde_json::Value;
use svc_core::capability::Capability;
use svc_domain::apps::GrantType;
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};
use svc_http::Method;
use svc_runtime::compose;

use crate::harness::{Harness, Site};

/// What is off unless it is asked for.
const OPEN: (&str, &str) = ("SVC_OIDC__DYNAMIC_REGISTRATION", "open");

/// A tenant of its own that goes without a capability.
async fn without<'h>(h: &'h Harness, capability: &Capability) -> Site<'h> {
    let mut site = h.tenant(&format!("no-{}", capability.name.replace('_', "-"))).await;
    let settings = TenantSettings {
        client_id_metadata_documents: true,
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
    for route in compose::planes_of(&h.app().config).iter() {
        if capability.endpoints.contains(&route.path) {
            let path = route.path.replace("{*path}", "x").replace("{id}", "x").replace("{client_id}", "x");
            let answer = site.call(route.method.clone(), &path, Some(&site.mint(|_| ())), None).await;
            assert_eq!(answer.status, 404, "{} {path}: {answer:?}", route.method);
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
    let h = Harness::with(&[OPEN]).await;
    let whole = h.tenant("whole").await;
    let complete = h.get(&whole.host, "/openapi.json").await.expect(200).json();
    for capability in Capability::ALL {
        let site = without(&h, capability).await;
        is_gone(&h, &site, capability).await;
        assert_eq!(h.get(&whole.host, "/openapi.json").await.expect(200).json(), complete);
    }
}

#[tokio::test]
async fn what_the_deployment_goes_without_no_tenant_has() {
    for capability in Capability::ALL {
        let disabled = format!("[\"{}\"]", capability.name);
        let settings = [OPEN, ("SVC_OIDC__DISABLED_CAPABILITIES", disabled.as_str())];
        let h = Harness::with(&settings).await;
        is_gone(&h, &h.tenant("acme").await, capability).await;
    }
}

#[tokio::test]
async fn a_parameter_of_what_is_off_is_refused_by_an_error_of_its_own() {
    let h = Harness::with(&[OPEN]).await;
    for capability in Capability::ALL {
        let site = without(&h, capability).await;
        let app = site.app("client").await;
        for name in capability.parameters.iter().filter(|name| !["request", "request_uri"].contains(name)) {
            let path = app.authorize_path(&app.verifier(), &[(*name, "1")]);
            let answer = site.call(Method::GET, &path, None, None).await;
            assert_eq!(answer.redirect_param("error").as_deref(), Some(capability.refusal.code()), "{name}");
            assert!(answer.redirect_param("error_description").unwrap().contains(name), "{answer:?}");
        }
    }
}
