//! What every application of a deployment is held to, however it was created.

use svc_core::{Error, Result};

use super::configuration::Configuration;
use super::grant_type::GrantType;
use super::redirect;
use super::words::AuthMethod;

/// The grants that exist, and the schemes that redirect URIs may have.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    grants: Vec<GrantType>,
    private_schemes: Vec<String>,
}

impl Rules {
    /// The rules of a deployment: its grants, and the private-use schemes without a dot that native applications may
    /// redirect to.
    pub fn new(grants: impl IntoIterator<Item = GrantType>, private_schemes: &[String]) -> Self {
        Self { grants: grants.into_iter().collect(), private_schemes: private_schemes.to_vec() }
    }

    /// The grants that exist.
    pub fn grants(&self) -> &[GrantType] {
        &self.grants
    }

    /// Refuses grants that do not exist, or that an application of this kind cannot have.
    pub(super) fn check_grants(&self, configuration: &Configuration) -> Result<()> {
        let is_public = configuration.token_endpoint_auth_method == AuthMethod::None;
        Error::every(configuration.grant_types.iter().map(|name| {
            let grant = self.grants.iter().find(|grant| grant.name == name);
            let why = match grant {
                None => format!("grant_types: {name:?} is not a grant that this deployment offers"),
                Some(grant) if grant.is_confidential && is_public => {
                    format!("grant_types: {name} is for confidential applications")
                }
                Some(_) => return Ok(()),
            };
            Err(Error::invalid_client_metadata(why))
        }))
    }

    /// Refuses each address that must not be redirected to, by its place (RFC 6749 §3.1.2, RFC 8252 §7).
    pub fn check_redirect_uris(&self, configuration: &Configuration) -> Result<()> {
        let Configuration { redirect_uris, post_logout_redirect_uris, kind, .. } = configuration;
        let lists =
            [("redirect_uris", redirect_uris), ("post_logout_redirect_uris", post_logout_redirect_uris)];
        Error::every(lists.into_iter().flat_map(|(member, uris)| {
            uris.iter().enumerate().map(move |(index, uri)| {
                redirect::check(uri, *kind, &self.private_schemes)
                    .map_err(|why| Error::invalid_redirect_uri(format!("{member}[{index}]: {why}")))
            })
        }))
    }
}
