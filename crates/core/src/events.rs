//! The event catalogue: every event that the service emits is a struct with a name, and `docs/reference/events.md` is made of them.

mod administration;
mod declaration;
mod organizations;
mod people;
mod receivers;
mod records;
mod reserved;
mod security;
mod sso;

pub use self::administration::*;
pub use self::declaration::{Described, Event, Member};
pub use self::organizations::*;
pub use self::people::*;
pub use self::receivers::*;
pub use self::records::*;
pub use self::reserved::RESERVED;
pub use self::security::*;
pub use self::sso::*;

/// Every event that this version emits, in the order of the catalogue.
pub fn catalogue() -> impl Iterator<Item = &'static Described> {
    [PEOPLE, ORGANIZATIONS, SSO, ADMINISTRATION, RECORDS, RECEIVERS, SECURITY].into_iter().flatten()
}

/// The names of all types, also of those that are reserved.
pub fn names() -> impl Iterator<Item = &'static str> {
    catalogue().map(|event| event.name).chain(RESERVED.iter().copied())
}

/// Whether a type is the one that is asked for, or of the category that is: those of `auth.*` begin with `auth.`.
pub fn is_of(event_type: &str, wanted: &str) -> bool {
    match wanted.strip_suffix(".*") {
        Some(category) => {
            event_type.strip_prefix(category).is_some_and(|rest| rest.starts_with('.'))
                && !category.is_empty()
        }
        None => event_type == wanted,
    }
}

#[cfg(test)]
mod tests;
