//! What a grant is: a name, and how it decides on a request (RFC 6749 §4).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use svc_core::Error;
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_http::{HostCx, Params};

use super::approval::{Approval, Denied};

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
}

impl Request<'_> {
    /// The key that tokens of this request are bound to.
    pub fn proven_key(&self) -> Option<String> {
        self.dpop_jkt.clone()
    }

    /// Holds the request's key against the one that a record is bound to, if it is bound (RFC 9449 §5, §10).
    pub fn check_key(&self, bound_to: Option<&str>) -> Result<(), Error> {
        match (bound_to, self.dpop_jkt.as_deref()) {
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

/// One way of getting tokens.
pub struct Grant {
    /// The `grant_type`.
    pub name: &'static str,
    /// How it decides.
    pub approve: Approve,
}

/// How a grant decides.
pub enum Approve {
    /// From the request alone.
    Stateless(fn(&Request<'_>) -> Result<Approval, Denied>),
    /// With records, in the transaction that issuing continues.
    Stored(for<'a> fn(&'a Request<'a>, &'a mut Tx<Tenant>) -> Deciding<'a>),
    /// The same, after a look that refuses, and writes nothing, while there is nothing to fetch.
    Polled(
        for<'a> fn(&'a Request<'a>) -> Looking<'a>,
        for<'a> fn(&'a Request<'a>, &'a mut Tx<Tenant>) -> Deciding<'a>,
    ),
}

/// A pending look.
pub type Looking<'a> = Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>>;

/// A pending decision.
pub type Deciding<'a> = Pin<Box<dyn Future<Output = Result<Approval, Denied>> + Send + 'a>>;
