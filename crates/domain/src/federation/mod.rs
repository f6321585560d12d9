//! Who else is believed about people.

pub mod sso;
pub mod trusted_issuers;
pub mod trusted_subjects;
