//! `rotate`: a further version of the root key.

use svc_core::{Clock as _, Seconds, SystemClock};

use super::asking::shown;
use crate::cli::Place;
use crate::failure::{Failure, say};
use crate::sealed_file::SealedFile;

/// Adds a version, which seals after a while.
pub fn rotate(place: &Place, seals_after: u32) -> Result<(), Failure> {
    let (file, now) = (SealedFile::of(&place.dir), SystemClock.now());
    let seals_from = now + Seconds(i64::from(seals_after));
    let opener = place.opening.opener()?;
    let rotated = file.change(&opener, |content| Ok(content.rotate(now, seals_from)?))?;
    say(&format!(
        "Added a version to {}; it seals from {seals_from} on. Until then, give each machine a copy of the file.\n{}",
        file.path().display(),
        shown(&rotated, now)
    ));
    Ok(())
}
