//! Whose account is whose: an archive brings new accounts, which the tenant manages, and never one that is here already.

use std::collections::HashMap;

use svc_core::{AccountId, Error, Result, TenantRef};
use svc_db::{System, Tx, Value, args, system_sql};
use svc_keys::password::foreign::ForeignHash;

use super::accounts::{ACCOUNT, ACCOUNTS, CREDENTIAL, CREDENTIALS};
use super::lines::{Lines, maybe_bytes, maybe_text, text};
use super::table::Column;
use crate::claims::profile::Profile;
use crate::document;
use crate::people::accounts::Email;
use crate::people::imports;

/// The accounts of an archive that were seen so far.
#[derive(Default)]
pub(super) struct People {
    /// By their id in the archive: those of people who have an account here, and which that is.
    known: HashMap<AccountId, Option<AccountId>>,
}

/// What becomes of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is made.
    New,
    /// Its owner has one here, and is asked.
    Linked,
    /// It has the id of an account here.
    Taken,
}

/// A credential as it is found here.
pub(super) struct Moved {
    pub values: Vec<Value>,
    pub id: String,
    kind: String,
    lookup: Option<Vec<u8>>,
}

impl People {
    /// What becomes of accounts, in their order.
    pub async fn look(
        &mut self,
        tx: &mut Tx<System>,
        lines: &Lines,
        rows: &[Vec<Value>],
    ) -> Result<Vec<Fate>> {
        let (id, email) = (lines.place("id")?, lines.place("email")?);
        let mut calls = Vec::with_capacity(2 * rows.len());
        for row in rows {
            let key = key_of(maybe_text(row, email)?).map_err(|error| lines.within(&error))?;
            admit(lines, row)?;
            let by_id = system_sql!("SELECT id FROM accounts WHERE id = $1");
            let by_address = system_sql!("SELECT id FROM accounts WHERE email_key = $1");
            calls.push(tx.call(by_id, args![text(row, id)?]));
            calls.push(tx.call(by_address, args![key]));
        }
        let found = tx.batch_of(calls).await?;
        let mut fates = Vec::with_capacity(rows.len());
        for (row, found) in rows.iter().zip(found.chunks(2)) {
            let own: AccountId = text(row, id)?.parse().map_err(|_| misnamed(ACCOUNTS))?;
            let here = |at: usize| found.get(at).and_then(|rows| rows.first());
            let linked: Option<AccountId> = here(1).map(|row| row.parse("id")).transpose()?;
            fates.push(match (linked, here(0)) {
                (Some(_), _) => Fate::Linked,
                (None, Some(_)) => Fate::Taken,
                (None, None) => Fate::New,
            });
            if self.known.insert(own, linked).is_some() {
                return Err(Error::bad_request(format!("{ACCOUNTS}: {own} is there twice")));
            }
        }
        Ok(fates)
    }

    /// A credential, unless its account is here already and keeps its own.
    pub fn credential(
        &self,
        tenant: TenantRef,
        lines: &Lines,
        mut values: Vec<Value>,
    ) -> Result<Option<Moved>> {
        let account = self.account(CREDENTIALS, text(&values, lines.place("account_id")?)?)?;
        if account.is_some() {
            return Ok(None);
        }
        let (kind, document) = (lines.place("kind")?, lines.place("document")?);
        let lookup = lines.place("lookup")?;
        let said = (text(&values, kind)?, maybe_bytes(&values, lookup)?);
        let moved = imports::moved(tenant, said, text(&values, document)?);
        let (found_by, written) = moved.map_err(|error| lines.within(&error))?;
        let id = text(&values, lines.place("id")?)?.to_owned();
        let kind = text(&values, kind)?.to_owned();
        if let Some(place) = values.get_mut(lookup) {
            *place = Value::Bytes(found_by.clone());
        }
        if let Some(place) = values.get_mut(document) {
            *place = written.into();
        }
        Ok(Some(Moved { values, id, kind, lookup: found_by }))
    }

    /// Makes a membership one of the account that its person has here, where they have one: it waits for its owner. Returns who
    /// cannot wait, because they are suspended.
    pub fn membership(&self, lines: &Lines, values: &mut [Value]) -> Result<Option<String>> {
        let (account, status) = (lines.place("account_id")?, lines.place("status")?);
        let Some(here) = self.account("tenant_users", text(values, account)?)? else { return Ok(None) };
        if let Some(place) = values.get_mut(account) {
            *place = here.into();
        }
        match text(values, status)? {
            "removed" => return Ok(None),
            "suspended" => return Ok(Some(text(values, lines.place("id")?)?.to_owned())),
            _ => {}
        }
        if let Some(place) = values.get_mut(status) {
            *place = "pre_provisioned".into();
        }
        Ok(None)
    }

    /// The account here of one of the archive; one that the archive does not have is refused, because it may be anybody's.
    fn account(&self, part: &str, id: &str) -> Result<Option<AccountId>> {
        let known = id.parse().ok().and_then(|id: AccountId| self.known.get(&id).copied());
        known.ok_or_else(|| Error::bad_request(format!("{part}: {id} is no account of the archive")))
    }
}

/// The credentials that cannot be brought, because one here has the same id or is found by the same.
pub(super) async fn taken(tx: &mut Tx<System>, moved: &[Moved]) -> Result<Vec<String>> {
    let mut calls = Vec::with_capacity(moved.len());
    for one in moved {
        let select =
            system_sql!("SELECT id FROM account_credentials WHERE id = $1 OR (kind = $2 AND lookup = $3)");
        calls.push(tx.call(select, args![&one.id, &one.kind, one.lookup.clone()]));
    }
    let found = tx.batch_of(calls).await?;
    let taken = moved.iter().zip(found).filter(|(_, rows)| !rows.is_empty());
    Ok(taken.map(|(one, _)| one.id.clone()).collect())
}

/// The one form under which an address is unique. What an archive says of it is not believed.
pub(super) fn key_of(email: Option<&str>) -> Result<Option<String>> {
    email.map(|email| Email::parse(email).map(|email| email.key())).transpose()
}

/// Refuses what no account can have.
fn admit(lines: &Lines, row: &[Value]) -> Result<()> {
    let unfit = |what: &str| Err(lines.within(&Error::bad_request(what)));
    if !["active", "disabled"].contains(&text(row, lines.place("status")?)?) {
        return unfit("status: expected active or disabled");
    }
    if document::read::<Profile>(text(row, lines.place("profile")?)?).is_err() {
        return unfit("profile: it cannot be read by this version");
    }
    password(lines, row).map(drop)
}

/// The hash of the password, by the rules of every import: one that would take the memory of a node is refused.
pub(super) fn password(lines: &Lines, row: &[Value]) -> Result<Option<String>> {
    let hash = maybe_text(row, lines.place("password")?)?.map(ForeignHash::parse).transpose();
    let hash = hash.map_err(|error| Error::bad_request(format!("password: {}", error.detail())));
    Ok(hash.map_err(|error| lines.within(&error))?.map(|hash| hash.as_str().to_owned()))
}

/// The columns of a part that is not a table of the tenant's alone.
pub(super) fn columns(part: &str) -> Option<&'static [Column]> {
    match part {
        ACCOUNTS => Some(ACCOUNT),
        CREDENTIALS => Some(CREDENTIAL),
        _ => None,
    }
}

fn misnamed(part: &str) -> Error {
    Error::bad_request(format!("{part}: an id is none of this kind"))
}
