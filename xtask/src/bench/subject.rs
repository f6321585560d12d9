//! The servers that are measured: how each is started, and how one workload runs on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::key::Key;
use super::load::{self, Pace, Run};
use super::meter::Meter;
use super::pending::Pending;
use super::report::{Crowded, PendingMemory, Report, StartUp};
use super::target::{self, DISCOVERY, Target};
use super::workload::Workload;
use super::writes::Store;
use super::{idle, peer, seed};
use crate::postgres::Postgres;
use crate::process::{self, Job};
use crate::server::{self, Server, Setting};
use crate::{Result, launch};

/// Ours with the embedded database.
pub const SQLITE: &str = "svc, SQLite";
/// Ours with PostgreSQL.
pub const POSTGRES: &str = "svc, PostgreSQL";
/// The peer.
pub const PEER: &str = "oidc-provider, memory";
/// The database of ours in PostgreSQL.
pub const DATABASE: &str = "bench";

// The guards stay on, as in operation; one loopback address sending everything is what they must bear here. Ten thousand
// devices that poll each second are as many polls as fifty thousand with the usual interval of five. The log is that of operation:
// in development each request is a line of it.
pub(super) const ENVIRONMENT: [(&str, &str); 5] = [
    ("SVC_SERVER__ENDPOINT_THROTTLE", "1000000000"),
    ("SVC_AUTH__PASSWORD_VERIFY_IP_MAX_ATTEMPTS", "100000"),
    ("SVC_DEVICE_AUTHORIZATION__INTERVAL_SECS", "1"),
    ("SVC_DEVICE_AUTHORIZATION__LIFETIME_SECS", "1800"),
    ("SVC_TELEMETRY__LOG_FILTER", "info"),
];

/// Runs of pending polls until one passes in which background jobs happened to write no more than before it.
const ATTEMPTS: usize = 4;

/// A server under measurement.
pub struct Subject<'a> {
    /// How it is driven.
    pub target: Arc<Target>,
    meter: Meter,
    running: Running,
    store: Option<Store<'a>>,
}

/// What keeps it running.
enum Running {
    Ours(Server),
    Peer(Job),
}

/// Our own program, and how often its start is timed.
pub struct Ours<'a> {
    /// The program.
    pub program: PathBuf,
    /// Starts that are timed.
    pub starts: usize,
    /// What its signing client signs with.
    pub key: &'a Arc<Key>,
}

impl Ours<'_> {
    /// Starts it on SQLite, or on PostgreSQL where there is one.
    pub fn start<'a>(
        &self,
        data_dir: &Path,
        postgres: Option<&'a Postgres>,
        report: &mut Report,
    ) -> Result<Subject<'a>> {
        std::fs::create_dir_all(data_dir)?;
        let name = if postgres.is_some() { POSTGRES } else { SQLITE };
        let url = postgres.map(|postgres| postgres.url(DATABASE));
        let bare = Setting {
            program: &self.program,
            data_dir,
            database_url: url.as_deref(),
            seed: None,
            environment: &ENVIRONMENT,
        };
        // The first start makes the database; what counts is a start on an existing one.
        drop(Server::start(&bare)?);
        let median = start_up(self.starts, |port| server::command(&bare, port))?;
        let idle = Self::resting(&bare)?;
        let seed = seed::write(data_dir, self.key)?;
        let mut server = Server::start(&Setting { seed: Some(&seed), ..bare })?;
        seed::add_to(&mut server.ready, server.port)?;
        let target = Arc::new(Target::new(name, server.port, &server.ready, self.key)?);
        let meter = Meter { server: server.pid(), database: postgres.map(Postgres::pid) };
        let connection = idle::connection(&target, meter)?;
        report.start_ups.push(StartUp { name: name.to_owned(), median, idle, connection });
        let store = match postgres {
            Some(postgres) => Store::Postgres(postgres, DATABASE),
            None => Store::Sqlite(data_dir.join("svc.db")),
        };
        Ok(Subject { target, meter, running: Running::Ours(server), store: Some(store) })
    }

    /// The idle memory of a start that has nothing to make: the demo's passwords leave 64 MiB with each hashing thread for 30 s.
    fn resting(setting: &Setting<'_>) -> Result<f64> {
        let server = Server::start(setting)?;
        resting(Meter { server: server.pid(), database: None })
    }
}

/// Starts the peer.
pub fn oidc_provider<'a>(report: &mut Report, starts: usize, key: &Arc<Key>) -> Result<Subject<'a>> {
    peer::install()?;
    let median = start_up(starts, |port| peer::command(port, key))?;
    let (job, port, ready) = peer::start(key)?;
    let target = Arc::new(Target::new(PEER, port, &ready, key)?);
    let meter = Meter { server: job.pid(), database: None };
    let (idle, connection) = (resting(meter)?, idle::connection(&target, meter)?);
    report.start_ups.push(StartUp { name: PEER.to_owned(), median, idle, connection });
    Ok(Subject { target, meter, running: Running::Peer(job), store: None })
}

/// The median time from the start of a program to its first answered request.
pub(super) fn start_up(starts: usize, command: impl Fn(u16) -> Command) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..starts {
        let port = launch::free_port()?;
        let authority = format!("localhost:{port}");
        let mut command = command(port);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        let _job = Job::start(&mut command, Signal::TERM)?;
        while target::get(port, &authority, DISCOVERY).is_err() {
            process::check_interrupt()?;
            if started.elapsed() > Duration::from_secs(30) {
                return Err("no answer within 30 s of the start".into());
            }
            process::pause(Duration::from_millis(1));
        }
        times.push(started.elapsed());
    }
    times.sort_unstable();
    times.get(times.len() / 2).copied().ok_or_else(|| "no start was measured".into())
}

/// The resident MiB of a server that nothing has been asked of.
fn resting(meter: Meter) -> Result<f64> {
    process::pause(Duration::from_secs(2));
    meter.resident()
}

impl Subject<'_> {
    /// Makes the device codes that are polled; gives the resident MiB of before.
    pub fn make_pending(&self, size: usize) -> Result<f64> {
        let resident = self.meter.resident()?;
        let store = self.store.as_ref().ok_or("there is no database to look at")?;
        let before = store.written()?;
        let pending = Pending::make(&self.target, size)?;
        let written = store.written()?.wrapping_sub(before);
        // Codes that are made at once may share a commit; a counter that sees none would see no writing poll either.
        if written == 0 {
            return Err(format!("no writing transaction was counted for {size} device codes").into());
        }
        self.target.pending.set(pending).map_err(|_| "the device codes were made before")?;
        Ok(resident)
    }

    /// The memory that each pending device code has taken since `before`.
    pub fn grown(&self, before: f64, size: usize) -> Result<PendingMemory> {
        let mebibytes = self.meter.resident()? - before;
        let bytes = mebibytes * 1024.0 * 1024.0 / f64::from(u32::try_from(size)?);
        Ok(PendingMemory { subject: self.target.name.clone(), size, bytes })
    }

    /// Runs one workload for as long as the pace says.
    pub fn run(&self, workload: Workload, pace: Pace) -> Result<Run> {
        let run =
            if workload == Workload::DevicePolling { self.poll(pace) } else { self.drive(workload, pace) }?;
        println!(
            "{:<22} {:<24} {:>9.0}/s  p50 {:>7.2} ms  p99 {:>7.2} ms  {:>7.3} + {:>6.3} CPU s/1,000",
            workload.name(),
            self.target.name,
            run.rate,
            run.p50,
            run.p99,
            run.cpu.server,
            run.cpu.database
        );
        Ok(run)
    }

    /// Whether it is our own program.
    pub fn is_ours(&self) -> bool {
        matches!(self.running, Running::Ours(_))
    }

    /// Measures the slowest hundredth of token requests alone and among people who sign in.
    pub fn crowded(&self, pace: Pace) -> Result<Crowded> {
        let alone = self.drive(Workload::ClientCredentials, pace)?.p99;
        let crowd = (Workload::CodeWithPassword, seed::PEOPLE);
        let run = load::drive_among(&self.target, Workload::ClientCredentials, crowd, pace, self.meter)?;
        println!(
            "{:<22} {:<24} p99 {:>7.2} ms, alone {alone:>7.2} ms",
            "among sign-ins", self.target.name, run.p99
        );
        Ok(Crowded { subject: self.target.name.clone(), alone, among_sign_ins: run.p99 })
    }

    /// A run of pending polls counts only if no more was written from its beginning to its end than in as long a time before it.
    fn poll(&self, pace: Pace) -> Result<Run> {
        let store = self.store.as_ref().ok_or("there is no database to look at")?;
        for _ in 0..ATTEMPTS {
            let before = store.written()?;
            process::pause(pace.warm_up + pace.measured);
            let between = store.written()?;
            let run = self.drive(Workload::DevicePolling, pace)?;
            let of_jobs = between.wrapping_sub(before);
            let written = store.written()?.wrapping_sub(between);
            // A job that writes every few seconds may do so once more in one of two times that are as long.
            if written <= of_jobs + 1 {
                return Ok(run);
            }
            println!(
                "{written} transactions wrote to the database of {}, and {of_jobs} before; once more",
                self.target.name
            );
        }
        Err("polls of pending device codes wrote to the database".into())
    }

    fn drive(&self, workload: Workload, pace: Pace) -> Result<Run> {
        let run = load::drive(&self.target, workload, pace, self.meter);
        run.map_err(|error| match &self.running {
            Running::Ours(server) => format!("{error}\nthe server's log ends:\n{}", server.log_tail()).into(),
            Running::Peer(job) => format!("{error} (the peer's process is {})", job.pid()).into(),
        })
    }
}
