//! `svc-runtime tenant export`.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use serde_json::json;
use svc_config::Config;
use svc_core::{Cx, Entropy, Secret};
use svc_db::Db;
use svc_domain::archive::CARRIED;
use svc_domain::archive::{ArchiveKey, Exported, Exporting, export, needs_secrets};
use svc_domain::keys::tenant_keys::TenantSealers;
use svc_domain::tenancy::tenants::{self, Tenant, Tenants};
use svc_keys::passphrase::Stretching;
use svc_keys::{Custody, Purpose, hex};

use super::{ExportOptions, cx, key, passphrase};
use crate::failure::Failure;
use crate::{keyring, terminal};

/// Rows between two words about a table.
const OFTEN: u64 = 10_000;

/// An archive that was written.
#[derive(Debug)]
pub struct Written {
    /// Its id.
    pub id: String,
    /// What is in it.
    pub exported: Exported,
}

pub(super) async fn run(options: &ExportOptions, config: &Config, db: &Db) -> Result<String, Failure> {
    let secret = options.passphrase_file.as_deref().map(passphrase).transpose()?;
    let tenant = find(config, db, &options.tenant).await?;
    let custody = keyring::open(config, db, keyring::may_create(config)).await?;
    let file = created(&options.out)?;
    let chosen = (secret.as_ref().map(Secret::expose), options.without_secrets);
    let written = write(db, &custody, (&tenant, &cx()), chosen, BufWriter::new(&file)).await;
    let synced = written.and_then(|written| {
        file.sync_all().map_err(|error| unwritable(&options.out, &error))?;
        Ok(written)
    });
    if synced.is_err() {
        // A part of an archive is none.
        let _ = std::fs::remove_file(&options.out);
    }
    Ok(said(options, &tenant, &synced?))
}

/// Writes the archive of a tenant. Without a passphrase, secrets must be given up.
pub async fn write<W: Write>(
    db: &Db,
    custody: &Custody,
    (tenant, cx): (&Tenant, &Cx),
    (passphrase, without_secrets): (Option<&str>, bool),
    out: W,
) -> Result<Written, Failure> {
    if passphrase.is_none() && !without_secrets {
        return Err(Failure::new(format!(
            "--passphrase-file: name a file with a passphrase, under which secrets are sealed; or pass --without-secrets, and \
             do without {}",
            left_out()
        )));
    }
    let id = fresh_id(&*cx.entropy);
    let stretching = Stretching::fresh(&*cx.entropy);
    let key: Option<ArchiveKey> = passphrase.map(|secret| key(&stretching, secret, &id)).transpose()?;
    let accounts = custody.keyring().sealer(Purpose::Credentials);
    let sealers = TenantSealers::new(db.clone(), custody);
    let sealer = sealers.existing(tenant.id, Purpose::Credentials, cx).await?;
    let exporting = Exporting {
        db,
        tenant,
        sealer: sealer.as_ref().unwrap_or(&accounts),
        accounts: &accounts,
        key: key.as_ref().map(|key| (&stretching, key)),
        id: &id,
        has_secrets: !without_secrets,
    };
    let exported = export(&exporting, cx, out, &mut progress("wrote")).await?;
    Ok(Written { id, exported })
}

/// Tells of long tables.
pub(super) fn progress(verb: &'static str) -> impl FnMut(&str, u64) + Send {
    let mut told = (String::new(), 0);
    move |table, rows| {
        if told.0 != table {
            told = (table.to_owned(), 0);
        }
        if rows >= told.1 + OFTEN {
            told.1 = rows;
            terminal::complain(&format!("{verb} {rows} rows of {table}"));
        }
    }
}

async fn find(config: &Config, db: &Db, named: &str) -> Result<std::sync::Arc<Tenant>, Failure> {
    let mut tx = db.read_system().await?;
    let id = tenants::find_named(&mut tx, named).await?;
    let id = id.ok_or_else(|| Failure::new(format!("--tenant: there is no tenant {named:?}")))?;
    Ok(Tenants::new(db.clone(), config)?.read(&mut tx, id).await?)
}

fn fresh_id(entropy: &dyn Entropy) -> String {
    let mut id = [0; 16];
    entropy.fill(&mut id);
    hex(id)
}

/// A file that was not there; one that exists is not touched.
fn created(path: &Path) -> Result<File, Failure> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    made.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("--out {}: {error}", path.display()))
}

/// What an archive without secrets does not have.
fn left_out() -> String {
    let tables: Vec<_> =
        CARRIED.iter().map(|table| table.name).filter(|table| needs_secrets(table)).collect();
    format!(
        "{}, secrets of SSO connections, connectors and signal streams, and apps for one-time codes",
        tables.join(", ")
    )
}

fn said(options: &ExportOptions, tenant: &Tenant, written: &Written) -> String {
    let Written { id, exported } = written;
    let rows: u64 = exported.parts.iter().map(|part| part.rows).sum();
    let without = exported.without_credentials;
    if options.json {
        return json!({
            "archive": id, "tenant": tenant.id.to_string(), "slug": tenant.slug, "file": options.out,
            "sha256": exported.digest, "rows": rows, "parts": exported.parts, "secrets": !options.without_secrets,
            "accounts_without_credentials": without,
        })
        .to_string();
    }
    let mut lines = vec![format!(
        "{}: archive {id} of tenant {} with {rows} rows, SHA-256 of its manifest {}",
        options.out.display(),
        tenant.slug,
        exported.digest
    )];
    if without > 0 {
        lines.push(format!(
            "{without} people have no password and no factors in it, because their accounts open other tenants too"
        ));
    }
    if options.without_secrets {
        lines.push(format!("not in it: {}", left_out()));
    }
    lines.join("\n")
}
