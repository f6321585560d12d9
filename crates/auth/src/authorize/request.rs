//! An authorization request after its checks (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{AppId, Error, Result, Scope};
use svc_domain::claims::claims_request::ClaimsRequest;
use svc_http::Params;

use super::assurance::Assurance;
use super::reply::Redirectable;

/// What an application asks for, checked; sealed into the flow, so kept small.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuthorizationRequest {
    /// Who asks.
    pub client: AppId,
    /// Where the answer goes.
    pub reply_to: Redirectable,
    /// For the ID token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// The PKCE challenge, method S256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge: Option<String>,
    /// What is asked for.
    pub scope: Scope,
    /// The one API that the tokens are for.
    pub audience: String,
    /// What the person is asked.
    #[serde(default, skip_serializing_if = "Prompt::is_empty")]
    pub prompt: Prompt,
    /// The maximum number of seconds since the person last signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<i64>,
    /// The subject of the `id_token_hint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hinted_subject: Option<String>,
    /// What the user name starts with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login_hint: Option<String>,
    /// The languages that the application asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ui_locales: Option<String>,
    /// What is asked for in detail (RFC 9396).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_details: Vec<Value>,
    /// The claims that are asked for by name (OpenID Connect Core §5.5).
    #[serde(default, skip_serializing_if = "ClaimsRequest::is_empty")]
    pub claims: ClaimsRequest,
    /// The subjects of which the person has to be one, as the application knows them; empty where any person may sign in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
    /// How strong a sign-in is asked for.
    #[serde(default, skip_serializing_if = "Assurance::is_empty")]
    pub assurance: Assurance,
    /// The key that the code is bound to, by its thumbprint (RFC 9449 §10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dpop_jkt: Option<String>,
    /// The reference under which the request was pushed (RFC 9126); the code spends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The organization in which the tokens are to count: its id or its slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
}

impl AuthorizationRequest {
    /// A request of which only the sender and the return address are known.
    pub fn new(client: AppId, reply_to: Redirectable) -> Self {
        Self {
            client,
            reply_to,
            nonce: None,
            code_challenge: None,
            scope: Scope::default(),
            audience: String::new(),
            prompt: Prompt::default(),
            max_age: None,
            hinted_subject: None,
            login_hint: None,
            ui_locales: None,
            authorization_details: Vec::new(),
            claims: ClaimsRequest::default(),
            subjects: Vec::new(),
            assurance: Assurance::default(),
            dpop_jkt: None,
            reference: None,
            organization: None,
        }
    }
}

/// One value of `prompt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptValue {
    /// No page may be shown.
    None,
    /// The person signs in again.
    Login,
    /// The person is asked for consent again.
    Consent,
    /// The person chooses the account.
    SelectAccount,
    /// The person is offered to register (Initiating User Registration via OpenID Connect).
    Create,
}

/// The values of `prompt`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prompt(Vec<PromptValue>);

/// The names of the values.
const PROMPTS: &[(&str, PromptValue)] = &[
    ("none", PromptValue::None),
    ("login", PromptValue::Login),
    ("consent", PromptValue::Consent),
    ("select_account", PromptValue::SelectAccount),
    ("create", PromptValue::Create),
];

impl Prompt {
    /// Parses the parameter.
    pub fn parse(text: &str) -> Result<Self> {
        let value = |name: &str| {
            let known = PROMPTS.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| *value).ok_or_else(|| {
                Error::invalid_request("prompt: give none, login, consent, select_account or create")
            })
        };
        let mut values = Vec::new();
        for name in text.split(' ').filter(|name| !name.is_empty()) {
            let value = value(name)?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.contains(&PromptValue::None) && values.len() > 1 {
            return Err(Error::invalid_request("prompt: none goes with no other value"));
        }
        Ok(Self(values))
    }

    /// Whether a request forbids pages, whatever else it says.
    pub fn is_silent(params: &Params) -> bool {
        params.one("prompt").is_some_and(|prompt| prompt.split(' ').any(|name| name == "none"))
    }

    /// Whether `value` is among them.
    pub fn has(&self, value: PromptValue) -> bool {
        self.0.contains(&value)
    }

    /// Adds what the person asks for.
    pub fn add(&mut self, value: PromptValue) {
        if !self.has(value) {
            self.0.push(value);
        }
    }

    /// Takes a value back.
    pub fn remove(&mut self, value: PromptValue) {
        self.0.retain(|known| *known != value);
    }

    /// The names of the values that exist.
    pub fn names() -> impl Iterator<Item = (&'static str, PromptValue)> {
        PROMPTS.iter().copied()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompt_values_are_known_and_none_stands_alone() {
        let prompt = Prompt::parse("login consent login").unwrap();
        assert!(
            prompt.has(PromptValue::Login)
                && prompt.has(PromptValue::Consent)
                && !prompt.has(PromptValue::None)
        );
        for bad in ["none login", "login none", "later", "None", "login,consent"] {
            assert!(Prompt::parse(bad).is_err(), "{bad}");
        }
    }
}
