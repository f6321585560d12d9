//! The other grants, UserInfo and revocation.

use serde_json::{Map, Value};

use super::{Client, Tokens};
use crate::{Claims, Error};

impl Client {
    /// A token of the application itself (RFC 6749 §4.4).
    pub async fn client_credentials(&self, scope: &str, resource: Option<&str>) -> Result<Tokens, Error> {
        let form: Vec<_> =
            [("scope", scope)].into_iter().chain(resource.map(|uri| ("resource", uri))).collect();
        self.grant("client_credentials", &form).await
    }

    /// Renews tokens (RFC 6749 §6). Keep the refresh token of the answer, which is the present one where the server makes no other.
    pub async fn refresh(&self, refresh_token: &str) -> Result<Tokens, Error> {
        self.refresh_with(refresh_token, &[]).await
    }

    /// The same with further parameters such as `scope`, for fewer scopes, or `organization`, to go on in another one.
    pub async fn refresh_with(&self, refresh_token: &str, extra: &[(&str, &str)]) -> Result<Tokens, Error> {
        let form: Vec<_> =
            [("refresh_token", refresh_token)].into_iter().chain(extra.iter().copied()).collect();
        let mut tokens = self.grant("refresh_token", &form).await?;
        tokens.refresh_token.get_or_insert_with(|| refresh_token.to_owned());
        Ok(tokens)
    }

    /// Exchanges an access token for one of another API, with this application as the actor (RFC 8693).
    pub async fn exchange_token(
        &self,
        subject_token: &str,
        resource: &str,
        scope: &str,
    ) -> Result<Tokens, Error> {
        let form = [
            ("subject_token", subject_token),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ("resource", resource),
            ("scope", scope),
        ];
        self.grant("urn:ietf:params:oauth:grant-type:token-exchange", &form).await
    }

    /// Asks the token endpoint. Grants are not repeated: what was redeemed is spent.
    pub async fn grant(&self, grant_type: &str, form: &[(&str, &str)]) -> Result<Tokens, Error> {
        let endpoint = &self.metadata().await?.token_endpoint;
        let form: Vec<_> = [("grant_type", grant_type)].into_iter().chain(form.iter().copied()).collect();
        self.post(endpoint, &form).await
    }

    /// Ends a refresh or access token (RFC 7009).
    pub async fn revoke(&self, token: &str) -> Result<(), Error> {
        let endpoint =
            self.metadata().await?.revocation_endpoint.as_deref().ok_or_else(|| self.not_offered())?;
        self.send(endpoint, &[("token", token)]).await.map(drop)
    }

    /// The claims about the person (OpenID Connect Core 1.0 §5.3), whose `sub` has to be that of the ID token if there is one.
    pub async fn userinfo(&self, access_token: &str, subject: Option<&str>) -> Result<Claims, Error> {
        let endpoint =
            self.metadata().await?.userinfo_endpoint.as_deref().ok_or_else(|| self.not_offered())?;
        let claims: Map<String, Value> = self.ask(endpoint, access_token).await?.read(&self.config.issuer)?;
        let claims = Claims(claims);
        let is_known = claims.text("sub").is_some_and(|sub| subject.is_none_or(|subject| subject == sub));
        let other = || Error::invalid_answer("the claims are about another person").of(&self.config.issuer);
        is_known.then_some(claims).ok_or_else(other)
    }
}
