//! What other providers call a person, as the other system has bound it.

use serde::Deserialize;
use svc_core::{Error, Result};
use utoipa::ToSchema;

use super::named;
use crate::checks::{is_line, require};
use crate::people::credentials::identities::Identity;

/// Longest of each member in characters.
const LONGEST: usize = 255;

/// An identity at another provider.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedIdentity {
    /// The provider, as this deployment calls it: `google`, or the id of one in `[generic_oauth]`.
    #[schema(min_length = 1, max_length = 255)]
    pub provider: String,
    /// The provider, as it calls itself: its issuer, or `https://github.com` and its like where it has none.
    #[schema(min_length = 1, max_length = 255)]
    pub issuer: String,
    /// The identifier of the person at the provider.
    #[schema(min_length = 1, max_length = 255)]
    pub subject: String,
    /// What the person knows it by there: an address or a user name.
    #[serde(default)]
    pub label: Option<String>,
}

impl ImportedIdentity {
    /// The identity as it is kept.
    pub(super) fn read(&self) -> Result<Identity> {
        for (name, value) in
            [("provider", &self.provider), ("issuer", &self.issuer), ("subject", &self.subject)]
        {
            require(is_line(value, LONGEST), &format!("{name}: use 1 to {LONGEST} characters"))?;
        }
        let identity = Identity {
            provider: self.provider.clone(),
            provider_name: None,
            issuer: self.issuer.clone(),
            subject: self.subject.clone(),
            label: named(self.label.as_deref(), &self.provider),
        };
        // The holder of a key proves it by a signature; no other system can do that in their place.
        if identity.chain_account().is_some() {
            return Err(Error::bad_request(
                "issuer: accounts on block chains are not imported; their holders link them",
            ));
        }
        if identity.connector().is_some() {
            return Err(Error::bad_request(
                "provider: what connectors vouch for is not imported; people link it themselves",
            ));
        }
        Ok(identity)
    }
}
