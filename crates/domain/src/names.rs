//! The names that people choose a record by: one line, of which something can be seen.

use svc_core::text::is_visible;
use svc_core::{Error, Result};

use crate::checks::is_line;

/// Refuses what is no name of at most `most` characters.
pub(crate) fn check(name: &str, most: usize) -> Result<()> {
    if !is_line(name, most) {
        return Err(Error::bad_request(format!(
            "name: use 1 to {most} characters without control characters"
        )));
    }
    if !is_visible(name) {
        return Err(Error::bad_request("name: use at least one character that can be seen"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_of_which_something_can_be_seen() {
        for good in ["a", " Editors ", "編集者", &"x".repeat(100)] {
            assert!(check(good, 100).is_ok(), "{good}");
        }
        for bad in ["", " ", "\u{200B}\u{2067}", "a\nb", &"x".repeat(101)] {
            assert!(check(bad, 100).unwrap_err().detail().starts_with("name: "), "{bad:?}");
        }
    }
}
