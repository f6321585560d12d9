//! `cargo xtask test`: every check, one step after another, the cheap ones first.

mod aside;
mod served;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use serde_json::Value;

use self::aside::Aside;
use crate::modules::{COORDINATED, DIVIDED};
use crate::postgres::{Durability, Postgres};
use crate::process::{output, run as run_command};
use crate::steps::{SET_UP, Steps};
use crate::tools::{self, Need};
use crate::{Result, advisories, launch, packaging, sdks};

/// What to check.
#[derive(Args)]
pub struct Options {
    /// Only format, lints and tests on SQLite
    #[arg(long)]
    fast: bool,
    /// Leave the browser out
    #[arg(long)]
    no_browser: bool,
    /// Also the clients that are heavy to install: Next.js, Spring Security with a JDK and Maven, `OpenTofu` where neither it nor
    /// Terraform is there
    #[arg(long)]
    clients: bool,
    /// The databases to test on
    #[arg(long, value_enum, default_value = "both")]
    engine: Engine,
    /// Only the steps whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Write a picture of every hosted page into this folder
    #[arg(long, value_name = "FOLDER")]
    screenshots: Option<PathBuf>,
}

impl Options {
    /// Those that make pictures of the hosted pages, and nothing else.
    pub fn screenshots(folder: PathBuf) -> Self {
        Self {
            fast: false,
            no_browser: false,
            clients: false,
            engine: Engine::Sqlite,
            only: Some("browser on SQLite".to_owned()),
            screenshots: Some(folder),
        }
    }
}

/// A database engine, or both.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// The embedded one
    Sqlite,
    /// A private PostgreSQL
    Postgres,
    /// One after the other
    Both,
}

impl Engine {
    /// Whether the embedded database is meant.
    pub fn has_sqlite(self) -> bool {
        self != Self::Postgres
    }

    /// Whether PostgreSQL is meant.
    pub fn has_postgres(self) -> bool {
        self != Self::Sqlite
    }
}

// One set of features for every cargo call, so that nothing is compiled twice.
const EVERYTHING: [&str; 3] = ["--workspace", "--features", "xtask/bench"];
/// Client libraries wait between polls for as long as the server says, and all of them come from one address.
pub const IMPATIENT: &[(&str, &str)] = &[
    ("SVC_DEVICE_AUTHORIZATION__INTERVAL_SECS", "1"),
    ("SVC_OIDC__CIBA_INTERVAL_SECS", "1"),
    ("SVC_SERVER__ENDPOINT_THROTTLE", "0"),
    // Registration and recovery have the browser work first; tests mistype too often for sign-in to do so.
    ("SVC_CAPTCHA__ENABLED", "true"),
    ("SVC_CAPTCHA__SECRET_KEY", "a-long-random-text-of-these-tests"),
    ("SVC_CAPTCHA__AFTER_WRONG_PASSWORDS", "1000"),
    // Enough to see it done: how long the work of people takes is up to chance.
    ("SVC_CAPTCHA__PROOF_OF_WORK_BITS", "12"),
];

/// Runs the steps; the first failure ends it.
pub fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::new(options.only.clone());
    steps.step(SET_UP, || set_up(options))?;
    steps.step("fmt", || run_command(launch::cargo().args(["fmt", "--all", "--check"])))?;
    steps.step("clippy", || {
        let mut clippy = cargo("clippy");
        clippy.args(["--features", "svc-fuzz/targets", "--all-targets", "--", "-D", "warnings"]);
        run_command(&mut clippy)
    })?;
    if !options.fast {
        without_tests(&mut steps)?;
    }
    if options.engine.has_sqlite() {
        steps.step("tests on SQLite", on_sqlite)?;
    }
    if !options.fast {
        thorough(options, &mut steps)?;
    }
    steps.close()
}

/// What is checked without a test being run: the sooner it is told, the better.
fn without_tests(steps: &mut Steps) -> Result<()> {
    steps.step("alert rules", alert_rules)?;
    packaging::check(steps)?;
    steps.step("licences, bans, sources", || {
        run_command(cargo_deny()?.args(["check", "licenses", "bans", "sources"]))
    })?;
    if let Some(config) = advisories::copy()? {
        steps.step("advisories", || {
            // Offline, so that the database is read as it is; the graph of every platform has to be at hand for that.
            run_command(launch::cargo().args(["fetch", "--locked"]))?;
            run_command(
                cargo_deny()?.arg("--offline").arg("--config").arg(config).args(["check", "advisories"]),
            )
        })?;
    } else {
        steps.skip("advisories", "no copy of the advisory database here; `cargo deny fetch` makes one");
    }
    steps.step("documentation", || {
        run_command(cargo("doc").arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings"))
    })
}

fn thorough(options: &Options, steps: &mut Steps) -> Result<()> {
    let postgres = options.engine.has_postgres().then(|| Postgres::start(Durability::None)).transpose()?;
    if let Some(postgres) = &postgres {
        steps.step("tests on PostgreSQL", || on_postgres(postgres))?;
        steps.step("tests on two nodes", || on_two_nodes(postgres))?;
        for store in ["redis", "memcached"] {
            steps.step(&format!("tests on two nodes and {store}"), || on_store(postgres, store))?;
        }
        steps.step("tests on three planes", || on_planes(postgres))?;
    }
    with_clients(options, steps, postgres.as_ref())
}

/// What people and programs that are not ours do; browsers work while the others do, unless steps were asked for by name.
fn with_clients(options: &Options, steps: &mut Steps, postgres: Option<&Postgres>) -> Result<()> {
    let is_whole = options.only.is_none() && !options.no_browser;
    let browsers = is_whole.then(|| Aside::start(served::BROWSER, options)).transpose()?;
    sdks::check(steps)?;
    let sqlite = options.engine.has_sqlite().then_some(("SQLite", None));
    let engines = sqlite.into_iter().chain(postgres.map(|postgres| ("PostgreSQL", Some(postgres))));
    engines.clone().try_for_each(|engine| served::check(options, steps, engine))?;
    if options.no_browser {
        return Ok(());
    }
    match browsers {
        Some(browsers) => steps.step("browsers", || browsers.finish())?,
        None => engines.clone().try_for_each(|engine| served::browser(options, steps, engine))?,
    }
    // Applications of examples listen where those of the browser tests do.
    if sqlite.is_some() { served::examples(steps) } else { Ok(()) }
}

/// Everything, with the databases of tests in memory where there is room.
fn on_sqlite() -> Result<()> {
    let mut tests = cargo("test");
    tests.arg("--no-fail-fast").env_remove("SVC_TEST_DATABASE_URL");
    if let Some(memory) = launch::memory() {
        tests.env("SVC_TEST_FOLDER", memory);
    }
    run_command(&mut tests)
}

/// What the crates do by themselves, and what the binary does.
fn on_postgres(postgres: &Postgres) -> Result<()> {
    let url = postgres.url("svc");
    run_command(cargo("test").arg("--lib").env("SVC_TEST_DATABASE_URL", &url))?;
    for package in ["db", "domain"] {
        run_command(integration_tests(package)?.env("SVC_TEST_DATABASE_URL", &url))?;
    }
    run_command(integration_tests("runtime")?.arg("process::").env("SVC_TEST_DATABASE_URL", &url))
}

/// What the service does: one node on PostgreSQL does nothing that two do not.
fn on_two_nodes(postgres: &Postgres) -> Result<()> {
    let mut tests = integration_tests("runtime")?;
    // Tests of the binary start the nodes that they need.
    tests.args(["--skip", "process::"]);
    run_command(tests.env("SVC_TEST_DATABASE_URL", postgres.url("svc")).env("SVC_TEST_NODES", "2"))
}

/// The rules are sound, each fires when it should, and the example of a configuration is one.
fn alert_rules() -> Result<()> {
    let promtool = |arguments: &[&str]| {
        let folder = launch::root().join("packaging/monitoring");
        run_command(Command::new("promtool").args(arguments).current_dir(folder))
    };
    promtool(&["check", "rules", "alerts.yml"])?;
    promtool(&["test", "rules", "alerts.test.yml"])?;
    promtool(&["check", "config", "--syntax-only", "prometheus.yml"])
}

/// A node of each plane, which connects as the role of its plane.
fn on_planes(postgres: &Postgres) -> Result<()> {
    let mut tests = integration_tests("runtime")?;
    tests.args(DIVIDED).args(["--skip", "process::"]);
    run_command(tests.env("SVC_TEST_DATABASE_URL", postgres.url("svc")).env("SVC_TEST_NODES", "planes"))
}

/// Two nodes that coordinate through Redis or Memcached, which the tests start for themselves.
fn on_store(postgres: &Postgres, store: &str) -> Result<()> {
    let mut tests = integration_tests("runtime")?;
    tests.args(COORDINATED).args(["--skip", "process::"]);
    tests.env("SVC_TEST_DATABASE_URL", postgres.url("svc")).env("SVC_TEST_NODES", "2");
    run_command(tests.env("SVC_TEST_COORDINATION", store))
}

fn set_up(options: &Options) -> Result<()> {
    tools::ensure(&[Need::CxxCompiler, Need::Pebble, Need::SoftHsm, Need::ReverseProxies, Need::TlsClients])?;
    if options.fast {
        return Ok(());
    }
    let mut needs = vec![Need::Node, Need::Python, Need::Apache, Need::Promtool];
    needs.extend([Need::Redis, Need::Memcached, Need::FakeTime, Need::Elixir]);
    if options.engine.has_postgres() {
        needs.push(Need::Postgres);
    }
    if options.clients {
        needs.push(Need::Java);
    }
    if !options.no_browser {
        needs.push(Need::Chromium);
        tools::ensure(&[Need::Node])?;
        tools::node_packages(&launch::root().join("tests/browser"))?;
    }
    tools::ensure(&needs)?;
    for folder in ["tests/clients/node", "tests/clients/relay"] {
        tools::node_packages(&launch::root().join(folder))?;
    }
    tools::python(&requirements())?;
    tools::cargo_deny().map(drop)
}

fn requirements() -> PathBuf {
    launch::root().join("tests/clients/python/requirements.txt")
}

fn cargo(task: &str) -> Command {
    let mut command = launch::cargo();
    command.arg(task).args(EVERYTHING).env(THREADS, threads());
    command
}

/// How many tests the harness runs at a time.
const THREADS: &str = "RUST_TEST_THREADS";

/// Two for each core: a test waits for a third of its time.
fn threads() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (2 * cores).to_string()
}

fn cargo_deny() -> Result<Command> {
    let mut command = Command::new(tools::cargo_deny()?);
    command.current_dir(launch::root());
    Ok(command)
}

/// The program that `cargo test` has built with the tests, with the same features.
fn runtime() -> Result<PathBuf> {
    built("runtime", "svc-runtime", false)
}

/// The integration tests of one crate, to be followed by names. Cargo itself would run those of every other crate too, or
/// compile the crate again with the features that it needs by itself.
fn integration_tests(package: &str) -> Result<Command> {
    let mut tests = Command::new(built(package, "it", true)?);
    tests.current_dir(launch::root().join("crates").join(package)).env(THREADS, threads());
    Ok(tests)
}

/// What cargo says about each program that it has built with the tests; it is asked once, as it looks at every source for it.
fn built_programs() -> Result<&'static str> {
    static MESSAGES: OnceLock<String> = OnceLock::new();
    if let Some(messages) = MESSAGES.get() {
        return Ok(messages);
    }
    let mut build = cargo("test");
    build.args(["--no-run", "--quiet", "--message-format=json-render-diagnostics"]).stderr(Stdio::inherit());
    let messages = output(&mut build)?;
    Ok(MESSAGES.get_or_init(|| messages))
}

fn built(package: &str, target: &str, is_test: bool) -> Result<PathBuf> {
    let messages = built_programs()?;
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let manifest = launch::root().join("crates").join(package).join("Cargo.toml");
    let mut programs = artifacts.filter_map(|artifact| {
        let is_wanted = Path::new(artifact.get("manifest_path")?.as_str()?) == manifest
            && artifact.pointer("/target/name")?.as_str()? == target
            && artifact.pointer("/profile/test")?.as_bool()? == is_test;
        let program = artifact.get("executable")?.as_str()?;
        is_wanted.then(|| PathBuf::from(program))
    });
    programs.next().ok_or_else(|| format!("cargo test built no `{target}` of crates/{package}").into())
}
