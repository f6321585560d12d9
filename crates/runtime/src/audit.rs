//! `svc-runtime audit`: proves that the audit log is as it was written, or says where it is not.

use clap::Subcommand;
use svc_config::Config;
use svc_core::{Actor, Clock as _, Cx, SystemClock, TenantRef};
use svc_db::Db;
use svc_domain::keys::signing_keys::Keys;
use svc_domain::log::chain::checkpoints::{self, Claims};
use svc_domain::log::chain::verify::{self, Report};
use svc_keys::SystemEntropy;
use svc_keys::jose::KeyRing;

use crate::failure::Failure;
use crate::{database, keyring, terminal};

/// Shown under `svc-runtime audit --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime audit verify                          the audit log of every tenant, from its first entry to its last
  svc-runtime audit verify --tenant acme            that of one tenant
  svc-runtime audit verify --json                   one JSON document for each tenant, a line each
  svc-runtime audit verify --tenant acme --checkpoint \"$(cat acme-2027-01-15.jws)\"
                                                    and whether it still has what a checkpoint said that you kept

Ends with 0 where all is well, and with 1 where something is wrong; then it names the first position that is wrong, and why.
docs/how-to/audit-log.md says how to verify an export without this program.";

/// What to do with the audit log.
#[derive(Clone, Debug, Subcommand)]
pub enum AuditCommand {
    /// Recompute the chain of each tenant's log, and compare it with its signed checkpoints.
    Verify {
        /// The slug of one tenant; by default all.
        #[arg(long, value_name = "SLUG")]
        tenant: Option<String>,
        /// A checkpoint that was kept elsewhere, as `GET /api/v1/audit/checkpoints` gave it.
        #[arg(long, value_name = "JWS")]
        checkpoint: Option<String>,
        /// Print one JSON document for each tenant.
        #[arg(long)]
        json: bool,
    },
}

/// Does it on the configured database.
pub async fn run(command: &AuditCommand, config: &Config) -> Result<(), Failure> {
    let AuditCommand::Verify { tenant, checkpoint, json } = command;
    let kept = checkpoint.as_deref().map(kept).transpose()?;
    let db = database::open_for_command(config).await?;
    let found = verify_all(config, &db, tenant.as_deref(), kept.as_ref(), *json).await;
    db.close().await;
    match found? {
        0 => Ok(()),
        wrong => Err(Failure::new(format!("the audit log of {wrong} tenant(s) is not as it was written"))),
    }
}

fn kept(jws: &str) -> Result<Claims, Failure> {
    let claims = checkpoints::unverified(jws.trim());
    claims.map_err(|error| Failure::from(error).during("--checkpoint: not a checkpoint of an audit log"))
}

/// Verifies and says what it found; returns in how many logs something is wrong.
async fn verify_all(
    config: &Config,
    db: &Db,
    slug: Option<&str>,
    kept: Option<&Claims>,
    json: bool,
) -> Result<usize, Failure> {
    let ring = own_keys(config, db).await?;
    let tenants = chosen(db, slug, kept).await?;
    let mut wrong = 0;
    for (tenant, slug) in tenants {
        let mut tx = db.read_system().await?;
        let report = verify::chain(&mut tx, &ring, (tenant, SystemClock.now()), kept).await?;
        wrong += usize::from(report.fault.is_some());
        terminal::say(&if json { document(&report, &slug) } else { line(&report, &slug) });
    }
    Ok(wrong)
}

async fn own_keys(config: &Config, db: &Db) -> Result<KeyRing, Failure> {
    let cx = Cx {
        now: SystemClock.now(),
        entropy: std::sync::Arc::new(SystemEntropy),
        actor: Actor::Operator("svc-runtime audit".to_owned()),
        request_id: "audit".to_owned(),
        client_ip: None,
    };
    let held = keyring::open(config, db, false).await?;
    Ok(Keys::start(db, &cx, config, held.management()).await?.proven()?)
}

async fn chosen(
    db: &Db,
    slug: Option<&str>,
    kept: Option<&Claims>,
) -> Result<Vec<(TenantRef, String)>, Failure> {
    let mut tenants = verify::tenants(&mut db.read_system().await?).await?;
    if let Some(slug) = slug {
        tenants.retain(|(_, own)| own == slug);
        if tenants.is_empty() {
            return Err(Failure::new(format!("--tenant: there is no tenant {slug:?}")));
        }
    }
    match kept {
        Some(kept) if tenants.iter().all(|(id, _)| *id != kept.tenant_id) => {
            let whose = kept.tenant_id;
            Err(Failure::new(format!(
                "--checkpoint: it is of another tenant ({whose}); name that one by --tenant"
            )))
        }
        _ => Ok(tenants),
    }
}

fn document(report: &Report, slug: &str) -> String {
    let mut document = serde_json::json!(report);
    if let Some(members) = document.as_object_mut() {
        members.insert("slug".to_owned(), slug.into());
        members.insert("ok".to_owned(), report.fault.is_none().into());
    }
    document.to_string()
}

fn line(report: &Report, slug: &str) -> String {
    if let Some(fault) = &report.fault {
        return format!("tenant {slug}: WRONG at position {}: {}", fault.position, fault.reason);
    }
    let signed = report
        .signed_until
        .map_or_else(|| "no checkpoint yet".to_owned(), |position| format!("signed up to {position}"));
    let waiting = if report.waiting > 0 {
        format!(", {} more wait for their place", report.waiting)
    } else {
        String::new()
    };
    let (first, last) = (report.removed + 1, report.last);
    format!("tenant {slug}: entries {first} to {last} are as they were written, {signed}{waiting}")
}
