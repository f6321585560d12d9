//! `cargo xtask bench --deployments`: what a further runtime, row-level security, TLS and signing in `svc-kms` cost, and what sessions and
//! connections hold in memory. All of it on one PostgreSQL.

mod fleet;
mod memory;
mod sidecar;
mod table;

use std::sync::Arc;

use super::Options;
use super::key::Key;
use super::load::{self, Pace, Run};
use super::suite;
use super::workload::Workload;
use crate::{Result, launch, process};

use self::fleet::{Fleet, Node};
use self::table::{Comparison, Table};

/// The requests by which deployments are compared: one that is signed in memory, one that is looked up in memory, and one
/// that is a commit.
const WORKLOADS: [Workload; 3] = [Workload::ClientCredentials, Workload::Introspection, Workload::Refresh];

/// Starts the servers, measures, and prints.
pub fn run(options: &Options) -> Result<()> {
    let program = suite::build()?;
    let postgres = suite::start_postgres()?;
    let folder = tempfile::Builder::new().prefix("svc-bench-deployments-").tempdir()?;
    let key = Arc::new(Key::generate()?);
    let fleet = Fleet::start(&program, folder.path(), &postgres, &key)?;
    let mut table = Table::default();
    for workload in WORKLOADS {
        let pace = suite::pace(workload, options);
        table.comparisons.extend(compare(&fleet, workload, pace)?);
    }
    table.facts = memory::measure(&fleet, &postgres, options)?;
    println!("\n{}", table.markdown());
    if options.write { table.write(&launch::root().join("docs/benchmarks.md")) } else { Ok(()) }
}

/// Each deployment in turn in every round, so that a slow minute of the machine meets all of them.
fn compare(fleet: &Fleet, workload: Workload, pace: Pace) -> Result<Vec<Comparison>> {
    let deployments = fleet.deployments();
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); deployments.len()];
    for _ in 0..pace.rounds {
        for ((name, nodes), runs) in deployments.iter().zip(&mut runs) {
            process::check_interrupt()?;
            let run = drive(nodes, workload, pace)?;
            println!("{:<22} {name:<32} {:>9.0}/s  p99 {:>7.2} ms", workload.name(), run.rate, run.p99);
            runs.push(run);
        }
    }
    let measured = deployments.iter().zip(runs);
    measured.map(|((name, _), runs)| Comparison::new(workload, name, runs)).collect()
}

fn drive(nodes: &[&Node], workload: Workload, pace: Pace) -> Result<Run> {
    let targets: Vec<_> = nodes.iter().map(|node| &node.target).collect();
    let own = nodes.iter().enumerate().map(|(place, node)| node.meter(place == 0));
    let meters: Vec<_> = own.chain(nodes.iter().filter_map(|node| node.meter_of_sidecar())).collect();
    load::drive_fleet(&targets, workload, pace, &meters)
}
