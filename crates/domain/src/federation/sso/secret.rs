//! The secret with which the tenant proves itself at a provider, sealed at rest under the tenant's key.

use svc_core::{Cx, Result, Secret, SsoConnectionId, TenantRef};
use svc_keys::keyring::{Cell, Sealed, Sealer};

use super::Connection;

/// The secret of a connection, if it has one.
pub fn client_secret(connection: &Connection, tenant: TenantRef, sealer: &Sealer) -> Result<Option<Secret>> {
    let (tenant, id) = (tenant.to_string(), connection.id.to_string());
    let open = |sealed: &Sealed<String>| Ok(Secret::new(sealed.open(&cell(&tenant, &id), sealer)?));
    connection.secret.as_ref().map(open).transpose()
}

pub(super) fn seal(
    secret: &Secret,
    (tenant, connection): (TenantRef, SsoConnectionId),
    sealer: &Sealer,
    cx: &Cx,
) -> Result<Sealed<String>> {
    let (tenant, id) = (tenant.to_string(), connection.to_string());
    Sealed::new(&secret.expose().to_owned(), &cell(&tenant, &id), sealer, cx)
}

fn cell<'a>(tenant: &'a str, record: &'a str) -> Cell<'a> {
    Cell { table: "sso_connections", column: "sealed_secret", tenant, record }
}
