//! Writes a tenant into an archive, page by page, from one state of the database.

use std::io::Write;

use serde_json::{Value as Json, json};
use svc_core::{Cx, Error, Result, TenantId};
use svc_db::{Db, Row, System, SystemSql, Tx, Value, args, system_sql};
use svc_keys::passphrase::Stretching;
use svc_keys::{Sealer, base64url, from_base64url};

use super::accounts::{
    self, ACCOUNT, ACCOUNTS, CREDENTIAL, CREDENTIALS, PAGE_OF_ACCOUNTS, PAGE_OF_CREDENTIALS,
};
use super::container::{FORMAT, Heading, Origin, Part, Writer};
use super::key::ArchiveKey;
use super::table::{Column, Table};
use super::tables::{CARRIED, RECORDS};
use super::tenant::{self, TENANT, TENANTS};
use super::{PAGE, SIGNING_KEYS, needs_secrets, values};
use crate::log::{Action, Meaning, record};
use crate::tenancy::tenants::Tenant;

/// What a secret that was replaced stands in for a while.
const FORMER_SECRET: &str = "sealed_former_secret";

/// What to write, and with what.
pub struct Exporting<'a> {
    /// The database.
    pub db: &'a Db,
    /// The tenant.
    pub tenant: &'a Tenant,
    /// Opens what is sealed for the tenant.
    pub sealer: &'a Sealer,
    /// Opens the secrets of accounts, which are the deployment's.
    pub accounts: &'a Sealer,
    /// What seals in the archive, and proves it.
    pub key: Option<(&'a Stretching, &'a ArchiveKey)>,
    /// The id of the archive.
    pub id: &'a str,
    /// Whether secrets are in it that the service has to read; not without a key.
    pub has_secrets: bool,
}

/// What was written.
#[derive(Debug)]
pub struct Exported {
    /// The parts.
    pub parts: Vec<Part>,
    /// The digest of the archive.
    pub digest: String,
    /// How many people travel without password and factors, because their account opens other tenants too.
    pub without_credentials: u64,
}

/// Reads pages of rows.
struct Pages<'a> {
    tx: Tx<System>,
    tenant: TenantId,
    seals: Seals<'a>,
}

/// Opens what is sealed here, and seals it for the archive.
struct Seals<'a> {
    exporting: &'a Exporting<'a>,
    cx: &'a Cx,
    tenant: String,
}

/// Writes the archive; `tell` is called with each part. That the tenant was taken out is recorded before.
pub async fn export<W: Write>(
    exporting: &Exporting<'_>,
    cx: &Cx,
    out: W,
    tell: &mut (dyn FnMut(&str, u64) + Send),
) -> Result<Exported> {
    let id = exporting.tenant.id;
    let mut tx = exporting.db.begin(id).await?;
    let facts = json!({ "archive": exporting.id, "secrets": exporting.has_secrets });
    record(&mut tx, cx, Meaning::done(Action::TenantExported, id).with(facts));
    tx.commit().await?;
    let mut writer = Writer::new(out, &heading(exporting, cx))?;
    let seals = Seals { exporting, cx, tenant: id.to_string() };
    let mut pages = Pages { tx: exporting.db.snapshot_system().await?, tenant: id, seals };
    pages.tenant(&mut writer).await?;
    let without_credentials = pages.people(&mut writer, tell).await?;
    for table in CARRIED.iter().chain(RECORDS) {
        if exporting.has_secrets || !needs_secrets(table.name) {
            pages.table(&mut writer, table, tell).await?;
        }
    }
    pages.signing_keys(&mut writer).await?;
    let (parts, digest) = writer.finish(exporting.key.map(|(_, key)| key))?;
    Ok(Exported { parts, digest, without_credentials })
}

fn heading(exporting: &Exporting<'_>, cx: &Cx) -> Heading {
    let tenant = exporting.tenant;
    Heading {
        svc_tenant_archive: FORMAT,
        schema: super::schema(),
        id: exporting.id.to_owned(),
        exported_at: cx.now,
        tenant: Origin {
            id: tenant.id.reference(),
            slug: tenant.slug.clone(),
            issuer: tenant.issuer.clone(),
        },
        has_secrets: exporting.has_secrets,
        passphrase: exporting.key.map(|(stretching, _)| stretching.clone()),
    }
}

impl Pages<'_> {
    async fn tenant<W: Write>(&mut self, writer: &mut Writer<W>) -> Result<()> {
        let row = self.tx.optional(tenant::ROW, args![self.tenant]).await?;
        let row = row.ok_or_else(|| Error::not_found("the tenant is gone"))?;
        writer.begin(TENANTS, &names(TENANT.iter()))?;
        let values: Vec<_> = TENANT.iter().map(|column| values::read(&row, column)).collect::<Result<_>>()?;
        writer.row(&values)?;
        writer.end().map(drop)
    }

    async fn people<W: Write>(
        &mut self,
        writer: &mut Writer<W>,
        tell: &mut (dyn FnMut(&str, u64) + Send),
    ) -> Result<u64> {
        let (mut after, mut without) = (String::new(), 0);
        writer.begin(ACCOUNTS, &names(ACCOUNT.iter()))?;
        while let Some((rows, last)) = self.by_id(PAGE_OF_ACCOUNTS, &after).await? {
            for row in &rows {
                let (values, is_without) = accounts::row(self.tenant, row)?;
                without += u64::from(is_without);
                writer.row(&values)?;
            }
            tell(ACCOUNTS, writer.rows());
            after = last;
        }
        writer.end()?;
        after.clear();
        writer.begin(CREDENTIALS, &names(CREDENTIAL.iter()))?;
        while let Some((rows, last)) = self.by_id(PAGE_OF_CREDENTIALS, &after).await? {
            for row in &rows {
                if self.seals.exporting.has_secrets || row.maybe_bytes("sealed")?.is_none() {
                    writer.row(&self.seals.row(CREDENTIALS, CREDENTIAL.iter(), row, "id")?)?;
                }
            }
            tell(CREDENTIALS, writer.rows());
            after = last;
        }
        writer.end()?;
        Ok(without)
    }

    /// The rows after an id, and the last of their ids.
    async fn by_id(&mut self, page: SystemSql, after: &str) -> Result<Option<(Vec<Row>, String)>> {
        let rows = self.tx.all(page, args![self.tenant, after, PAGE]).await?;
        let last = rows.last().map(|row| row.text("id")).transpose()?;
        Ok(last.map(|last| (rows, last)))
    }

    async fn table<W: Write>(
        &mut self,
        writer: &mut Writer<W>,
        table: &Table,
        tell: &mut (dyn FnMut(&str, u64) + Send),
    ) -> Result<()> {
        let key: Vec<_> = table.key.iter().filter_map(|name| table.column(name)).collect();
        let mut after: Vec<Value> = key.iter().map(|column| values::lowest(column)).collect();
        writer.begin(table.name, &names(table.travelling()))?;
        loop {
            let arguments = [&[self.tenant.into()], &after[..], &[PAGE.into()]].concat();
            let rows = self.tx.all(table.page, &arguments).await?;
            for row in &rows {
                let record = table.key.first().copied().unwrap_or_default();
                writer.row(&self.seals.row(table.name, table.travelling(), row, record)?)?;
            }
            tell(table.name, writer.rows());
            match rows.last() {
                Some(last) if !key.is_empty() => {
                    after = key.iter().map(|column| values::bound(last, column)).collect::<Result<_>>()?;
                }
                _ => return writer.end().map(drop),
            }
        }
    }

    /// The public halves of the keys that signed, so that the checkpoints of the audit log can be verified.
    async fn signing_keys<W: Write>(&mut self, writer: &mut Writer<W>) -> Result<()> {
        let select = system_sql!(
            "SELECT kid, algorithm, public_jwk FROM signing_keys WHERE of_tenant IS NULL OR of_tenant = $1 ORDER BY kid"
        );
        writer.begin(SIGNING_KEYS, &["kid", "algorithm", "public_jwk"])?;
        for row in self.tx.all(select, args![self.tenant]).await? {
            writer
                .row(&[row.text("kid")?, row.text("algorithm")?, row.text("public_jwk")?].map(Json::from))?;
        }
        writer.end().map(drop)
    }
}

impl Seals<'_> {
    /// A row of the archive.
    fn row(
        &self,
        table: &str,
        columns: impl Iterator<Item = &'static Column>,
        row: &Row,
        record: &str,
    ) -> Result<Vec<Json>> {
        columns.map(|column| self.value(table, column, row, record)).collect()
    }

    fn value(&self, table: &str, column: &Column, row: &Row, record: &str) -> Result<Json> {
        let found = values::read(row, column)?;
        let Some(cell) = values::cell(table, column.of, self.tenant_of(table), "") else { return Ok(found) };
        let (Some(sealed), Some((_, key))) = (found.as_str().and_then(from_base64url), self.exporting.key)
        else {
            return Ok(Json::Null);
        };
        if !self.exporting.has_secrets {
            return Ok(Json::Null);
        }
        let record = row.text(record)?;
        let [table, place, tenant, _] = cell;
        let opened = self.sealer_of(table).open_own(&[table, place, tenant, &record], &sealed);
        // One whose key was destroyed counts for nothing here either.
        if opened.is_err() && column.name == FORMER_SECRET {
            return Ok(Json::Null);
        }
        let plain = zeroize::Zeroizing::new(opened?);
        let sealed = key.seal([table, column.name, &record], &plain, &*self.cx.entropy)?;
        Ok(Json::from(base64url(sealed)))
    }

    fn tenant_of(&self, table: &str) -> &str {
        if table == CREDENTIALS { "" } else { &self.tenant }
    }

    fn sealer_of(&self, table: &str) -> &Sealer {
        if table == CREDENTIALS { self.exporting.accounts } else { self.exporting.sealer }
    }
}

fn names(columns: impl Iterator<Item = &'static Column>) -> Vec<&'static str> {
    columns.map(|column| column.name).collect()
}
