//! The certificate of the deployment: one that is given, or one that is made here.

use std::fs;
use std::path::Path;

use svc_config::Config;
use svc_core::Timestamp;
use svc_http::Identity;
use svc_keys::certificate::issuing;

use super::answers::Plan;
use super::folder::Folder;
use crate::failure::Failure;

/// The certificate chain.
pub const CHAIN: &str = "tls/fullchain.pem";
/// Its private key.
pub const KEY: &str = "tls/key.pem";
/// The authority of a certificate that was made here.
pub const AUTHORITY: &str = "tls/ca.pem";

/// Puts chain and key into the directory.
pub fn put(plan: &Plan, folder: &Folder, now: Timestamp) -> Result<(), Failure> {
    folder.make("tls")?;
    if let Some((chain, key)) = &plan.given {
        folder.put(CHAIN, &read("--certificate", chain)?)?;
        return folder.put_secret(KEY, &read("--key", key)?).map(drop);
    }
    let issued = issuing::issue(&plan.names(), now)?;
    folder.put(CHAIN, &issued.certificate)?;
    folder.put(AUTHORITY, &issued.authority)?;
    folder.put_secret(KEY, &issued.key).map(drop)
}

/// Refuses a certificate that clients would refuse: another key's, expired, or of another host.
pub fn check(plan: &Plan, config: &Config, now: Timestamp) -> Result<(), Failure> {
    let identity = Identity::from_config(config, now)?;
    if identity.is_for(&plan.host) {
        return Ok(());
    }
    Err(Failure::new(format!("--certificate: it is not for {}; name one that is", plan.host)))
}

/// A refusal that names the copies in the directory, in the names of the files that were given.
pub fn of_given(plan: &Plan, folder: &Folder, refused: Failure) -> Failure {
    let Some((chain, key)) = &plan.given else { return refused };
    let renamed = |text: String, (copy, given): (&str, &Path)| {
        text.replace(&folder.at(copy).display().to_string(), &given.display().to_string())
    };
    Failure::new(
        [(CHAIN, chain.as_path()), (KEY, key.as_path())].into_iter().fold(refused.to_string(), renamed),
    )
}

fn read(flag: &str, path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{flag}: {} cannot be read: {error}", path.display())))
}
