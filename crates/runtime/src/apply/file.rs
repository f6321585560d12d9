//! The declarative file and its tables. Unknown keys are refused, all of them at once.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use svc_core::{AppId, Secret};
use svc_domain::apis::{self, roles};
use svc_domain::apps;
use svc_domain::claims::profile::Profile;
use svc_domain::people::groups;
use svc_domain::tenancy::tenants::TenantSettings;
use svc_domain::tenancy::texts::Texts;
use toml::de::DeTable;

use super::declared::Declarations;
use super::details;
use super::environment::{from_environment, from_text};
use super::faults::Written;
use super::organization::{self, Organization};
use super::policy::{self, Policy};
use super::reader::{Place, Reader, taken};
use super::twice;
use crate::failure::Failure;

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Seed {
    /// `[[tenant]]`
    pub tenant: Vec<Tenant>,
}

/// `[[tenant]]`: what the file says of one tenant.
#[derive(Clone, Debug)]
pub struct Tenant {
    /// The host label; names the tenant.
    pub slug: String,
    /// What people read.
    pub name: String,
    /// A domain of its own.
    pub custom_domain: Option<String>,
    /// Choices of its administrators.
    pub settings: TenantSettings,
    /// Own texts in place of messages of the hosted pages and mails.
    pub texts: Option<Texts>,
    /// `[[tenant.api]]`
    pub api: Vec<Api>,
    /// `[[tenant.application]]`
    pub application: Vec<Application>,
    /// `[[tenant.role]]`
    pub role: Vec<Role>,
    /// `[[tenant.group]]`
    pub group: Vec<Group>,
    /// `[[tenant.user]]`
    pub user: Vec<User>,
    /// `[[tenant.organization]]`
    pub organization: Vec<Organization>,
    /// `[[tenant.policy]]`
    pub policy: Vec<Policy>,
    /// Tables of other kinds.
    pub declared: Declarations,
    /// Where the file says it.
    pub written: Written,
}

/// `[[tenant.api]]`: an audience and its scopes.
#[derive(Clone, Debug)]
pub struct Api {
    /// The identifier URI; names the API.
    pub identifier: String,
    /// Whether anything is issued for it.
    pub enabled: bool,
    /// What it is and offers; `resource_servers` holds handles of applications of this tenant.
    pub configuration: apis::Configuration,
    /// Where the file says it.
    pub written: Written,
}

/// `[[tenant.application]]`: an OAuth client.
#[derive(Clone, Debug)]
pub struct Application {
    /// Names the application within its tenant.
    pub handle: String,
    /// The id that it gets when it is created; one is made where the file names none.
    pub client_id: Option<AppId>,
    /// Whether it gets anything.
    pub enabled: bool,
    /// What it may do.
    pub configuration: apps::Configuration,
    /// Its secret; without one a confidential application is given one when it is created.
    pub secret: Option<Secret>,
    /// Where the file says it.
    pub written: Written,
}

/// `[[tenant.role]]`: what people may have.
#[derive(Clone, Debug)]
pub struct Role {
    /// Names the role within its tenant.
    pub name: String,
    /// What it is for, and what it permits.
    pub configuration: roles::Configuration,
    /// Where the file says it.
    pub written: Written,
}

/// `[[tenant.group]]`: people who have roles together.
#[derive(Clone, Debug)]
pub struct Group {
    /// What it is called, and the roles of its people; the name names it within its tenant.
    pub configuration: groups::Configuration,
    /// Names of the groups in it.
    pub groups: Vec<String>,
    /// Where the file says it.
    pub written: Written,
}

/// `[[tenant.user]]`: a person and their membership.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    /// The sign-in name; it or else the e-mail address names the person.
    #[serde(default)]
    pub username: Option<String>,
    /// The account's address.
    #[serde(default)]
    pub email: Option<String>,
    /// Whether the address counts as proven.
    #[serde(default)]
    pub email_verified: bool,
    /// The password that a new account begins with; later it is the person's own.
    #[serde(default, alias = "password")]
    pub initial_password: Option<Secret>,
    /// The environment variable that holds it.
    #[serde(
        default,
        deserialize_with = "from_environment",
        rename = "initial_password_env",
        alias = "password_env"
    )]
    pub initial_password_from_env: Option<Secret>,
    /// Whether the person has to replace it before they get in.
    #[serde(default)]
    pub initial_password_must_change: bool,
    /// Whether the person may not sign in, for now; left alone when absent.
    #[serde(default)]
    pub suspended: Option<bool>,
    /// Roles within the tenant; left alone when absent.
    #[serde(default)]
    pub roles: Option<Vec<String>>,
    /// Names of the groups that the person is in; left alone when absent.
    #[serde(default)]
    pub groups: Option<Vec<String>>,
    /// Standard claims; left alone when absent.
    #[serde(default)]
    pub claims: Option<Profile>,
    /// What the tenant notes of the person, of which claims may be made; left alone when absent.
    #[serde(default)]
    pub public_metadata: Option<Map<String, Value>>,
    /// What the tenant notes besides; left alone when absent.
    #[serde(default)]
    pub private_metadata: Option<Map<String, Value>>,
    /// Where the file says it.
    #[serde(skip)]
    pub written: Written,
}

/// The keys of a tenant; the tables in it are read apart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the lists are named in messages, and read apart")]
struct TenantKeys {
    slug: String,
    name: String,
    #[serde(default)]
    custom_domain: Option<String>,
    #[serde(default)]
    settings: TenantSettings,
    #[serde(default)]
    texts: Option<Texts>,
    #[serde(default)]
    application: [(); 0],
    #[serde(default)]
    api: [(); 0],
    #[serde(default)]
    role: [(); 0],
    #[serde(default)]
    group: [(); 0],
    #[serde(default)]
    user: [(); 0],
    #[serde(default)]
    organization: [(); 0],
    #[serde(default)]
    policy: [(); 0],
    #[serde(default)]
    trusted_issuer: [(); 0],
    #[serde(default)]
    webhook: [(); 0],
    #[serde(default)]
    hook: [(); 0],
    #[serde(default)]
    connector: [(); 0],
    #[serde(default)]
    sso_connection: [(); 0],
    #[serde(default)]
    audit_stream: [(); 0],
    #[serde(default)]
    scim_schema: [(); 0],
    #[serde(default)]
    scim_target: [(); 0],
    #[serde(default)]
    terms: [(); 0],
    #[serde(default)]
    sign_up_field: [(); 0],
}

/// The keys of an API besides its configuration.
#[derive(Deserialize)]
struct ApiKeys {
    identifier: String,
    #[serde(default = "on")]
    enabled: bool,
}

/// The keys of a role besides its configuration.
#[derive(Deserialize)]
struct RoleKeys {
    name: String,
}

/// The keys of a group besides its configuration.
#[derive(Deserialize)]
struct GroupKeys {
    #[serde(default)]
    groups: Vec<String>,
}

/// The keys of an application besides its configuration.
#[derive(Deserialize)]
struct ApplicationKeys {
    handle: String,
    #[serde(default, deserialize_with = "client_id")]
    client_id: Option<AppId>,
    #[serde(default = "on")]
    enabled: bool,
    #[serde(default, deserialize_with = "from_text")]
    secret: Option<Secret>,
    #[serde(default, deserialize_with = "from_environment")]
    secret_env: Option<Secret>,
}

const API_KEYS: &[&str] = &["identifier", "enabled"];
const ROLE_KEYS: &[&str] = &["name"];
const GROUP_KEYS: &[&str] = &["groups"];
const APPLICATION_KEYS: &[&str] = &["handle", "client_id", "enabled", "secret", "secret_env"];

impl Seed {
    /// Parses a file; the failure names every fault at its line.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let root = DeTable::parse(text).map_err(|error| Failure::new(error.to_string()))?;
        let mut root = Place { span: root.span(), table: root.into_inner(), name: String::new() };
        let mut reader = Reader::new(text);
        let tenants = taken(&mut root.table, "tenant");
        let tenant: Vec<_> = tenants.into_iter().filter_map(|place| tenant(&mut reader, place)).collect();
        twice::refuse(&mut reader, &tenant);
        // What is left is nothing that a file has.
        let _: Option<FileKeys> = reader.read(&mut root);
        reader.faults().map_or(Ok(Self { tenant }), |faults| Err(Failure::new(faults)))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "named in messages, and read apart")]
struct FileKeys {
    #[serde(default)]
    tenant: [(); 0],
}

fn tenant(reader: &mut Reader<'_>, mut place: Place<'_>) -> Option<Tenant> {
    place.called("", "tenant", "slug");
    let outer = place.name.clone();
    let apis = taken(&mut place.table, "api");
    let applications = taken(&mut place.table, "application");
    let roles = taken(&mut place.table, "role");
    let groups = taken(&mut place.table, "group");
    let users = taken(&mut place.table, "user");
    let organizations = taken(&mut place.table, "organization");
    let policies = taken(&mut place.table, "policy");
    let declared = Declarations::read(reader, &mut place);
    let written = reader.written(&place);
    let keys: Option<TenantKeys> = reader.read(&mut place);
    let api = apis.into_iter().filter_map(|place| api(reader, place, &outer)).collect();
    let application =
        applications.into_iter().filter_map(|place| application(reader, place, &outer)).collect();
    let role = roles.into_iter().filter_map(|place| role(reader, place, &outer)).collect();
    let group = groups.into_iter().filter_map(|place| group(reader, place, &outer)).collect();
    let user = users.into_iter().filter_map(|place| user(reader, place, &outer)).collect();
    let organization = organizations.into_iter();
    let organization = organization.filter_map(|place| organization::read(reader, place, &outer)).collect();
    let policy = policies.into_iter().filter_map(|place| policy::read(reader, place, &outer)).collect();
    let TenantKeys { slug, name, custom_domain, settings, texts, .. } = keys?;
    Some(Tenant {
        slug,
        name,
        custom_domain,
        settings,
        texts,
        api,
        application,
        role,
        group,
        user,
        organization,
        policy,
        declared,
        written,
    })
}

fn api(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Api> {
    place.called(outer, "api", "identifier");
    let written = reader.written(&place);
    let keys: Option<ApiKeys> = reader.read(&mut place.split(API_KEYS));
    let schemas = details::taken(reader, &mut place);
    let mut configuration: apis::Configuration = reader.read(&mut place)?;
    details::put_back(&mut configuration, schemas);
    let ApiKeys { identifier, enabled } = keys?;
    Some(Api { identifier, enabled, configuration, written })
}

fn application(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Application> {
    place.called(outer, "application", "handle");
    let written = reader.written(&place);
    let keys: Option<ApplicationKeys> = reader.read(&mut place.split(APPLICATION_KEYS));
    let says_how = place.table.contains_key("token_endpoint_auth_method");
    let configuration: Option<apps::Configuration> = reader.read(&mut place);
    let (ApplicationKeys { handle, client_id, enabled, secret, secret_env }, mut configuration) =
        (keys?, configuration?);
    if !says_how {
        configuration.token_endpoint_auth_method = configuration.kind.usual_auth_method();
    }
    if secret.is_some() && secret_env.is_some() {
        reader.refuse(&place, "give secret or secret_env, not both");
    }
    let secret = secret.or(secret_env);
    if secret.is_some() && !configuration.token_endpoint_auth_method.has_secret() {
        reader.refuse(&place, "a secret goes with client_secret_basic or client_secret_post only");
    }
    Some(Application { handle, client_id, enabled, configuration, secret, written })
}

fn role(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Role> {
    place.called(outer, "role", "name");
    let written = reader.written(&place);
    let keys: Option<RoleKeys> = reader.read(&mut place.split(ROLE_KEYS));
    let configuration = reader.read(&mut place);
    Some(Role { name: keys?.name, configuration: configuration?, written })
}

fn group(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Group> {
    place.called(outer, "group", "name");
    let written = reader.written(&place);
    let keys: Option<GroupKeys> = reader.read(&mut place.split(GROUP_KEYS));
    let configuration = reader.read(&mut place);
    Some(Group { groups: keys?.groups, configuration: configuration?, written })
}

fn user(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<User> {
    let key = if place.text("username").is_some() { "username" } else { "email" };
    place.called(outer, "user", key);
    let written = reader.written(&place);
    reader.read(&mut place).map(|user: User| User { written, ..user })
}

impl User {
    /// The first password, wherever it comes from.
    pub fn initial_password(&self) -> Option<&Secret> {
        self.initial_password.as_ref().or(self.initial_password_from_env.as_ref())
    }

    /// What the file calls the person.
    pub fn name(&self) -> &str {
        self.username.as_deref().or(self.email.as_deref()).unwrap_or_default()
    }
}

pub(super) fn on() -> bool {
    true
}

fn client_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AppId>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(|_| {
        serde::de::Error::custom(
            "write app_, a digit up to 7, and 25 digits or lower-case letters other than i, l, o and u",
        )
    })
}

#[cfg(test)]
mod tests {
    use svc_domain::apps::AuthMethod;

    use super::*;

    fn refusal(text: &str) -> String {
        Seed::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn unknown_keys_are_refused_with_their_place() {
        let tenant = "[[tenant]]\nslug = 'a'\nname = 'A'\n";
        assert!(refusal(&format!("{tenant}colour = 'red'\n")).contains("colour"));
        let application =
            refusal(&format!("{tenant}[[tenant.application]]\nhandle = 'web'\nname = 'W'\nredirect = 1\n"));
        assert!(
            application.contains("application \"web\"") && application.contains("redirect"),
            "{application}"
        );
        let user = refusal(&format!("{tenant}[[tenant.user]]\nusername = 'ada'\nrole = 'admin'\n"));
        assert!(user.contains("role") && user.contains("line 6"), "{user}");
        let claim =
            refusal(&format!("{tenant}[[tenant.user]]\nusername = 'ada'\nclaims = {{ nam = 'x' }}\n"));
        assert!(claim.contains("nam"), "{claim}");
    }

    #[test]
    fn every_fault_is_reported_at_its_own_line_with_what_was_meant() {
        let text = "[[tenant]]\nslug = 'a'\nnam = 'A'\nsettings = { registraton = true, accnt = '#fff' }\n\
            [[tenant.application]]\nhandle = 'web'\nname = 'W'\nredirect_uri = []\nfirst_party = 'yes'\nclient_id = 'web'\n\
            [[tenant.api]]\nidentifier = 'https://a.example'\nname = 'A'\nscopes = [{ name = 'a', roels = [] }]\n\
            [[tenant.user]]\nusername = 'ada'\nrole = ['admin']\n[tenants]\n";
        let lines = refusal(text);
        let begins: Vec<_> = lines.lines().map(|line| line.split("; expected").next().unwrap()).collect();
        assert_eq!(
            begins,
            [
                "line 3: tenant \"a\": nam is not a key here; did you mean name?",
                "line 4: tenant \"a\": accnt is not a key here; did you mean accent?",
                "line 4: tenant \"a\": registraton is not a key here; did you mean registration?",
                "line 8: tenant \"a\": application \"web\": redirect_uri is not a key here; did you mean redirect_uris?",
                "line 9: tenant \"a\": application \"web\": first_party: invalid type: string \"yes\", expected a boolean",
                "line 10: tenant \"a\": application \"web\": client_id: write app_, a digit up to 7, and 25 digits or lower-case letters other than i, l, o and u",
                "line 14: tenant \"a\": api \"https://a.example\": roels is not a key here; did you mean roles?",
                "line 17: tenant \"a\": user \"ada\": role is not a key here; did you mean roles?",
                "line 18: tenants is not a key here; did you mean tenant?",
            ],
            "{lines}"
        );
    }

    #[test]
    fn a_browser_or_device_application_is_public_unless_said_otherwise() {
        let text = "[[tenant]]\nslug = 'a'\nname = 'A'\n[[tenant.application]]\nhandle = 'x'\nname = 'X'\ntype = 'spa'\n";
        let seed = Seed::parse(text).unwrap();
        let application = &seed.tenant[0].application[0];
        assert_eq!(application.configuration.token_endpoint_auth_method, AuthMethod::None);
        assert!(application.enabled);
    }

    #[test]
    fn a_missing_variable_is_named() {
        let text = "[[tenant]]\nslug = 'a'\nname = 'A'\n[[tenant.user]]\nusername = 'x'\npassword_env = 'SVC_NO_SUCH'\n";
        assert!(refusal(text).contains("SVC_NO_SUCH"), "{}", refusal(text));
    }

    #[test]
    fn a_public_application_takes_no_secret() {
        let text = "[[tenant]]\nslug = 'a'\nname = 'A'\n[[tenant.application]]\nhandle = 'x'\nname = 'X'\ntype = 'spa'\nsecret = 's'\n";
        assert!(refusal(text).contains("client_secret_basic"), "{}", refusal(text));
    }
}
