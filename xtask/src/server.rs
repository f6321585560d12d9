//! A development server of our own: started on a free port, ready when it has printed its line, stopped when dropped.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::process::{self, Job};
use crate::{Result, launch};

/// How to start it.
pub struct Setting<'a> {
    /// The program `svc-runtime`.
    pub program: &'a Path,
    /// Where it keeps its files.
    pub data_dir: &'a Path,
    /// A PostgreSQL database instead of the embedded one.
    pub database_url: Option<&'a str>,
    /// A declarative file to apply after the demo.
    pub seed: Option<&'a Path>,
    /// Configuration through the environment.
    pub environment: &'a [(&'a str, &'a str)],
}

/// A running `svc-runtime dev`.
pub struct Server {
    job: Job,
    /// The line that it printed: addresses, credentials, clients.
    pub ready: Value,
    /// The port of 127.0.0.1 that it listens on.
    pub port: u16,
    log: PathBuf,
}

impl Server {
    /// Starts it on a free port and waits for its line.
    pub fn start(setting: &Setting) -> Result<Self> {
        Self::start_at(setting, launch::free_port()?)
    }

    /// The same on a port that others know already.
    pub fn start_at(setting: &Setting, port: u16) -> Result<Self> {
        let (log, log_file) = launch::log_file("server")?;
        let mut command = command(setting, port);
        command.stdout(Stdio::piped()).stderr(log_file);
        let mut job = Job::start(&mut command, Signal::TERM)?;
        let stdout = job.take_stdout().ok_or("the server has no standard output")?;
        let line = first_line(stdout, &mut job, Duration::from_mins(1));
        let line = line.map_err(|error| format!("svc-runtime dev: {error}\n{}", launch::tail(&log)))?;
        let ready = serde_json::from_str(&line)
            .map_err(|error| format!("svc-runtime dev printed no JSON but `{line}`: {error}"))?;
        Ok(Self { job, ready, port, log })
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.job.pid()
    }

    /// The end of what it logged.
    pub fn log_tail(&self) -> String {
        launch::tail(&self.log)
    }
}

/// The command that starts it on a port.
pub fn command(setting: &Setting, port: u16) -> Command {
    let mut command = Command::new(setting.program);
    command.args(["dev", "--json", "--port", &port.to_string(), "--data-dir"]).arg(setting.data_dir);
    if let Some(url) = setting.database_url {
        command.args(["--database-url", url]);
    }
    if let Some(seed) = setting.seed {
        command.arg("--seed").arg(seed);
    }
    // What a developer has exported for a server of theirs must not steer this one.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("SVC_") || name.ends_with("DATABASE_URL") {
            command.env_remove(name);
        }
    }
    // Domains that tests make up are asked about nowhere.
    command.env("SVC_VERIFIED_DOMAINS__RESOLVERS", "[\"127.0.0.1:9\"]");
    command.envs(setting.environment.iter().copied()).current_dir(setting.data_dir);
    command
}

/// The first line of a child's output; what follows is read and dropped, so that the child never blocks on it.
pub fn first_line(stdout: ChildStdout, job: &mut Job, patience: Duration) -> Result<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(std::io::Result::ok) {
            // After the first line no receiver listens any more.
            let _ = sender.send(line);
        }
    });
    let started = Instant::now();
    loop {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(line) => return Ok(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err("it ended before it was ready".into());
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        process::check_interrupt()?;
        if job.ended().is_some() || started.elapsed() > patience {
            return Err(format!("it was not ready within {} s", patience.as_secs()).into());
        }
    }
}
