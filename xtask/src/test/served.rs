//! What is checked against a running development server: client libraries, packages, programs and browsers that are not ours.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::{Engine, IMPATIENT, Options, requirements, runtime};
use crate::elsewhere::Elsewhere;
use crate::postgres::Postgres;
use crate::process::run as run_command;
use crate::server::{Server, Setting};
use crate::steps::Steps;
use crate::{Result, guides, launch, sdks, tools};

/// A tenant at which people of the demo have no membership yet.
const SECOND_TENANT: &str =
    "\n[[tenant]]\nslug = \"second\"\nname = \"Second\"\nsettings = { registration = true }\n";
const OAUTH2_PROXY: (&str, &str) = ("github.com/oauth2-proxy/oauth2-proxy/v7", "v7.15.6");

/// Runs all of them, each with a server of its own.
pub(super) fn check(
    options: &Options,
    steps: &mut Steps,
    (engine, postgres): (&str, Option<&Postgres>),
) -> Result<()> {
    steps.step(&format!("client libraries on {engine}"), || with_server(postgres, "clients", clients))?;
    steps.step(&format!("client packages on {engine}"), || {
        with_server(postgres, "packages", sdks::against_server)
    })?;
    // A mail is the same whichever database it waited in.
    if postgres.is_none() {
        steps.step("mails through a relay", mails_through_a_relay)?;
    }
    steps.step(&format!("made-up requests on {engine}"), || with_server(postgres, "made_up", made_up))?;
    if tools::is_installed("go") {
        steps.step(&format!("Go client on {engine}"), || with_server(postgres, "go", go_client))?;
        steps.step(&format!("generated Go client on {engine}"), || {
            with_server(postgres, "generated", generated_client)
        })?;
    } else {
        steps.skip(&format!("Go client on {engine}"), tools::NO_GO);
    }
    let provider = format!("Terraform provider on {engine}");
    if tools::is_installed("go") && (tools::terraform().is_some() || options.clients) {
        steps.step(&provider, || with_server(postgres, "terraform", terraform_provider))?;
    } else {
        steps.skip(&provider, "needs Go, and `tofu` or `terraform`; `--clients` builds OpenTofu");
    }
    if options.clients {
        steps.step(&format!("Next.js on {engine}"), || with_server(postgres, "nextjs", nextjs))?;
        steps.step(&format!("Java client on {engine}"), || with_server(postgres, "java", java_client))?;
    }
    Ok(())
}

/// One flow of each family; `cargo xtask sdks test` runs all flows, on both engines.
pub(super) fn examples(steps: &mut Steps) -> Result<()> {
    steps.step("browser examples on SQLite", || {
        with_server(None, "examples", |server| sdks::examples(server, sdks::Extent::Brief))
    })
}

/// What the names of the steps below begin with.
pub(super) const BROWSER: &str = "browser on";

/// Every page, in Chromium.
pub(super) fn browser(
    options: &Options,
    steps: &mut Steps,
    (engine, postgres): (&str, Option<&Postgres>),
) -> Result<()> {
    steps.step(&format!("{BROWSER} {engine}"), || with_browser(options, postgres))
}

/// People in a real browser; the server knows providers, a chain, a name server and every way to sign in.
fn with_browser(options: &Options, postgres: Option<&Postgres>) -> Result<()> {
    let port = launch::free_port()?;
    let elsewhere = Elsewhere::start(&runtime()?, port)?;
    let providers = elsewhere.providers();
    // The tests are the node of the chain themselves.
    let node = launch::free_port()?;
    let chains = json!([{ "name": "chain", "chain_id": 1, "rpc_url": format!("http://127.0.0.1:{node}") }]);
    let chains = chains.to_string();
    // And the name server.
    let names = launch::free_port()?;
    let resolvers = json!([format!("127.0.0.1:{names}")]).to_string();
    let more = [
        ("SVC_GENERIC_OAUTH__ENABLED", "true"),
        ("SVC_GENERIC_OAUTH__PROVIDERS", providers.as_str()),
        ("SVC_SIWE__ENABLED", "true"),
        ("SVC_CHAINS", chains.as_str()),
        ("SVC_EMAIL_OTP__ENABLED", "true"),
        ("SVC_MAGIC_LINK__ENABLED", "true"),
        ("SVC_SMS__ENABLED", "true"),
        ("SVC_ANONYMOUS__ENABLED", "true"),
        ("SVC_TWO_FACTOR__TRUSTED_DEVICE_DAYS", "30"),
        ("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true"),
        ("SVC_VERIFIED_DOMAINS__RESOLVERS", resolvers.as_str()),
        // All people come from one address.
        ("SVC_AUTH__REGISTRATION_RATE_LIMIT_MAX", "1000"),
    ];
    let place = Place { postgres, name: "browser", port, environment: &more, tenants: SECOND_TENANT };
    // Pages look the same whichever database is behind them: where both are tried, each has a part of the looks.
    let looks = match (postgres, options.engine) {
        (Some(_), _) => Some("phone,right-to-left-phone"),
        (None, Engine::Both) => Some("light,dark,zoomed,right-to-left"),
        (None, _) => None,
    };
    let known = [
        ("SVC_ELSEWHERE", elsewhere.known()),
        ("SVC_NODE_PORT", node.to_string()),
        ("SVC_NAMES_PORT", names.to_string()),
    ];
    with_server_at(&place, |server| in_chromium(options, server, (&known, looks)))
}

fn with_server(
    postgres: Option<&Postgres>,
    name: &str,
    test: impl FnOnce(&Server) -> Result<()>,
) -> Result<()> {
    let port = launch::free_port()?;
    with_server_at(&Place { postgres, name, port, environment: &[], tenants: "" }, test)
}

/// Where a server is to run.
struct Place<'a> {
    postgres: Option<&'a Postgres>,
    name: &'a str,
    port: u16,
    environment: &'a [(&'a str, &'a str)],
    /// Tenants besides that of the demo, for its declarative file.
    tenants: &'a str,
}

fn with_server_at(place: &Place<'_>, test: impl FnOnce(&Server) -> Result<()>) -> Result<()> {
    let Place { postgres, name, port, environment, tenants } = *place;
    let folder = launch::passing_folder("svc-dev-")?;
    let database = format!("svc_{name}");
    let url =
        postgres.map(|postgres| postgres.create(&database).map(|()| postgres.url(&database))).transpose()?;
    let environment = [IMPATIENT, environment].concat();
    let seed = guides::write(folder.path())?;
    fs::write(&seed, fs::read_to_string(&seed)? + tenants)?;
    let setting = Setting {
        program: &runtime()?,
        data_dir: folder.path(),
        database_url: url.as_deref(),
        seed: Some(&seed),
        environment: &environment,
    };
    let server = Server::start_at(&setting, port)?;
    test(&server).map_err(|error| format!("{error}; the server's log ends:\n{}", server.log_tail()).into())
}

fn clients(server: &Server) -> Result<()> {
    let folder = launch::root().join("tests/clients");
    run_command(&mut node_tests(&folder.join("node"), server))?;
    let python = tools::python(&requirements())?;
    run_command(
        Command::new(python)
            .args(["-B", "-m", "unittest", "--verbose"])
            .env("SVC_DEV", server.ready.to_string())
            .current_dir(folder.join("python")),
    )
}

/// A mail server from npm, which the tests start, takes what the service mails.
fn mails_through_a_relay() -> Result<()> {
    let (username, password) = ("svc", "a-password-of-the-relay");
    let port = launch::free_port()?;
    let number = port.to_string();
    let environment = [
        ("SVC_EMAIL__PROVIDER", "smtp"),
        ("SVC_EMAIL__SMTP__HOST", "127.0.0.1"),
        ("SVC_EMAIL__SMTP__PORT", number.as_str()),
        ("SVC_EMAIL__SMTP__STARTTLS", "false"),
        ("SVC_EMAIL__SMTP__USERNAME", username),
        ("SVC_EMAIL__SMTP__PASSWORD", password),
        ("SVC_EMAIL__SMTP__FROM", "Example <no-reply@example.com>"),
    ];
    let relay = json!({ "port": port, "username": username, "password": password });
    let own = launch::free_port()?;
    let place = Place { postgres: None, name: "relay", port: own, environment: &environment, tenants: "" };
    with_server_at(&place, |server| {
        let mut tests = node_tests(&launch::root().join("tests/clients/relay"), server);
        run_command(tests.env("SVC_RELAY", relay.to_string()))
    })
}

/// Requests made after the OpenAPI document; the server is theirs alone, because they change what they find.
fn made_up(server: &Server) -> Result<()> {
    run_command(
        Command::new(tools::python(&requirements())?)
            .args(["-B", "-m", "unittest", "--verbose", "described"])
            .env("SVC_DEV", server.ready.to_string())
            .current_dir(launch::root().join("tests/clients/python")),
    )
}

/// The package `coreos/go-oidc`, with the program of its guide and the settings of Kubernetes, and the program oauth2-proxy.
fn go_client(server: &Server) -> Result<()> {
    let (module, version) = OAUTH2_PROXY;
    let proxy = tools::go_tool("oauth2-proxy", module, version)?;
    let mut tests = Command::new("go");
    tests.args(["test", "-count=1", "./..."]).env("SVC_DEV", server.ready.to_string());
    tests.env("OAUTH2_PROXY", proxy);
    run_command(tests.current_dir(launch::root().join("tests/clients/go")))
}

/// The client that `oapi-codegen` makes of the OpenAPI document.
fn generated_client(server: &Server) -> Result<()> {
    let folder = launch::root().join("tests/clients/generated");
    run_command(tools::go(&folder).args(["generate", "./..."]))?;
    run_command(
        tools::go(&folder).args(["test", "-count=1", "./..."]).env("SVC_DEV", server.ready.to_string()),
    )
}

/// `OpenTofu` or Terraform, with the example of the provider.
fn terraform_provider(server: &Server) -> Result<()> {
    let program = tools::terraform().map_or_else(tools::build_open_tofu, Ok)?;
    let mut tests = tools::go(&launch::root().join("sdks/terraform"));
    tests.args(["test", "-count=1", "./internal/provider"]).env("SVC_DEV", server.ready.to_string());
    if program.ends_with("tofu") {
        tests.env("TF_ACC_PROVIDER_HOST", "registry.opentofu.org");
    }
    run_command(tests.env("TF_ACC", "1").env("TF_ACC_TERRAFORM_PATH", program))
}

/// Next.js, with the files of its guide.
fn nextjs(server: &Server) -> Result<()> {
    let folder = launch::root().join("tests/clients/nextjs");
    tools::node_packages(&folder)?;
    run_command(&mut node_tests(&folder, server))
}

/// Spring Security, with the settings of its guide.
fn java_client(server: &Server) -> Result<()> {
    let mut tests = Command::new("mvn");
    tests.args(["--batch-mode", "--no-transfer-progress", "test"]).env("SVC_DEV", server.ready.to_string());
    run_command(tests.current_dir(launch::root().join("tests/clients/java")))
}

fn in_chromium(
    options: &Options,
    server: &Server,
    (known, looks): (&[(&str, String)], Option<&str>),
) -> Result<()> {
    let mut tests = node_tests(&launch::root().join("tests/browser"), server);
    tests.envs(known.iter().cloned());
    tests.env("SVC_CHROMIUM", tools::chromium().ok_or("Chromium is missing")?);
    if let Some(looks) = looks {
        tests.env("SVC_LOOKS", looks);
    }
    if let Some(folder) = &options.screenshots {
        fs::create_dir_all(folder)?;
        tests.env("SVC_SCREENSHOTS", folder.canonicalize()?);
    }
    run_command(&mut tests)
}

fn node_tests(folder: &Path, server: &Server) -> Command {
    let mut command = Command::new("node");
    command.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]);
    command.env("SVC_DEV", server.ready.to_string()).current_dir(folder);
    command
}
