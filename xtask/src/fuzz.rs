//! `cargo xtask fuzz`: libFuzzer makes inputs for every target in `fuzz/`, for a bounded time each.
//!
//! Needs no nightly compiler and no cargo-fuzz: instrumenting for coverage is a matter of stable compiler options.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::tools::{self, Need};
use crate::{Result, launch, process};

/// What to fuzz, and how long.
#[derive(Args)]
pub struct Options {
    /// How long each target runs
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Run one target once, with the input in this file
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// The targets; all of them when none is named
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
}

const INSTRUMENTED: &str = "-Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// An input that takes longer than this, in seconds, is a fault.
const PATIENCE: u32 = 20;

/// Runs the targets one after another; all of them, even when one finds something.
pub fn run(options: &Options) -> Result<()> {
    let targets = chosen(&known()?, &options.targets)?;
    tools::ensure(&[Need::CxxCompiler])?;
    if let Some(input) = &options.input {
        let [target] = targets.as_slice() else { return Err("name the one target of --input".into()) };
        let input = input.canonicalize().map_err(|error| format!("{}: {error}", input.display()))?;
        return process::run(Command::new(build(&targets)?.join(target)).arg(input).current_dir(folder()));
    }
    let programs = build(&targets)?;
    let mut found = Vec::new();
    for target in &targets {
        println!("\n==> {target}: {} seconds", options.seconds);
        match fuzz(&programs.join(target), target, options.seconds) {
            Ok(outcome) => println!("<== {target}: {outcome}"),
            Err(error) => {
                process::check_interrupt()?;
                println!("<== {target}: {error}");
                found.push(target.as_str());
            }
        }
    }
    match found.as_slice() {
        [] => Ok(()),
        found => Err(format!("something was found by {}, see above", found.join(", ")).into()),
    }
}

fn folder() -> PathBuf {
    launch::root().join("fuzz")
}

/// Every target: a file each.
fn known() -> Result<Vec<String>> {
    let files = fs::read_dir(folder().join("fuzz_targets"))?.collect::<Result<Vec<_>, _>>()?;
    let stem = |file: &fs::DirEntry| Some(file.path().file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = files.iter().filter_map(stem).collect();
    names.sort();
    Ok(names)
}

fn chosen(known: &[String], wanted: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) = wanted.iter().find(|wanted| !known.contains(wanted)) {
        return Err(format!("there is no target `{unknown}`; there are {}", known.join(", ")).into());
    }
    Ok(if wanted.is_empty() { known.to_vec() } else { wanted.to_vec() })
}

/// Builds the targets, and says where they are.
fn build(targets: &[String]) -> Result<PathBuf> {
    let host = launch::host()?;
    let bins = targets.iter().flat_map(|target| ["--bin", target]);
    process::run(
        launch::cargo()
            // With a target named, build scripts and macros are left uninstrumented.
            .args(["build", "--quiet", "--locked", "--profile", "fuzz", "--target", &host])
            .args(["--package", "svc-fuzz", "--features", "targets"])
            .args(bins)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env("RUSTFLAGS", INSTRUMENTED),
    )?;
    Ok(launch::target_dir()?.join(host).join("fuzz"))
}

fn fuzz(program: &Path, target: &str, seconds: u32) -> Result<String> {
    let artifacts = folder().join("artifacts").join(target);
    fs::create_dir_all(&artifacts)?;
    let grown = launch::work_dir("fuzz")?.join(target);
    fs::create_dir_all(&grown)?;
    let (log, file) = launch::log_file(&format!("fuzz-{target}"))?;
    let mut command = Command::new(program);
    command
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-timeout={PATIENCE}"))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg("-print_final_stats=1");
    let dictionary = folder().join(format!("dictionaries/{target}.dict"));
    if dictionary.exists() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    // New inputs go to the first folder; the second is only read.
    command.args([&grown, &folder().join("corpus").join(target)]);
    let ended = process::run(command.current_dir(folder()).stdout(Stdio::null()).stderr(file));
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    match ended {
        Ok(()) => Ok(summary(&text)),
        Err(error) => {
            println!("{}", cause(&text).unwrap_or_else(|| launch::tail(&log)));
            Err(discovery(target, &text).unwrap_or_else(|| error.to_string()).into())
        }
    }
}

/// What a log says of a run that found nothing.
fn summary(log: &str) -> String {
    let number = |name: &str| {
        let (_, rest) = log.rsplit_once(name)?;
        rest.split_whitespace().next()
    };
    let runs = number("stat::number_of_executed_units:").unwrap_or("?");
    let places = number(" cov:").unwrap_or("?");
    format!("nothing found in {runs} inputs; they reached {places} places")
}

/// What a log says of a broken assertion, without the way that led there.
fn cause(log: &str) -> Option<String> {
    let (_, after) = log.rsplit_once("panicked at ")?;
    let lines =
        after.lines().take_while(|line| !line.starts_with("stack backtrace:") && !line.starts_with("=="));
    Some(lines.take(10).collect::<Vec<_>>().join("\n"))
}

/// Where a log says that the input lies, and how to run it again.
fn discovery(target: &str, log: &str) -> Option<String> {
    let (_, rest) = log.rsplit_once("Test unit written to ")?;
    let input = rest.lines().next()?.trim();
    Some(format!("found {input}\nagain: cargo xtask fuzz {target} --input {input}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_declared_and_has_inputs_to_begin_with() {
        let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
        let known = known().unwrap();
        assert_eq!(manifest.matches("[[bin]]").count(), known.len());
        for target in known {
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")), "{target}");
            let seeds = fs::read_dir(folder().join("corpus").join(&target)).unwrap();
            assert!(seeds.count() > 0, "{target}");
        }
    }

    #[test]
    fn an_unknown_target_is_refused_with_the_known_ones() {
        let known = ["form".to_owned(), "json".to_owned()];
        assert_eq!(chosen(&known, &[]).unwrap(), known);
        assert_eq!(chosen(&known, &known[1..]).unwrap(), known[1..]);
        let error = chosen(&known, &["jsn".to_owned()]).unwrap_err().to_string();
        assert_eq!(error, "there is no target `jsn`; there are form, json");
    }

    #[test]
    fn a_log_is_told_in_one_sentence() {
        let log = "#7\tINITED cov: 12 ft: 13 corp: 2/9b\n#99\tDONE   cov: 812 ft: 900 corp: 40/1Kb\n\
                   Done 99 runs in 2 second(s)\nstat::number_of_executed_units: 99\nstat::slowest_unit_time_sec:  0\n";
        assert_eq!(summary(log), "nothing found in 99 inputs; they reached 812 places");
    }

    #[test]
    fn a_discovery_is_told_with_the_way_to_repeat_it() {
        let log = "panicked at x\nTest unit written to /fuzz/artifacts/json/crash-1\nBase64: AA==\n";
        let told = "found /fuzz/artifacts/json/crash-1\nagain: cargo xtask fuzz json --input /fuzz/artifacts/json/crash-1";
        assert_eq!(discovery("json", log).as_deref(), Some(told));
        assert_eq!(discovery("json", "no such line"), None);
    }

    #[test]
    fn a_broken_assertion_is_told_without_its_backtrace() {
        let log = "#9\tNEW\nthread '<unnamed>' panicked at a.rs:1:2:\nleft: 1\nright: 2\nstack backtrace:\n   0: main\n";
        assert_eq!(cause(log).as_deref(), Some("a.rs:1:2:\nleft: 1\nright: 2"));
        assert_eq!(cause("ALARM: working on the last Unit for 21 seconds"), None);
    }
}
