//! Where the configuration comes from: `svc.toml` or the file that `SVC_CONFIG_FILE` names, then the environment.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use svc_config::{Config, Fault, Faults};
use svc_core::Secret;

use crate::failure::Failure;
use crate::kms;

/// The layers above the built-in defaults, as text.
pub struct Sources {
    /// Name and text.
    file: Option<(String, String)>,
    env: Vec<(String, String)>,
    /// Secrets that key management holds, by key; `None` where it was not asked.
    provisioned: Option<Vec<(String, Secret)>>,
    /// Why key management, which could be reached, did not say of each secret whether it holds it.
    unanswered: Option<Fault>,
}

const DEFAULT_FILE: &str = "svc.toml";

/// Reads the layers. Only the default file may be absent.
pub fn sources(chosen: Option<&Path>) -> Result<Sources, Failure> {
    let env = environment();
    let named = env.iter().find(|(name, value)| name == "SVC_CONFIG_FILE" && !value.is_empty());
    let chosen = chosen.map(Path::to_owned).or_else(|| named.map(|(_, path)| PathBuf::from(path)));
    let is_default = chosen.is_none();
    let path = chosen.unwrap_or_else(|| PathBuf::from(DEFAULT_FILE));
    let file = match std::fs::read_to_string(&path) {
        Ok(text) => Some((path.display().to_string(), text)),
        Err(error) if is_default && error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            return Err(Failure::new(format!(
                "the configuration file {} cannot be read: {error}",
                path.display()
            )));
        }
    };
    Ok(Sources { file, env, provisioned: None, unanswered: None })
}

/// The process's environment; a name or value that is not Unicode cannot be one of ours, or is shown mangled in its fault.
pub fn environment() -> Vec<(String, String)> {
    let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
    std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect()
}

impl Sources {
    /// A file that was not written yet, alone, with secrets that key management will hold.
    pub fn of_text(path: &Path, text: String, provisioned: Vec<(String, Secret)>) -> Self {
        let file = Some((path.display().to_string(), text));
        Self { file, env: Vec::new(), provisioned: Some(provisioned), unanswered: None }
    }

    /// The configuration, if every key is sound.
    pub fn load(&self) -> Result<Config, Faults> {
        Config::load_over(self.provisioned.as_deref().unwrap_or_default(), self.file(), &self.env)
    }

    /// The same for a command that needs no secret of the configuration but the address of the database: where `svc-kms` was not reached,
    /// those that it may hold are not missing.
    pub fn load_for_command(&self) -> Result<Config, Faults> {
        match &self.provisioned {
            Some(_) => self.load(),
            None => Config::load_unasked(self.file(), &self.env),
        }
    }

    /// What says how to ask `svc-kms`: a secret that is missing may be with it.
    pub fn load_to_ask(&self) -> Result<Config, Faults> {
        Config::load_to_ask(self.file(), &self.env)
    }

    /// The same configuration with secrets that `svc-kms` holds, where it can be asked.
    pub async fn with_provisioned(mut self) -> Self {
        // What else is wrong is reported without blaming secrets that are held.
        match kms::provisioned(&Config::for_asking(self.file(), &self.env)).await {
            Ok(provisioned) => self.provisioned = provisioned,
            Err(fault) => self.unanswered = Some(fault),
        }
        self
    }

    /// Why key management did not say of each secret whether it holds it, where it was reached.
    pub fn unanswered(&self) -> Option<&Fault> {
        self.unanswered.as_ref()
    }

    /// The configuration, if the service may also start with it.
    pub fn load_for_start(&self) -> Result<Config, Faults> {
        match &self.provisioned {
            Some(held) => Config::load_for_start_over(held, self.file(), &self.env),
            None => Config::load_for_start(self.file(), &self.env),
        }
    }

    /// The file, where there is one.
    pub fn path(&self) -> Option<PathBuf> {
        self.file.as_ref().map(|(name, _)| PathBuf::from(name))
    }

    fn file(&self) -> Option<(&str, &str)> {
        self.file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preflight;

    #[tokio::test]
    async fn nothing_starts_without_secrets_that_key_management_did_not_answer_for() {
        let fault = Fault::new("kms", "svc-kms refuses: it is closing", "start again");
        let sources = Sources { file: None, env: Vec::new(), provisioned: None, unanswered: Some(fault) };
        let refused = preflight::admit(&sources).await.unwrap_err().to_string();
        assert!(refused.contains("svc-kms refuses: it is closing"), "{refused}");
    }
}
