//! The credentials of the demo: made at the first start and kept in the data directory, so that restarts show the same.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use svc_core::Entropy;

use crate::failure::Failure;

/// What is kept.
#[derive(Debug, Serialize, Deserialize)]
pub struct Secrets {
    /// The password of `admin`.
    pub admin_password: String,
    /// The password of `ada`.
    pub user_password: String,
    /// The secret of the application `web`.
    pub web_secret: String,
    /// The secret of the application `service`.
    pub service_secret: String,
    /// The secret of the application `admin-cli`; a folder of an earlier version has none.
    #[serde(default)]
    pub admin_cli_secret: String,
}

const FILE: &str = "dev.json";
/// Words that are easily distinguished, read and typed.
const WORDS: &[&str; 64] = &[
    "acorn", "amber", "anchor", "apple", "arrow", "autumn", "badger", "bamboo", "barley", "beacon", "birch",
    "bottle", "bridge", "bronze", "canyon", "cedar", "cherry", "clover", "cobalt", "copper", "coral",
    "cotton", "crystal", "dahlia", "ember", "falcon", "feather", "garnet", "ginger", "granite", "harbour",
    "hazel", "heron", "indigo", "island", "ivory", "jasmine", "juniper", "kestrel", "lantern", "lemon",
    "lilac", "maple", "marble", "meadow", "mint", "nutmeg", "olive", "orchid", "otter", "pebble", "pepper",
    "quartz", "raven", "river", "saffron", "silver", "spruce", "thistle", "timber", "velvet", "violet",
    "walnut", "willow",
];

/// The credentials of this data directory.
pub fn kept_in(data_dir: &Path, entropy: &dyn Entropy) -> Result<Secrets, Failure> {
    let path = data_dir.join(FILE);
    let wrong = |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", path.display()));
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let mut kept: Secrets = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
            if kept.admin_cli_secret.is_empty() {
                kept.admin_cli_secret = svc_keys::prefixed_token("svc_cs_", entropy);
                kept.write(&path).map_err(|error| wrong(&error))?;
            }
            Ok(kept)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let secrets = Secrets::new(entropy);
            secrets.write(&path).map_err(|error| wrong(&error))?;
            Ok(secrets)
        }
        Err(error) => Err(wrong(&error)),
    }
}

impl Secrets {
    fn write(&self, path: &Path) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
    }

    fn new(entropy: &dyn Entropy) -> Self {
        Self {
            admin_password: phrase(entropy),
            user_password: phrase(entropy),
            web_secret: svc_keys::prefixed_token("svc_cs_", entropy),
            service_secret: svc_keys::prefixed_token("svc_cs_", entropy),
            admin_cli_secret: svc_keys::prefixed_token("svc_cs_", entropy),
        }
    }
}

/// Five words: 30 bits, enough behind a lockout on one machine.
fn phrase(entropy: &dyn Entropy) -> String {
    let mut random = [0; 5];
    entropy.fill(&mut random);
    let word = |byte: &u8| WORDS.get(usize::from(byte % 64)).copied().unwrap_or_default();
    random.iter().map(word).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use svc_core::{Secret, SeededEntropy};

    use super::*;

    #[test]
    fn a_restart_shows_the_same_credentials_and_only_the_owner_may_read_them() {
        let folder = tempfile::tempdir().unwrap();
        let first = kept_in(folder.path(), &SeededEntropy::new(1)).unwrap();
        let second = kept_in(folder.path(), &SeededEntropy::new(2)).unwrap();
        assert_eq!(first.admin_password, second.admin_password);
        let mode = folder.path().join(FILE).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn generated_passwords_satisfy_our_own_rules() {
        for seed in 0..50 {
            let password = phrase(&SeededEntropy::new(seed));
            svc_domain::people::passwords::check(&Secret::new(password), &["ada", "admin"]).unwrap();
        }
    }
}
