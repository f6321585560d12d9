//! A directory in which the real program runs.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use svc_keys::kms::{Settings, Sidecar};
use tempfile::TempDir;

use crate::hang;

const PATIENCE: Duration = Duration::from_mins(1);
const TICK: Duration = Duration::from_millis(10);

/// The place of an `svc-kms`.
pub struct Place {
    folder: TempDir,
}

/// A process, killed when dropped.
pub struct Running(pub Child);

impl Place {
    /// An empty one.
    pub fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// One whose keys are made.
    pub fn made() -> Self {
        let place = Self::empty();
        place.does(&["init"]);
        place
    }

    /// A file of the directory of the keys.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    /// A path of the place, outside the directory of the keys.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn dir(&self) -> PathBuf {
        self.path("kms")
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-kms"));
        command.args(arguments).env_clear().stdin(Stdio::null());
        command.env("SVC_KMS_DIR", self.dir()).env("SVC_KMS_PASSPHRASE_FILE", self.path("passphrase"));
        command
    }

    /// Runs a command that succeeds; what it said.
    pub fn does(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that is refused; what it complained of.
    pub fn refuses(&self, arguments: &[&str]) -> String {
        refused(&self.command(arguments).output().unwrap())
    }

    pub fn settings(&self) -> Settings {
        Settings {
            socket: self.file("kms.sock"),
            server_public_key: self.file("server.pub"),
            client_private_key: self.file("client.key"),
        }
    }

    /// Starts it, and waits until it answers.
    pub async fn serve(&self) -> Running {
        self.start(self.command(&["serve"])).await
    }

    /// The same by a command that says more.
    pub async fn start(&self, mut command: Command) -> Running {
        let mut running = Running(command.stderr(Stdio::null()).spawn().unwrap());
        let until = Instant::now() + PATIENCE;
        while Sidecar::connect(self.settings()).await.is_err() {
            assert!(running.0.try_wait().unwrap().is_none(), "it ended");
            assert!(Instant::now() < until, "it does not answer");
            tokio::time::sleep(TICK).await;
        }
        running
    }

    /// A client.
    pub async fn client(&self) -> Sidecar {
        Sidecar::connect(self.settings()).await.unwrap()
    }
}

impl Running {
    pub fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Lets it hang.
    pub fn pause(&self) {
        hang::pause(&[self.0.id()]);
    }

    /// Lets it go on.
    pub fn go_on(&self) {
        hang::go_on(&[self.0.id()]);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a command that failed complained of.
pub fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(text.starts_with("svc-kms: ") && !text.contains("panicked"), "{text}");
    text
}

/// Waits until something holds.
pub async fn eventually<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let until = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < until, "{what}: still not");
        tokio::time::sleep(TICK).await;
    }
}

/// The permissions of a file.
pub fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().unwrap().permissions().mode() & 0o777
}
