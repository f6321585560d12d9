//! The secret with which the tenant proves itself at a provider, sealed at rest under the tenant's key.

use svc_core::{ConnectorId, Result, Secret, TenantRef};
use svc_keys::keyring::{Sealed, Sealer};

use super::Connector;
use crate::sealed_secret::Place;

/// The secret of a connector, if it has one.
pub fn client_secret(connector: &Connector, tenant: TenantRef, sealer: &Sealer) -> Result<Option<Secret>> {
    let place = place((tenant, connector.id));
    let open = |sealed: &Sealed<String>| place.open(sealed, sealer).map(Secret::new);
    connector.secret.as_ref().map(open).transpose()
}

pub(super) fn place(connector: (TenantRef, ConnectorId)) -> Place {
    Place::of("connectors", connector)
}
