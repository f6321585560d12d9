//! Reads an archive from its beginning to its end and says what stands in the way of it, before anything is written.

use std::io::BufRead;

use svc_core::{Error, Result};
use svc_db::{Db, System, Tx, Value, args, system_sql};
use svc_keys::base64url;

use super::accounts::{ACCOUNTS, CREDENTIALS};
use super::key::ArchiveKey;
use super::lines::{Lines, maybe_bytes, maybe_int, maybe_text, newer, text};
use super::people::{self, Fate, People};
use super::reader::{Next, Reader};
use super::table::{Column, TEXT};
use super::tables::{CARRIED, RECORDS};
use super::tenant::{Brought, TENANT, TENANTS};
use super::{PAGE, SIGNING_KEYS};

/// Most conflicts that are reported one by one.
const MOST_TOLD: usize = 100;

/// What an archive has, and what stands in its way.
#[derive(Debug)]
pub struct Checked {
    /// The tenant.
    pub tenant: Brought,
    /// The digest of the archive.
    pub digest: String,
    /// How many accounts it has.
    pub people: u64,
    /// How many of their owners have an account here already.
    pub linked: u64,
    /// How many rows it has in all.
    pub rows: u64,
    /// Where the audit log ended that is in it: position and hash.
    pub audit: Option<(i64, String)>,
    /// What stands in the way, the first hundred.
    pub conflicts: Vec<String>,
}

const SIGNING_KEY: &[Column] = &[
    Column { name: "kid", of: TEXT },
    Column { name: "algorithm", of: TEXT },
    Column { name: "public_jwk", of: TEXT },
];

#[derive(Default)]
struct Findings {
    tenant: Option<Brought>,
    people: People,
    accounts: u64,
    linked: u64,
    rows: u64,
    audit: Option<(i64, String)>,
    conflicts: Vec<String>,
}

/// Reads the whole archive, for a tenant that is to have this slug here, or the one that it had.
pub async fn check<R: BufRead>(
    db: &Db,
    (reader, key): (&mut Reader<R>, Option<&ArchiveKey>),
    slug: Option<&str>,
) -> Result<Checked> {
    let written_by = reader.heading().schema;
    let (mut found, mut tx) = (Findings::default(), db.read_system().await?);
    let digest = loop {
        match reader.next(key)? {
            Next::Part { name, columns } => {
                let known =
                    columns_of(&name).ok_or_else(|| newer(&format!("the table {name}"), written_by))?;
                let lines = Lines::new((&name, known), &columns, written_by)?;
                found.part(&mut tx, (&name, &lines), (reader, key)).await?;
            }
            Next::Over { digest } => break digest,
            Next::Row(_) | Next::End => return Err(Error::internal("a row of no part")),
        }
    };
    if let (Some(tenant), Some(slug)) = (&mut found.tenant, slug) {
        slug.clone_into(&mut tenant.slug);
        tenant.check()?;
    }
    found.finish(&mut tx, digest, &reader.heading().tenant.id.to_string()).await
}

/// The columns of a part, where this version knows it.
pub(super) fn columns_of(part: &str) -> Option<&'static [Column]> {
    match part {
        TENANTS => Some(TENANT),
        SIGNING_KEYS => Some(SIGNING_KEY),
        part => {
            let table = CARRIED.iter().chain(RECORDS).find(|table| table.name == part);
            people::columns(part).or_else(|| table.map(|table| table.columns))
        }
    }
}

/// The next rows of a part, some at a time; none where it has ended.
pub(super) fn rows<R: BufRead>(
    reader: &mut Reader<R>,
    key: Option<&ArchiveKey>,
    lines: &Lines,
) -> Result<Option<Vec<Vec<Value>>>> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    // Few, and few bytes: what is held of an archive does not grow with it.
    while rows.len() < PAGE as usize && bytes < super::LONGEST_LINE {
        match reader.next(key)? {
            Next::Row(row) => {
                let values = lines.values(&row)?;
                bytes += values.iter().map(size).sum::<usize>();
                rows.push(values);
            }
            Next::End if rows.is_empty() => return Ok(None),
            Next::End => {
                reader.put_back_end();
                return Ok(Some(rows));
            }
            Next::Part { .. } | Next::Over { .. } => return Err(Error::internal("a part that does not end")),
        }
    }
    Ok(Some(rows))
}

fn size(value: &Value) -> usize {
    match value {
        Value::Text(Some(text)) => text.len(),
        Value::Bytes(Some(bytes)) => bytes.len(),
        _ => 8,
    }
}

impl Findings {
    async fn part<R: BufRead>(
        &mut self,
        tx: &mut Tx<System>,
        (name, lines): (&str, &Lines),
        (reader, key): (&mut Reader<R>, Option<&ArchiveKey>),
    ) -> Result<()> {
        while let Some(rows) = rows(reader, key, lines)? {
            self.rows += rows.len() as u64;
            match name {
                TENANTS => self.tenant(lines, &rows)?,
                ACCOUNTS => self.accounts(tx, lines, &rows).await?,
                CREDENTIALS => self.credentials(tx, lines, rows).await?,
                "tenant_users" => self.memberships(lines, rows)?,
                "audit_chains" => self.audit(lines, &rows)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn tenant(&mut self, lines: &Lines, rows: &[Vec<Value>]) -> Result<()> {
        let ([row], None) = (rows, &self.tenant) else {
            return Err(Error::bad_request("tenants: an archive has one tenant"));
        };
        let of = |name: &str| text(row, lines.place(name)?).map(str::to_owned);
        let maybe = |name: &str| Ok::<_, Error>(maybe_text(row, lines.place(name)?)?.map(str::to_owned));
        let number = |name: &str| maybe_int(row, lines.place(name)?);
        let tenant = Brought {
            id: of("id")?
                .parse()
                .map_err(|_| Error::bad_request("tenants: id: expected the id of a tenant"))?,
            slug: of("slug")?,
            name: of("name")?,
            custom_domain: maybe("custom_domain")?,
            settings: of("settings")?,
            texts: maybe("texts")?,
            own_keys_wanted_at: number("own_keys_wanted_at")?,
            created_at: number("created_at")?.unwrap_or_default(),
            version: number("version")?.unwrap_or_default(),
        };
        tenant.check()?;
        self.tenant = Some(tenant);
        Ok(())
    }

    async fn accounts(&mut self, tx: &mut Tx<System>, lines: &Lines, rows: &[Vec<Value>]) -> Result<()> {
        let fates = self.people.look(tx, lines, rows).await?;
        let id = lines.place("id")?;
        for (row, fate) in rows.iter().zip(fates) {
            self.accounts += 1;
            match fate {
                Fate::New => {}
                Fate::Linked => self.linked += 1,
                Fate::Taken => {
                    let id = text(row, id)?.to_owned();
                    self.note(format!("account {id}: an account of another address has this id here"));
                }
            }
        }
        Ok(())
    }

    async fn credentials(&mut self, tx: &mut Tx<System>, lines: &Lines, rows: Vec<Vec<Value>>) -> Result<()> {
        let tenant = self.tenant.as_ref().ok_or_else(without_tenant)?.id;
        let moved = rows.into_iter().map(|row| self.people.credential(tenant, lines, row));
        let moved: Vec<_> = moved.filter_map(Result::transpose).collect::<Result<_>>()?;
        for id in people::taken(tx, &moved).await? {
            self.note(format!("credential {id}: another account has it here"));
        }
        Ok(())
    }

    fn memberships(&mut self, lines: &Lines, rows: Vec<Vec<Value>>) -> Result<()> {
        for mut row in rows {
            if let Some(id) = self.people.membership(lines, &mut row)? {
                self.note(format!(
                    "tenant user {id}: suspended, and has an account here already; reactivate or remove them before the export"
                ));
            }
        }
        Ok(())
    }

    fn audit(&mut self, lines: &Lines, rows: &[Vec<Value>]) -> Result<()> {
        let Some(row) = rows.first() else { return Ok(()) };
        let last = maybe_int(row, lines.place("last")?)?.unwrap_or_default();
        let hash = maybe_bytes(row, lines.place("last_hash")?)?.unwrap_or_default();
        self.audit = Some((last, base64url(hash)));
        Ok(())
    }

    async fn finish(mut self, tx: &mut Tx<System>, digest: String, heading: &str) -> Result<Checked> {
        let tenant = self.tenant.take().ok_or_else(without_tenant)?;
        if tenant.id.to_string() != heading {
            return Err(Error::bad_request("tenants: the heading names another tenant"));
        }
        let select = system_sql!("SELECT slug, deleted_at FROM tenants WHERE id = $1");
        if let Some(row) = tx.optional(select, args![tenant.id]).await? {
            let slug = row.text("slug")?;
            self.note(match row.maybe_time("deleted_at")? {
                Some(_) => {
                    format!("tenant {}: it was here and was deleted; its id is not given again", tenant.id)
                }
                None => format!("tenant {}: it is here already, as {slug:?}", tenant.id),
            });
        }
        for taken in names(tx, &tenant).await? {
            self.note(taken);
        }
        Ok(Checked {
            tenant,
            digest,
            people: self.accounts,
            linked: self.linked,
            rows: self.rows,
            audit: self.audit,
            conflicts: self.conflicts,
        })
    }

    fn note(&mut self, conflict: String) {
        if self.conflicts.len() < MOST_TOLD {
            self.conflicts.push(conflict);
        }
    }
}

fn without_tenant() -> Error {
    Error::bad_request("tenants: the archive has no tenant")
}

/// Refuses names that another tenant has here.
async fn names(tx: &mut Tx<System>, tenant: &Brought) -> Result<Vec<String>> {
    let by_slug = system_sql!("SELECT id FROM tenants WHERE slug = $1");
    let by_domain = system_sql!("SELECT id FROM tenants WHERE custom_domain = $1");
    let calls =
        [tx.call(by_slug, args![&tenant.slug]), tx.call(by_domain, args![tenant.custom_domain.clone()])];
    let [slugs, domains] = tx.batch(calls).await?;
    let mut taken = Vec::new();
    if !slugs.is_empty() {
        taken.push(format!("slug {:?}: another tenant has it here; give another one by --as", tenant.slug));
    }
    if !domains.is_empty() {
        let domain = tenant.custom_domain.as_deref().unwrap_or_default();
        taken.push(format!("custom domain {domain:?}: another tenant has it here"));
    }
    Ok(taken)
}
