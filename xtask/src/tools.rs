//! What the checks need besides Rust: system packages, Node and Python packages, cargo-deny.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Result, launch, postgres, process};

const CARGO_DENY: &str = "0.20.2";
const OPEN_TOFU: &str = "1.12.6";
/// Debian keeps the program out of the path of people other than root.
const APACHE: [&str; 2] = ["/usr/sbin/apache2", "/usr/lib/apache2/modules/mod_auth_openidc.so"];
/// Why a step that needs Go is left out.
pub const NO_GO: &str = "no Go toolchain here; install the package golang-go";
const NGINX: &str = "/usr/sbin/nginx";

/// A program from the system's packages, and the Debian package that holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The database server.
    Postgres,
    /// A store of coordination.
    Redis,
    /// The other one.
    Memcached,
    /// The browser.
    Chromium,
    /// Node and npm.
    Node,
    /// Python with `venv`.
    Python,
    /// The web server with `mod_auth_openidc`, without a service of the system.
    Apache,
    /// A JDK and Maven.
    Java,
    /// What libFuzzer is compiled with.
    CxxCompiler,
    /// What Debian packages are made with.
    DebianTools,
    /// The C implementation of Argon2, to compare with.
    Argon2,
    /// A shell for database files, which fills a large one.
    Sqlite,
    /// An ACME server for tests.
    Pebble,
    /// A token for keys, in software.
    SoftHsm,
    /// Reverse proxies that ask for each request whose it is, without a service of the system.
    ReverseProxies,
    /// TLS clients of others.
    TlsClients,
    /// What reads alert rules as Prometheus does.
    Promtool,
    /// A clock for one process, which a test sets.
    FakeTime,
    /// Elixir with what its programs are tested with.
    Elixir,
}

impl Need {
    fn is_met(self) -> bool {
        match self {
            Self::Postgres => postgres::programs().is_some(),
            Self::Redis => on_path("redis-server").is_some(),
            Self::Memcached => on_path("memcached").is_some(),
            Self::Chromium => chromium().is_some(),
            Self::Node => on_path("node").is_some() && on_path("npm").is_some(),
            Self::Python => process::output(Command::new("python3").args(["-c", "import ensurepip"])).is_ok(),
            Self::Apache => APACHE.iter().all(|file| Path::new(file).exists()),
            Self::Java => is_installed("javac") && is_installed("mvn"),
            Self::CxxCompiler => on_path("c++").is_some(),
            Self::DebianTools => on_path("dpkg-deb").is_some(),
            Self::Argon2 => on_path("argon2").is_some(),
            Self::Sqlite => on_path("sqlite3").is_some(),
            Self::Pebble => on_path("pebble").is_some() && on_path("pebble-challtestsrv").is_some(),
            Self::SoftHsm => on_path("softhsm2-util").is_some(),
            Self::ReverseProxies => Path::new(NGINX).exists() && on_path("caddy").is_some(),
            Self::TlsClients => on_path("openssl").is_some() && on_path("curl").is_some(),
            Self::Promtool => on_path("promtool").is_some(),
            Self::FakeTime => has_fake_time(),
            Self::Elixir => on_path("mix").is_some(),
        }
    }

    fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Postgres => &["postgresql"],
            Self::Redis => &["redis-server"],
            Self::Memcached => &["memcached"],
            Self::Chromium => &["chromium"],
            Self::Node => &["nodejs", "npm"],
            Self::Python => &["python3", "python3-venv"],
            Self::Apache => &["apache2-bin", "libapache2-mod-auth-openidc"],
            Self::Java => &["default-jdk-headless", "maven"],
            Self::CxxCompiler => &["g++"],
            Self::DebianTools => &["dpkg"],
            Self::Argon2 => &["argon2"],
            Self::Sqlite => &["sqlite3"],
            Self::Pebble => &["pebble"],
            Self::SoftHsm => &["softhsm2"],
            Self::ReverseProxies => &["nginx", "caddy"],
            Self::TlsClients => &["openssl", "curl"],
            Self::Promtool => &["prometheus"],
            Self::FakeTime => &["libfaketime"],
            Self::Elixir => &["elixir", "erlang-dev"],
        }
    }
}

/// Debian keeps the library in a folder of the architecture.
fn has_fake_time() -> bool {
    let folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1")).any(|library| library.exists())
}

/// Installs what is missing where that is possible, or says in one line what is missing.
pub fn ensure(needs: &[Need]) -> Result<()> {
    let missing: Vec<&Need> = needs.iter().filter(|need| !need.is_met()).collect();
    let packages: Vec<&str> = missing.iter().flat_map(|need| need.packages()).copied().collect();
    if packages.is_empty() {
        return Ok(());
    }
    let list = packages.join(" ");
    if !rustix::process::getuid().is_root() || on_path("apt-get").is_none() {
        return Err(format!("missing: install the packages {list} (as root: apt-get install {list})").into());
    }
    println!("installing {list}");
    // An old package list still serves where only this one is missing.
    let _ = process::run(apt_get().args(["update", "-qq"]));
    process::run(apt_get().args(["install", "-y", "-qq", "--no-install-recommends"]).args(&packages))?;
    match missing.iter().find(|need| !need.is_met()) {
        Some(need) => Err(format!("{} was installed but is not found", need.packages().join(" ")).into()),
        None => Ok(()),
    }
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    // A freshly installed PostgreSQL must not start a system-wide server.
    command.env("DEBIAN_FRONTEND", "noninteractive").env("RUNLEVEL", "1");
    command
}

/// The browser.
pub fn chromium() -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome"].iter().find_map(on_path)
}

/// Installs the locked packages of a folder with a `package-lock.json`, unless that is done.
pub fn node_packages(folder: &Path) -> Result<()> {
    let lock = fs::read_to_string(folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.installed-from");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    process::run(
        Command::new("npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(folder),
    )?;
    Ok(fs::write(stamp, lock)?)
}

/// Go in a folder, without what a developer has exported for Terraform.
pub fn go(folder: &Path) -> Command {
    let mut command = Command::new("go");
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("TF_") || name.starts_with("SVC_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder);
    command
}

/// A Python of our own with the packages of the `requirements.txt` of the client tests.
pub fn python(requirements: &Path) -> Result<PathBuf> {
    python_in("python", requirements)
}

/// The same in a folder of the build folder, for other packages.
pub fn python_in(folder: &str, requirements: &Path) -> Result<PathBuf> {
    let venv = launch::work_dir(folder)?;
    let python = venv.join("bin/python");
    let wanted = fs::read_to_string(requirements)?;
    let stamp = venv.join("installed-from");
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r"];
    process::run(Command::new(&python).args(install).arg(requirements))?;
    fs::write(stamp, wanted)?;
    Ok(python)
}

/// Returns cargo-deny, see [`cargo_tool`].
pub fn cargo_deny() -> Result<PathBuf> {
    cargo_tool("cargo-deny", CARGO_DENY)
}

/// Returns a cargo subcommand; builds it once into the build folder when the machine has none.
pub fn cargo_tool(name: &str, version: &str) -> Result<PathBuf> {
    if let Some(found) = on_path(name) {
        return Ok(found);
    }
    let tools = launch::work_dir("tools")?;
    let program = tools.join("bin").join(name);
    if !program.exists() {
        // A debug build takes a fifth of the time, and these tools work a second or two.
        process::run(
            launch::cargo()
                .args(["install", "--quiet", "--debug", "--locked", name, "--version", version])
                .arg("--root")
                .arg(&tools)
                .env("CARGO_TARGET_DIR", tools.join("build"))
                .env("CARGO_PROFILE_DEV_DEBUG", "0"),
        )?;
        fs::remove_dir_all(tools.join("build"))?;
    }
    Ok(program)
}

/// Returns a program of a Go module; builds the pinned version once into the build folder.
pub fn go_tool(name: &str, module: &str, version: &str) -> Result<PathBuf> {
    let folder = launch::work_dir("tools")?.join(format!("{name}-{version}"));
    let program = folder.join(name);
    if !program.exists() {
        let mut install = Command::new("go");
        install
            .args(["install", &format!("{module}@{version}")])
            .env("GOBIN", &folder)
            .env("CGO_ENABLED", "0");
        process::run(&mut install)?;
    }
    Ok(program)
}

/// `OpenTofu`, or Terraform, where the machine has one or we built it.
pub fn terraform() -> Option<PathBuf> {
    let built = open_tofu().ok().filter(|program| program.exists());
    on_path("tofu").or(built).or_else(|| on_path("terraform"))
}

fn open_tofu() -> Result<PathBuf> {
    Ok(launch::work_dir("tools")?.join(format!("opentofu-{OPEN_TOFU}")).join("tofu"))
}

/// Builds `OpenTofu` from its Go module, which takes minutes. `go install` refuses it because it replaces a module.
pub fn build_open_tofu() -> Result<PathBuf> {
    let program = open_tofu()?;
    let module = format!("github.com/opentofu/opentofu@v{OPEN_TOFU}");
    let module = process::output(Command::new("go").args(["mod", "download", "-json", &module]))?;
    let module: Value = serde_json::from_str(&module)?;
    let folder = module.get("Dir").and_then(Value::as_str).ok_or("go mod download names no folder")?;
    process::run(
        Command::new("go")
            .args(["build", "-C", folder, "-o"])
            .arg(&program)
            .arg("./cmd/tofu")
            .env("CGO_ENABLED", "0"),
    )?;
    Ok(program)
}

/// Whether a program is there.
pub fn is_installed(program: &str) -> bool {
    on_path(program).is_some()
}

fn on_path(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path).map(|folder| folder.join(program.as_ref()));
    candidates.into_iter().find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_on_the_path_and_an_unknown_one_is_not() {
        assert!(on_path("sh").is_some());
        assert!(on_path("no-such-program-anywhere").is_none());
    }
}
