//! Access tokens at an API (RFC 9068), judged by the ten rules of the access-token contract.

mod rules;

use std::fmt;
use std::sync::Arc;

use crate::{Claims, Error, Keys, MemoryReplays, ReplayStore};

/// Judges access tokens by the ten rules of the access-token contract, in their order; the first that fails decides. No network is
/// needed while the keys are known.
pub struct Verifier {
    pub(crate) config: VerifierConfig,
}

/// Whose tokens are accepted.
pub struct VerifierConfig {
    /// The tenant's issuer, byte for byte.
    pub issuer: String,
    /// The identifier of this API.
    pub audience: String,
    /// The tenant that owns the resources.
    pub tenant_id: String,
    /// The type of the tokens: `at+jwt`, or `JWT` for an API with `access_token_typ = "JWT"`.
    pub typ: String,
    /// The keys of the issuer.
    pub keys: Keys,
    /// Remembers proofs.
    pub replays: Arc<dyn ReplayStore>,
    /// How far the issuer's clock and those of senders may be ahead.
    pub leeway_secs: i64,
    /// The oldest proof that counts.
    pub proof_max_age_secs: i64,
    /// The clock: seconds since 1970.
    pub now: fn() -> i64,
}

/// What a route asks of a token.
#[derive(Clone, Debug)]
pub struct Required {
    /// The scopes that have to be granted, separated by spaces; empty asks for none.
    pub scope: String,
    /// The subject types that are accepted.
    pub subject_types: Vec<String>,
    /// Whether tokens with an actor are accepted.
    pub allow_delegation: bool,
    /// The client ids that may act; any where there are none.
    pub actors: Option<Vec<String>>,
    /// Whether only tokens that are bound to a key are accepted.
    pub require_dpop: bool,
}

impl Required {
    /// This scope, of a person, without actors.
    pub fn scope(scope: &str) -> Self {
        Self {
            scope: scope.to_owned(),
            subject_types: vec!["human".to_owned()],
            allow_delegation: false,
            actors: None,
            require_dpop: false,
        }
    }
}

/// What of an HTTP request is judged.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// All `Authorization` fields.
    pub authorization: &'a [&'a str],
    /// All `DPoP` fields.
    pub dpop: &'a [&'a str],
    /// The method.
    pub method: &'a str,
    /// The address as it is published, whatever proxies make of it.
    pub url: &'a str,
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[verifier of {} for {}]", self.config.issuer, self.config.audience)
    }
}

impl VerifierConfig {
    /// The usual: keys by discovery, proofs in memory.
    pub fn new(issuer: &str, audience: &str, tenant_id: &str) -> Result<Self, Error> {
        Ok(Self {
            issuer: issuer.to_owned(),
            audience: audience.to_owned(),
            tenant_id: tenant_id.to_owned(),
            typ: "at+jwt".to_owned(),
            keys: Keys::of_issuer(issuer)?,
            replays: Arc::new(MemoryReplays::default()),
            leeway_secs: 10,
            proof_max_age_secs: 60,
            now: crate::now,
        })
    }
}

impl Verifier {
    /// Refuses a configuration that would accept too much.
    pub fn new(config: VerifierConfig) -> Result<Self, Error> {
        if [&config.issuer, &config.audience, &config.tenant_id].iter().any(|value| value.is_empty()) {
            return Err(Error::local("issuer, audience and tenant id are needed").of(&config.issuer));
        }
        if !["at+jwt", "jwt"].iter().any(|typ| config.typ.eq_ignore_ascii_case(typ)) {
            return Err(Error::local("typ has to be at+jwt or JWT").of(&config.issuer));
        }
        Ok(Self { config })
    }

    /// Judges a request; the status of an error is what to answer.
    pub async fn verify(&self, request: Request<'_>, required: &Required) -> Result<Claims, Error> {
        let judged = self.judged(request, required).await;
        judged.map_err(|error| Error { tenant: self.config.tenant_id.clone(), ..error })
    }
}
