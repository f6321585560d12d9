//! `cargo xtask bench --large`: one server with 10,000 tenants and, on PostgreSQL, a million people and ten million entries of the
//! audit log.

mod alone;
mod crowd;
pub mod fill;
mod lists;
mod queries;
mod table;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Options;
use super::key::Key;
use super::meter::Meter;
use super::subject::{DATABASE, ENVIRONMENT, POSTGRES, SQLITE};
use super::suite;
use crate::postgres::Postgres;
use crate::server::{Server, Setting};
use crate::{Result, launch, process};

use self::alone::Costs;
use self::crowd::Crowd;
use self::fill::Size;
use self::queries::Asked;
use self::table::Table;

/// How long a server has nothing to do before it counts as idle.
const IDLE_FIRST: Duration = Duration::from_secs(3);
/// How long the idle server is watched.
const IDLE: Duration = Duration::from_secs(20);
const STARTS: usize = 5;

/// Fills a database of each kind, starts the server on it, and prints what that is like.
pub fn run(options: &Options) -> Result<()> {
    let size = |size| if options.quick { Size::SMALL } else { size };
    let program = suite::build()?;
    let folder = tempfile::Builder::new().prefix("svc-bench-large-").tempdir()?;
    let mut table = Table::default();
    if options.engine.has_sqlite() {
        let size = size(Size::LARGE);
        table.column(SQLITE, size, measure(&program, &folder.path().join("sqlite"), None, size)?);
    }
    if options.engine.has_postgres() {
        let (postgres, size) = (suite::start_postgres()?, size(Size::LARGEST));
        let measured = measure(&program, &folder.path().join("postgres"), Some(&postgres), size)?;
        table.column(POSTGRES, size, measured);
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

/// What was measured on one database.
pub struct Measured {
    facts: Vec<Fact>,
    queries: Vec<Asked>,
}

fn measure(program: &Path, folder: &Path, postgres: Option<&Postgres>, size: Size) -> Result<Measured> {
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
    let alone = Costs::measure(&setting, &crowd, postgres)?;
    println!("filling {size}");
    let filling = Instant::now();
    fill::fill(&folder.join("svc.db"), postgres, size)?;
    let filled = filling.elapsed();
    let costs = Costs::measure(&setting, &crowd, postgres)?;
    let server = Server::start(&setting)?;
    let meter = Meter { server: server.pid(), database: postgres.map(Postgres::pid) };
    let mut facts = vec![
        Fact { what: "rows made, s", value: filled.as_secs_f64(), wanted: "minutes" },
        Fact { what: "start to first answer, ms", value: costs.start, wanted: "under 300" },
    ];
    facts.extend(costs.beside(&alone));
    facts.extend(idle(meter)?);
    facts.extend(crowd.tokens(server.port, meter, size)?);
    facts.extend(lists::deep(&server, meter)?);
    let queries = queries::ask(&server, size)?;
    facts.push(Fact { what: "memory at the end, MiB", value: meter.resident()?, wanted: "–" });
    Ok(Measured { facts, queries })
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
    process::pause(IDLE_FIRST);
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
