//! The backchannel authentication grant (OpenID CIBA §10.1), delivered by polling to confidential applications.

use svc_core::Error;
use svc_db::{Tenant, Tx};

use super::polled::{self, Polled};
use crate::token::grant::{Approve, Deciding, Grant, Looking, Request};

/// The name of the grant.
pub const NAME: &str = "urn:openid:params:grant-type:ciba";

pub(super) const GRANT: Grant = Grant { name: NAME, approve: Approve::Polled(look, approve) };

fn look<'a>(request: &'a Request<'a>) -> Looking<'a> {
    Box::pin(async move {
        if request.app.is_public() {
            return Err(Error::unauthorized_client(
                "backchannel authentication is for confidential applications",
            ));
        }
        polled::look(request, Polled::CibaRequest).await
    })
}

fn approve<'a>(request: &'a Request<'a>, tx: &'a mut Tx<Tenant>) -> Deciding<'a> {
    Box::pin(polled::redeem(request, tx, Polled::CibaRequest))
}
