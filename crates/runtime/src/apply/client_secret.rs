//! What proves the tenant at a provider: a secret in the file, or in the environment.

use serde::Deserialize;
use svc_core::Secret;

use super::environment::from_environment;
use super::reader::{Place, Reader};

/// The keys `client_secret` and `client_secret_env` of a provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientSecret {
    #[serde(default)]
    client_secret: Option<Secret>,
    #[serde(default, deserialize_with = "from_environment")]
    client_secret_env: Option<Secret>,
}

impl ClientSecret {
    /// Takes the keys out of a provider's table.
    pub fn read(reader: &mut Reader<'_>, place: &mut Place<'_>) -> Option<Self> {
        let keys: Self = reader.read(&mut place.split(&["client_secret", "client_secret_env"]))?;
        if keys.client_secret.is_some() && keys.client_secret_env.is_some() {
            reader.refuse(place, "give client_secret or client_secret_env, not both");
        }
        Some(keys)
    }

    /// The secret.
    pub fn get(&self) -> Option<&Secret> {
        self.client_secret.as_ref().or(self.client_secret_env.as_ref())
    }

    /// The secret, unless it is the one that is held for this client already.
    pub fn unless_held(&self, held: Option<&Secret>, is_same_client: bool) -> Option<&Secret> {
        unless_held(self.get(), held, is_same_client)
    }
}

/// The secret that a file gives, unless it is the one that is held for the same place already.
pub(super) fn unless_held<'a>(
    given: Option<&'a Secret>,
    held: Option<&Secret>,
    is_same_place: bool,
) -> Option<&'a Secret> {
    let is_held = |given: &&Secret| held.is_some_and(|held| held.expose() == given.expose());
    given.filter(|given| !is_same_place || !is_held(given))
}
