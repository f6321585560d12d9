//! The order of a benchmark: build, start, measure all subjects in turn, report.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::Options;
use super::deliveries;
use super::deployments;
use super::floor::{self, Bare, Floor};
use super::hash::Hash;
use super::key::Key;
use super::large;
use super::load::{self, Pace, Run};
use super::report::{Commits, Crowded, Report, Row};
use super::subject::{self, DATABASE, Ours, PEER, POSTGRES, SQLITE, Subject};
use super::workload::Workload;
use crate::postgres::{Durability, Postgres};
use crate::process;
use crate::tools::{self, Need};
use crate::{Result, launch};

/// Measures and prints.
pub fn run(options: &Options) -> Result<()> {
    if options.large {
        return large::run(options);
    }
    if options.deployments {
        return deployments::run(options);
    }
    if options.deliveries {
        return deliveries::run(options);
    }
    let is_wanted = |name: &str| options.server.as_ref().is_none_or(|text| name.contains(text.as_str()));
    let on_sqlite = options.engine.has_sqlite() && is_wanted(SQLITE);
    let on_postgres = options.engine.has_postgres() && is_wanted(POSTGRES);
    let postgres = on_postgres.then(start_postgres).transpose()?;
    let folder = tempfile::Builder::new().prefix("svc-bench-").tempdir()?;
    let key = Arc::new(Key::generate()?);
    let mut report = Report::new(options.quick);
    report.rounds = options.rounds;
    let mut subjects = Vec::new();
    if on_sqlite || on_postgres {
        let ours = Ours { program: build()?, starts: starts(options), key: &key };
        if on_sqlite {
            subjects.push(ours.start(&folder.path().join("sqlite"), None, &mut report)?);
        }
        if let Some(postgres) = &postgres {
            subjects.push(ours.start(&folder.path().join("postgres"), Some(postgres), &mut report)?);
        }
    }
    if is_wanted(PEER) {
        subjects.push(subject::oidc_provider(&mut report, starts(options), &key)?);
    }
    measure(&subjects, postgres.as_ref(), &mut report, options)?;
    let text = report.markdown();
    println!("\n{text}");
    if options.write { report.write(&launch::root().join("docs/benchmarks.md")) } else { Ok(()) }
}

pub(super) fn build() -> Result<PathBuf> {
    println!("building the optimised program, as `cargo xtask dist` ships it");
    process::run(launch::cargo_to_ship()?.args([
        "build",
        "--profile",
        "dist",
        "--quiet",
        "--package",
        "svc-runtime",
    ]))?;
    Ok(launch::target_dir()?.join("dist/svc-runtime"))
}

pub(super) fn start_postgres() -> Result<Postgres> {
    tools::ensure(&[Need::Postgres])?;
    let postgres = Postgres::start(Durability::Full)?;
    postgres.create(DATABASE)?;
    floor::prepare_commits(&postgres)?;
    Ok(postgres)
}

/// How many starts are timed.
fn starts(options: &Options) -> usize {
    if options.quick { 3 } else { 10 }
}

/// Device codes that wait for a person.
fn pending(options: &Options) -> usize {
    if options.quick { 1_000 } else { 10_000 }
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
        let is_answered = |subject: &&Subject| workload.is_answered_by(&subject.target);
        let answering: Vec<&Subject> = subjects.iter().filter(is_answered).collect();
        let pace = pace(workload, options);
        if workload == Workload::DevicePolling {
            polled(&answering, (pace, pending(options)), &floor, report)?;
        } else {
            in_turn(&answering, (workload, pace), &floor, report)?;
        }
        match (workload, postgres) {
            (Workload::Fapi2, _) => report.bare = Some(Bare::measure(pace.measured / 4)?),
            (Workload::Refresh, Some(postgres)) => report.commits = commits(postgres, pace)?,
            (Workload::CodeWithPassword, _) => {
                report.hash = Some(Hash::measure()?);
                report.crowded = crowded(&answering, options)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// In turn and not one after the other, so that a slow minute of the machine meets all of them.
fn in_turn(
    subjects: &[&Subject],
    (workload, pace): (Workload, Pace),
    floor: &Floor,
    report: &mut Report,
) -> Result<()> {
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); subjects.len()];
    let mut floor_runs = Vec::new();
    for _ in 0..pace.rounds {
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
    Ok(())
}

/// The polling of device codes that were made beforehand, and what each of them costs in memory.
fn polled(
    subjects: &[&Subject],
    (pace, size): (Pace, usize),
    floor: &Floor,
    report: &mut Report,
) -> Result<()> {
    let before = subjects.iter().map(|subject| subject.make_pending(size)).collect::<Result<Vec<_>>>()?;
    in_turn(subjects, (Workload::DevicePolling, pace), floor, report)?;
    for (subject, before) in subjects.iter().zip(before) {
        report.pending.push(subject.grown(before, size)?);
    }
    Ok(())
}

/// Token requests alone, and while twice as many people sign in as there are cores.
fn crowded(subjects: &[&Subject], options: &Options) -> Result<Vec<Crowded>> {
    let pace = Pace { connections: 4, ..pace(Workload::ClientCredentials, options) };
    let ours = subjects.iter().filter(|subject| subject.is_ours());
    ours.map(|subject| subject.crowded(pace)).collect()
}

/// Bare commits, which bound the rotations.
fn commits(postgres: &Postgres, pace: Pace) -> Result<Vec<Commits>> {
    let measured = [8, 16].map(|clients| {
        let rate = floor::commits(postgres, clients, pace.measured)?;
        Ok(Commits { clients, rate })
    });
    measured.into_iter().collect()
}

pub(super) fn pace(workload: Workload, options: &Options) -> Pace {
    // A password costs a tenth of a second and 64 MiB: more at once would only measure the queue.
    let connections = if workload == Workload::CodeWithPassword { 4 } else { 16 };
    let (rounds, warm_up, measured) =
        if options.quick { (1, 500, 2_000) } else { (options.rounds.into(), 2_000, 8_000) };
    let [warm_up, measured] = [warm_up, measured].map(Duration::from_millis);
    Pace { rounds, connections, warm_up, measured }
}
