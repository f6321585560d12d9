//! `reseal`: what the file holds stays, and something else opens it from now on.

use crate::cli::Place;
use crate::failure::{Failure, say};
use crate::opening::{Opening, absolute};
use crate::sealed_file::SealedFile;

/// Seals the file for another passphrase, credential or token.
pub fn reseal(place: &Place, to: &Opening) -> Result<(), Failure> {
    let file = SealedFile::of(&place.dir);
    let opener = place.opening.opener()?;
    // Before a passphrase is made that would open nothing.
    file.open(&opener)?;
    let (next, was_made) = to.new_opener()?;
    file.reseal(&opener, &next)?;
    let made =
        if was_made { " A passphrase was made too: keep a copy of it apart from the file." } else { "" };
    say(&format!(
        "Sealed {} again.{made} Give each machine a copy of it, and start svc-kms there again:\n  svc-kms serve --dir {}{}\n\n\
         Copies from before open with what opened them: keep that for as long as you keep them.",
        file.path().display(),
        absolute(&place.dir).display(),
        to.arguments(),
    ));
    Ok(())
}
