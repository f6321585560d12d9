//! `svc-runtime keys`: shows the signing keys, and replaces one on demand.

use clap::{Subcommand, ValueEnum};
use svc_config::Config;
use svc_core::TenantRef;
use svc_core::{Actor, Clock as _, Cx, Seconds, SystemClock};
use svc_db::Db;
use svc_domain::keys::signing_keys::{Keys, Line, Rotation, StoredKey, stored};
use svc_domain::tenancy::tenants;
use svc_keys::{Algorithm, SystemEntropy};

use crate::failure::Failure;
use crate::{database, keyring, terminal};

/// Shown under `svc-runtime keys --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime keys list                                    the keys that are published, and when each signs
  svc-runtime keys rotate                                  announce new keys today, sign with them tomorrow
  svc-runtime keys rotate --algorithm es256 --in 5         sign with a new key in five seconds
  svc-runtime keys rotate --algorithm es256 --in 5 --withdraw
                                                           after a leak: what the old key has signed ends with it
  svc-runtime keys rotate --tenant acme                    the same for a tenant with keys of its own
  svc-runtime keys withdraw KID                            at once: another key signs, what this one has signed ends

Keys are replaced automatically after jwt.key_rotation_days.";

/// What to do with the signing keys.
#[derive(Clone, Debug, Subcommand)]
pub enum KeysCommand {
    /// Show the published keys.
    List,
    /// Replace a key: publish the new one now, sign with it after a while.
    Rotate {
        /// The algorithm whose key is replaced; by default each.
        #[arg(long, value_enum)]
        algorithm: Option<Signs>,
        /// The slug of a tenant with keys of its own; without it the keys of all others are replaced.
        #[arg(long, value_name = "SLUG")]
        tenant: Option<String>,
        /// Seconds until the new key signs; verifiers that keep the key set need to have read it again by then.
        #[arg(long = "in", default_value_t = 86_400, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(5..=2_592_000))]
        delay: u32,
        /// Take the old key out of the key set at that time, so that every token that it signed ends.
        #[arg(long)]
        withdraw: bool,
    },
    /// Withdraw a key at once, after a leak: another one signs, and every token that this one signed ends.
    Withdraw {
        /// The id of the key.
        kid: String,
    },
}

/// An algorithm that the deployment signs with.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Signs {
    /// ECDSA on P-256
    Es256,
    /// Ed25519
    Eddsa,
    /// RSA PKCS #1 v1.5
    Rs256,
}

impl From<Signs> for Algorithm {
    fn from(chosen: Signs) -> Self {
        match chosen {
            Signs::Es256 => Self::Es256,
            Signs::Eddsa => Self::EdDsa,
            Signs::Rs256 => Self::Rs256,
        }
    }
}

/// Does it on the configured database.
pub async fn run(command: KeysCommand, config: &Config) -> Result<(), Failure> {
    let db = database::open_for_command(config).await?;
    let cx = Cx {
        now: SystemClock.now(),
        entropy: std::sync::Arc::new(SystemEntropy),
        actor: Actor::Operator("svc-runtime keys".to_owned()),
        request_id: "keys".to_owned(),
        client_ip: None,
    };
    if !matches!(command, KeysCommand::List) {
        let held = keyring::open(config, &db, false).await?;
        let keys = Keys::start(&db, &cx, config, held.management()).await?;
        change(&keys, command, &db, &cx).await?;
    }
    let stored = stored(&db, cx.now).await?;
    db.close().await;
    terminal::say(&stored.iter().map(line).collect::<Vec<_>>().join("\n"));
    Ok(())
}

async fn change(keys: &Keys, command: KeysCommand, db: &Db, cx: &Cx) -> Result<(), Failure> {
    match command {
        KeysCommand::List => Ok(()),
        KeysCommand::Withdraw { kid } => Ok(keys.withdraw(db, cx, &kid).await?),
        KeysCommand::Rotate { algorithm, tenant, delay, withdraw } => {
            let tenant = named(db, tenant.as_deref()).await?;
            let rotation = Rotation { signs_from: cx.now + Seconds(i64::from(delay)), withdraws: withdraw };
            let chosen = algorithm.map_or_else(|| Algorithm::SIGNING.to_vec(), |one| vec![one.into()]);
            for algorithm in chosen {
                keys.replace(db, cx, Line { tenant, algorithm }, rotation).await?;
            }
            Ok(())
        }
    }
}

async fn named(db: &Db, slug: Option<&str>) -> Result<Option<TenantRef>, Failure> {
    let Some(slug) = slug else { return Ok(None) };
    let found = tenants::find_by_slug(&mut db.read_system().await?, slug).await?;
    let found = found.ok_or_else(|| Failure::new(format!("--tenant: there is no tenant {slug}")))?;
    Ok(Some(found.reference()))
}

fn line(key: &StoredKey) -> String {
    let until = key.expires_at.map_or_else(String::new, |end| format!("  published until {end}"));
    let of = key.line.tenant.map_or_else(String::new, |tenant| format!("  for {tenant}"));
    format!("{:<6} {}  signs from {}{until}{of}", key.line.algorithm.name(), key.kid, key.signs_from)
}
