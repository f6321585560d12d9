//! Sign-in by authorization code (RFC 6749 §4.1, RFC 7636, RFC 9126, OpenID Connect Core 1.0 §3.1).

use reqwest::Url;
use serde::Deserialize;

use super::{Client, Tokens};
use crate::{Claims, Error, Expected, Flow, Refused, callback, challenge, verify_id_token};

const LEEWAY_SECS: i64 = 60;

/// A sign-in that is complete.
#[derive(Clone, Debug)]
pub struct SignIn {
    /// The tokens.
    pub tokens: Tokens,
    /// The claims of the verified ID token; there is none where the scope had no `openid`.
    pub claims: Option<Claims>,
}

#[derive(Deserialize)]
struct Pushed {
    request_uri: String,
}

impl Client {
    /// Where to send the browser; `extra` has further parameters such as `organization`, `resource` or `prompt`.
    pub async fn authorization_url(
        &self,
        flow: &Flow,
        scope: &str,
        extra: &[(&str, &str)],
    ) -> Result<String, Error> {
        self.at_endpoint(&self.parameters(flow, scope, extra)?).await
    }

    /// The same with the parameters sent ahead, so that the browser carries a reference to them alone (RFC 9126).
    pub async fn pushed_authorization_url(
        &self,
        flow: &Flow,
        scope: &str,
        extra: &[(&str, &str)],
    ) -> Result<String, Error> {
        let parameters = self.parameters(flow, scope, extra)?;
        let endpoint = self.metadata().await?.pushed_authorization_request_endpoint.as_deref();
        let form: Vec<_> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let pushed: Pushed = self.post(endpoint.ok_or_else(|| self.not_offered())?, &form).await?;
        let own = self.config.client_id.clone();
        self.at_endpoint(&[("client_id", own), ("request_uri", pushed.request_uri)]).await
    }

    /// Where to send the browser, so that the session ends at the issuer too (OpenID Connect RP-Initiated Logout 1.0 §2). By its ID token,
    /// which may have expired, the person is not asked; `return_to` is a registered address to come back to.
    pub async fn sign_out_url(
        &self,
        id_token: Option<&str>,
        return_to: Option<&str>,
    ) -> Result<String, Error> {
        let endpoint = self.metadata().await?.end_session_endpoint.as_deref();
        let mut parameters = vec![("client_id", self.config.client_id.clone())];
        let hints = [("id_token_hint", id_token), ("post_logout_redirect_uri", return_to)];
        parameters.extend(hints.into_iter().filter_map(|(name, value)| Some((name, value?.to_owned()))));
        self.with_query(endpoint.ok_or_else(|| self.not_offered())?, &parameters)
    }

    async fn at_endpoint(&self, parameters: &[(&str, String)]) -> Result<String, Error> {
        self.with_query(&self.metadata().await?.authorization_endpoint, parameters)
    }

    fn with_query(&self, endpoint: &str, parameters: &[(&str, String)]) -> Result<String, Error> {
        let mut url = Url::parse(endpoint).map_err(|_| {
            Error::new(0, "invalid_discovery", "the endpoint is malformed").of(&self.config.issuer)
        })?;
        url.query_pairs_mut().extend_pairs(parameters);
        Ok(url.into())
    }

    fn parameters<'a>(
        &self,
        flow: &Flow,
        scope: &str,
        extra: &[(&'a str, &str)],
    ) -> Result<Vec<(&'a str, String)>, Error> {
        let mut own = vec![
            ("response_type", "code".to_owned()),
            ("client_id", self.config.client_id.clone()),
            ("redirect_uri", flow.redirect_uri.clone()),
            ("scope", scope.to_owned()),
            ("state", flow.state.clone()),
            ("nonce", flow.nonce.clone()),
            ("code_challenge", challenge(&flow.verifier)),
            ("code_challenge_method", "S256".to_owned()),
        ];
        own.extend(flow.max_age.map(|secs| ("max_age", secs.to_string())));
        if !flow.acr_values.is_empty() {
            own.push(("acr_values", flow.acr_values.join(" ")));
        }
        let is_set = |name: &str| own.iter().any(|(set, _)| *set == name);
        if let Some((name, _)) =
            extra.iter().find(|(name, _)| is_set(name) || ["max_age", "acr_values"].contains(name))
        {
            return Err(Error::local(&format!("{name} is set by the flow")).of(&self.config.issuer));
        }
        own.extend(extra.iter().map(|(name, value)| (*name, (*value).to_owned())));
        Ok(own)
    }

    /// Completes a sign-in at the address that the browser came back to. Take the flow out of the session first: it counts once.
    pub async fn finish(&self, flow: &Flow, address: &str) -> Result<SignIn, Refused> {
        let code = callback(address, &flow.state, &self.config.issuer)?;
        self.exchange_code(flow, &code).await.map_err(Refused::Server)
    }

    /// Redeems the code of a callback and verifies the ID token that comes with it.
    pub async fn exchange_code(&self, flow: &Flow, code: &str) -> Result<SignIn, Error> {
        let form = [("code", code), ("redirect_uri", &flow.redirect_uri), ("code_verifier", &flow.verifier)];
        let tokens = self.grant("authorization_code", &form).await?;
        let Some(id_token) = &tokens.id_token else { return self.without_id_token(tokens) };
        let now = crate::now();
        let expected = Expected {
            issuer: &self.config.issuer,
            client_id: &self.config.client_id,
            nonce: Some(&flow.nonce),
            access_token: Some(&tokens.access_token),
            code: Some(code),
            max_age: flow.max_age_at(now),
            acr_values: &flow.acr_values,
            leeway_secs: LEEWAY_SECS,
            now,
        };
        let claims = verify_id_token(id_token, &self.keys, &expected).await?;
        Ok(SignIn { tokens, claims: Some(claims) })
    }

    /// A sign-in that says nothing about the person: right where no `openid` was granted, and there alone.
    fn without_id_token(&self, tokens: Tokens) -> Result<SignIn, Error> {
        if tokens.scope.as_deref().unwrap_or_default().split(' ').any(|scope| scope == "openid") {
            let missing = "the ID token is refused: it is missing, although openid was granted";
            return Err(Error::new(0, "invalid_id_token", missing).of(&self.config.issuer));
        }
        Ok(SignIn { tokens, claims: None })
    }
}
