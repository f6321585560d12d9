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
    /// The one API that the tokens shall be for.
    pub audience: String,
    /// What the person shall be asked.
    #[serde(default, skip_serializing_if = "Prompt::is_empty")]
    pub prompt: Prompt,
    /// Most seconds since the person last signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<i64>,
    /// The subject of the `id_token_hint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hinted_subject: Option<String>,
    /// What the user name starts with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login_hint: Option<String>,
    /// The languages that the application wishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ui_locales: Option<String>,
    /// What is asked for in detail (RFC 9396).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_details: Vec<Value>,
    /// The claims that are asked for by name (OpenID Connect Core §5.5).
    #[serde(default, skip_serializing_if = "ClaimsRequest::is_empty")]
    pub claims: ClaimsRequest,
    /// The subjects of which the person has to be one, as the application knows them; none for anybody.
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
        }
    }
}

/// One value of `prompt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// No page may be shown.
    None,
    /// The person signs in anew.
    Login,
    /// The person is asked for consent anew.
    Consent,
    /// The person chooses the account.
    SelectAccount,
    /// The person is offered to register (Initiating User Registration via OpenID Connect).
    Create,
}

/// The values of `prompt`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prompt(Vec<Wish>);

/// The names of the values.
const PROMPTS: &[(&str, Wish)] = &[
    ("none", Wish::None),
    ("login", Wish::Login),
    ("consent", Wish::Consent),
    ("select_account", Wish::SelectAccount),
    ("create", Wish::Create),
];

impl Prompt {
    /// Parses the parameter.
    pub fn parse(text: &str) -> Result<Self> {
        let wish = |name: &str| {
            let known = PROMPTS.iter().find(|(known, _)| *known == name);
            known
                .map(|(_, wish)| *wish)
                .ok_or_else(|| Error::invalid_request("prompt has a value that is not known"))
        };
        let mut wishes = Vec::new();
        for name in text.split(' ').filter(|name| !name.is_empty()) {
            let wish = wish(name)?;
            if !wishes.contains(&wish) {
                wishes.push(wish);
            }
        }
        if wishes.contains(&Wish::None) && wishes.len() > 1 {
            return Err(Error::invalid_request("prompt=none goes with no other value"));
        }
        Ok(Self(wishes))
    }

    /// Whether a request forbids pages, whatever else it says.
    pub fn is_silent(params: &Params) -> bool {
        params.one("prompt").is_some_and(|prompt| prompt.split(' ').any(|name| name == "none"))
    }

    /// Whether `wish` is among them.
    pub fn has(&self, wish: Wish) -> bool {
        self.0.contains(&wish)
    }

    /// Adds a wish of the person's own.
    pub fn add(&mut self, wish: Wish) {
        if !self.has(wish) {
            self.0.push(wish);
        }
    }

    /// Takes a wish back.
    pub fn remove(&mut self, wish: Wish) {
        self.0.retain(|known| *known != wish);
    }

    /// The names of the values that exist.
    pub fn names() -> impl Iterator<Item = (&'static str, Wish)> {
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
        assert!(prompt.has(Wish::Login) && prompt.has(Wish::Consent) && !prompt.has(Wish::None));
        for bad in ["none login", "login none", "later", "None", "login,consent"] {
            assert!(Prompt::parse(bad).is_err(), "{bad}");
        }
    }
}
