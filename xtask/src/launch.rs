//! Where things are: the workspace, the build folder, free ports, log files.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::statvfs;
use tempfile::TempDir;

use crate::Result;

/// The root of the workspace: that of the `cargo run` at hand, which is another clone than the one that was compiled where several
/// share a build folder.
pub fn root() -> PathBuf {
    let compiled = Path::new(env!("CARGO_MANIFEST_DIR"));
    let running = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = running.filter(|here| here.file_name() == compiled.file_name());
    let here = here.as_deref().unwrap_or(compiled);
    here.parent().unwrap_or(here).to_path_buf()
}

/// `cargo`, started at the root of the workspace.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// `cargo` for programs that are shipped: where they were built is not written into them, so that every folder gives the same bytes.
pub fn cargo_to_ship() -> Result<Command> {
    let plain = || {
        std::env::var("RUSTFLAGS").unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(SEPARATOR)
    };
    let before = std::env::var(FLAGS).unwrap_or_else(|_| plain());
    let mut command = cargo();
    command.env(FLAGS, mapped(&before, &folders()?));
    Ok(command)
}

/// Flags of rustc as cargo takes them from the environment, whatever is in them.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
const SEPARATOR: &str = "\u{1f}";

/// The folders that rustc would write into programs, each with the name that takes its place; of two that fit, the last one counts.
pub fn folders() -> Result<[(PathBuf, &'static str); 3]> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home).ok_or("HOME is not set")?;
    Ok([(root(), "svc"), (target_dir()?, "target"), (home, "cargo")])
}

/// These flags, and those that map folders.
fn mapped(flags: &str, folders: &[(PathBuf, &str)]) -> String {
    let mut flags: Vec<_> =
        flags.split(SEPARATOR).filter(|flag| !flag.is_empty()).map(str::to_owned).collect();
    for (folder, name) in folders {
        let flag = format!("--remap-path-prefix={}={name}", folder.display());
        if !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    flags.join(SEPARATOR)
}

/// Cargo's build folder, as cargo itself sees it; it is asked once.
pub fn target_dir() -> Result<PathBuf> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    if let Some(folder) = FOLDER.get() {
        return Ok(folder.clone());
    }
    let metadata = crate::process::output(cargo().args(["metadata", "--format-version=1", "--no-deps"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata.get("target_directory").and_then(serde_json::Value::as_str);
    let target = target.ok_or("cargo metadata names no target directory")?;
    Ok(FOLDER.get_or_init(|| PathBuf::from(target)).clone())
}

/// The platform that programs are built for, as rustc names it.
pub fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = crate::process::output(Command::new(rustc).arg("-vV").current_dir(root()))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc names no host")?.to_owned())
}

/// A folder of ours under the build folder, made when it is missing.
pub fn work_dir(name: &str) -> Result<PathBuf> {
    let path = target_dir()?.join("xtask").join(name);
    fs::create_dir_all(&path)?;
    Ok(path)
}

/// Memory to keep files in that need not last, where there is room for them: tests make and drop a database each, and wait for
/// the disk at every commit otherwise.
pub fn memory() -> Option<PathBuf> {
    const ROOM: u64 = 4 << 30;
    let memory = Path::new("/dev/shm");
    let has_room = statvfs(memory).is_ok_and(|found| found.f_bavail * found.f_frsize >= ROOM);
    has_room.then(|| memory.to_owned())
}

/// A folder for such files, gone when dropped.
pub fn passing_folder(prefix: &str) -> Result<TempDir> {
    let place = memory().unwrap_or_else(std::env::temp_dir);
    Ok(tempfile::Builder::new().prefix(prefix).tempdir_in(place)?)
}

/// The ports that [`free_port`] gives: fixed ones of the tests are lower, and those that the system gives to connections are higher.
const PORTS: (u16, u32) = (20_000, 12_000);

/// The variable that says at which of them a process begins that runs at the same time as the one that started it.
pub const BEGIN: &str = "SVC_XTASK_PORTS";

fn begin() -> u32 {
    let said: Option<u32> = std::env::var(BEGIN).ok().and_then(|place| place.parse().ok());
    said.unwrap_or_else(|| std::process::id().wrapping_mul(97)) % PORTS.1
}

/// Where such a process begins: as far from this one as may be, as chance would let them meet now and then.
pub fn begin_of_another() -> u32 {
    (begin() + PORTS.1 / 2) % PORTS.1
}

/// A port of the loopback interface that is free at this moment. This process gives none twice and another one begins elsewhere, as
/// some are listened on minutes later.
pub fn free_port() -> Result<u16> {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let (lowest, count) = PORTS;
    for _ in 0..count {
        let place = begin().wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % count;
        let port = lowest + u16::try_from(place)?;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err("no port is free".into())
}

/// This program, also where a build has replaced its file meanwhile.
pub fn own_program() -> Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if running.exists() { Ok(running.to_owned()) } else { Ok(std::env::current_exe()?) }
}

/// The variable that names the folder of logs, where two runs write some at the same time.
pub const LOGS: &str = "SVC_XTASK_LOGS";

/// Where a log is.
pub fn log_path(name: &str) -> Result<PathBuf> {
    let folder = std::env::var(LOGS).unwrap_or_else(|_| "logs".to_owned());
    Ok(work_dir(&folder)?.join(format!("{name}.log")))
}

/// A new log file.
pub fn log_file(name: &str) -> Result<(PathBuf, File)> {
    let path = log_path(name)?;
    let file = File::create(&path)?;
    Ok((path, file))
}

/// The end of a log, for a failure message.
pub fn tail(path: &Path) -> String {
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().rev().take(30).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_given_once_and_is_none_that_a_connection_gets() {
        let given: Vec<_> = (0..50).map(|_| free_port().unwrap()).collect();
        assert!(given.iter().all(|port| (20_000..32_000).contains(port)), "{given:?}");
        let different: std::collections::BTreeSet<_> = given.iter().collect();
        assert_eq!(different.len(), given.len(), "{given:?}");
    }

    #[test]
    fn a_process_that_runs_at_the_same_time_is_given_other_ports() {
        let from = |begin: u32| (0..1_000).map(move |given| (begin + given) % PORTS.1);
        let own: std::collections::BTreeSet<_> = from(begin()).collect();
        assert!(from(begin_of_another()).all(|place| !own.contains(&place)));
    }

    #[test]
    fn a_folder_is_mapped_once_however_many_builds_start_each_other() {
        let folders = [(PathBuf::from("/home/a b/svc"), "svc"), (PathBuf::from("/home/a b/.cargo"), "cargo")];
        let once = mapped("-Copt-level=3", &folders);
        let expected = [
            "-Copt-level=3",
            "--remap-path-prefix=/home/a b/svc=svc",
            "--remap-path-prefix=/home/a b/.cargo=cargo",
        ];
        assert_eq!(once.split(SEPARATOR).collect::<Vec<_>>(), expected);
        assert_eq!(mapped(&once, &folders), once);
    }
}
