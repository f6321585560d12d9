//! From parameters to what is asked for, where no browser will lead back to the application (RFC 8628 §3.1, OpenID
//! CIBA §7.1): the rows of the authorization matrix that hold at the endpoint.

use svc_core::Result;
use svc_domain::apps::App;
use svc_domain::grants::polled::Wanted;
use svc_http::{HostCx, Params};

use crate::authorize::{Arrived, Endpoint, Redirectable, checked};

/// What the application asks for, checked.
pub async fn wanted(host: &HostCx, app: &App, params: &Params, endpoint: Endpoint) -> Result<Wanted> {
    let arrived = Arrived { params: params.clone(), endpoint, reference: None, dpop_jkt: None };
    let request = checked(host, app, &arrived, Redirectable::nowhere()).await??;
    Ok(Wanted {
        scope: request.scope,
        audience: request.audience,
        authorization_details: request.authorization_details,
        claims: request.claims,
        organization: request.organization,
    })
}
