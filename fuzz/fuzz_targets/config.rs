//! Configuration: any file and any environment is either read, or refused with a reason; secrets are never shown.
//!
//! An input is a file; after a line of three dashes come variables, one a line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_config::Config;

fuzz_target!(|text: &str| {
    let (file, rest) = text.split_once("\n---\n").unwrap_or((text, ""));
    let variables: Vec<(String, String)> = rest
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    match Config::load(Some(("svc.toml", file)), &variables) {
        Ok(config) => {
            let outcome = config.outcome();
            outcome.parse::<toml::Table>().expect("the outcome is TOML");
            let _ = config.start_faults();
        }
        Err(faults) => {
            assert!(!faults.0.is_empty());
            assert!(faults.0.iter().all(|fault| !fault.to_string().is_empty()));
        }
    }
});
