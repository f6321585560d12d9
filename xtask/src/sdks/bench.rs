//! `cargo xtask sdks bench`: how many access tokens a core judges with known keys, in Go and in Rust.

use super::rust;
use crate::{Result, launch, process, tools};

/// The fewest tokens a second that a core may judge.
const FLOORS: [(&str, f64); 2] = [("Go", 10_000.0), ("Rust", 12_000.0)];

/// Measures both packages, prints what they say, and fails below the floors.
pub fn run() -> Result<()> {
    let [go, rust] = FLOORS;
    if !tools::is_installed("go") {
        return Err(tools::NO_GO.into());
    }
    let mut benchmark = tools::go(&launch::root().join("sdks/go"));
    benchmark.args(["test", "-run", "none", "-bench", "Validation", "-cpu", "1", "."]);
    hold(go, &process::output(&mut benchmark)?)?;
    let mut example = rust::cargo()?;
    example.args(["run", "--locked", "--release", "--example", "validation"]);
    hold(rust, &process::output(&mut example)?)
}

fn hold((language, floor): (&str, f64), said: &str) -> Result<()> {
    println!("{language}:\n{said}");
    let rates = rates(said);
    let slowest =
        rates.iter().copied().reduce(f64::min).ok_or_else(|| format!("{language}: nothing was measured"))?;
    if slowest < floor {
        return Err(format!(
            "{language} judges {slowest:.0} tokens a second on a core; {floor:.0} are the floor"
        )
        .into());
    }
    Ok(())
}

/// The numbers before `validations/s`.
fn rates(said: &str) -> Vec<f64> {
    let words: Vec<&str> = said.split_whitespace().map(|word| word.trim_end_matches(',')).collect();
    let pairs = words.iter().zip(words.iter().skip(1));
    pairs
        .filter(|(_, unit)| unit.starts_with("validations/s"))
        .filter_map(|(number, _)| number.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_of_what_was_measured_is_held_to_the_floor() {
        let said = "es256: 14210 validations/s, 1.10 of the bare signature check\ned25519 9000 validations/s/core 1.2 of it";
        assert_eq!(format!("{:?}", rates(said)), "[14210.0, 9000.0]");
        assert!(hold(("Rust", 9_000.0), said).is_ok());
        let refused = hold(("Rust", 12_000.0), said).unwrap_err().to_string();
        assert!(refused.contains("9000") && refused.contains("12000"), "{refused}");
        assert!(hold(("Go", 1.0), "ok").is_err());
    }
}
