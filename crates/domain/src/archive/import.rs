//! Brings a tenant of an archive into this deployment, in one transaction: it is there as a whole, or not at all.

use std::io::BufRead;

use serde_json::{Value as Json, json};
use svc_core::{Cx, Error, Result, TenantId};
use svc_db::{Call, Db, System, Tx, Value, args, quiet_system_sql};
use svc_keys::{Purpose, Sealer};

use super::accounts::{ACCOUNTS, CREDENTIALS};
use super::check::{Checked, columns_of, rows};
use super::key::ArchiveKey;
use super::lines::{Lines, maybe_bytes, maybe_text, newer, text};
use super::people::{self, Fate, People};
use super::reader::{Next, Reader};
use super::table::Table;
use super::tables::CARRIED;
use super::tenant::TENANTS;
use super::values;
use crate::apis::management::{self, ScopeSentence};
use crate::keys::tenant_keys::TenantSealers;
use crate::tenancy::tenants::Tenants;

/// Where to bring it, and with what.
pub struct Importing<'a> {
    /// The database.
    pub db: &'a Db,
    /// Tenants as this deployment names them.
    pub tenants: &'a Tenants,
    /// Makes the key that seals for the tenant here.
    pub sealers: &'a TenantSealers,
    /// Seals the secrets of accounts, which are the deployment's.
    pub accounts: &'a Sealer,
    /// What opens the secrets of the archive, and proves it.
    pub key: Option<&'a ArchiveKey>,
    /// The scopes of the management API.
    pub scopes: &'a [ScopeSentence],
    /// Whether the tenant answers when it is there.
    pub is_active: bool,
    /// Whether it may have another issuer here than it had.
    pub accepts_issuer: bool,
    /// Do everything, and take it back.
    pub dry_run: bool,
}

/// What was brought.
#[derive(Debug)]
pub struct Imported {
    /// The tenant.
    pub id: TenantId,
    /// Its issuer here.
    pub issuer: String,
    /// How many rows were written.
    pub rows: u64,
}

/// Writes rows of an archive.
struct Bringing<'a> {
    importing: &'a Importing<'a>,
    cx: &'a Cx,
    tenant: TenantId,
    /// Seals for the tenant here.
    sealer: Sealer,
    people: People,
    rows: u64,
}

/// Brings what was checked; `tell` is told of each part, and of many rows of one. An archive that is not the one that was checked is
/// refused, and nothing of it stays.
pub async fn import<R: BufRead>(
    importing: &Importing<'_>,
    cx: &Cx,
    (reader, checked): (&mut Reader<R>, &Checked),
    tell: &mut (dyn FnMut(&str, u64) + Send),
) -> Result<Imported> {
    if !checked.conflicts.is_empty() {
        return Err(Error::conflict(checked.conflicts.join("\n")));
    }
    // Made before the transaction begins, because key management may be another process.
    let key = importing.sealers.fresh(checked.tenant.id, cx).await?;
    let mut tx = importing.db.begin_system().await?;
    let facts = facts(reader, checked);
    let tenant = checked.tenant.insert(&mut tx, cx, (importing.is_active, &facts)).await?;
    let issuer = importing.tenants.read(&mut tx, tenant).await?.issuer.clone();
    let before = &reader.heading().tenant.issuer;
    if !importing.accepts_issuer && issuer != *before {
        return Err(Error::conflict(format!(
            "the issuer would be {issuer}, and was {before}: applications and passkeys are bound to it; give --as to accept that"
        )));
    }
    let (mut tx, kept) = tx.within(tenant, async |tx| key.keep(tx, cx).await).await;
    kept?;
    let sealer = key.sealer(Purpose::Credentials);
    let mut bringing = Bringing { importing, cx, tenant, sealer, people: People::default(), rows: 0 };
    let digest = bringing.parts(&mut tx, reader, tell).await?;
    if digest != checked.digest {
        return Err(Error::conflict("the archive is another than the one that was checked; import it again"));
    }
    lead_on(&mut tx, tenant).await?;
    let found = importing.tenants.read(&mut tx, tenant).await?;
    let (tx, ensured) =
        tx.within(tenant, async |tx| management::ensure(tx, cx, &found, importing.scopes).await).await;
    ensured?;
    let rows = bringing.rows;
    if importing.dry_run {
        tx.rollback().await?;
    } else {
        tx.commit().await?;
    }
    Ok(Imported { id: tenant, issuer, rows })
}

/// What the first entry of the new audit log says.
fn facts<R: BufRead>(reader: &Reader<R>, checked: &Checked) -> Json {
    let heading = reader.heading();
    let audit = checked.audit.as_ref().map(|(last, hash)| json!({ "last": last, "last_hash": hash }));
    json!({
        "archive": heading.id, "sha256": checked.digest, "exported_at": heading.exported_at,
        "issuer": heading.tenant.issuer, "audit": audit,
    })
}

/// Subscriptions go on with the next event: those before it are not here.
async fn lead_on(tx: &mut Tx<System>, tenant: TenantId) -> Result<()> {
    let webhooks = quiet_system_sql!(
        "comes with the tenant, whose import is recorded",
        "UPDATE webhooks SET position = COALESCE((SELECT p.last FROM event_positions p WHERE p.tenant_id = $1), 0) \
         WHERE tenant_id = $1"
    );
    let targets = quiet_system_sql!(
        "comes with the tenant, whose import is recorded",
        "UPDATE scim_targets SET position = COALESCE((SELECT p.last FROM event_positions p WHERE p.tenant_id = $1), 0) \
         WHERE tenant_id = $1"
    );
    let calls = [tx.call(webhooks, args![tenant]), tx.call(targets, args![tenant])];
    tx.batch(calls).await.map(drop)
}

impl Bringing<'_> {
    async fn parts<R: BufRead>(
        &mut self,
        tx: &mut Tx<System>,
        reader: &mut Reader<R>,
        tell: &mut (dyn FnMut(&str, u64) + Send),
    ) -> Result<String> {
        let (written_by, key) = (reader.heading().schema, self.importing.key);
        loop {
            let (name, columns) = match reader.next(key)? {
                Next::Part { name, columns } => (name, columns),
                Next::Over { digest } => return Ok(digest),
                Next::Row(_) | Next::End => return Err(Error::internal("a row of no part")),
            };
            let known = columns_of(&name).ok_or_else(|| newer(&format!("the table {name}"), written_by))?;
            let lines = Lines::new((&name, known), &columns, written_by)?;
            let mut written = 0;
            while let Some(rows) = rows(reader, key, &lines)? {
                written += self.page(tx, (&name, &lines), rows).await?;
                tell(&name, written);
            }
            self.rows += written;
        }
    }

    /// Writes some rows of a part; returns how many.
    async fn page(
        &mut self,
        tx: &mut Tx<System>,
        (name, lines): (&str, &Lines),
        rows: Vec<Vec<Value>>,
    ) -> Result<u64> {
        let calls = match name {
            // Its row is there already.
            TENANTS => return Ok(rows.len() as u64),
            ACCOUNTS => self.accounts(tx, lines, &rows).await?,
            CREDENTIALS => self.credentials(tx, lines, rows)?,
            name => match CARRIED.iter().find(|table| table.name == name) {
                Some(table) => self.table(tx, (table, lines), rows)?,
                // The audit log goes on where it was written.
                None => return Ok(0),
            },
        };
        let written = calls.len() as u64;
        tx.batch_of(calls).await.map_err(|error| {
            let class = error.class();
            let what = format!("{name}: a row cannot be written, because another here has what is unique");
            if class == svc_core::Class::Conflict { Error::conflict(what).caused_by(error) } else { error }
        })?;
        Ok(written)
    }

    async fn accounts(
        &mut self,
        tx: &mut Tx<System>,
        lines: &Lines,
        rows: &[Vec<Value>],
    ) -> Result<Vec<Call>> {
        let insert = quiet_system_sql!(
            "comes with the tenant, whose import is recorded",
            "INSERT INTO accounts (id, status, email, email_key, email_verified, profile, password, credentials_changed_at, \
             created_at, updated_at, managed_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        );
        let fates = self.people.look(tx, lines, rows).await?;
        let mut calls = Vec::new();
        for (row, fate) in rows.iter().zip(fates) {
            match fate {
                Fate::Linked => continue,
                Fate::Taken => return Err(Error::conflict("an account of another address has this id here")),
                Fate::New => {}
            }
            let value = |name: &str| {
                Ok::<_, Error>(row.get(lines.place(name)?).cloned().unwrap_or(Value::Text(None)))
            };
            let email = maybe_text(row, lines.place("email")?)?;
            if !["active", "disabled"].contains(&text(row, lines.place("status")?)?) {
                return Err(lines.within(&Error::bad_request("status: expected active or disabled")));
            }
            // What the other deployment has proven, nobody has proven to this one.
            let arguments = [
                value("id")?,
                value("status")?,
                value("email")?,
                people::key_of(email)?.into(),
                false.into(),
                value("profile")?,
                value("password")?,
                value("credentials_changed_at")?,
                value("created_at")?,
                value("updated_at")?,
                self.tenant.into(),
            ];
            calls.push(tx.call(insert, &arguments));
        }
        Ok(calls)
    }

    fn credentials(&self, tx: &Tx<System>, lines: &Lines, rows: Vec<Vec<Value>>) -> Result<Vec<Call>> {
        let insert = quiet_system_sql!(
            "comes with the tenant, whose import is recorded",
            "INSERT INTO account_credentials (id, account_id, kind, lookup, name, document, sealed, mark, created_at, \
             last_used_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        );
        let sealed = lines.place("sealed")?;
        let mut calls = Vec::new();
        for row in rows {
            let moved = self.people.credential(self.tenant.reference(), lines, row)?;
            let Some(mut moved) = moved else { continue };
            let plain =
                self.opened((CREDENTIALS, "sealed", &moved.id), maybe_bytes(&moved.values, sealed)?)?;
            if let (Some(plain), Some(place)) = (plain, moved.values.get_mut(sealed)) {
                let context = [CREDENTIALS, "sealed", "", &moved.id];
                *place = self.importing.accounts.seal(&context, &plain, self.cx)?.into();
            }
            calls.push(tx.call(insert, &moved.values));
        }
        Ok(calls)
    }

    fn table(
        &self,
        tx: &Tx<System>,
        (table, lines): (&Table, &Lines),
        rows: Vec<Vec<Value>>,
    ) -> Result<Vec<Call>> {
        let mut calls = Vec::with_capacity(rows.len());
        for mut row in rows {
            if table.name == "tenant_users" && self.people.membership(lines, &mut row)?.is_some() {
                return Err(Error::conflict("a suspended person has an account here"));
            }
            self.seal(table, lines, &mut row)?;
            let arguments = [&[self.tenant.into()], &row[..]].concat();
            calls.push(tx.call(table.insert, &arguments));
        }
        Ok(calls)
    }

    /// Seals what the archive has sealed, for its cell here.
    fn seal(&self, table: &Table, lines: &Lines, row: &mut [Value]) -> Result<()> {
        let tenant = self.tenant.to_string();
        for column in table.columns {
            let Some([name, place, ..]) = values::cell(table.name, column.of, &tenant, "") else { continue };
            let key = table.key.first().copied().unwrap_or_default();
            let record = text(row, lines.place(key)?)?.to_owned();
            let at = lines.place(column.name)?;
            let plain = self.opened((name, column.name, &record), maybe_bytes(row, at)?)?;
            if let (Some(plain), Some(value)) = (plain, row.get_mut(at)) {
                *value = self.sealer.seal(&[name, place, &tenant, &record], &plain, self.cx)?.into();
            }
        }
        Ok(())
    }

    fn opened(
        &self,
        (table, column, record): (&str, &str, &str),
        sealed: Option<&[u8]>,
    ) -> Result<Option<zeroize::Zeroizing<Vec<u8>>>> {
        let Some(sealed) = sealed else { return Ok(None) };
        let key = self.importing.key.ok_or_else(|| {
            Error::bad_request(format!("{table}: {column}: the archive has secrets; give its passphrase"))
        })?;
        key.open([table, column, record], sealed).map(Some)
    }
}
