//! The keys of the deployment, made by the program `svc-kms` in the same folder.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use svc_core::Secret;

use super::answers::Plan;
use super::folder::Folder;
use super::settings;
use crate::failure::Failure;

/// The program, and where its keys are.
pub struct Sidecar {
    program: PathBuf,
    dir: PathBuf,
    passphrase: PathBuf,
}

const PROGRAM: &str = "svc-kms";

impl Sidecar {
    /// Makes the sealed file, and gives it the secrets of the configuration.
    pub fn make(plan: &Plan, folder: &Folder) -> Result<Self, Failure> {
        let sidecar =
            Self { program: program()?, dir: folder.at("kms"), passphrase: folder.at("kms.passphrase") };
        sidecar.run(&["init"], None)?;
        for (key, secret) in settings::secrets(plan) {
            sidecar.run(&["provision", &key], Some(&secret))?;
        }
        Ok(sidecar)
    }

    /// The command that serves.
    pub fn serves(&self) -> Vec<String> {
        let [program, dir, passphrase] = [&self.program, &self.dir, &self.passphrase].map(|path| text(path));
        let words = ["serve", "--dir", &dir, "--passphrase-file", &passphrase, "--log-format", "json"];
        [program.as_str()].into_iter().chain(words).map(str::to_owned).collect()
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    fn run(&self, arguments: &[&str], input: Option<&Secret>) -> Result<(), Failure> {
        let failed =
            |what: &str| Failure::new(format!("{} {}: {what}", text(&self.program), arguments.join(" ")));
        let mut command = Command::new(&self.program);
        command.args(arguments).arg("--dir").arg(&self.dir).arg("--passphrase-file").arg(&self.passphrase);
        // What names another place or another way of opening must not reach it.
        for variable in ["SVC_KMS_CREDENTIAL", "SVC_KMS_TOKEN", "SVC_KMS_TOKEN_MODULE"] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| failed(&error.to_string()))?;
        if let (Some(mut pipe), Some(secret)) = (process.stdin.take(), input) {
            pipe.write_all(secret.expose().as_bytes()).map_err(|error| failed(&error.to_string()))?;
        }
        let ended = process.wait_with_output().map_err(|error| failed(&error.to_string()))?;
        if ended.status.success() {
            return Ok(());
        }
        Err(failed(String::from_utf8_lossy(&ended.stderr).trim()))
    }
}

/// Finds it in the folder of this program, or where the system looks for programs.
fn program() -> Result<PathBuf, Failure> {
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join(PROGRAM));
    beside.into_iter().chain(on_path).find(|candidate| candidate.is_file()).ok_or_else(|| {
        Failure::new("svc-kms is neither beside svc-runtime nor on the PATH; install it, or build it with `cargo build --release --package svc-kms`")
    })
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
