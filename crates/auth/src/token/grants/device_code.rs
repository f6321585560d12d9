//! The device code grant (RFC 8628 §3.4): polled by a device while a person decides elsewhere.

use svc_core::Error;
use svc_core::capability::Capability;
use svc_db::{Tenant, Tx};
use svc_domain::apps::GrantType;
use svc_domain::grants::polled::Polled;

use super::polled;
use crate::token::grant::{Approve, Deciding, Grant, Looking, Request};

/// The name of the grant.
pub const NAME: &str = "urn:ietf:params:oauth:grant-type:device_code";

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: NAME,
        label: "device_code",
        capability: Some(&Capability::DEVICE),
        is_confidential: false,
        may_be_self_registered: true,
        needs_person: true,
        needed: &["device_code"],
        parameters: &[],
    },
    approve: Approve::Polled(look, approve),
};

fn look<'a>(request: &'a Request<'a>) -> Looking<'a> {
    Box::pin(async move {
        if !request.host.app.config.device_authorization.enabled {
            return Err(Error::unsupported_grant_type("device authorization is not offered here"));
        }
        polled::look(request, Polled::DeviceCode).await?;
        Ok(None)
    })
}

fn approve<'a>(request: &'a Request<'a>, tx: &'a mut Tx<Tenant>) -> Deciding<'a> {
    Box::pin(polled::redeem(request, tx, Polled::DeviceCode))
}
