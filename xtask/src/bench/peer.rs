//! The peer: npm's `oidc-provider` with its in-memory adapter, set up in `bench/peer` to answer the same requests.

use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use super::key::Key;
use crate::process::Job;
use crate::tools::{self, Need};
use crate::{Result, launch, server};

/// Installs its packages.
pub fn install() -> Result<()> {
    tools::ensure(&[Need::Node])?;
    tools::node_packages(&launch::root().join("bench/peer"))
}

/// The command that starts it on a port; `key` is that of the client which signs.
pub fn command(port: u16, key: &Key) -> Command {
    let mut command = Command::new("node");
    command.arg("server.js").arg(port.to_string()).env("NODE_ENV", "production");
    command.env("CLIENT_JWK", key.jwk().to_string());
    command.current_dir(launch::root().join("bench/peer")).stderr(Stdio::null());
    command
}

/// Starts it and waits for its ready line.
pub fn start(key: &Key) -> Result<(Job, u16, Value)> {
    let port = launch::free_port()?;
    let mut job = Job::start(command(port, key).stdout(Stdio::piped()), Signal::TERM)?;
    let stdout = job.take_stdout().ok_or("the peer has no standard output")?;
    let line = server::first_line(stdout, &mut job, Duration::from_secs(30))?;
    Ok((job, port, serde_json::from_str(&line)?))
}
