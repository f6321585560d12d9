//! The order of a benchmark: build, start, measure all subjects in turn, report.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::floor::{self, Floor};
use super::flows::Workload;
use super::load::{self, Pace, Run};
use super::meter::Meter;
use super::report::{Commits, Report, Row, StartUp};
use super::target::{self, DISCOVERY, Target};
use super::{Options, peer};
use crate::postgres::{Durability, Postgres};
use crate::process::{self, Job};
use crate::server::{self, Server, Setting};
use crate::tools::{self, Need};
use crate::{Result, launch};

// The guards stay on, as in operation; one loopback address sending everything is what they must bear here.
const ENVIRONMENT: [(&str, &str); 2] = [
    ("SVC_SERVER__ENDPOINT_THROTTLE", "1000000000"),
    ("SVC_AUTH__PASSWORD_VERIFY_IP_MAX_ATTEMPTS", "100000"),
];

const SQLITE: &str = "svc, SQLite";
const POSTGRES: &str = "svc, PostgreSQL";
const PEER: &str = "oidc-provider, memory";

/// What keeps a subject running.
enum Running {
    Ours(Server),
    Peer(Job),
}

struct Subject {
    target: Arc<Target>,
    meter: Meter,
    running: Running,
}

/// Measures and prints.
pub fn run(options: &Options) -> Result<()> {
    let is_wanted = |name: &str| options.server.as_ref().is_none_or(|text| name.contains(text.as_str()));
    let on_sqlite = options.engine.has_sqlite() && is_wanted(SQLITE);
    let on_postgres = options.engine.has_postgres() && is_wanted(POSTGRES);
    let postgres = on_postgres.then(start_postgres).transpose()?;
    let folder = tempfile::Builder::new().prefix("svc-bench-").tempdir()?;
    let mut report = Report::new(options.quick);
    let mut subjects = Vec::new();
    if on_sqlite || on_postgres {
        let ours = Ours { program: build()?, starts: starts(options) };
        if on_sqlite {
            subjects.push(ours.start(&folder.path().join("sqlite"), None, &mut report)?);
        }
        if let Some(postgres) = &postgres {
            subjects.push(ours.start(&folder.path().join("postgres"), Some(postgres), &mut report)?);
        }
    }
    if is_wanted(PEER) {
        subjects.push(oidc_provider(&mut report, starts(options))?);
    }
    measure(&subjects, postgres.as_ref(), &mut report, options)?;
    let text = report.markdown();
    println!("\n{text}");
    if options.write { report.write(&launch::root().join("docs/benchmarks.md")) } else { Ok(()) }
}

fn build() -> Result<PathBuf> {
    println!("building the release binary");
    process::run(launch::cargo().args(["build", "--release", "--quiet", "--package", "svc-runtime"]))?;
    Ok(launch::target_dir()?.join("release/svc-runtime"))
}

fn start_postgres() -> Result<Postgres> {
    tools::ensure(&[Need::Postgres])?;
    let postgres = Postgres::start(Durability::Full)?;
    postgres.create("bench")?;
    floor::prepare_commits(&postgres)?;
    Ok(postgres)
}

/// How many starts are timed.
fn starts(options: &Options) -> usize {
    if options.quick { 3 } else { 10 }
}

/// Our own program, and how often its start is timed.
struct Ours {
    program: PathBuf,
    starts: usize,
}

impl Ours {
    fn start(&self, data_dir: &Path, postgres: Option<&Postgres>, report: &mut Report) -> Result<Subject> {
        std::fs::create_dir_all(data_dir)?;
        let name = if postgres.is_some() { POSTGRES } else { SQLITE };
        let url = postgres.map(|postgres| postgres.url("bench"));
        let setting = Setting {
            program: &self.program,
            data_dir,
            database_url: url.as_deref(),
            environment: &ENVIRONMENT,
        };
        // The first start makes the database; what counts is a start on an existing one.
        drop(Server::start(&setting)?);
        let median = start_up(self.starts, |port| server::command(&setting, port))?;
        let server = Server::start(&setting)?;
        let target = Arc::new(Target::new(name, server.port, &server.ready)?);
        let meter = Meter { server: server.pid(), database: postgres.map(Postgres::pid) };
        report.start_ups.push(StartUp { name: name.to_owned(), median, idle: idle(meter)? });
        Ok(Subject { target, meter, running: Running::Ours(server) })
    }
}

fn oidc_provider(report: &mut Report, starts: usize) -> Result<Subject> {
    peer::install()?;
    let median = start_up(starts, peer::command)?;
    let (job, port, ready) = peer::start()?;
    let target = Arc::new(Target::new(PEER, port, &ready)?);
    let meter = Meter { server: job.pid(), database: None };
    report.start_ups.push(StartUp { name: PEER.to_owned(), median, idle: idle(meter)? });
    Ok(Subject { target, meter, running: Running::Peer(job) })
}

/// The median time from the start of a program to its first answered request.
fn start_up(starts: usize, command: impl Fn(u16) -> Command) -> Result<Duration> {
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

fn idle(meter: Meter) -> Result<f64> {
    process::pause(Duration::from_secs(2));
    meter.resident()
}

fn measure(
    subjects: &[Subject],
    postgres: Option<&Postgres>,
    report: &mut Report,
    options: &Options,
) -> Result<()> {
    let floor = Floor::start()?;
    let is_wanted = |workload: &Workload| {
        options.only.as_ref().is_none_or(|only| workload.name().contains(only.as_str()))
    };
    for workload in Workload::ALL.into_iter().filter(is_wanted) {
        let pace = pace(workload, options);
        let rounds = if options.quick { 1 } else { 3 };
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); subjects.len()];
        let mut floor_runs = Vec::new();
        // In turn and not one after the other, so that a slow minute of the machine meets all of them.
        for _ in 0..rounds {
            process::check_interrupt()?;
            for (subject, runs) in subjects.iter().zip(&mut runs) {
                runs.push(subject.run(workload, pace)?);
            }
            if workload == Workload::ClientCredentials {
                floor_runs.push(load::drive(&floor.target, Workload::Floor, pace, floor.meter)?);
            }
        }
        for (subject, runs) in subjects.iter().zip(runs) {
            report.add(Row::new(workload, &subject.target.name, runs)?);
        }
        if !floor_runs.is_empty() {
            report.floor = Some(Row::new(Workload::Floor, "floor", floor_runs)?);
        }
        if let Some(postgres) = postgres.filter(|_| workload == Workload::Refresh) {
            for clients in [8, 16] {
                let rate = floor::commits(postgres, clients, pace.measured)?;
                report.commits.push(Commits { clients, rate });
            }
        }
    }
    Ok(())
}

fn pace(workload: Workload, options: &Options) -> Pace {
    // A password costs a tenth of a second and 64 MiB: more at once would only measure the queue.
    let connections = if workload == Workload::CodeWithPassword { 4 } else { 16 };
    let (warm_up, measured) = if options.quick { (500, 2_000) } else { (2_000, 8_000) };
    Pace { connections, warm_up: Duration::from_millis(warm_up), measured: Duration::from_millis(measured) }
}

impl Subject {
    fn run(&self, workload: Workload, pace: Pace) -> Result<Run> {
        let run =
            load::drive(&self.target, workload, pace, self.meter).map_err(|error| match &self.running {
                Running::Ours(server) => format!("{error}\nthe server's log ends:\n{}", server.log_tail()),
                Running::Peer(job) => format!("{error} (the peer's process is {})", job.pid()),
            })?;
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
}
