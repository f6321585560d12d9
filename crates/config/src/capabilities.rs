//! What this version does not implement: keys that change nothing.

use super::guards::{GUARDS, When};
use super::load::fault::{Fault, Source};
use super::load::known::describe;
use super::load::reader::Entry;

/// A remark on every key that is set and changes nothing. What a rule of production mode demands has to be set.
pub(super) fn unused(entries: &[Entry], production: bool) -> Vec<Fault> {
    let is_demanded = |path: &str| {
        production && GUARDS.iter().any(|guard| guard.when == When::Production && guard.key == path)
    };
    let unused = changed(entries).filter(|(path, _)| !is_demanded(path));
    let fault =
        |(path, source)| Fault::new(path, "has no effect in this version", "take it out").from(source);
    unused.map(fault).collect()
}

fn changed(entries: &[Entry]) -> impl Iterator<Item = (&str, Source)> {
    entries.iter().filter_map(move |entry| match entry {
        Entry::Key { path, source, mark, is_changed: true, .. } if mark.is_some() => {
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
    let keys = entries.iter().filter_map(|entry| match entry {
        Entry::Key { path, mark: Some(_), .. } => Some(path.as_str()),
        _ => None,
    });
    let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
    format!(
        "Without effect, all keys of these sections: {}.\n\n\
         Without effect, single keys: {}.\n",
        list(&mut sections.iter().map(|section| format!("`[{section}]`"))),
        list(&mut keys.filter(is_single).map(|key| format!("`{key}`"))),
    )
}
