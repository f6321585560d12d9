//! A file is read in one go: how long the sources of the workspace are.

use std::path::Path;

use crate::docs::files_of;

/// The lines of the longest file at most. It may only fall.
const LONGEST: usize = 480;
/// The lines of a file in the middle at most.
const MEDIAN: usize = 120;

#[test]
fn files_are_short_enough_to_be_read_in_one_go() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut lengths: Vec<_> = ["crates", "testkit", "xtask"]
        .iter()
        .flat_map(|folder| files_of(&root.join(folder), &["rs"]))
        .map(|file| (std::fs::read_to_string(&file).unwrap().lines().count(), file))
        .collect();
    lengths.sort();
    assert!(lengths.len() > 500, "the scan sees {} files", lengths.len());
    let too_long: Vec<_> = lengths.iter().filter(|(lines, _)| *lines > LONGEST).collect();
    assert!(too_long.is_empty(), "split what has more than {LONGEST} lines: {too_long:#?}");
    let (median, _) = lengths[lengths.len() / 2];
    assert!(median <= MEDIAN, "half of the files have {median} lines or more; {MEDIAN} is the most");
}
