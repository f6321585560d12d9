//! `backup` and `restore`: the sealed file goes to another place, and is opened there before it counts.

use std::io::ErrorKind;
use std::path::Path;

use svc_core::{Clock as _, SystemClock};
use svc_keys::owner_only;

use super::making::put_keys;
use crate::cli::Place;
use crate::failure::{Failure, say};
use crate::opening::Opener;
use crate::sealed_file::SealedFile;

/// Copies the file into a new one.
pub fn backup(place: &Place, to: &Path) -> Result<(), Failure> {
    let file = SealedFile::of(&place.dir);
    let opener = place.opening.opener()?;
    file.open(&opener)?;
    let text = text(file.path())?;
    owner_only::create(to, &text).map_err(|error| {
        Failure::new(match error.kind() {
            ErrorKind::AlreadyExists => format!("{} exists already; name a new file", to.display()),
            _ => format!("{} cannot be written: {error}", to.display()),
        })
    })?;
    let opened_by = match opener {
        Opener::Passphrase(_) => "the same passphrase only: keep a copy of that apart from it",
        Opener::Token(_) => {
            "the same token only, or one that has its key: back the token up by its maker's means"
        }
    };
    say(&format!("Copied {} to {}. It opens with {opened_by}.", file.path().display(), to.display()));
    Ok(())
}

/// Puts a copy in its place, with the files by which both sides know each other.
pub fn restore(place: &Place, from: &Path, replace: bool) -> Result<(), Failure> {
    let file = SealedFile::of(&place.dir);
    file.make_folder()?;
    if !replace {
        file.is_to_be_made()
            .map_err(|failure| Failure::new(format!("{failure}; `--replace` replaces it")))?;
    }
    let opener = place.opening.opener()?;
    let copy = text(from)?;
    let content = SealedFile::at(from).open(&opener)?;
    let kept = file.put(&copy, SystemClock.now())?;
    put_keys(&place.dir, &content)?;
    let kept = kept.map_or_else(String::new, |kept| {
        format!(
            "\nThe file that was there is kept as {}; it opens with what opened it before.",
            kept.display()
        )
    });
    say(&format!("Restored {}; a running svc-kms takes it in within a second.{kept}", file.path().display()));
    Ok(())
}

fn text(path: &Path) -> Result<zeroize::Zeroizing<String>, Failure> {
    let unusable = |why: String| Failure::new(format!("{} cannot be read: {why}", path.display()));
    let text = owner_only::read(path).map_err(|error| unusable(error.to_string()))?;
    text.ok_or_else(|| unusable("there is no such file".to_owned()))
}
