//! Who may send an access token: every bearer, or the holder of a key (RFC 9449 §7) or of a certificate (RFC 8705 §3).

use svc_core::{Class, Error, Result};
use svc_domain::tokens::access_token::{Claims, Confirmation};

use crate::context::HostCx;
use crate::credential::{Credential, Scheme};
use crate::dpop::{self, Covered};

/// Holds a verified access token against the way in which it was sent (RFC 9449 §7.1, §7.2; RFC 8705 §3): one that is bound to
/// a key needs the scheme `DPoP` and a proof by it, one that is bound to a certificate a connection with that.
pub async fn check_token(
    host: &HostCx,
    covered: &Covered<'_>,
    credential: &Credential<'_>,
    claims: &Claims,
) -> Result<()> {
    let bound_to = claims.cnf.as_ref();
    if let Some(wanted) = bound_to.and_then(|bound| bound.x5t_s256.as_deref())
        && host.arrival.certificate.as_deref().is_none_or(|own| own.thumbprint() != wanted)
    {
        return Err(Error::invalid_token(
            "the access token is bound to a client certificate; send it over a connection with that",
        ));
    }
    match (bound_to.and_then(|bound| bound.jkt.as_deref()), credential.scheme) {
        (None, Scheme::Bearer) => Ok(()),
        (None, Scheme::Dpop) => {
            Err(Error::invalid_token("the access token is not bound to a key; send it as Bearer"))
        }
        (Some(_), Scheme::Bearer) => {
            Err(Error::invalid_token("the access token is bound to a key; send it as DPoP, with a proof"))
        }
        (Some(jkt), Scheme::Dpop) => {
            let proven = dpop::check_key(host, covered, credential.token, jkt).await;
            proven.map_err(|error| match error.class() {
                Class::InvalidDpopProof => error.reclass(Class::UnprovenKey),
                Class::UseDpopNonce => error.reclass(Class::StaleDpopNonce),
                _ => error,
            })
        }
    }
}

/// The scheme of the challenge to a sender that is not the right one.
pub fn challenged_scheme(claims: &Claims) -> Scheme {
    let has_certificate_alone = |bound: &Confirmation| bound.jkt.is_none();
    if claims.cnf.as_ref().is_some_and(has_certificate_alone) { Scheme::Bearer } else { Scheme::Dpop }
}
