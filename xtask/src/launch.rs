//! Where things are: the workspace, the build folder, free ports, log files.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Cargo's build folder, as cargo itself sees it.
pub fn target_dir() -> Result<PathBuf> {
    let metadata = crate::process::output(cargo().args(["metadata", "--format-version=1", "--no-deps"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata.get("target_directory").and_then(serde_json::Value::as_str);
    Ok(PathBuf::from(target.ok_or("cargo metadata names no target directory")?))
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

/// A port of the loopback interface that is free at this moment.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// A new log file.
pub fn log_file(name: &str) -> Result<(PathBuf, File)> {
    let path = work_dir("logs")?.join(format!("{name}.log"));
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
