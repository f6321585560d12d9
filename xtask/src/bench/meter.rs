//! CPU time and memory of a server and its database, read from `/proc`.

use std::fs;

use crate::Result;

/// What is read: a program, and its PostgreSQL where there is one.
#[derive(Clone, Copy)]
pub struct Meter {
    /// The server's process.
    pub server: u32,
    /// The first process of PostgreSQL.
    pub database: Option<u32>,
}

/// Seconds of CPU time since the start.
#[derive(Clone, Copy, Default)]
pub struct Cpu {
    /// Of the server.
    pub server: f64,
    /// Of PostgreSQL with all its processes.
    pub database: f64,
}

impl Meter {
    /// The CPU time that both have used so far.
    pub fn cpu(self) -> Result<Cpu> {
        let database = self.database.map(family).transpose()?.unwrap_or_default();
        Ok(Cpu { server: seconds(stat(self.server)?.own), database: seconds(database) })
    }

    /// The server's resident memory in MiB.
    pub fn resident(self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.server))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kib / 1024.0)
    }
}

struct Stat {
    parent: u32,
    own: u64,
    ended_children: u64,
}

/// The first process, its children, and the children of it that have ended.
fn family(first: u32) -> Result<u64> {
    let root = stat(first)?;
    let pids = fs::read_dir("/proc")?.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let children = pids.filter_map(|pid: u32| stat(pid).ok()).filter(|stat| stat.parent == first);
    Ok(root.own + root.ended_children + children.map(|child| child.own).sum::<u64>())
}

fn stat(pid: u32) -> Result<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name of the program, in brackets, may itself hold spaces and brackets.
    let (_, fields) = text.rsplit_once(") ").ok_or("unreadable process state")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let number =
        |index: usize| -> Result<u64> { Ok(fields.get(index).ok_or("short process state")?.parse()?) };
    Ok(Stat {
        parent: u32::try_from(number(1)?)?,
        own: number(11)? + number(12)?,
        ended_children: number(13)? + number(14)?,
    })
}

#[expect(clippy::cast_precision_loss, reason = "ticks of one process stay far below 2^52")]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_process_has_memory_and_a_parent() {
        let me = std::process::id();
        assert!(Meter { server: me, database: None }.resident().unwrap() > 0.5);
        assert!(stat(me).unwrap().parent > 0);
    }
}
