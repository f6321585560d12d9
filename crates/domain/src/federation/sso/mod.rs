//! Single sign-on of organizations: providers that vouch for people (OpenID Connect Core), and whom they mean.

mod check;
mod ended;
mod identities;
mod secret;
mod store;

use serde::{Deserialize, Serialize};
use svc_core::{OrganizationId, Seconds, Secret, SsoConnectionId, Timestamp};
use svc_keys::keyring::Sealed;
use utoipa::ToSchema;

pub use self::ended::{is_over, note_end};
pub use self::identities::{
    Identity, bind, has_session, is_bound, of_organization, of_person, of_session, organization_of, person,
    sessions_of, vouch,
};
pub use self::secret::client_secret;
pub use self::store::{
    create, delete, enforced_for, find, find_by_id, list, note_test, of_address, of_member, serving, update,
};
use crate::document;
use crate::federation::usual_scopes;

/// The least time between two tests of a connection: a test is no means to send requests to strangers.
pub const TEST_INTERVAL: Seconds = Seconds(10);

/// The issuer of Google: one for consumers and for every customer of Google Workspace.
const GOOGLE: &str = "https://accounts.google.com";

/// A provider of an organization.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SsoConnection)]
pub struct Connection {
    /// Its id.
    #[schema(value_type = String)]
    pub id: SsoConnectionId,
    /// Whose it is.
    #[schema(value_type = String)]
    pub organization_id: OrganizationId,
    /// What is chosen of it.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Where the provider sends people back to, behind the tenant's issuer: no other provider sends any there (RFC 9700 §4.4.2).
    pub return_path: String,
    /// Whether a client secret is kept; it is never shown.
    pub has_client_secret: bool,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    #[serde(skip)]
    secret: Option<Sealed<String>>,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// What is chosen of a connection: members that are left out take their defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SsoConnectionConfiguration)]
pub struct Configuration {
    /// The protocol of the provider.
    #[serde(default)]
    pub kind: Kind,
    /// What people read on the sign-in page.
    #[schema(min_length = 1, max_length = 120)]
    pub display_name: String,
    /// The provider, as its metadata and its tokens call it: an https URL. Under another issuer, people who signed in through
    /// this one are no longer recognized.
    #[schema(format = "uri")]
    pub issuer: String,
    /// The client id of this tenant at the provider.
    #[schema(min_length = 1, max_length = 255)]
    pub client_id: String,
    /// How the tenant proves itself at the provider.
    #[serde(default)]
    pub client_auth: ClientAuth,
    /// The scopes asked for; `openid` is among them.
    #[serde(default = "usual_scopes", deserialize_with = "document::each_once")]
    #[schema(max_items = 20)]
    pub scopes: Vec<String>,
    /// The names of the provider's claims about a person.
    #[serde(default)]
    pub claims: ClaimMapping,
    /// Roles in the organization that members of the provider's groups get at each sign-in, and lose with the group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 200)]
    pub group_roles: Vec<GroupRoles>,
    /// Whether people become members with their first sign-in.
    #[serde(default)]
    pub jit: JitMembership,
    /// Whether people can sign in through it.
    #[serde(default)]
    pub enabled: bool,
    /// Whether people with an address of a verified domain of the organization must sign in through it; of one connection only.
    #[serde(default)]
    pub enforced: bool,
    /// Whether a second factor that the provider reports counts here.
    #[serde(default)]
    pub trusted_assurance: bool,
    /// The `acr` values by which the provider speaks of a second factor, best first: it is asked for them where one is wanted, and with
    /// `trusted_assurance` each of them in its ID token counts as one, as `mfa` in `amr` does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 10)]
    pub second_factor_acr_values: Vec<String>,
}

/// The protocol of a provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SsoConnectionKind)]
pub enum Kind {
    /// OpenID Connect.
    #[default]
    Oidc,
}

/// How the tenant proves itself at a provider (OpenID Connect Core §9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SsoClientAuth)]
pub enum ClientAuth {
    /// By the secret in the `Authorization` header.
    #[default]
    ClientSecretBasic,
    /// By the secret in the body.
    ClientSecretPost,
    /// By an assertion that a key of the tenant signs; the provider finds the key at the tenant's `jwks_uri`.
    PrivateKeyJwt,
}

/// Names of the claims of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = SsoClaimMapping)]
pub struct ClaimMapping {
    /// The address.
    pub email: String,
    /// The full name.
    pub name: String,
    /// The groups: an array of names or ids, or one.
    pub groups: String,
    /// The domain of the person's organization. Where it is given, an unknown person counts only if it names a domain that this
    /// organization has verified. `hd` for Google, whose issuer stands for every Google account; else none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
}

impl Default for ClaimMapping {
    fn default() -> Self {
        Self { email: "email".to_owned(), name: "name".to_owned(), groups: "groups".to_owned(), domain: None }
    }
}

/// The roles that members of a provider's group get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SsoGroupRoles)]
pub struct GroupRoles {
    /// The group, as the provider's claim has it.
    #[schema(min_length = 1, max_length = 255)]
    pub group: String,
    /// Names of roles of the tenant, which the person gets in the organization.
    #[schema(min_items = 1, max_items = 100)]
    #[serde(deserialize_with = "document::each_once")]
    pub roles: Vec<String>,
}

/// Membership with the first sign-in (just in time).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = SsoJitMembership)]
pub struct JitMembership {
    /// Whether people become members with their first sign-in.
    pub enabled: bool,
    /// Names of roles of the tenant, which new members get in the organization.
    #[schema(max_items = 100)]
    #[serde(deserialize_with = "document::each_once")]
    pub roles: Vec<String>,
}

/// A connection to make.
pub struct New<'a> {
    /// What is chosen of it.
    pub configuration: &'a Configuration,
    /// What proves the tenant at the provider.
    pub client_secret: Option<&'a Secret>,
    /// Most connections of one organization.
    pub most: u32,
}

impl ClientAuth {
    /// Whether it takes a secret.
    pub fn needs_secret(self) -> bool {
        !matches!(self, Self::PrivateKeyJwt)
    }
}

impl Configuration {
    /// The claim that must name a verified domain of the organization before an unknown person counts.
    pub fn domain_claim(&self) -> Option<&str> {
        let of_google = (self.issuer == GOOGLE).then_some("hd");
        self.claims.domain.as_deref().or(of_google)
    }

    /// The claims that are read of a provider: what its ID tokens lack of them is asked for at its UserInfo endpoint.
    pub fn reads(&self) -> Vec<String> {
        let ClaimMapping { email, name, groups, .. } = &self.claims;
        let groups = (!self.group_roles.is_empty()).then_some(groups.as_str());
        let always = [email.as_str(), name.as_str()];
        always.into_iter().chain(groups).chain(self.domain_claim()).map(str::to_owned).collect()
    }

    /// Whether the provider can be asked for a second factor that counts here.
    pub fn shows_second_factors(&self) -> bool {
        self.trusted_assurance && !self.second_factor_acr_values.is_empty()
    }

    /// Every role that the connection can give.
    pub fn roles(&self) -> Vec<String> {
        let of_groups = self.group_roles.iter().flat_map(|group| &group.roles);
        self.jit.roles.iter().chain(of_groups).cloned().collect()
    }

    /// The roles of a person who is in these groups of the provider.
    pub fn roles_for(&self, groups: &[String]) -> Vec<String> {
        let mapped = self.group_roles.iter().filter(|mapped| groups.contains(&mapped.group));
        let mut roles: Vec<String> = mapped.flat_map(|mapped| mapped.roles.iter().cloned()).collect();
        roles.sort();
        roles.dedup();
        roles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn google_names_the_domain_of_a_person_whether_or_not_it_is_configured() {
        let of = |issuer: &str, claims: serde_json::Value| {
            let wanted = serde_json::json!({ "display_name": "Acme", "issuer": issuer, "client_id": "svc", "claims": claims });
            serde_json::from_value::<Configuration>(wanted).unwrap()
        };
        let other = "https://login.acme.example";
        for (issuer, claims, expected) in [
            (GOOGLE, serde_json::json!({}), Some("hd")),
            (GOOGLE, serde_json::json!({ "domain": "other" }), Some("other")),
            (other, serde_json::json!({}), None),
            (other, serde_json::json!({ "domain": "org" }), Some("org")),
        ] {
            let found = of(issuer, claims);
            assert_eq!(found.domain_claim(), expected, "{issuer}");
            assert_eq!(found.reads().last().map(String::as_str), expected.or(Some("name")), "{issuer}");
        }
    }
}
