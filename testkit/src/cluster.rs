//! A PostgreSQL of a test's own, copied from the one that the tests run on: private, on a free port, and at the test's mercy.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use svc_db::{Db, PoolSettings, SystemSql};
use tempfile::TempDir;

use crate::{hang, unused_port};

/// A running server, which is killed when dropped.
pub struct Cluster {
    process: Child,
    port: u16,
    place: Place,
}

/// Where a server keeps what it has.
struct Place {
    /// Its socket, and unless it is elsewhere its data.
    folder: TempDir,
    data: PathBuf,
    /// A process whose view of the disks it has, where that is not the tests' own.
    viewer: Option<u32>,
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
        Self::copied(original, copied, Place::new()).await
    }

    /// The same on a disk that a process sees, in a folder that it is to make there; to be called as root.
    pub async fn copy_on(original: &str, viewer: u32, data: &Path) -> Self {
        let place = Place { data: data.to_owned(), viewer: Some(viewer), ..Place::new() };
        Self::copied(original, Copied::Apart, place).await
    }

    async fn copied(original: &str, copied: Copied, place: Place) -> Self {
        let mut command = place.command(&program("pg_basebackup"));
        command.args(["--wal-method=stream", "--checkpoint=fast", "--no-sync"]);
        if copied == Copied::Following {
            command.arg("--write-recovery-conf");
        }
        command.arg("--dbname").arg(as_superuser(original)).arg("--pgdata").arg(&place.data);
        let copied = command.output().unwrap();
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        Self::started(place, original).await
    }

    /// Starts a server from a folder of data, which is a copy of the one at `original` and becomes the server's own.
    pub async fn of(data: &Path, original: &str) -> Self {
        let place = Place::new();
        fs::rename(data, &place.data).unwrap();
        Self::started(place, original).await
    }

    async fn started(place: Place, original: &str) -> Self {
        let port = unused_port();
        let process = place.server(port);
        let mut cluster = Self { process, port, place };
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
            self.process = self.place.server(self.port);
            if self.answers(original).await {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "PostgreSQL does not start again");
        }
    }

    /// Starts it again with a certificate: it speaks TLS to clients that ask for it.
    pub async fn speak_tls(&mut self, original: &str, certificate: &str, key: &str) {
        for setting in ["ssl = on", "ssl_cert_file = 'server.crt'", "ssl_key_file = 'server.key'"] {
            self.run(original, &format!("ALTER SYSTEM SET {setting}"));
        }
        self.stop(Stop::Fast);
        for (name, text) in [("server.crt", certificate), ("server.key", key)] {
            let path = self.place.data.join(name);
            fs::write(&path, text).unwrap();
            // A key that others could read is refused.
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        self.start_again(original).await;
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.process.try_wait().unwrap().is_some()
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
            if self.has_ended() {
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

impl Place {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("svc-cluster-").tempdir().unwrap();
        let data = folder.path().join("data");
        Self { folder, data, viewer: None }
    }

    /// A program that sees the disks as the server does.
    fn command(&self, program: &Path) -> Command {
        let Some(viewer) = self.viewer else { return Command::new(program) };
        let mut command = Command::new("nsenter");
        command.args(["--mount", "--target", &viewer.to_string()]).arg(program);
        command
    }

    /// Starts the server. It refuses to run as root, so root lends the work to the user `postgres`.
    fn server(&self, port: u16) -> Child {
        let folder = self.folder.path();
        let mut command = self.command(Path::new("setpriv"));
        command.args(["--pdeathsig", "KILL"]);
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            let mut chown = self.command(Path::new("chown"));
            let lent = chown.args(["-R", "postgres:"]).arg(folder).arg(&self.data).status().unwrap();
            assert!(lent.success(), "the folder is not lent to the user postgres");
            command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]);
        }
        command.arg(program("postgres")).arg("-D").arg(&self.data).arg("-k").arg(folder);
        let port = format!("port={port}");
        // A replica has room for at least as many connections as what it follows.
        for setting in
            [port.as_str(), "listen_addresses=127.0.0.1", "max_connections=400", "shared_buffers=16MB"]
        {
            command.args(["-c", setting]);
        }
        // What a process has written outlives it. A disk of the test's own is written to as always.
        if self.viewer.is_none() {
            command.args(["-c", "fsync=off"]);
        }
        command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }
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
