//! What a tenant chooses of a connector.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::document;
use crate::federation::usual_scopes;

/// What is chosen of a connector: members that are left out take their defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ConnectorConfiguration)]
pub struct Configuration {
    /// What it is called in files and logs: 1 to 40 lower-case letters, digits and hyphens, unique in the tenant.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// What people read on the button; without it the name of the preset, or `name`.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 120)]
    pub display_name: Option<String>,
    /// A well-known provider, of which the service knows the rest.
    #[serde(default)]
    pub preset: Option<Preset>,
    /// Where a provider of the preset is that is not at its public address, such as a server of your own: an https URL.
    #[serde(default)]
    #[schema(format = "uri")]
    pub base_url: Option<String>,
    /// The issuer of a provider without preset (OpenID Connect), as its metadata and its tokens call it: an https URL.
    #[serde(default)]
    #[schema(format = "uri")]
    pub issuer: Option<String>,
    /// Where the browser goes, of a provider without preset and issuer (OAuth 2.0).
    #[serde(default)]
    #[schema(format = "uri")]
    pub authorization_endpoint: Option<String>,
    /// Where codes are redeemed (OAuth 2.0).
    #[serde(default)]
    #[schema(format = "uri")]
    pub token_endpoint: Option<String>,
    /// The address of the person's claims, as JSON (OAuth 2.0). People are bound to it: under another address they are no
    /// longer recognized.
    #[serde(default)]
    #[schema(format = "uri")]
    pub userinfo_endpoint: Option<String>,
    /// The client id of this tenant at the provider.
    #[schema(min_length = 1, max_length = 255)]
    pub client_id: String,
    /// The id of the team, of the preset `apple`.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 255)]
    pub team_id: Option<String>,
    /// The id of the key that is the client secret, of the preset `apple`.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 255)]
    pub key_id: Option<String>,
    /// Where the client secret goes at the token endpoint, of a provider without preset.
    #[serde(default)]
    pub client_auth: ClientAuth,
    /// Whether a provider without preset is sent a PKCE challenge.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub pkce: bool,
    /// The scopes that a provider without preset is asked for; with an issuer, `openid` is among them.
    #[serde(default = "usual_scopes", deserialize_with = "document::each_once")]
    #[schema(max_items = 20)]
    pub scopes: Vec<String>,
    /// The member in which a provider without preset names the person for good. A name that begins with `/` is a JSON pointer.
    #[serde(default = "sub")]
    #[schema(min_length = 1, max_length = 255, default = "sub")]
    pub subject_claim: String,
    /// The member with the e-mail address. The address does not count as proven, because the tenant alone trusts this provider.
    #[serde(default = "email")]
    #[schema(min_length = 1, max_length = 255, default = "email")]
    pub email_claim: String,
    /// The member with the full name.
    #[serde(default = "full_name")]
    #[schema(min_length = 1, max_length = 255, default = "name")]
    pub name_claim: String,
    /// Whether people can sign in with it.
    #[serde(default)]
    pub enabled: bool,
}

/// A well-known provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ConnectorPreset)]
#[expect(missing_docs, reason = "providers are called what they are called")]
pub enum Preset {
    Apple,
    Discord,
    Facebook,
    Github,
    Gitlab,
    Google,
    Linkedin,
    Microsoft,
    Slack,
    Spotify,
    X,
}

/// Where a client secret goes (RFC 6749 §2.3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ConnectorClientAuth)]
pub enum ClientAuth {
    /// Into the `Authorization` header.
    #[default]
    ClientSecretBasic,
    /// Into the body.
    ClientSecretPost,
}

impl Preset {
    /// Every preset.
    pub const ALL: &'static [Self] = &[
        Self::Apple,
        Self::Discord,
        Self::Facebook,
        Self::Github,
        Self::Gitlab,
        Self::Google,
        Self::Linkedin,
        Self::Microsoft,
        Self::Slack,
        Self::Spotify,
        Self::X,
    ];

    /// What it is called in documents, and in the configuration.
    pub fn id(self) -> &'static str {
        match self {
            Self::Apple => "apple",
            Self::Discord => "discord",
            Self::Facebook => "facebook",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Google => "google",
            Self::Linkedin => "linkedin",
            Self::Microsoft => "microsoft",
            Self::Slack => "slack",
            Self::Spotify => "spotify",
            Self::X => "x",
        }
    }
}

impl Configuration {
    /// The addresses that were chosen, by the members that have them.
    pub fn addresses(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("base_url", &self.base_url),
            ("issuer", &self.issuer),
            ("authorization_endpoint", &self.authorization_endpoint),
            ("token_endpoint", &self.token_endpoint),
            ("userinfo_endpoint", &self.userinfo_endpoint),
        ];
        all.into_iter().filter_map(|(member, address)| Some((member, address.as_deref()?)))
    }

    /// Whether the tenant says where the provider is. What answers there speaks for the tenant alone; at the public address of a
    /// preset it is the provider that speaks.
    pub fn is_of_tenants_choice(&self) -> bool {
        self.preset.is_none() || self.base_url.is_some()
    }

    /// Whether a secret that was given for `other` may go where this one leads.
    pub fn is_same_client(&self, other: &Self) -> bool {
        let of = |one: &Self| (one.preset, one.client_id.clone());
        of(self) == of(other) && self.addresses().eq(other.addresses())
    }

    /// Whether it says nothing of how the provider speaks, as with a preset.
    pub(super) fn leaves_the_rest(&self) -> bool {
        self.client_auth == ClientAuth::default()
            && self.pkce
            && self.scopes == usual_scopes()
            && self.subject_claim == sub()
            && self.email_claim == email()
            && self.name_claim == full_name()
    }
}

fn yes() -> bool {
    true
}

fn sub() -> String {
    "sub".to_owned()
}

fn email() -> String {
    "email".to_owned()
}

fn full_name() -> String {
    "name".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_called_in_documents_what_its_id_says() {
        for preset in Preset::ALL {
            assert_eq!(serde_json::to_value(preset).unwrap(), preset.id());
        }
    }
}
