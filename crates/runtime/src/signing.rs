//! `svc-runtime keys`: shows the signing keys, and replaces one on demand.

use clap::{Subcommand, ValueEnum};
use svc_config::Config;
use svc_core::{Actor, Clock as _, Cx, Seconds, SystemClock};
use svc_domain::keys::signing_keys::{self, Keys, Rotation, StoredKey};
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

Keys are replaced by themselves after jwt.key_rotation_days.";

/// What to do with the signing keys.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum KeysCommand {
    /// Show the published keys.
    List,
    /// Replace a key: publish the new one now, sign with it after a while.
    Rotate {
        /// The algorithm whose key is replaced; by default each.
        #[arg(long, value_enum)]
        algorithm: Option<Signs>,
        /// Seconds until the new key signs; verifiers that keep the key set need to have read it again by then.
        #[arg(long = "in", default_value_t = 86_400, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(5..=2_592_000))]
        delay: u32,
        /// Take the old key out of the key set at that time, so that every token that it signed ends.
        #[arg(long)]
        withdraw: bool,
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
    let db = database::open(config)?;
    database::schema_state(&db, config).await?;
    let cx = Cx {
        now: SystemClock.now(),
        entropy: std::sync::Arc::new(SystemEntropy),
        actor: Actor::Operator("svc-runtime keys".to_owned()),
        request_id: "keys".to_owned(),
        client_ip: None,
    };
    if let KeysCommand::Rotate { algorithm, delay, withdraw } = command {
        let held = keyring::open(config, &db, false).await?;
        let keys = Keys::start(&db, &cx, config, std::sync::Arc::new(held)).await?;
        let rotation = Rotation { signs_from: cx.now + Seconds(i64::from(delay)), withdraws: withdraw };
        let chosen = algorithm.map_or_else(|| Algorithm::SIGNING.to_vec(), |one| vec![one.into()]);
        for algorithm in chosen {
            keys.replace(&db, &cx, algorithm, rotation).await?;
        }
    }
    let stored = signing_keys::stored(&db, cx.now).await?;
    db.close().await;
    terminal::say(&stored.iter().map(line).collect::<Vec<_>>().join("\n"));
    Ok(())
}

fn line(key: &StoredKey) -> String {
    let until = key.expires_at.map_or_else(String::new, |end| format!("  published until {end}"));
    format!("{:<6} {}  signs from {}{until}", key.algorithm.name(), key.kid, key.signs_from)
}
