//! What this version does not implement: keys that change nothing, and keys that may not be set because they would protect.

use super::guards::{GUARDS, When};
use super::load::fault::{Fault, Source};
use super::load::known::describe;
use super::load::reader::{Entry, Mark};

/// The refusal of every key that is set to something that would protect.
pub(super) fn refused(entries: &[Entry]) -> Vec<Fault> {
    let fix = "take it out; the service does not start rather than pretend to protect";
    let refused = changed(entries, Mark::Refused);
    refused
        .map(|(path, source)| Fault::new(path, "is not implemented by this version", fix).from(source))
        .collect()
}

/// A remark on every key that is set and changes nothing. What a rule of production mode demands has to be set.
pub(super) fn unused(entries: &[Entry], production: bool) -> Vec<Fault> {
    let is_demanded = |path: &str| {
        production && GUARDS.iter().any(|guard| guard.when == When::Production && guard.key == path)
    };
    let unused = changed(entries, Mark::Unused).filter(|(path, _)| !is_demanded(path));
    let fault =
        |(path, source)| Fault::new(path, "has no effect in this version", "take it out").from(source);
    unused.map(fault).collect()
}

fn changed(entries: &[Entry], wanted: Mark) -> impl Iterator<Item = (&str, Source)> {
    entries.iter().filter_map(move |entry| match entry {
        Entry::Key { path, source, mark, is_changed: true, .. } if *mark == Some(wanted) => {
            Some((path.as_str(), source.clone()))
        }
        _ => None,
    })
}

/// Every key, and whether this version implements it.
pub fn keys() -> Vec<(String, bool)> {
    let keys = describe().into_iter().filter_map(|entry| match entry {
        Entry::Key { path, mark, .. } => Some((path, mark.is_none())),
        Entry::Section { .. } => None,
    });
    keys.collect()
}

/// The lists of `docs/reference/configuration.md`.
pub fn documented() -> String {
    let entries = describe();
    let sections = entries.iter().filter_map(|entry| match entry {
        Entry::Section { path, mark: Some(_), .. } => Some(path.as_str()),
        _ => None,
    });
    let sections: Vec<_> = sections.collect();
    let is_single =
        |path: &&str| !path.rsplit_once('.').is_some_and(|(section, _)| sections.contains(&section));
    let keys = |wanted: Mark| {
        entries.iter().filter_map(move |entry| match entry {
            Entry::Key { path, mark, .. } if *mark == Some(wanted) => Some(path.as_str()),
            _ => None,
        })
    };
    let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
    format!(
        "Refused while they are set, because they would protect: {}.\n\n\
         Without effect, all other keys of these sections: {}.\n\n\
         Without effect, single keys: {}.\n",
        list(&mut keys(Mark::Refused).map(|key| format!("`{key}`"))),
        list(&mut sections.iter().map(|section| format!("`[{section}]`"))),
        list(&mut keys(Mark::Unused).filter(is_single).map(|key| format!("`{key}`"))),
    )
}
