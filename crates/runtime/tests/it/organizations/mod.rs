//! Organizations: records of customers, and the tokens that count in one.

pub mod accepted_ways;
mod api_keys;
mod chooser;
mod chosen_elsewhere;
mod domain_files;
mod domains;
mod elsewhere;
mod ends;
mod exchanged_keys;
mod handed_over;
mod in_tokens;
mod invitations;
mod issuers;
mod looks;
mod own_data;
mod own_texts;
mod records;
pub mod sso;
mod sso_alone;
mod sso_assurance;
mod sso_claims;
mod sso_ends;
mod sso_errors;
mod sso_freshness;
mod sso_logout;
pub mod sso_page;
pub mod sso_sign_in;
mod switching;
mod waiting_invitations;

use serde_json::Value;
use svc_domain::apis::management::ADMIN;
use svc_domain::apis::{self, ApiScope, PersonClaim};
use svc_domain::apps::OrganizationUsage;
use svc_domain::organizations::{self, Configuration, Organization, Status};
use svc_domain::people::tenant_users;

use crate::harness::client::{Pairs, claims};
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const NOTES: &str = "https://notes.example";
const SCOPE: &str = "openid offline_access notes:read notes:write";

/// A tenant with two organizations of Bob's, an API that editors may write to, and Ada, who is an editor in one of the two.
pub struct World<'h> {
    pub site: Site<'h>,
    pub web: Client<'h>,
    pub ada: Person,
    pub bob: Person,
    pub initech: Organization,
    pub hooli: Organization,
}

impl<'h> World<'h> {
    pub async fn new(h: &'h Harness) -> Self {
        let site = h.tenant("main").await;
        notes(&site).await;
        site.role("editor", &[(NOTES, &["notes:write"])]).await;
        let (ada, bob) = (site.user("ada").await, site.user_with_roles("bob", &["editor"]).await);
        let initech = site.organization("initech", bob.id).await;
        let hooli = site.organization("hooli", bob.id).await;
        join(&site, &initech, &ada, &["editor"]).await;
        let web = site.app("web").await;
        Self { site, web, ada, bob, initech, hooli }
    }

    /// An application whose tokens always count in an organization.
    pub async fn requiring(&self, handle: &str) -> Client<'h> {
        let change = |configuration: &mut svc_domain::apps::Configuration| {
            configuration.organization_usage = Some(OrganizationUsage::Require);
        };
        self.site.app_with(handle, change).await
    }

    /// Tokens for the API, with changes to the authorization request.
    pub async fn tokens(&self, browser: &mut Browser<'h>, person: &Person, changes: Pairs<'_>) -> Value {
        let usual = [("scope", SCOPE), ("resource", NOTES)];
        let changes: Vec<_> = usual.into_iter().chain(changes.iter().copied()).collect();
        let code = self.web.code_with(browser, person, &changes).await;
        self.web.exchange(&code).await.expect(200).json()
    }

    /// Whether a token still counts, as its application is told.
    pub async fn is_active(&self, token: &Value) -> bool {
        let told = self.web.post("/oauth/introspect", &[("token", token.as_str().unwrap())], &[]).await;
        told.expect(200).json()["active"] == Value::Bool(true)
    }

    /// Refreshes, with changes to the request.
    pub async fn refresh(&self, tokens: &Value, changes: Pairs<'_>) -> Answer {
        let token = tokens["refresh_token"].as_str().unwrap();
        self.web.token(&[("grant_type", "refresh_token"), ("refresh_token", token)], changes).await
    }

    /// Suspends an organization, or makes it active again.
    pub async fn set_status(&self, organization: &Organization, status: Status) {
        let mut tx = self.site.harness.app().db.begin(self.site.tenant.id).await.unwrap();
        let present = organizations::find(&mut tx, organization.id).await.unwrap().unwrap();
        let wanted: Configuration = present.configuration.clone();
        organizations::update(&mut tx, &self.site.harness.operator(), &present, (&wanted, status))
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }

    /// Takes a person out of an organization.
    pub async fn remove(&self, organization: &Organization, person: &Person) {
        let mut tx = self.site.harness.app().db.begin(self.site.tenant.id).await.unwrap();
        let cx = self.site.harness.operator();
        assert!(organizations::remove(&mut tx, &cx, organization, person.id).await.unwrap());
        tx.commit().await.unwrap();
    }
}

/// Makes a person a member with these roles.
pub async fn join(site: &Site<'_>, organization: &Organization, person: &Person, roles: &[&str]) {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    let roles: Vec<String> = roles.iter().map(|role| (*role).to_owned()).collect();
    let (cx, wanted) = (site.harness.operator(), (&person, None, roles.as_slice()));
    organizations::add(&mut tx, &cx, (organization, 10), wanted).await.unwrap();
    tx.commit().await.unwrap();
}

/// An API of which one scope is for everybody and the other for administrators; its tokens tell roles and permissions.
async fn notes(site: &Site<'_>) {
    let scope = |name: &str, roles: &[&str]| ApiScope {
        name: name.to_owned(),
        description: String::new(),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
    };
    site.api(NOTES, &[]).await;
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let api = apis::find_by_identifier(&mut tx, &site.tenant, NOTES).await.unwrap().unwrap();
    let configuration = apis::Configuration {
        scopes: vec![scope("notes:read", &[]), scope("notes:write", &[ADMIN])],
        access_token_claims: [PersonClaim::Roles, PersonClaim::Permissions].into_iter().collect(),
        ..api.configuration.clone()
    };
    apis::update(&mut tx, &site.harness.operator(), &api, &configuration, true).await.unwrap();
    tx.commit().await.unwrap();
}

/// What an access token says.
pub fn access(tokens: &Value) -> Value {
    claims(tokens["access_token"].as_str().unwrap())
}
