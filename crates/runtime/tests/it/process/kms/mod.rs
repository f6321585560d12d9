//! The real `svc-runtime` over the real `svc-kms`.

mod keeping;
mod moving;
mod outage;
mod serving;
mod signing;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Instant;

use svc_keys::kms::Settings;
use svc_testkit::hang;
use svc_testkit::soft_hsm::SoftHsm;

use super::{PATIENCE, Place, TICK, mortal};

/// The directory of an `svc-kms`.
pub(super) struct Kms {
    pub(super) folder: PathBuf,
    /// What opens it, where that is no passphrase.
    hsm: Option<SoftHsm>,
}

/// A running one, killed when dropped.
pub(super) struct Running {
    process: Child,
}

impl Kms {
    /// Nothing yet.
    pub(super) fn of(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), hsm: None }
    }

    /// A new deployment's.
    pub(super) fn made(folder: &Path) -> Self {
        let kms = Self::of(folder);
        let _ = kms.does("init");
        kms
    }

    /// A new deployment's, whose file a token opens.
    fn opened_by_a_token(folder: &Path) -> Self {
        let hsm = SoftHsm::new(&folder.with_extension("hsm"));
        let kms = Self { hsm: Some(hsm), ..Self::of(folder) };
        svc_keys::owner_only::create(&kms.passphrase(), SoftHsm::PIN).unwrap();
        let _ = kms.does("init");
        kms
    }

    pub(super) fn passphrase(&self) -> PathBuf {
        self.folder.with_extension("passphrase")
    }

    fn socket(&self) -> PathBuf {
        self.folder.join("kms.sock")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = mortal(program().to_str().unwrap());
        command.args(arguments).env_clear().stdin(Stdio::null());
        command.env("SVC_KMS_DIR", &self.folder).env("SVC_KMS_PASSPHRASE_FILE", self.passphrase());
        if let Some(hsm) = &self.hsm {
            hsm.open(&mut command, SoftHsm::LABEL);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that succeeds; what it said.
    pub(super) fn does(&self, command: &str) -> String {
        let arguments: Vec<_> = command.split(' ').collect();
        let output = self.run(&arguments);
        assert!(output.status.success(), "{command}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Starts it, and waits until it answers.
    pub(super) async fn serve(&self) -> Running {
        self.serve_behind(&self.socket()).await
    }

    /// The same behind a socket elsewhere.
    async fn serve_behind(&self, socket: &Path) -> Running {
        let at = |command| [command, "--socket", socket.to_str().unwrap()];
        let log = File::options().append(true).create(true).open(self.folder.with_extension("log")).unwrap();
        let mut process = self.command(&at("serve")).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let until = Instant::now() + PATIENCE;
        while !self.run(&at("health")).status.success() {
            assert!(process.try_wait().unwrap().is_none(), "it ended: {}", self.log());
            assert!(Instant::now() < until, "it does not answer: {}", self.log());
            tokio::time::sleep(TICK).await;
        }
        Running { process }
    }

    /// What the service knows it by.
    fn settings(&self) -> Settings {
        Settings {
            socket: self.socket(),
            server_public_key: self.folder.join("server.pub"),
            client_private_key: self.folder.join("client.key"),
        }
    }

    /// Starts it in the place of another one, whose clients then find it.
    pub(super) async fn serve_instead_of(&self, other: &Self) -> Running {
        self.serve_behind(&other.socket()).await
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.with_extension("log")).unwrap_or_default()
    }
}

impl Running {
    pub(super) fn pause(&self) {
        hang::pause(&[self.process.id()]);
    }

    pub(super) fn go_on(&self) {
        hang::go_on(&[self.process.id()]);
    }

    pub(super) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Place {
    /// Names an `svc-kms` instead of a keyring.
    pub(super) fn use_kms(&mut self, kms: &Kms) {
        self.set("SVC_KEYRING__PATH", "");
        let Settings { socket, server_public_key, client_private_key } = kms.settings();
        self.set("SVC_KMS__SOCKET_PATH", socket.to_str().unwrap());
        self.set("SVC_KMS__SERVER_PUBLIC_KEY_PATH", server_public_key.to_str().unwrap());
        self.set("SVC_KMS__CLIENT_PRIVATE_KEY_PATH", client_private_key.to_str().unwrap());
    }

    /// A populated place with an `svc-kms` of its own.
    pub(super) async fn with_kms() -> (Self, Kms) {
        let mut place = Self::populated().await;
        let kms = Kms::made(&place.folder.path().join("kms"));
        place.use_kms(&kms);
        (place, kms)
    }
}

/// The program, next to that of the service. Cargo builds for a test the programs of its own package only.
pub fn program() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let service = Path::new(env!("CARGO_BIN_EXE_svc-runtime"));
        let folder = service.parent().unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--offline", "--package", "svc-kms", "--target-dir"]);
        build.arg(folder.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
        if !folder.ends_with("debug") {
            build.arg("--profile").arg(folder.file_name().unwrap());
        }
        assert!(build.status().unwrap().success());
        service.with_file_name("svc-kms")
    });
    built.clone()
}
