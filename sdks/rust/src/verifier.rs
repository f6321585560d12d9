use std::sync::Arc;

use serde_json::Value;

use crate::jwt::Jws;
use crate::{Claims, Error, Keys, MemoryReplays, RemoteKeys, ReplayStore, dpop};

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
    /// The scope that has to be granted; empty asks for none.
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

impl VerifierConfig {
    /// The usual: keys by discovery, proofs in memory.
    pub fn new(issuer: &str, audience: &str, tenant_id: &str) -> Result<Self, Error> {
        Ok(Self {
            issuer: issuer.to_owned(),
            audience: audience.to_owned(),
            tenant_id: tenant_id.to_owned(),
            keys: Keys::Remote(RemoteKeys::new(issuer)?),
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
            return Err(Error::local("issuer, audience and tenant id are needed"));
        }
        Ok(Self { config })
    }

    /// Judges a request; the status of an error is what to answer.
    pub async fn verify(&self, request: Request<'_>, required: &Required) -> Result<Claims, Error> {
        let judged = self.judged(request, required).await;
        judged.map_err(|error| Error { tenant: self.config.tenant_id.clone(), ..error })
    }

    async fn judged(&self, request: Request<'_>, required: &Required) -> Result<Claims, Error> {
        let missing = || Error::new(401, "missing_token", "an access token is required");
        let (is_dpop, token) = credential(request.authorization).ok_or_else(missing)?; // Rule 1.
        let claims = self.signed(token).await?;
        self.check_parties(&claims)?;
        check_powers(&claims, required)?;
        self.check_sender(request, required, &claims, (is_dpop, token)).await?;
        Ok(claims)
    }

    /// Rule 2.
    async fn signed(&self, token: &str) -> Result<Claims, Error> {
        let refused = || Error::invalid_token("the token is malformed or no access token");
        let jws = Jws::parse(token).filter(|jws| jws.is_typ("at+jwt")).ok_or_else(refused)?;
        let (alg, kid) = (jws.text("alg"), jws.text("kid"));
        let is_fit = ["ES256", "EdDSA"].contains(&alg) && !jws.header.contains_key("jwk");
        if !is_fit || kid.is_empty() || kid.len() > 128 {
            return Err(refused());
        }
        let key = self.config.keys.key(kid).await;
        let key = key.map_err(|_| Error::new(503, "temporarily_unavailable", "the issuer's keys are out of reach"))?;
        let unknown = || Error::invalid_token("the token names a key that the issuer does not have");
        let key = key.filter(|key| key.alg == alg).ok_or_else(unknown)?;
        jws.verify(&key).ok_or_else(|| Error::invalid_token("the token's signature or its claims are not valid"))
    }

    /// Rules 3 to 6.
    fn check_parties(&self, claims: &Claims) -> Result<(), Error> {
        let config = &self.config;
        if claims.text("iss") != Some(&config.issuer) {
            return Err(Error::invalid_token("the token is of another issuer"));
        }
        if !claims.has_audience(&config.audience) {
            return Err(Error::invalid_token("the token is for another audience"));
        }
        self.check_time(claims)?;
        if claims.text("tenant_id") != Some(&config.tenant_id) {
            return Err(Error::forbidden("the token is of another tenant"));
        }
        Ok(())
    }

    /// Rule 5: `exp` is exact, as it is at the issuer.
    fn check_time(&self, claims: &Claims) -> Result<(), Error> {
        let now = (self.config.now)();
        let malformed = || Error::invalid_token("a time of the token is missing or malformed");
        if claims.time("exp").ok().flatten().ok_or_else(malformed)? <= now {
            return Err(Error::invalid_token("the token has expired; compare the clocks if it was issued just now"));
        }
        for name in ["nbf", "iat"] {
            if claims.time(name).map_err(|()| malformed())?.is_some_and(|at| at > now + self.config.leeway_secs) {
                return Err(Error::invalid_token(
                    "the token is of the future; compare this machine's clock with the issuer's",
                ));
            }
        }
        Ok(())
    }

    /// Rule 10.
    async fn check_sender(
        &self,
        request: Request<'_>,
        required: &Required,
        claims: &Claims,
        (is_dpop, token): (bool, &str),
    ) -> Result<(), Error> {
        let bound = claims.member("cnf").map(|cnf| cnf["jkt"].as_str().unwrap_or_default());
        match (bound, is_dpop) {
            (Some(""), _) => Err(Error::invalid_token("the token is bound to something else than a DPoP key")),
            (Some(_), false) | (None, true) => {
                Err(Error::invalid_token("the token is sent by another scheme than it is bound by"))
            }
            (None, false) if required.require_dpop => {
                Err(Error::invalid_token("a token bound to a key is required (DPoP)"))
            }
            (None, false) => Ok(()),
            (Some(jkt), true) => dpop::check(&self.config, request, token, jkt).await,
        }
    }
}

/// One `Authorization` field with the scheme Bearer or DPoP.
fn credential<'a>(fields: &[&'a str]) -> Option<(bool, &'a str)> {
    let [field] = fields else { return None };
    let (scheme, token) = field.split_once(' ')?;
    let (is_dpop, token) = (scheme.eq_ignore_ascii_case("DPoP"), token.trim_matches(' '));
    (!token.is_empty() && (is_dpop || scheme.eq_ignore_ascii_case("Bearer"))).then_some((is_dpop, token))
}

/// Rules 7 to 9.
fn check_powers(claims: &Claims, required: &Required) -> Result<(), Error> {
    if !required.scope.is_empty() && !claims.has_scope(&required.scope) {
        let description = format!("the token lacks the scope {}", required.scope);
        return Err(Error::new(403, "insufficient_scope", description));
    }
    let kind = claims.text("subject_type").unwrap_or_default();
    if !required.subject_types.iter().any(|accepted| accepted == kind) {
        return Err(Error::forbidden("this kind of caller is not accepted here"));
    }
    let Some(act) = claims.member("act") else { return Ok(()) };
    let actor = act.get("sub").and_then(Value::as_str).filter(|_| required.allow_delegation);
    let is_named = |actor: &str| required.actors.as_ref().is_none_or(|actors| actors.iter().any(|one| one == actor));
    let may_act = actor.is_some_and(is_named);
    may_act.then_some(()).ok_or_else(|| Error::forbidden("this actor is not accepted here"))
}
