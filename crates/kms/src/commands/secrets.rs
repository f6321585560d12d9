//! `provision`: named secrets, given by a file or standard input, never by an argument that others can see.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use zeroize::Zeroizing;

use super::meant;
use crate::cli::Place;
use crate::failure::{Failure, say};
use crate::sealed_file::SealedFile;

/// Which secret, and where its value is.
#[derive(Args, Clone, Debug)]
pub struct NamedSecret {
    /// The name: the key in the configuration, as in `email.smtp.password` or, in the first of `[[chains]]`, `chains.0.rpc_url`.
    name: String,
    /// The file that holds the value; without it, it is read from standard input.
    #[arg(long, value_name = "FILE")]
    from_file: Option<PathBuf>,
    /// Remove the secret.
    #[arg(long, conflicts_with = "from_file")]
    remove: bool,
    /// Hold it also where the configuration of this version has no secret of that name.
    #[arg(long, conflicts_with = "remove")]
    any_name: bool,
}

/// The longest value: it fits into a message to the service, also where each character has to be escaped there.
const LONGEST: usize = 32 * 1024;

/// Puts a secret in, or takes it out.
pub fn provision(place: &Place, wanted: &NamedSecret) -> Result<(), Failure> {
    let name = &wanted.name;
    if !is_name(name) {
        return Err(Failure::new(format!(
            "{name:?} is not a name of a secret; use lower-case letters, digits, `_`, `-` and `.`"
        )));
    }
    let file = SealedFile::of(&place.dir);
    let opener = place.opening.opener()?;
    if wanted.remove {
        file.change(&opener, |content| {
            let none = || Failure::new(format!("there is no secret {name}"));
            content.secrets.remove(name).map(drop).ok_or_else(none)
        })?;
        say(&format!("Removed {name}."));
        return Ok(());
    }
    if !wanted.any_name {
        meant::check(name)?;
    }
    let value = value(wanted.from_file.as_deref())?;
    file.change(&opener, |content| Ok(content.secrets.insert(name.clone(), value)))?;
    say(&format!(
        "Provisioned {name}. Give each machine a copy of {}; svc-runtime reads it at its next start.",
        file.path().display()
    ));
    Ok(())
}

/// The value, without the line's end that editors and `echo` add.
fn value(from: Option<&Path>) -> Result<Zeroizing<String>, Failure> {
    let mut text = Zeroizing::new(String::new());
    let read = match from {
        Some(path) => std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text)),
        None => std::io::stdin().lock().read_to_string(&mut text),
    };
    let source = from.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    read.map_err(|error| Failure::new(format!("the secret cannot be read from {source}: {error}")))?;
    let value = text.strip_suffix('\n').unwrap_or(&text);
    let value = value.strip_suffix('\r').unwrap_or(value);
    if value.is_empty() {
        return Err(Failure::new(format!("{source} holds no secret; `--remove` takes one out")));
    }
    if value.len() > LONGEST {
        let length = value.len();
        return Err(Failure::new(format!("{source} holds {length} bytes; a secret has {LONGEST} at most")));
    }
    Ok(Zeroizing::new(value.to_owned()))
}

fn is_name(name: &str) -> bool {
    let is_right = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c);
    !name.is_empty() && name.len() <= 100 && name.chars().all(is_right)
}
