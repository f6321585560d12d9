//! A PostgreSQL of a test's own, copied from the one that the tests run on: private, on a free port, and at the test's mercy.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use svc_db::{Db, PoolSettings, SystemSql};
use tempfile::TempDir;

use crate::hang;

/// A running server, which is killed when dropped.
pub struct Cluster {
    process: Child,
    port: u16,
    folder: TempDir,
}

/// What a copy does with what its original writes afterwards.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// It goes its own way.
    Apart,
    /// It follows as a streaming replica.
    Following,
}

/// How a server is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Open transactions are rolled back, and all is written.
    Fast,
    /// Without a word to its clients; it recovers at its next start.
    Immediate,
    /// By the kernel, as when memory runs out.
    Killed,
}

/// Longer than a copy and a start take, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

impl Cluster {
    /// Copies the server at `original`, which trusts its superuser without a password, and starts the copy.
    pub async fn copy_of(original: &str, copied: Copied) -> Self {
        let folder = tempfile::Builder::new().prefix("svc-cluster-").tempdir().unwrap();
        let mut command = Command::new(program("pg_basebackup"));
        command.args(["--wal-method=stream", "--checkpoint=fast", "--no-sync"]);
        if copied == Copied::Following {
            command.arg("--write-recovery-conf");
        }
        command.arg("--dbname").arg(as_superuser(original)).arg("--pgdata").arg(folder.path().join("data"));
        let copied = command.output().unwrap();
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        Self::started(folder, original).await
    }

    /// Starts a server from a folder of data, which is a copy of the one at `original` and becomes the server's own.
    pub async fn of(data: &Path, original: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("svc-cluster-").tempdir().unwrap();
        fs::rename(data, folder.path().join("data")).unwrap();
        Self::started(folder, original).await
    }

    async fn started(folder: TempDir, original: &str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = server(&folder, port);
        let mut cluster = Self { process, port, folder };
        cluster.wait(original).await;
        cluster
    }

    /// The port on the loopback interface.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of the original with this server in its place.
    pub fn instead_of(&self, url: &str) -> String {
        let (before, place) = url.rsplit_once('@').unwrap();
        let (_, rest) = place.split_once('/').unwrap();
        format!("{before}@127.0.0.1:{}/{rest}", self.port)
    }

    /// Runs a statement as the superuser of the original's database; returns its column `said`.
    pub async fn ask(&self, original: &str, text: &'static str) -> String {
        let db = self.db(original);
        let row = db.read_system().await.unwrap().one(SystemSql::new(text), &[]).await.unwrap();
        db.close().await;
        row.text("said").unwrap()
    }

    /// Runs a statement that stands for itself as the superuser of the original's database.
    pub fn run(&self, original: &str, text: &str) {
        let mut psql = Command::new(program("psql"));
        psql.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", text]);
        let ran = psql.arg(self.instead_of(&as_superuser(original))).output().unwrap();
        assert!(ran.status.success(), "{text}: {}", String::from_utf8_lossy(&ran.stderr));
    }

    /// Stops it, and waits until it has ended.
    pub fn stop(&mut self, how: Stop) {
        let signal = match how {
            Stop::Fast => "-INT",
            Stop::Immediate => "-QUIT",
            Stop::Killed => "-KILL",
        };
        hang::signal(signal, &[self.process.id()]);
        let _ = self.process.wait();
    }

    /// Starts it again with what it has written, and waits until it answers.
    pub async fn start_again(&mut self, original: &str) {
        // The processes of one that was killed end by themselves, and hold its memory until then.
        let started = Instant::now();
        loop {
            self.process = server(&self.folder, self.port);
            if self.answers(original).await {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "PostgreSQL does not start again");
        }
    }

    /// Lets all its processes hang, as a machine does that has lost its disk.
    pub fn pause(&self) {
        hang::pause(&self.all());
    }

    /// Lets them go on.
    pub fn go_on(&self) {
        hang::go_on(&self.all());
    }

    async fn wait(&mut self, original: &str) {
        assert!(self.answers(original).await, "PostgreSQL does not start");
    }

    /// Waits until it answers; `false` where it ends instead.
    async fn answers(&mut self, original: &str) -> bool {
        let started = Instant::now();
        let db = self.db(original);
        while db.why_unreachable().await.is_some() {
            if self.process.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(started.elapsed() < PATIENCE, "PostgreSQL does not answer");
            tokio::task::yield_now().await;
        }
        db.close().await;
        true
    }

    fn db(&self, original: &str) -> Db {
        Db::open(&self.instead_of(&as_superuser(original)), &PoolSettings::default()).unwrap()
    }

    /// The first process last, because it starts others in place of those that end.
    fn all(&self) -> Vec<u32> {
        let own = self.process.id();
        let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap();
        let children = children.split_whitespace().map(|process| process.parse().unwrap());
        children.chain([own]).collect()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts the server. It refuses to run as root, so root lends the work to the user `postgres`.
fn server(folder: &TempDir, port: u16) -> Child {
    let folder = folder.path();
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if fs::metadata(folder).unwrap().uid() == 0 {
        let lent = Command::new("chown").arg("-R").arg("postgres:").arg(folder).status().unwrap();
        assert!(lent.success(), "the folder is not lent to the user postgres");
    }
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]);
    }
    command.arg(program("postgres")).arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
    let port = format!("port={port}");
    // A replica has room for at least as many connections as what it follows.
    for setting in [port.as_str(), "listen_addresses=127.0.0.1", "max_connections=400", "shared_buffers=16MB"]
    {
        command.args(["-c", setting]);
    }
    command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// A program of the newest PostgreSQL that is installed.
fn program(name: &str) -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let number = |entry: &fs::DirEntry| entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
    let newest = versions.max_by_key(number).map(|entry| entry.path().join("bin").join(name));
    newest.filter(|program| program.exists()).unwrap_or_else(|| PathBuf::from(name))
}

fn as_superuser(url: &str) -> String {
    let (_, place) = url.rsplit_once('@').unwrap();
    format!("postgres://postgres@{place}")
}
