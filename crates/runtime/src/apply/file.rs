//! The declarative file: its tables, and where secrets come from. Unknown keys are refused with their place.

use serde::{Deserialize, Deserializer};
use svc_core::{AppId, Secret};
use svc_domain::apis;
use svc_domain::apps;
use svc_domain::claims::profile::Profile;
use svc_domain::tenancy::tenants::TenantSettings;

use crate::failure::Failure;

/// A whole file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    /// `[[tenant]]`
    #[serde(default)]
    pub tenant: Vec<Tenant>,
}

/// `[[tenant]]`: what the file says of one tenant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tenant {
    /// The host label; names the tenant.
    pub slug: String,
    /// What people read.
    pub name: String,
    /// A domain of its own.
    #[serde(default)]
    pub custom_domain: Option<String>,
    /// Choices of its administrators.
    #[serde(default)]
    pub settings: TenantSettings,
    /// `[[tenant.api]]`
    #[serde(default)]
    pub api: Vec<Api>,
    /// `[[tenant.application]]`
    #[serde(default)]
    pub application: Vec<Application>,
    /// `[[tenant.user]]`
    #[serde(default)]
    pub user: Vec<User>,
}

/// `[[tenant.api]]`: an audience and its scopes.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct Api {
    /// The identifier URI; names the API.
    pub identifier: String,
    /// Whether anything is issued for it.
    pub enabled: bool,
    /// What it is and offers; `resource_servers` holds handles of applications of this tenant.
    pub configuration: apis::Configuration,
}

/// `[[tenant.application]]`: an OAuth client.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "toml::Table")]
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
    /// Roles within the tenant; left alone when absent.
    #[serde(default)]
    pub roles: Option<Vec<String>>,
    /// Standard claims; left alone when absent.
    #[serde(default)]
    pub claims: Option<Profile>,
}

impl Seed {
    /// Parses a file.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        toml::from_str(text).map_err(|error| Failure::new(error.to_string()))
    }
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

impl TryFrom<toml::Table> for Api {
    type Error = String;

    fn try_from(mut table: toml::Table) -> Result<Self, String> {
        let identifier: String = take(&mut table, "identifier")?.ok_or("an api lacks its identifier")?;
        let within = |error: String| format!("api {identifier:?}: {error}");
        let enabled = take(&mut table, "enabled").map_err(within)?.unwrap_or(true);
        let configuration = rest(table).map_err(within)?;
        Ok(Self { identifier, enabled, configuration })
    }
}

impl TryFrom<toml::Table> for Application {
    type Error = String;

    fn try_from(mut table: toml::Table) -> Result<Self, String> {
        let handle: String = take(&mut table, "handle")?.ok_or("an application lacks its handle")?;
        let within = |error: String| format!("application {handle:?}: {error}");
        let client_id = take(&mut table, "client_id").map_err(|error| {
            within(format!("{error}; write app_ and 26 digits or lower-case letters, as `apply` prints them"))
        })?;
        let enabled = take(&mut table, "enabled").map_err(within)?.unwrap_or(true);
        let plain: Option<Secret> = take(&mut table, "secret").map_err(within)?;
        let variable: Option<String> = take(&mut table, "secret_env").map_err(within)?;
        let secret = match (plain, variable) {
            (Some(_), Some(_)) => return Err(within("give secret or secret_env, not both".to_owned())),
            (None, Some(variable)) => Some(variable_of(&variable).map_err(within)?),
            (plain, None) => plain,
        };
        assume_public(&mut table);
        let configuration: apps::Configuration = rest(table).map_err(within)?;
        if secret.is_some() && !configuration.token_endpoint_auth_method.has_secret() {
            return Err(within(
                "a secret goes with client_secret_basic or client_secret_post only".to_owned(),
            ));
        }
        Ok(Self { handle, client_id, enabled, configuration, secret })
    }
}

/// Programs on people's devices keep no secret.
fn assume_public(table: &mut toml::Table) {
    let is_public = matches!(table.get("type").and_then(toml::Value::as_str), Some("spa" | "native"));
    if is_public && !table.contains_key("token_endpoint_auth_method") {
        table.insert("token_endpoint_auth_method".to_owned(), "none".into());
    }
}

fn take<T: for<'de> Deserialize<'de>>(table: &mut toml::Table, key: &str) -> Result<Option<T>, String> {
    let value = table.remove(key).map(T::deserialize).transpose();
    value.map_err(|error| format!("{key}: {}", error.message()))
}

fn rest<T: for<'de> Deserialize<'de>>(table: toml::Table) -> Result<T, String> {
    T::deserialize(table).map_err(|error| error.message().to_owned())
}

fn from_environment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    let name = String::deserialize(deserializer)?;
    variable_of(&name).map(Some).map_err(serde::de::Error::custom)
}

fn variable_of(name: &str) -> Result<Secret, String> {
    let value = std::env::var(name).ok().filter(|value| !value.is_empty());
    value.map(Secret::new).ok_or_else(|| format!("the environment variable {name} is not set"))
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
