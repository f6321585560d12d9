//! Records for the unit tests of this crate.

use std::sync::Arc;

use svc_core::{
    AccountId, Actor, ApiId, AppId, Cx, Origin, Scope, SeededEntropy, SessionId, TenantId, TenantRef,
    TenantUserId, Timestamp,
};
use svc_domain::apis::roles::Granted;
use svc_domain::apis::{AccessTokenTyp, Api, ApiScope, Configuration as ApiConfiguration, Judges};
use svc_domain::apps::{App, Configuration};
use svc_domain::claims::profile::Profile;
use svc_domain::grants::grant::Authentication;
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::{Metadata, Person, Status};
use svc_domain::tenancy::plans::Entitlements;
use svc_domain::tenancy::switches::Switches;
use svc_domain::tenancy::tenants::{Tenant, TenantSettings};
use svc_http::Params;

use crate::authorize::{AuthorizationRequest, Redirectable};

pub const NOW: Timestamp = Timestamp::from_secs(1_700_000_000);
pub const ISSUER: &str = "https://id.example";
pub const REDIRECT_URI: &str = "https://app.example/cb";
pub const API: &str = "https://api.example";

pub fn cx(now: Timestamp) -> Cx {
    Cx {
        now,
        entropy: Arc::new(SeededEntropy::new(7)),
        actor: Actor::Anonymous,
        request_id: "req".to_owned(),
        client_ip: None,
    }
}

#[expect(clippy::disallowed_methods, reason = "a tenant of a test")]
pub fn tenant_id(seed: u64) -> TenantId {
    TenantId::proven(TenantRef::new(NOW, &SeededEntropy::new(seed)), Origin::Operator)
}

pub fn tenant() -> Tenant {
    Tenant {
        id: tenant_id(1),
        slug: "acme".to_owned(),
        name: "Acme".to_owned(),
        custom_domain: None,
        is_active: true,
        settings: TenantSettings::default(),
        texts: Arc::default(),
        plan: Entitlements::default(),
        switches: Switches::default(),
        issuer: ISSUER.to_owned(),
        version: 1,
    }
}

/// A confidential third-party application that must use PKCE.
pub fn app() -> App {
    let scope: Scope = "openid profile email offline_access orders:read".parse().unwrap();
    App {
        id: AppId::new(NOW, &SeededEntropy::new(2)),
        handle: "shop".to_owned(),
        enabled: true,
        secret_digest: None,
        former_secret: None,
        configuration: Configuration {
            name: "Shop".to_owned(),
            redirect_uris: vec![REDIRECT_URI.to_owned()],
            scope,
            ..Configuration::default()
        },
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// An API with a scope for all and one for clerks.
pub fn api() -> Api {
    let scope = |name: &str, roles: &[&str]| ApiScope {
        name: name.to_owned(),
        description: String::new(),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
    };
    Api {
        id: ApiId::new(NOW, &SeededEntropy::new(3)),
        identifier: API.to_owned(),
        enabled: true,
        configuration: ApiConfiguration {
            name: "Orders".to_owned(),
            scopes: vec![scope("orders:read", &[]), scope("orders:write", &["clerk"])],
            access_token_lifetime_secs: None,
            access_token_typ: AccessTokenTyp::default(),
            authorization_details_types: Vec::new(),
            resource_servers: Vec::new(),
            access_token_claims: std::collections::BTreeSet::default(),
            custom_claims: Vec::new(),
        },
        created_at: NOW,
        updated_at: NOW,
        version: 1,
        judges: Judges::default(),
        granted: Granted::default(),
    }
}

pub fn authorization_request() -> AuthorizationRequest {
    let params: Params = [("redirect_uri", REDIRECT_URI), ("state", "s")].into_iter().collect();
    let reply_to = Redirectable::prove(&app(), &params).unwrap();
    let scope = "openid profile".parse().unwrap();
    AuthorizationRequest {
        scope,
        audience: ISSUER.to_owned(),
        ..AuthorizationRequest::new(app().id, reply_to)
    }
}

/// A session of Ada that began at `auth_time`.
pub fn session(auth_time: Timestamp) -> Session {
    let id = SessionId::new(auth_time, &SeededEntropy::new(4));
    let authentication = Authentication {
        session: id,
        auth_time,
        amr: vec!["pwd".to_owned()],
        acr: "urn:svc:aal1".to_owned(),
        acting: None,
    };
    let (began_at, last_seen_at) = (auth_time, auth_time);
    Session { id, person: person(), authentication, began_at, last_seen_at, organization: None }
}

pub fn person() -> Person {
    Person {
        id: TenantUserId::new(NOW, &SeededEntropy::new(5)),
        account_id: AccountId::new(NOW, &SeededEntropy::new(6)),
        subject: "ada-subject".to_owned(),
        username: Some("ada".to_owned()),
        status: Status::Active,
        roles: Vec::new(),
        own_roles: Vec::new(),
        groups: Vec::new(),
        metadata: Metadata::default(),
        email: Some("ada@example.com".to_owned()),
        email_verified: true,
        profile: Profile::default(),
        password: None,
        credentials_changed_at: NOW,
        account_is_active: true,
        guest_used_at: None,
        created_at: NOW,
        updated_at: NOW,
    }
}
