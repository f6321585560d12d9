//! What a grant is: a name, and how it decides on a request (RFC 6749 §4).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use svc_core::{Error, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apps::{App, GrantType};
use svc_domain::grants::grant::AuthorizationGrant;
use svc_domain::tokens::access_token::Confirmation;
use svc_http::{HostCx, Params};

use super::approval::{Approval, Denied};
use crate::clients::{Notes, Published};

/// A request that has passed client authentication, and whose grant the application may use.
pub struct Request<'a> {
    /// The call and its tenant.
    pub host: &'a HostCx,
    /// The authenticated application.
    pub app: &'a Arc<App>,
    /// The form.
    pub params: &'a Params,
    /// The key that a DPoP proof has shown possession of, by its thumbprint.
    pub dpop_jkt: Option<String>,
    /// The client certificate of the connection, by its thumbprint.
    pub certificate: Option<String>,
    /// The API that the request names.
    pub resource: Option<String>,
    /// What is noted with the decision, so that the request counts once.
    pub notes: &'a Notes,
    /// What a look has fetched of the issuer of an assertion.
    pub issuer_keys: Option<Published>,
}

impl Request<'_> {
    /// What tokens of this request are bound to: the key of a proof, and the certificate where the application wants that.
    pub fn confirmation(&self) -> Option<Confirmation> {
        let certificate = self.certificate.clone().filter(|_| self.app.binds_to_certificate());
        Confirmation::of(self.dpop_jkt.clone(), certificate)
    }

    /// Whether the sender of the request is the one that a token is bound to.
    pub fn holds(&self, bound_to: &Confirmation) -> bool {
        bound_to.is_held(self.dpop_jkt.as_deref(), self.certificate.as_deref())
    }

    /// Refuses a resource that is not the granted one (RFC 8707 §2.2): one token is for one API.
    pub fn check_resource(&self, granted: &str) -> Result<(), Error> {
        if self.resource.as_deref().is_some_and(|requested| requested != granted) {
            return Err(Error::invalid_target("resource: this was granted for another resource"));
        }
        Ok(())
    }

    /// Holds the request's key and certificate against those that a record is bound to, if it is bound (RFC 9449 §5, §10;
    /// RFC 8705 §4).
    pub fn check_key(&self, grant: &AuthorizationGrant) -> Result<(), Error> {
        if grant.x5t_s256.is_some() && grant.x5t_s256 != self.certificate {
            return Err(Error::invalid_grant(
                "this is bound to another client certificate than the connection's",
            ));
        }
        match (grant.dpop_jkt.as_deref(), self.dpop_jkt.as_deref()) {
            (None, _) => Ok(()),
            (Some(_), None) => {
                Err(Error::invalid_dpop_proof("this is bound to a key and needs a DPoP proof by it"))
            }
            (Some(bound_to), Some(proven)) if bound_to == proven => Ok(()),
            (Some(_), Some(_)) => {
                Err(Error::invalid_grant("this is bound to another key than that of the DPoP proof"))
            }
        }
    }
}

/// The refusal of one scope, by its name.
#[track_caller]
pub fn not_allowed(scope: &str) -> Error {
    let shown: String = scope.chars().take(80).collect();
    Error::invalid_scope(format!("scope: {shown} is not allowed here"))
}

/// The scope that is asked for, where all of it is allowed.
pub fn within(requested: Scope, allowed: &Scope) -> Result<Scope, Error> {
    if let Some(token) = requested.iter().find(|token| !allowed.has(token)) {
        return Err(not_allowed(token));
    }
    Ok(requested)
}

/// One way of getting tokens.
pub struct Grant {
    /// What it says of itself.
    pub facts: GrantType,
    /// How it decides.
    pub approve: Approve,
}

/// How a grant decides.
pub enum Approve {
    /// From the request alone.
    Stateless(fn(&Request<'_>) -> Result<Approval, Denied>),
    /// With records, in the transaction that issuing continues.
    Stored(Decide),
    /// The same, after a look that refuses, and writes nothing, while there is nothing to fetch.
    Polled(for<'a> fn(&'a Request<'a>) -> Looking<'a>, Decide),
}

/// A decision with records.
pub type Decide = for<'a> fn(&'a Request<'a>, &'a mut Tx<Tenant>) -> Deciding<'a>;

/// A pending look, which fetches what is not to be waited for in a transaction.
pub type Looking<'a> = Pin<Box<dyn Future<Output = Result<Option<Published>, Error>> + Send + 'a>>;

/// A pending decision.
pub type Deciding<'a> = Pin<Box<dyn Future<Output = Result<Approval, Denied>> + Send + 'a>>;
