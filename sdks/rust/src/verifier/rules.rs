//! The ten rules, in their order; the first that fails decides.

use serde_json::Value;

use super::{Request, Required, Verifier};
use crate::jwt::Jws;
use crate::{Claims, Error, dpop};

impl Verifier {
    pub(super) async fn judged(&self, request: Request<'_>, required: &Required) -> Result<Claims, Error> {
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
        let jws = Jws::parse(token).filter(|jws| jws.is_typ(&self.config.typ)).ok_or_else(refused)?;
        let (alg, kid) = (jws.text("alg"), jws.text("kid"));
        let is_fit = ["ES256", "EdDSA"].contains(&alg) && !jws.header.contains_key("jwk");
        if !is_fit || kid.is_empty() || kid.len() > 128 {
            return Err(refused());
        }
        let key = self.config.keys.key(kid).await.map_err(Error::without_keys)?;
        let unknown = || Error::invalid_token("the token names a key that the issuer does not have");
        let key = key.filter(|key| key.alg == alg).ok_or_else(unknown)?;
        let claims = jws
            .verify(&key)
            .ok_or_else(|| Error::invalid_token("the token's signature or its claims are not valid"))?;
        // Every access token has both (RFC 9068 §2.2).
        let has = |name: &str| claims.text(name).is_some_and(|text| !text.is_empty());
        if !has("sub") || !has("client_id") {
            return Err(Error::invalid_token("the token names no subject or no client"));
        }
        Ok(claims)
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
        let exp = claims.time("exp").ok().flatten().ok_or_else(malformed)?;
        if exp <= now {
            let ago = now - exp;
            return Err(Error::invalid_token(&format!(
                "the token expired {ago} s ago by this machine's clock; compare it with the issuer's"
            )));
        }
        for name in ["nbf", "iat"] {
            let at = claims.time(name).map_err(|()| malformed())?;
            if let Some(at) = at.filter(|at| *at > now + self.config.leeway_secs) {
                let ahead = at - now;
                return Err(Error::invalid_token(&format!(
                    "the token's {name} is {ahead} s ahead of this machine's clock; compare it with the issuer's"
                )));
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
            (Some(""), _) => {
                Err(Error::invalid_token("the token is bound to something else than a DPoP key"))
            }
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
    let mut scopes = required.scope.split(' ').filter(|scope| !scope.is_empty());
    if !scopes.all(|scope| claims.has_scope(scope)) {
        let description = format!("the token lacks the scope {}", required.scope);
        return Err(Error::new(403, "insufficient_scope", description));
    }
    let kind = claims.text("subject_type").unwrap_or_default();
    if !required.subject_types.iter().any(|accepted| accepted == kind) {
        return Err(Error::forbidden("this kind of caller is not accepted here"));
    }
    let Some(act) = claims.member("act") else { return Ok(()) };
    let actor =
        act.get("sub").and_then(Value::as_str).filter(|sub| required.allow_delegation && !sub.is_empty());
    let is_named =
        |actor: &str| required.actors.as_ref().is_none_or(|actors| actors.iter().any(|one| one == actor));
    let may_act = actor.is_some_and(is_named);
    may_act.then_some(()).ok_or_else(|| Error::forbidden("this actor is not accepted here"))
}
