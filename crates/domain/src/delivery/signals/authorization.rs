//! What a receiver wants to see in `Authorization` of each push (SSF §6.1.1): a credential of the receiver, sealed at rest.

use svc_core::{Cx, Result, Secret, StreamId, TenantId, TenantRef};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, sql, system_sql};
use svc_keys::keyring::{Cell, Sealed, Sealer};

use crate::tenancy::tenants;

/// The value of the header.
#[derive(Clone, Debug)]
pub enum Authorization {
    /// As the receiver gave it.
    Given(Secret),
    /// As it stands in the row of its stream.
    Stored(Sealed<String>),
}

impl Authorization {
    /// The column of the stream.
    pub(super) fn sealed(
        &self,
        (tenant, stream): (TenantRef, StreamId),
        sealer: &Sealer,
        cx: &Cx,
    ) -> Result<Vec<u8>> {
        let stored = match self {
            Self::Given(header) => seal(header.expose(), (tenant, stream), sealer, cx)?,
            Self::Stored(stored) => stored.clone(),
        };
        Ok(stored.into_column())
    }

    /// What to send; a fault where it does not open.
    pub(super) fn open(&self, (tenant, stream): (TenantRef, StreamId), sealer: &Sealer) -> Result<Secret> {
        match self {
            Self::Given(header) => Ok(header.clone()),
            Self::Stored(stored) => {
                stored.open(&cell(&tenant.to_string(), &stream.to_string()), sealer).map(Secret::new)
            }
        }
    }

    /// That of a stream; an earlier version has stored it readable.
    pub(super) fn of_row(row: &Row) -> Result<Option<Self>> {
        let sealed = row.maybe_bytes("sealed_authorization")?.map(Sealed::from_column).map(Self::Stored);
        let readable = row.maybe_text("authorization_header")?.map(Secret::new).map(Self::Given);
        Ok(readable.or(sealed))
    }
}

/// Most streams that one transaction seals.
const BATCH: u32 = 100;

/// The tenants of whom an earlier version has stored something readable.
pub async fn tenants_with_readable(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let select =
        system_sql!("SELECT DISTINCT tenant_id FROM signal_streams WHERE authorization_header IS NOT NULL");
    tx.all(select, args![]).await?.iter().map(tenants::of_row).collect()
}

/// Seals what an earlier version has stored readable; returns for how many streams.
pub async fn seal_readable(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> Result<u64> {
    let select = sql!(
        "SELECT id, authorization_header FROM signal_streams WHERE tenant_id = $1 \
         AND authorization_header IS NOT NULL ORDER BY id LIMIT $2"
    );
    let mut done = 0;
    for row in tx.all(select, args![BATCH]).await? {
        let (id, header) = (row.parse("id")?, row.text("authorization_header")?);
        let stored = seal(&header, (tx.tenant().reference(), id), sealer, cx)?;
        let update = quiet_sql!(
            "the same credential, sealed",
            "UPDATE signal_streams SET sealed_authorization = $3, authorization_header = NULL \
             WHERE tenant_id = $1 AND id = $2 AND authorization_header = $4"
        );
        done += tx.execute(update, args![id, stored.into_column(), header]).await?;
    }
    Ok(done)
}

fn seal(
    header: &str,
    (tenant, stream): (TenantRef, StreamId),
    sealer: &Sealer,
    cx: &Cx,
) -> Result<Sealed<String>> {
    Sealed::new(&header.to_owned(), &cell(&tenant.to_string(), &stream.to_string()), sealer, cx)
}

fn cell<'a>(tenant: &'a str, record: &'a str) -> Cell<'a> {
    Cell { table: "signal_streams", column: "sealed_authorization", tenant, record }
}
