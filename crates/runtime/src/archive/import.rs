//! `svc-runtime tenant import`.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::json;
use svc_config::Config;
use svc_core::{Clock, Cx, Secret, SystemClock};
use svc_db::Db;
use svc_domain::archive::{Checked, Imported, Importing, Reader, check, import};
use svc_domain::keys::tenant_keys::TenantSealers;
use svc_domain::tenancy::tenants::Tenants;
use svc_keys::{Custody, Purpose};

use super::export::progress;
use super::{ImportOptions, cx, key_of, passphrase};
use crate::failure::Failure;
use crate::{keyring, preflight, terminal};

/// The deployment that a tenant is brought into.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    /// Its configuration.
    pub config: &'a Config,
    /// Its database.
    pub db: &'a Db,
    /// Its keys.
    pub custody: &'a Custody,
    /// Its clock.
    pub clock: &'a dyn Clock,
}

pub(super) async fn run(options: &ImportOptions, config: &Config, db: &Db) -> Result<String, Failure> {
    let secret = options.passphrase_file.as_deref().map(passphrase).transpose()?;
    let custody = keyring::open(config, db, keyring::may_create(config)).await?;
    let here = Here { config, db, custody: &custody, clock: &SystemClock };
    let secret = secret.as_ref().map(Secret::expose);
    let brought = bring(here, &cx(), options, secret, || opened(&options.file)).await;
    let (checked, imported) = brought?;
    Ok(said(options, &checked, &imported))
}

/// Reads an archive twice: to see whether it is whole and what stands in its way, and to bring what is in it.
pub async fn bring<R: BufRead>(
    here: Here<'_>,
    cx: &Cx,
    options: &ImportOptions,
    passphrase: Option<&str>,
    open: impl Fn() -> Result<R, Failure>,
) -> Result<(Checked, Imported), Failure> {
    let Here { config, db, custody, clock } = here;
    let mut reader = Reader::open(open()?)?;
    let key = key_of(reader.heading(), passphrase)?;
    if key.is_none() {
        terminal::complain("the archive has no passphrase: nothing proves who wrote it");
    }
    let checked = check(db, (&mut reader, key.as_ref()), options.slug.as_deref()).await?;
    preflight::admit_domains(config, checked.tenant.custom_domain.as_deref().into_iter())?;
    let accounts = custody.keyring().sealer(Purpose::Credentials);
    let importing = Importing {
        config,
        db,
        tenants: &Tenants::new(db.clone(), config)?,
        sealers: &TenantSealers::new(db.clone(), custody),
        clock,
        accounts: &accounts,
        key: key.as_ref(),
        scopes: &svc_control::scopes(),
        is_active: !options.suspended,
        accepts_issuer: options.slug.is_some(),
        dry_run: options.dry_run,
    };
    let mut reader = Reader::open(open()?)?;
    let imported = import(&importing, cx, (&mut reader, &checked), &mut progress("brought")).await?;
    Ok((checked, imported))
}

fn opened(path: &Path) -> Result<BufReader<File>, Failure> {
    let file = File::open(path);
    let file = file.map_err(|error| Failure::new(format!("--in {}: {error}", path.display())))?;
    Ok(BufReader::new(file))
}

fn said(options: &ImportOptions, checked: &Checked, imported: &Imported) -> String {
    let (slug, linked) = (&checked.tenant.slug, checked.linked);
    if options.json {
        return json!({
            "tenant": imported.id.to_string(), "slug": slug, "issuer": imported.issuer, "sha256": checked.digest,
            "rows": imported.rows, "people": checked.people, "linked": linked, "suspended": options.suspended,
            "dry_run": options.dry_run, "warnings": imported.warnings,
        })
        .to_string();
    }
    let mut lines = vec![format!(
        "tenant {slug}: {} rows, {} people, at {}; SHA-256 of the archive's manifest {}",
        imported.rows, checked.people, imported.issuer, checked.digest
    )];
    if linked > 0 {
        lines.push(format!(
            "{linked} people have an account here already: they keep it, and become members when they sign in and agree"
        ));
    }
    lines.extend(imported.warnings.iter().map(|warning| format!("to mend: {warning}")));
    if options.dry_run {
        lines.push("nothing was changed".to_owned());
    }
    lines.join("\n")
}
