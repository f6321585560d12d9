//! What a provider publishes of itself (OpenID Connect Discovery §4), kept for a while.

use std::sync::Arc;

use serde::Deserialize;
use svc_core::{Error, Result, Seconds, TenantRef, Timestamp};
use svc_domain::memory::{self, Kept};
use svc_http::{ChosenBy, HeaderMap, HostCx};

use super::reach;

const DISCOVERY: &str = "/.well-known/openid-configuration";
/// Most bytes of metadata in memory.
const KEPT: u64 = 4 << 20;
/// About how many bytes the metadata of one provider take.
const ONE: usize = 1024;

/// What a sign-in needs of it.
#[derive(Clone, Debug, Deserialize)]
pub struct Metadata {
    /// How the provider calls itself.
    pub issuer: String,
    /// Where the browser goes.
    pub authorization_endpoint: String,
    /// Where codes are redeemed.
    pub token_endpoint: String,
    /// Its keys.
    pub jwks_uri: String,
    /// What says more of a person than the ID token.
    #[serde(default)]
    pub userinfo_endpoint: Option<String>,
    /// Whether its answers name it (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

/// Providers in memory. What is known by the word of one is not known by that of another: a tenant could not have fetched what is in
/// the operator's network.
pub struct Providers(Kept<(TenantRef, ChosenBy, String), (Arc<Metadata>, Timestamp)>);

impl Default for Providers {
    fn default() -> Self {
        Self(memory::bounded(KEPT, |(_, _, issuer), _| ONE + issuer.len()))
    }
}

impl Providers {
    /// The metadata of a provider at an address, which has to call itself `issuer`, letter for letter.
    pub async fn find(
        &self,
        host: &HostCx,
        chosen_by: ChosenBy,
        (at, issuer): (&str, &str),
    ) -> Result<Arc<Metadata>> {
        let key = (host.tenant.id.reference(), chosen_by, at.to_owned());
        let now = host.app.clock.now();
        let is_known = |(known, until): &(Arc<Metadata>, Timestamp)| *until > now && known.issuer == issuer;
        if let Some((known, _)) = self.0.get(&key).filter(is_known) {
            return Ok(known);
        }
        let url = format!("{}{DISCOVERY}", at.trim_end_matches('/'));
        let answer = reach::get(host, ("metadata", chosen_by, &url), HeaderMap::new()).await?;
        if !answer.is_document() {
            let class = reach::class_of(answer.status.as_u16());
            return Err(Error::new(class, format!("the provider's metadata: status {}", answer.status)));
        }
        let read = serde_json::from_slice::<Metadata>(&answer.body);
        let found = read
            .map_err(|cause| Error::conflict("the provider's metadata are no document").caused_by(cause))?;
        if found.issuer != issuer {
            return Err(Error::conflict("the provider calls itself by another name"));
        }
        let found = Arc::new(found);
        let life: Seconds = host.app.config.enterprise_sso.metadata_ttl_secs;
        self.0.insert(key, (Arc::clone(&found), now + life));
        Ok(found)
    }
}
