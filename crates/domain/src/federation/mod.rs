//! Who else is believed about people.

pub mod connectors;
pub mod sso;
pub mod trusted_issuers;
pub mod trusted_subjects;
