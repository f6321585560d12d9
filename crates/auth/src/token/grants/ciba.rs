//! The backchannel authentication grant (OpenID CIBA §10.1), delivered by polling to confidential applications.

use svc_core::capability::Capability;
use svc_db::{Tenant, Tx};
use svc_domain::apps::GrantType;
use svc_domain::grants::polled::Polled;

use super::polled;
use crate::token::grant::{Approve, Deciding, Grant, Looking, Request};

/// The name of the grant.
pub const NAME: &str = "urn:openid:params:grant-type:ciba";

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: NAME,
        label: "ciba",
        capability: Some(&Capability::CIBA),
        is_confidential: true,
        may_be_self_registered: true,
        needs_person: true,
        needed: &["auth_req_id"],
        parameters: &[],
    },
    approve: Approve::Polled(look, approve),
};

fn look<'a>(request: &'a Request<'a>) -> Looking<'a> {
    Box::pin(async move {
        polled::look(request, Polled::CibaRequest).await?;
        Ok(None)
    })
}

fn approve<'a>(request: &'a Request<'a>, tx: &'a mut Tx<Tenant>) -> Deciding<'a> {
    Box::pin(polled::redeem(request, tx, Polled::CibaRequest))
}
