//! Measured tables in the pages of `docs`: each between two marks, with the machine that it was measured on.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Result, process};

/// Puts a text between the two marks of a file, which is made when it is missing.
pub fn put(path: &Path, mark: &str, text: &str) -> Result<()> {
    let (begin, end) = marks(mark);
    let old = fs::read_to_string(path).unwrap_or_else(|_| format!("{begin}\n{end}\n"));
    let (before, _, after) = parts(&old, path, mark)?;
    fs::write(path, format!("{before}{begin}\n{}\n{end}{after}", text.trim_end()))?;
    println!("written to {}", path.display());
    Ok(())
}

/// What stands between the two marks of a file.
pub fn between(path: &Path, mark: &str) -> Result<String> {
    let text = fs::read_to_string(path)?;
    parts(&text, path, mark).map(|(_, between, _)| between.to_owned())
}

fn marks(mark: &str) -> (String, String) {
    (format!("<!-- {mark}: begin -->"), format!("<!-- {mark}: end -->"))
}

/// What stands before, between and after two marks.
fn parts<'a>(text: &'a str, path: &Path, mark: &str) -> Result<(&'a str, &'a str, &'a str)> {
    let (begin, end) = marks(mark);
    let (before, rest) =
        text.split_once(&begin).ok_or_else(|| format!("no `{begin}` in {}", path.display()))?;
    let (between, after) =
        rest.split_once(&end).ok_or_else(|| format!("no `{end}` in {}", path.display()))?;
    Ok((before, between, after))
}

/// The machine and the programs that took part.
pub fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let version = |program: &str| {
        let said = process::output(Command::new(program).arg("--version")).unwrap_or_default();
        said.lines().next().unwrap_or("absent").to_owned()
    };
    let postgres =
        crate::postgres::programs().map(|folder| version(&folder.join("postgres").to_string_lossy()));
    format!(
        "Machine: {}, {cores} cores, Linux {}; {}; {}; node {}. Server, load generator and database share the cores.",
        cpu.trim_start_matches(['\t', ' ', ':']),
        kernel.trim(),
        version("rustc"),
        postgres.unwrap_or_default(),
        version("node")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_between_its_marks_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("benchmarks.md");
        fs::write(&path, "before\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nafter\n").unwrap();
        put(&path, "measured", "new\n").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "before\n<!-- measured: begin -->\nnew\n<!-- measured: end -->\nafter\n");
        assert_eq!(between(&path, "measured").unwrap(), "\nnew\n");
    }
}
