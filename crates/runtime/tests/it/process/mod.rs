//! The real binary on a free port: starting, migrating, stopping, crashing, and what reaches it over a socket.

mod acme;
mod applying;
mod archives;
mod audit;
mod backups;
mod cable;
mod configuration;
mod coordination;
mod doctor;
mod domain_certificates;
mod faults;
mod frames;
mod init;
mod journal;
mod kms;
mod logs;
mod migrating;
mod nodes;
mod outage;
mod person;
mod planes;
mod production;
mod proxies;
mod reloading;
mod socket;
mod stopping;
mod supervised;
mod telemetry;
mod tls;
mod wire;

use std::fs::File;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use svc_core::Timestamp;
use svc_keys::SystemEntropy;
use svc_keys::keyring::{self, Versions};
use svc_testkit::unused_port;
use tempfile::TempDir;
use tokio::net::TcpStream;

use self::socket::{exchange, get, parsed, request};
use crate::harness::database::Database;

/// A folder and a database in which the binary runs.
struct Place {
    folder: TempDir,
    database: Database,
    port: u16,
    settings: Vec<(String, String)>,
    /// The binary.
    program: PathBuf,
    /// The process whose view of the disks commands have, where that is not the tests' own.
    inside: Option<u32>,
}

/// A process that serves, and is killed when dropped.
struct Service {
    process: Child,
    address: SocketAddr,
    log: PathBuf,
}

/// What a process that has ended left behind.
#[derive(Debug)]
struct Ended {
    is_success: bool,
    stdout: String,
    stderr: String,
}

/// Longer than anything here takes, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);
const TICK: Duration = Duration::from_millis(10);

impl Place {
    /// Before the first migration.
    async fn empty() -> Self {
        Self::of(Database::empty().await)
    }

    /// With the present schema.
    async fn migrated() -> Self {
        Self::of(Database::fresh().await)
    }

    fn of(database: Database) -> Self {
        let port = unused_port();
        let settings = [
            ("DATABASE_URL", database.url.clone()),
            ("SVC_SERVER__PORT", port.to_string()),
            ("SVC_SERVER__BASE_DOMAIN", "localhost".to_owned()),
            ("SVC_SERVER__ENDPOINT_THROTTLE", "0".to_owned()),
            ("SVC_OIDC__ISSUER_URL", format!("http://localhost:{port}")),
            ("SVC_TENANT__DEFAULT_TENANT_SLUG", "main".to_owned()),
            ("SVC_AUTH__ARGON2_MEMORY_KIB", "8192".to_owned()),
            ("SVC_AUTH__ARGON2_ITERATIONS", "1".to_owned()),
            // Tests start `svc-kms` first, or not at all.
            ("SVC_KMS__START_TIMEOUT_SECS", "0".to_owned()),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let folder = tempfile::tempdir().unwrap();
        let program = env!("CARGO_BIN_EXE_svc-runtime").into();
        let mut place = Self { folder, database, port, settings, program, inside: None };
        if place.database.url.starts_with("postgres") {
            place.set("SVC_KEYRING__PATH", "keyring.json");
            let versions = Versions::first(&SystemEntropy, Timestamp::from_secs(0));
            keyring::file::create(&place.keyring(), &versions).unwrap();
        }
        place
    }

    /// Where the keyring is.
    fn keyring(&self) -> PathBuf {
        match self.database.url.strip_prefix("sqlite:") {
            Some(file) => PathBuf::from(format!("{file}.keyring")),
            None => self.folder.path().join("keyring.json"),
        }
    }

    /// Sets a variable, or with an empty value takes it away.
    fn set(&mut self, name: &str, value: &str) {
        self.settings.retain(|(known, _)| known != name);
        if !value.is_empty() {
            self.settings.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Writes a file of the working directory.
    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let program = self.program.to_str().unwrap();
        let mut command =
            self.inside.map_or_else(|| mortal(program), |process| self.seeing(process, program));
        command.args(arguments).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    /// A program that sees the disks as another process does.
    fn seeing(&self, process: u32, program: &str) -> Command {
        let mut command = mortal("nsenter");
        command.args(["--mount", "--target", &process.to_string()]);
        command.arg(format!("--wdns={}", self.folder.path().display())).arg(program);
        command
    }

    fn start(&self, arguments: &[&str], name: &str) -> Child {
        let file = |suffix: &str| File::create(self.folder.path().join(format!("{name}.{suffix}"))).unwrap();
        self.command(arguments).stdout(file("out")).stderr(file("err")).spawn().unwrap()
    }

    async fn finish(&self, mut process: Child, name: &str) -> Ended {
        let is_success = exit(&mut process).await;
        let read = |suffix: &str| {
            std::fs::read_to_string(self.folder.path().join(format!("{name}.{suffix}"))).unwrap()
        };
        Ended { is_success, stdout: read("out"), stderr: read("err") }
    }

    /// Runs a command to its end.
    async fn run(&self, arguments: &[&str]) -> Ended {
        self.finish(self.start(arguments, "run"), "run").await
    }

    /// Starts serving, and waits until requests are answered.
    async fn serve(&self) -> Service {
        self.serve_by(&[]).await
    }

    /// The same with another command.
    async fn serve_by(&self, arguments: &[&str]) -> Service {
        self.serve_at(self.port, arguments, "serve").await
    }

    /// A further process of the same deployment.
    async fn serve_beside(&self) -> Service {
        self.serve_at(unused_port(), &[], "beside").await
    }

    async fn serve_at(&self, port: u16, arguments: &[&str], name: &str) -> Service {
        let file = |suffix: &str| File::create(self.folder.path().join(format!("{name}.{suffix}"))).unwrap();
        let mut command = self.command(arguments);
        command.env("SVC_SERVER__PORT", port.to_string());
        let process = command.stdout(file("out")).stderr(file("err")).spawn().unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let mut service = Service { process, address, log: self.folder.path().join(format!("{name}.err")) };
        service.answers().await;
        service
    }

    /// It refuses to start: says so, opens no port, and leaves the database alone.
    async fn refuses(&self, arguments: &[&str], text: &str) -> Ended {
        let mut process = self.start(arguments, "refused");
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        while process.try_wait().unwrap().is_none() {
            assert!(TcpStream::connect(address).await.is_err(), "a port was opened: {text}");
            tokio::time::sleep(TICK).await;
        }
        let ended = self.finish(process, "refused").await;
        assert!(!ended.is_success, "{text}: {ended:?}");
        assert!(ended.stderr.contains(text), "{text}: {ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        ended
    }
}

impl Service {
    /// Waits until requests are answered.
    async fn answers(&mut self) {
        let until = Instant::now() + PATIENCE;
        while get(self.address, "/health/live").await.is_none() {
            assert!(self.process.try_wait().unwrap().is_none(), "it ended: {}", self.log());
            assert!(Instant::now() < until, "it does not answer: {}", self.log());
            tokio::time::sleep(TICK).await;
        }
    }

    /// Asks for its end as an orchestrator does.
    fn terminate(&self) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    /// Asks it to read its configuration again.
    fn hang_up(&self) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    }

    /// Ends it without a word.
    async fn kill(&mut self) {
        self.process.kill().unwrap();
        exit(&mut self.process).await;
    }

    /// The memory that it has.
    fn resident_kib(&self) -> u64 {
        self.memory_kib("VmRSS:")
    }

    /// What the system says about its memory.
    fn memory_kib(&self, kind: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let memory = status.lines().find_map(|line| line.strip_prefix(kind)).unwrap();
        memory.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// How many files and connections it has open.
    fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.process.id())).unwrap().count()
    }

    fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if !std::thread::panicking() {
            let told = socket::with_secrets(self.address, |secrets| secrets.told_in(&self.log()));
            assert!(told.is_empty(), "secrets are in the log:\n{}", told.join("\n"));
            // What tests exchange by clients of their own: the beginnings of JWTs, a cookie of ours, and people's passwords.
            for secret in ["eyJhbGciOi", "eyJ0eXAiOi", "eyJraWQiOi", "svc_session=", "correct horse"] {
                assert!(!self.log().contains(secret), "{secret} is in the log: {}", self.log());
            }
        }
    }
}

/// A program that is killed when the thread that starts it ends, also where that is killed itself: an interrupted run of
/// the tests leaves no service behind.
fn mortal(program: &str) -> Command {
    if !cfg!(target_os = "linux") {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", program]);
    command
}

#[tokio::test]
async fn a_process_ends_with_the_test_that_started_it() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = Place::migrated().await;
    let (started, process) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let mut command = place.command(&[]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let test = std::thread::spawn(move || {
        started.send(command.spawn().unwrap()).unwrap();
        ended.recv().unwrap_err();
    });
    let address = SocketAddr::from(([127, 0, 0, 1], place.port));
    let log = place.folder.path().join("none");
    let mut service = Service { process: process.recv().unwrap(), address, log };
    service.answers().await;
    drop(end);
    test.join().unwrap();
    assert!(!exit(&mut service.process).await);
}

const SIGHUP: u32 = 1;
const SIGTERM: u32 = 15;

/// Whether a process listens for a signal, as Linux tells.
fn handles(process: &Child, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
    let handled = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
    u64::from_str_radix(handled.trim(), 16).is_ok_and(|signals| ((signals >> (signal - 1)) & 1) == 1)
}

/// Waits for a process; whether it succeeded.
async fn exit(process: &mut Child) -> bool {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = process.try_wait().unwrap() {
            return status.success();
        }
        assert!(Instant::now() < until, "the process does not end");
        tokio::time::sleep(TICK).await;
    }
}

/// Waits until something holds.
async fn eventually<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let until = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < until, "{what}: still not");
        tokio::time::sleep(TICK).await;
    }
}
