//! `cargo xtask bench --large`: one server with 10,000 tenants, 100,000 people and 50,000 applications.

mod crowd;
pub mod fill;
mod lists;
mod table;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::Options;
use super::key::Key;
use super::meter::Meter;
use super::subject::{self, DATABASE, ENVIRONMENT, POSTGRES, SQLITE};
use super::suite;
use crate::postgres::Postgres;
use crate::server::{self, Server, Setting};
use crate::{Result, launch, process};

use self::crowd::Crowd;
use self::fill::Size;
use self::table::Table;

/// How long the idle server is watched.
const IDLE: Duration = Duration::from_secs(20);
const STARTS: usize = 5;

/// Fills a database of each kind, starts the server on it, and prints what that is like.
pub fn run(options: &Options) -> Result<()> {
    let size = if options.quick { Size::SMALL } else { Size::LARGE };
    let program = suite::build()?;
    let folder = tempfile::Builder::new().prefix("svc-bench-large-").tempdir()?;
    let mut table = Table::new(size);
    if options.engine.has_sqlite() {
        table.column(SQLITE, measure(&program, &folder.path().join("sqlite"), None, size)?);
    }
    if options.engine.has_postgres() {
        let postgres = suite::start_postgres()?;
        table.column(POSTGRES, measure(&program, &folder.path().join("postgres"), Some(&postgres), size)?);
    }
    println!("\n{}", table.markdown());
    if options.write { table.write(&launch::root().join("docs/benchmarks.md")) } else { Ok(()) }
}

/// One fact of a column.
pub struct Fact {
    /// What was measured, with its unit.
    pub what: &'static str,
    /// The number.
    pub value: f64,
    /// What it is held against.
    pub wanted: &'static str,
}

fn measure(program: &Path, folder: &Path, postgres: Option<&Postgres>, size: Size) -> Result<Vec<Fact>> {
    std::fs::create_dir_all(folder)?;
    let url = postgres.map(|postgres| postgres.url(DATABASE));
    let setting = Setting {
        program,
        data_dir: folder,
        database_url: url.as_deref(),
        seed: None,
        environment: &ENVIRONMENT,
    };
    let crowd = seeded(&setting)?;
    println!("filling {} tenants, {} people, {} applications", size.tenants, size.people, size.applications);
    fill::fill(&folder.join("svc.db"), postgres, size)?;
    let start = subject::start_up(STARTS, |port| server::command(&setting, port))?;
    let server = Server::start(&setting)?;
    let meter = Meter { server: server.pid(), database: postgres.map(Postgres::pid) };
    let mut facts = vec![Fact {
        what: "start to first answer, ms",
        value: start.as_secs_f64() * 1000.0,
        wanted: "under 300",
    }];
    facts.extend(idle(meter)?);
    facts.extend(crowd.tokens(server.port, meter, size)?);
    facts.extend(lists::deep(&server, meter)?);
    facts.push(Fact { what: "memory at the end, MiB", value: meter.resident()?, wanted: "–" });
    Ok(facts)
}

/// Starts the server once, so that the database has the demo and the application that all others are copies of.
fn seeded(setting: &Setting) -> Result<Crowd> {
    drop(Server::start(setting)?);
    let key = Arc::new(Key::generate()?);
    let seed = super::seed::write(setting.data_dir, &key)?;
    let mut server = Server::start(&Setting { seed: Some(&seed), ..*setting })?;
    super::seed::add_to(&mut server.ready, server.port)?;
    Crowd::of(&server.ready)
}

fn idle(meter: Meter) -> Result<[Fact; 3]> {
    process::pause(Duration::from_secs(3));
    let before = meter.cpu()?;
    process::pause(IDLE);
    let after = meter.cpu()?;
    let per_second = |used: f64| used * 1000.0 / IDLE.as_secs_f64();
    Ok([
        Fact { what: "idle memory, MiB", value: meter.resident()?, wanted: "–" },
        Fact {
            what: "idle, CPU ms per second",
            value: per_second(after.server - before.server),
            wanted: "–",
        },
        Fact {
            what: "idle, CPU ms per second of the database",
            value: per_second(after.database - before.database),
            wanted: "–",
        },
    ])
}
