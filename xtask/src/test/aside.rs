//! Steps in a process of their own while this one goes on: a browser and its server leave much of two cores idle.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use clap::ValueEnum as _;
use rustix::process::Signal;

use super::Options;
use crate::process::Job;
use crate::{Result, launch};

/// The steps that are under way.
pub(super) struct Aside {
    job: Job,
    log: PathBuf,
}

impl Aside {
    /// Starts the steps whose names contain a text.
    pub(super) fn start(only: &str, options: &Options) -> Result<Self> {
        let (log, file) = launch::log_file(only)?;
        let mut command = Command::new(launch::own_program()?);
        let engine = options.engine.to_possible_value().ok_or("the engine has no name")?;
        command.args(["test", "--only", only, "--engine", engine.get_name()]);
        if let Some(folder) = &options.screenshots {
            command.arg("--screenshots").arg(folder);
        }
        // Its servers write logs of the same names.
        command.env(launch::LOGS, "logs-aside");
        command.env(launch::BEGIN, launch::begin_of_another().to_string());
        command.stdout(file.try_clone()?).stderr(file);
        println!("\n==> {only} …: under way aside, in {}", log.display());
        Ok(Self { job: Job::start(&mut command, Signal::TERM)?, log })
    }

    /// Waits for their end, and prints what they have said.
    pub(super) fn finish(mut self) -> Result<()> {
        let status = self.job.wait()?;
        // A browser may write what is no text.
        println!("{}", String::from_utf8_lossy(&fs::read(&self.log)?));
        if status.success() { Ok(()) } else { Err(format!("they ended with {status}").into()) }
    }
}
