//! What an application that registers itself may have (RFC 7591 §5): no more than people can give it at consent.

use std::sync::Arc;

use svc_config::RegistrationPkce;
use svc_core::capability::Capability;
use svc_core::{Class, Error, Result, STANDARD_SCOPES, Scope};
use svc_domain::apis;
use svc_domain::apps::{GrantType, RequirePkce, Rules};
use svc_http::HostCx;
use svc_keys::Algorithm;

/// As many as a stored scope may have.
const MOST_SCOPES: usize = 90;

/// What may be had here and now.
pub struct Policy {
    scope: Scope,
    details_types: Arc<Vec<String>>,
    algorithms: Vec<Algorithm>,
    require_pkce: RequirePkce,
    /// The grants that it can give itself.
    grants: Vec<GrantType>,
    /// The capabilities that the tenant does not have.
    missing: Vec<&'static str>,
    /// How asking for more is answered.
    beyond: Beyond,
}

/// What becomes of a request for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// A new application learns what it gets; grants that do not exist are a fault.
    Narrows,
    /// A change that reaches for more is forbidden.
    Forbidden,
}

impl Policy {
    /// The standard scopes and those of the tenant's APIs, but never those of the management API.
    pub async fn of(host: &HostCx, beyond: Beyond) -> Result<Self> {
        let mut tx = host.read().await?;
        let ours = host.tenant.api_audience();
        let mut scope: Scope = STANDARD_SCOPES.iter().copied().collect();
        for api in apis::enabled(&mut tx, &host.tenant).await?.iter().filter(|api| api.identifier != ours) {
            scope = scope.union(&api.scope());
        }
        tx.commit().await?;
        let details_types = host.app.services.apis.details_types(&host.tenant).await?;
        let algorithms = host.app.services.keys.ring(host.tenant.id).algorithms().collect();
        let require_pkce = match host.app.config.oidc.registration_requires_pkce {
            RegistrationPkce::Yes => RequirePkce::Yes,
            RegistrationPkce::OrNonce => RequirePkce::OrNonce,
            RegistrationPkce::No => RequirePkce::No,
        };
        let grants = host.app.part::<Rules>()?.grants().iter().filter(|grant| grant.may_be_self_registered);
        let grants = grants.copied().collect();
        let missing = Capability::ALL.iter().filter(|capability| !host.offers(capability));
        let missing = missing.map(|capability| capability.name).collect();
        Ok(Self { scope, details_types, algorithms, require_pkce, grants, missing, beyond })
    }

    /// Whether a confidential application needs PKCE.
    pub fn require_pkce(&self) -> RequirePkce {
        self.require_pkce
    }

    /// The grants that an application gets which asks for `asked`: without those that the tenant does not offer, so that it learns what
    /// it can do here. Grants that it cannot give itself are refused.
    pub fn grants(&self, asked: &[String]) -> Result<Vec<String>> {
        if let Some(grant) = asked.iter().find(|name| self.grant(name).is_none()) {
            return Err(self.beyond(format!("grant_types: {} is not for this application", shown(grant))));
        }
        let is_offered =
            |grant: &GrantType| grant.capability.is_none_or(|capability| !self.lacks(capability));
        let given: Vec<_> =
            asked.iter().filter(|name| self.grant(name).is_some_and(is_offered)).cloned().collect();
        if given.is_empty() && !asked.is_empty() {
            return Err(Error::invalid_client_metadata("grant_types: none of these is offered here"));
        }
        Ok(given)
    }

    /// The grants that an application can give itself.
    pub fn known(&self) -> &[GrantType] {
        &self.grants
    }

    /// Refuses what an application demands of its own requests and cannot have here: it would be refused whatever it sends.
    pub fn check_demands(&self, demands: [(&str, &Capability, bool); 3]) -> Result<()> {
        match demands.into_iter().find(|(_, capability, is_made)| *is_made && self.lacks(capability)) {
            None => Ok(()),
            Some((member, capability, _)) => Err(Error::invalid_client_metadata(format!(
                "{member}: the capability {} is not offered here",
                capability.name
            ))),
        }
    }

    /// The scope that an application gets which asks for `asked`, or for nothing in particular.
    pub fn scope(&self, asked: Option<&str>, grant_types: &[String]) -> Result<Scope> {
        let may_refresh = grant_types.iter().any(|grant| grant == "refresh_token");
        let offered =
            if may_refresh { self.scope.clone() } else { self.scope.clone().without("offline_access") };
        let Some(asked) = asked else {
            return Ok(offered.iter().take(MOST_SCOPES).collect());
        };
        let asked = parsed_scope(asked)?;
        let given = asked.intersect(&offered);
        let is_more = !asked.is_subset(&self.scope);
        if is_more && self.beyond == Beyond::Forbidden {
            return Err(self.beyond("scope: this application may not have all of it".to_owned()));
        }
        Ok(given.iter().take(MOST_SCOPES).collect())
    }

    /// The types of authorization details that an application gets which asks for `asked` (RFC 9396 §10).
    pub fn details_types(&self, asked: Vec<String>) -> Result<Vec<String>> {
        let (given, more): (Vec<_>, Vec<_>) =
            asked.into_iter().partition(|name| self.details_types.contains(name));
        if !more.is_empty() && self.beyond == Beyond::Forbidden {
            let why = "authorization_details_types: this application may not have all of them";
            return Err(self.beyond(why.to_owned()));
        }
        Ok(given)
    }

    /// Refuses algorithms that we do not sign with.
    pub fn check_algorithms(&self, mut asked: impl Iterator<Item = Algorithm>) -> Result<()> {
        match asked.find(|algorithm| !self.algorithms.contains(algorithm)) {
            None => Ok(()),
            Some(algorithm) => Err(Error::invalid_client_metadata(format!(
                "{} is not an algorithm that this deployment signs with",
                algorithm.name()
            ))),
        }
    }

    /// Refuses client certificates where none are asked for.
    pub fn check_certificates(&self) -> Result<()> {
        if self.lacks(&Capability::MTLS) {
            return Err(Error::invalid_client_metadata("client certificates are not offered here"));
        }
        Ok(())
    }

    fn grant(&self, name: &str) -> Option<&GrantType> {
        self.grants.iter().find(|grant| grant.name == name)
    }

    fn lacks(&self, capability: &Capability) -> bool {
        self.missing.contains(&capability.name)
    }

    fn beyond(&self, why: String) -> Error {
        match self.beyond {
            Beyond::Narrows => Error::invalid_client_metadata(why),
            Beyond::Forbidden => Error::new(Class::Forbidden, why),
        }
    }
}

/// Whether one of these grants gets the tokens of backchannel authentication.
pub fn has_backchannel(known: &[GrantType], named: &[String]) -> bool {
    let is_of_it = |grant: &&GrantType| {
        grant.capability.is_some_and(|capability| capability.name == Capability::CIBA.name)
    };
    known.iter().filter(is_of_it).any(|grant| named.iter().any(|name| name == grant.name))
}

fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

/// The scope of a document, as it is written there.
fn parsed_scope(text: &str) -> Result<Scope> {
    text.parse().map_err(|error: Error| Error::invalid_client_metadata(format!("scope: {}", error.detail())))
}
