//! The secret of a record, sealed under the tenant's key in the column `sealed_secret` of its table.

use svc_core::{Cx, Id, Kind, Result, TenantRef};
use svc_keys::constant_time_eq;
use svc_keys::keyring::{Cell, Sealed, Sealer};

/// Where a secret stands: it opens there, and nowhere else.
pub(crate) struct Place {
    table: &'static str,
    tenant: String,
    record: String,
}

impl Place {
    /// The place of a record's secret.
    pub(crate) fn of<K: Kind>(table: &'static str, (tenant, record): (TenantRef, Id<K>)) -> Self {
        Self { table, tenant: tenant.to_string(), record: record.to_string() }
    }

    pub(crate) fn seal(&self, plain: &str, sealer: &Sealer, cx: &Cx) -> Result<Sealed<String>> {
        Sealed::new(&plain.to_owned(), &self.cell(), sealer, cx)
    }

    pub(crate) fn open(&self, secret: &Sealed<String>, sealer: &Sealer) -> Result<String> {
        secret.open(&self.cell(), sealer)
    }

    /// Whether this is the secret. One that does not open, because its key was destroyed, is no longer the secret.
    pub(crate) fn holds(&self, secret: &Sealed<String>, given: &str, sealer: &Sealer) -> bool {
        let present = self.open(secret, sealer);
        present.is_ok_and(|present| constant_time_eq(present.as_bytes(), given.as_bytes()))
    }

    fn cell(&self) -> Cell<'_> {
        Cell { table: self.table, column: "sealed_secret", tenant: &self.tenant, record: &self.record }
    }
}
