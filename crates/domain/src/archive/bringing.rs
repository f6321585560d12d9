//! Writes the rows of an archive, part by part: accounts by the rules of every import, secrets sealed for where they stand here.

use std::io::BufRead;

use svc_core::{Cx, Error, Result, TenantId};
use svc_db::{Call, System, Tx, Value, quiet_system_sql};
use svc_keys::Sealer;

use super::accounts::{ACCOUNTS, CREDENTIALS};
use super::check::{columns_of, rows};
use super::import::Importing;
use super::lines::{Lines, maybe_bytes, maybe_text, newer, text};
use super::people::{self, Fate, People};
use super::reader::{Next, Reader};
use super::table::Table;
use super::tables::CARRIED;
use super::tenant::TENANTS;
use super::values;

/// Writes rows of an archive.
pub(super) struct Bringing<'a> {
    importing: &'a Importing<'a>,
    cx: &'a Cx,
    tenant: TenantId,
    /// Seals for the tenant here.
    sealer: Sealer,
    people: People,
    /// How many rows were written.
    pub rows: u64,
}

impl<'a> Bringing<'a> {
    /// For a tenant whose row is there, with what seals for it here.
    pub fn new(importing: &'a Importing<'a>, cx: &'a Cx, (tenant, sealer): (TenantId, Sealer)) -> Self {
        Self { importing, cx, tenant, sealer, people: People::default(), rows: 0 }
    }

    /// Writes every part; returns the digest of the archive.
    pub async fn parts<R: BufRead>(
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
        let what = format!("{name}: a row has what another has that is here, or names one that is not here");
        tx.batch_of(calls).await.map_err(|error| error.if_taken(&what))?;
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
            let password = people::password(lines, row)?;
            // What was proven to the other deployment has not been proven to this one.
            let arguments = [
                value("id")?,
                value("status")?,
                value("email")?,
                people::key_of(email)?.into(),
                false.into(),
                value("profile")?,
                password.into(),
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
