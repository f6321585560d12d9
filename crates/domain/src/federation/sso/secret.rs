//! The secret with which the tenant proves itself at a provider, sealed at rest under the tenant's key.

use svc_core::{Result, Secret, SsoConnectionId, TenantRef};
use svc_keys::keyring::{Sealed, Sealer};

use super::Connection;
use crate::sealed_secret::Place;

/// The secret of a connection, if it has one.
pub fn client_secret(connection: &Connection, tenant: TenantRef, sealer: &Sealer) -> Result<Option<Secret>> {
    let place = place((tenant, connection.id));
    let open = |sealed: &Sealed<String>| place.open(sealed, sealer).map(Secret::new);
    connection.secret.as_ref().map(open).transpose()
}

pub(super) fn place(connection: (TenantRef, SsoConnectionId)) -> Place {
    Place::of("sso_connections", connection)
}
