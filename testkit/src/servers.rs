//! Redis and Memcached as a test needs them: private, on a free port of this machine, and at the test's mercy.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{hang, unused_port};

/// A server of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Redis 7.
    Redis,
    /// Memcached 1.6.
    Memcached,
}

/// A running server, which is killed when dropped.
pub struct Server {
    kind: Kind,
    process: Option<Child>,
    folder: TempDir,
    port: u16,
    arguments: Vec<String>,
}

/// Longer than a start takes, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

impl Kind {
    fn program(self) -> &'static str {
        match self {
            Self::Redis => "redis-server",
            Self::Memcached => "memcached",
        }
    }

    /// Whether the machine has it; `cargo xtask test` installs it.
    pub fn is_installed(self) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(self.program()).is_file())
    }
}

impl Server {
    /// Starts one, with further arguments, and waits until it answers.
    pub fn start(kind: Kind, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let mut server = Self { kind, process: None, folder, port: 0, arguments };
        // A process that is none of the tests may take the port in between.
        for _ in 0..10 {
            server.port = unused_port();
            if server.try_start() {
                return server;
            }
        }
        panic!("{} does not start", kind.program());
    }

    /// One that lives as long as the process, for tests that share it.
    pub fn shared(kind: Kind) -> u16 {
        static REDIS: OnceLock<u16> = OnceLock::new();
        static MEMCACHED: OnceLock<u16> = OnceLock::new();
        let port = match kind {
            Kind::Redis => &REDIS,
            Kind::Memcached => &MEMCACHED,
        };
        *port.get_or_init(|| {
            // A server ends with the thread that has started it, so that one never ends.
            let (started, port) = mpsc::channel();
            std::thread::spawn(move || {
                let server = Self::start(kind, &[]);
                started.send(server.port).unwrap();
                loop {
                    std::thread::park();
                }
            });
            port.recv().unwrap()
        })
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address for `redis.url`.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The address for `memcached.address`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Its folder, which it keeps over a restart.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Sends a line; returns what comes back first.
    pub fn tell(&self, line: &str) -> String {
        said(self.port, line).unwrap()
    }

    /// Kills it.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Starts it again on its port, with what it kept in its folder.
    pub fn start_again(&mut self) {
        self.kill();
        assert!(self.try_start(), "{} does not start again", self.kind.program());
    }

    /// Lets it hang, as a machine does that has lost its network.
    pub fn pause(&self) {
        hang::pause(&[self.id()]);
    }

    /// Lets it go on.
    pub fn go_on(&self) {
        hang::go_on(&[self.id()]);
    }

    fn id(&self) -> u32 {
        self.process.as_ref().unwrap().id()
    }

    fn try_start(&mut self) -> bool {
        let port = self.port.to_string();
        let own: &[&str] = match self.kind {
            Kind::Redis => &["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            Kind::Memcached => &["-p", &port, "-l", "127.0.0.1", "-U", "0", "-u", "nobody"],
        };
        // Killed with the thread that starts it, so that an interrupted run leaves nothing behind.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", self.kind.program()]).args(own).args(&self.arguments);
        command
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let started = Instant::now();
        while said(self.port, "version").is_none() {
            if process.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(started.elapsed() < PATIENCE, "{} does not answer", self.kind.program());
            std::thread::yield_now();
        }
        self.process = Some(process);
        true
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn said(port: u16, line: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.write_all(format!("{line}\r\n").as_bytes()).ok()?;
    let mut reply = vec![0; 65_536];
    let length = stream.read(&mut reply).ok().filter(|length| *length > 0)?;
    reply.truncate(length);
    Some(String::from_utf8_lossy(&reply).into_owned())
}
