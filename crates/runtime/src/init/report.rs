//! What is printed at the end: what to start, and the password of the first operator, once.

use std::path::PathBuf;

use serde_json::json;

use super::answers::Plan;
use super::certificate::{AUTHORITY, CHAIN};
use super::folder::Folder;
use super::sidecar::Sidecar;
use super::units;
use crate::failure::Failure;
use crate::operators::Created;

/// What was made.
pub struct Report {
    dir: PathBuf,
    configuration: PathBuf,
    start: [Vec<String>; 2],
    address: String,
    engine: &'static str,
    ca: String,
    tenant: String,
    user: Option<String>,
}

impl Report {
    /// What a plan has led to.
    pub fn of(plan: &Plan, folder: &Folder, sidecar: &Sidecar) -> Result<Self, Failure> {
        let own = std::env::current_exe();
        let own = own.map_err(|error| Failure::new(format!("this program cannot be found: {error}")))?;
        let configuration = folder.configuration();
        let [own, file] = [&own, &configuration].map(|path| path.display().to_string());
        Ok(Self {
            dir: folder.at("").components().collect(),
            start: [sidecar.serves(), vec![own, "--config".to_owned(), file]],
            address: plan.issuer(),
            engine: if plan.is_postgres() { "PostgreSQL" } else { "SQLite" },
            ca: folder.at(if plan.given.is_none() { AUTHORITY } else { CHAIN }).display().to_string(),
            tenant: plan.tenant.clone(),
            user: plan.user.clone(),
            configuration,
        })
    }

    /// For programs.
    pub fn line(&self, operator: &Created) -> String {
        let Created { username, password, client_id, .. } = operator;
        json!({
            "start": self.start,
            "address": self.address,
            "ca": self.ca,
            "tenant": self.tenant,
            "operator": { "username": username, "password": password.expose(), "client_id": client_id },
        })
        .to_string()
    }

    /// For people.
    pub fn text(&self, operator: &Created) -> String {
        let Self { address, engine, .. } = self;
        let (dir, file) = (self.dir.display(), shell(&self.configuration.display().to_string()));
        // Each by its name: the shell of another user sees nothing in the directory.
        let unit = |name: &str| shell(&self.dir.join(units::FOLDER).join(name).display().to_string());
        let units = ["svc.service", "svc-kms.service"].map(unit).join(" ");
        let user = self.user.as_ref().map(|user| format!(", as the user {user}")).unwrap_or_default();
        let in_shell = |argv: &Vec<String>| argv.iter().map(|word| shell(word)).collect::<Vec<_>>().join(" ");
        let [kms, runtime] = self.start.each_ref().map(in_shell);
        format!(
            "Made {dir}: production mode at {address}, on {engine}.\n\n  \
             operator   {}\n  password   {}    (shown once)\n  client_id  {}    (gets tokens for operators)\n\n\
             Start both{user}:\n  {kms}\n  {runtime}\n\n\
             Or let systemd start them:\n  \
             cp {units} /etc/systemd/system/\n  \
             systemctl daemon-reload && systemctl enable --now svc-kms svc\n\n\
             Then look whether all is well{user}:\n  svc-runtime doctor --config {file}\n\n\
             Keep {dir}/kms/keys.sealed with every backup of the database, and {dir}/kms.passphrase apart from both.",
            operator.username,
            operator.password.expose(),
            operator.client_id,
        )
    }
}

/// A word as a shell takes it.
fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=@%+,".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_the_commands_that_are_shown() {
        for (word, shown) in [
            ("/var/lib/svc/svc.toml", "/var/lib/svc/svc.toml"),
            ("/srv/my $id/svc.toml", "'/srv/my $id/svc.toml'"),
            ("/srv/ada's", r"'/srv/ada'\''s'"),
        ] {
            assert_eq!(shell(word), shown);
        }
    }
}
