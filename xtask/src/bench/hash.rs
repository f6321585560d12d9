//! What one password hash costs in other programs: the vectorized C code of Argon2, and the peer's library (RFC 9106).

use std::io::Write;
use std::process::{Command, Stdio};

use super::meter;
use crate::tools::{self, Need};
use crate::{Result, launch, process};

/// The parameters that the measured servers use: KiB of memory, passes, lanes, bytes of the tag.
const COST: [&str; 8] = ["-k", "65536", "-t", "2", "-p", "1", "-l", "32"];
const ROUNDS: u32 = 20;

/// CPU milliseconds of one hash.
#[derive(Clone, Copy)]
pub struct Hash {
    /// With Debian's program `argon2`, its start included.
    pub c: f64,
    /// With the library of the peer.
    pub peer: f64,
}

impl Hash {
    /// Measures both.
    pub fn measure() -> Result<Self> {
        tools::ensure(&[Need::Argon2])?;
        let before = meter::of_ended_children()?;
        for _ in 0..ROUNDS {
            process::check_interrupt()?;
            hash()?;
        }
        let c = (meter::of_ended_children()? - before) * 1000.0 / f64::from(ROUNDS);
        let mut node = Command::new("node");
        node.arg("hash.js").current_dir(launch::root().join("bench/peer"));
        let peer = process::output(&mut node)?.trim().parse()?;
        Ok(Self { c, peer })
    }
}

fn hash() -> Result<()> {
    let mut command = Command::new("argon2");
    command.arg("sixteen-bytes-of").arg("-id").args(COST).arg("-r");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let mut password = child.stdin.take().ok_or("no standard input")?;
    password.write_all(b"correct horse battery staple")?;
    drop(password);
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(format!("argon2 ended with {status}").into()) }
}
