//! What the parameters of the protocol endpoints mean: one description each, wherever they are read.

use svc_http::{FormOf, Parameter};

/// What an endpoint reads, by name.
#[derive(Clone, Copy)]
pub struct Reads<'a> {
    /// A request without one of these is refused.
    pub needed: &'a [&'a str],
    /// What is usual, and therefore in the example.
    pub usual: &'a [&'a str],
    /// The others.
    pub taken: &'a [&'a [&'a str]],
}

impl Reads<'_> {
    /// The parameters, each once, in the order of their names here.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut all: Vec<Parameter> = Vec::new();
        let taken = self.taken.iter().copied().flatten();
        for name in self.needed.iter().chain(self.usual).chain(taken) {
            let is_new = all.iter().all(|known| known.name != *name);
            if let Some(known) = CATALOGUE.iter().find(|known| is_new && known.name == *name) {
                let is_required = self.needed.contains(name);
                all.push(Parameter { is_required, is_shown: self.usual.contains(name), ..*known });
            }
        }
        all
    }

    /// A form of these.
    pub fn form(&self, name: &str, description: &str) -> FormOf {
        FormOf {
            name: name.to_owned(),
            description: description.to_owned(),
            capability: None,
            parameters: self.parameters(),
        }
    }

    /// A form of these, and of what authenticates the application.
    pub fn client_form(&self, name: &str, description: &str) -> FormOf {
        let taken: Vec<_> = self.taken.iter().copied().chain([AUTHENTICATION]).collect();
        Reads { taken: &taken, ..*self }.form(name, description)
    }
}

/// What proves an application in a form.
const AUTHENTICATION: &[&str] = &["client_id", "client_secret", "client_assertion", "client_assertion_type"];

const fn known(
    name: &'static str,
    example: &'static str,
    values: &'static [&'static str],
    description: &'static str,
) -> Parameter {
    Parameter { name, description, example, values, is_required: false, is_shown: false }
}

/// Every parameter.
#[rustfmt::skip]
const CATALOGUE: &[Parameter] = &[
    known("client_id", "app_01jcqzv7y0e8kstk6yq6k3a4mf", &[],
        "The application; required where the request authenticates it with nothing else."),
    known("client_secret", "svc_cs_6QkzYg3nJ0aVfT1cWbXr2LdE", &[],
        "The application's secret, where it registered `client_secret_post` (RFC 6749 §2.3.1)."),
    known("client_assertion", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", &[],
        "A JWT that the application signed, where it registered `private_key_jwt` (RFC 7523 §2.2)."),
    known("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", &["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
        "The kind of `client_assertion`."),
    known("redirect_uri", "https://app.example/callback", &[],
        "Where the answer goes: a registered address, character for character."),
    known("response_type", "code", &["code"],
        "What the answer carries."),
    known("response_mode", "query", &["query", "fragment", "form_post", "jwt", "query.jwt", "fragment.jwt", "form_post.jwt"],
        "How the answer travels; `query` unless given, `fragment` for single-page applications."),
    known("scope", "openid profile", &[],
        "The scopes that are asked for, separated by spaces."),
    known("state", "af0ifjsldkj", &[],
        "Comes back unchanged with the answer."),
    known("nonce", "n-0S6_WzA2Mj", &[],
        "Comes back in the ID token (OpenID Connect Core §3.1.2.1)."),
    known("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", &[],
        "The digest of the `code_verifier` (RFC 7636 §4.3)."),
    known("code_challenge_method", "S256", &["S256"],
        "How the challenge was made."),
    known("dpop_jkt", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I", &[],
        "The thumbprint of the key that the code is bound to (RFC 9449 §10)."),
    known("resource", "https://api.example/", &[],
        "The API that the token is for (RFC 8707); one token is for one API."),
    known("audience", "https://api.example/", &[],
        "The same under its other name; read where `resource` is absent."),
    known("authorization_details", r#"[{"type":"payment","actions":["initiate"]}]"#, &[],
        "What is asked for in detail: a JSON array of objects with a `type` (RFC 9396)."),
    known("claims", r#"{"id_token":{"email":null}}"#, &[],
        "Claims that are asked for by name, as JSON (OpenID Connect Core §5.5)."),
    known("acr_values", "urn:svc:aal2", &[],
        "The strengths of sign-in that are asked for, in order of preference, separated by spaces."),
    known("max_age", "3600", &[],
        "The maximum number of seconds since the person last signed in."),
    known("prompt", "login", &[],
        "Which pages are shown or left out, separated by spaces: `none`, `login`, `consent`, `select_account`, `create`."),
    known("id_token_hint", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", &[],
        "An ID token about the person that is meant."),
    known("login_hint", "ada@example.com", &[],
        "The person's address or sign-in name, for the sign-in page."),
    known("ui_locales", "de en", &[],
        "Languages in order of preference, separated by spaces."),
    known("organization", "initech", &[],
        "The organization in which the tokens count: its id or its slug."),
    known("request", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", &[],
        "All parameters as a JWT that the application signed (RFC 9101)."),
    known("request_uri", "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c", &[],
        "The reference of a pushed request (RFC 9126 §4); it stands with `client_id` alone."),
    known("grant_type", "client_credentials", &[],
        "What is exchanged for tokens."),
    known("code", "SplxlOBeZQQYbYS6WxSbIA", &[],
        "The code that the browser brought back."),
    known("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", &[],
        "What the `code_challenge` was made of (RFC 7636 §4.5)."),
    known("refresh_token", "8xLOxBtZp8", &[],
        "The newest refresh token."),
    known("device_code", "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", &[],
        "The code from the device authorization response (RFC 8628 §3.4)."),
    known("auth_req_id", "1c266114-a1be-4252-8ad1-04986c5b9ac1", &[],
        "The id from the backchannel authentication response."),
    known("assertion", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", &[],
        "A JWT of a trusted issuer (RFC 7523 §2.1)."),
    known("subject_token", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", &[],
        "The token of the person for whom the application acts (RFC 8693 §2.1), or an API key."),
    known("subject_token_type", "urn:ietf:params:oauth:token-type:access_token", &[],
        "The kind of `subject_token`."),
    known("actor_token", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", &[],
        "An access token of the application itself."),
    known("actor_token_type", "urn:ietf:params:oauth:token-type:access_token", &["urn:ietf:params:oauth:token-type:access_token"],
        "The kind of `actor_token`; it goes with it."),
    known("requested_token_type", "urn:ietf:params:oauth:token-type:access_token", &[],
        "The kind of token that is wanted."),
    known("purpose", "Books the flight that you chose", &[],
        "What the token is for, in words that people see where they look at delegations."),
    known("token", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", &[],
        "The access token or refresh token."),
    known("token_type_hint", "access_token", &[],
        "The kind of token; both kinds are looked for, whatever it says."),
    known("access_token", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", &[],
        "The access token, where no header carries it (RFC 6750 §2.2)."),
    known("post_logout_redirect_uri", "https://app.example/bye", &[],
        "Where the browser goes afterwards: a registered address, character for character."),
    known("binding_message", "W4SCT", &[],
        "A text that the person compares on both screens."),
    known("requested_expiry", "120", &[],
        "Seconds until the request ends, 10 to 600."),
    known("user_code", "WDJB-MJHT", &[],
        "The code that the device shows; it is filled in."),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::arrived;
    use super::*;
    use crate::authorize::ResponseMode;
    use crate::clients::CREDENTIALS;

    #[test]
    fn every_parameter_of_a_request_is_described_once() {
        let mut names = BTreeSet::new();
        assert!(CATALOGUE.iter().all(|known| names.insert(known.name)));
        let declared = arrived::PARAMETERS.iter().chain(CREDENTIALS).chain(AUTHENTICATION);
        assert_eq!(declared.filter(|name| !names.contains(*name)).collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn the_response_modes_are_those_that_exist() {
        let mode = CATALOGUE.iter().find(|known| known.name == "response_mode").unwrap();
        assert!(mode.values.iter().eq(ResponseMode::NAMES.iter().map(|(name, _)| name)));
    }
}
