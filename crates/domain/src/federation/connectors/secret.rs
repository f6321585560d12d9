//! The secret with which the tenant proves itself at a provider, sealed at rest under the tenant's key.

use svc_core::{ConnectorId, Cx, Result, Secret, TenantRef};
use svc_keys::keyring::{Cell, Sealed, Sealer};

use super::Connector;

/// The secret of a connector, if it has one.
pub fn client_secret(connector: &Connector, tenant: TenantRef, sealer: &Sealer) -> Result<Option<Secret>> {
    let (tenant, id) = (tenant.to_string(), connector.id.to_string());
    let open = |sealed: &Sealed<String>| Ok(Secret::new(sealed.open(&cell(&tenant, &id), sealer)?));
    connector.secret.as_ref().map(open).transpose()
}

pub(super) fn seal(
    secret: &Secret,
    (tenant, connector): (TenantRef, ConnectorId),
    sealer: &Sealer,
    cx: &Cx,
) -> Result<Sealed<String>> {
    let (tenant, id) = (tenant.to_string(), connector.to_string());
    Sealed::new(&secret.expose().to_owned(), &cell(&tenant, &id), sealer, cx)
}

fn cell<'a>(tenant: &'a str, record: &'a str) -> Cell<'a> {
    Cell { table: "connectors", column: "sealed_secret", tenant, record }
}
