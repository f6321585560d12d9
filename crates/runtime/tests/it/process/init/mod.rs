//! `svc-runtime init` by the real binaries: what it makes, starts as it says.

mod asking;
mod page;
mod refusing;
mod starting;
mod terminator;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use svc_http::HeaderMap;
use tempfile::TempDir;

use super::kms::program;
use super::{Service, eventually, mortal, unused_port};
use crate::harness::Answer;
use crate::harness::database::Database;

/// A place for a deployment that does not exist yet.
pub struct SetUp {
    pub folder: TempDir,
    pub port: u16,
    /// The address of the database, where it is a server's.
    pub database_url: Option<String>,
    pub database: Database,
}

/// What `init` printed, and the folder that it filled.
pub struct InitOutcome {
    pub told: Value,
    pub dir: PathBuf,
}

impl SetUp {
    pub async fn new() -> Self {
        // `init` looks for it in the folder of its own program.
        assert!(program().is_file());
        let database = Database::empty().await;
        let is_postgres = database.url.starts_with("postgres");
        let database_url = is_postgres.then(|| terminator::in_front_of(&database.url));
        Self { folder: tempfile::tempdir().unwrap(), port: unused_port(), database_url, database }
    }

    pub fn dir(&self) -> PathBuf {
        self.folder.path().join("svc")
    }

    /// The command, with the flags that every deployment here has.
    pub fn command(&self, further: &[&str]) -> Command {
        let mut command = runtime(&["init"]);
        command
            .arg("--dir")
            .arg(self.dir())
            .args(["--host", "localhost", "--port"])
            .arg(self.port.to_string());
        if let Some(url) = &self.database_url {
            command.env("DATABASE_URL", url);
        }
        command.args(further);
        command
    }

    /// Runs it to its end.
    pub fn run(&self, further: &[&str]) -> Output {
        self.command(further).output().unwrap()
    }

    /// Makes a deployment.
    pub fn make(&self, further: &[&str]) -> InitOutcome {
        let ended = self.run(&[&["--json"], further].concat());
        assert!(ended.status.success(), "{ended:?}");
        let line = String::from_utf8(ended.stdout).unwrap();
        assert_eq!(line.lines().count(), 1, "{line}");
        InitOutcome { told: serde_json::from_str(&line).unwrap(), dir: self.dir() }
    }

    /// A command fails and leaves no directory.
    #[track_caller]
    pub fn refuses(&self, further: &[&str], says: &str) {
        let ended = self.run(further);
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success() && said.contains(says), "{says}: {ended:?}");
        assert!(ended.stdout.is_empty() && !said.contains("panicked"), "{ended:?}");
    }
}

impl InitOutcome {
    /// Starts what it says, both at once, and waits until requests are answered.
    pub async fn start(&self) -> [Service; 2] {
        let commands = self.told["start"].as_array().unwrap();
        assert_eq!(commands.len(), 2);
        let [kms, runtime] = ["kms", "runtime"].map(|name| {
            let argv = &commands[usize::from(name == "runtime")];
            let argv: Vec<_> = argv.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
            let log = self.dir.with_extension(name);
            let mut command = mortal(argv[0]);
            command.args(&argv[1..]).env_clear().current_dir("/").stdin(Stdio::null()).stdout(Stdio::null());
            let process = command.stderr(File::create(&log).unwrap()).spawn().unwrap();
            Service { process, address: ([127, 0, 0, 1], 1).into(), log }
        });
        eventually("it is ready", async || self.curl("/health/ready", &[]).0 == 200).await;
        [kms, runtime]
    }

    /// The text of a member.
    pub fn text(&self, pointer: &str) -> &str {
        self.told.pointer(pointer).unwrap().as_str().unwrap()
    }

    /// A request by `curl`, which trusts the authority that was told, and keeps cookies.
    pub fn curl(&self, path: &str, arguments: &[&str]) -> (u16, String) {
        let mut command = Command::new("curl");
        command.args(["-sS", "--cacert", self.text("/ca"), "-w", "\n%{http_code}"]).args(arguments);
        let cookies = self.dir.with_extension("cookies");
        command.arg("-c").arg(&cookies).arg("-b").arg(&cookies);
        let output = command.arg(format!("{}{path}", self.text("/address"))).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let (body, status) = said.rsplit_once('\n').unwrap();
        (status.parse().unwrap(), body.to_owned())
    }

    /// A page of it.
    pub fn page(&self, path: &str) -> Answer {
        let (status, body) = self.curl(path, &[]);
        Answer { status, headers: HeaderMap::new(), body }
    }
}

/// `svc-runtime` without an environment.
pub fn runtime(arguments: &[&str]) -> Command {
    let mut command = mortal(env!("CARGO_BIN_EXE_svc-runtime"));
    command.args(arguments).env_clear().stdin(Stdio::null());
    command
}

/// The names in a directory.
pub fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
