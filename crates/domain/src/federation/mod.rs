//! Who else is believed about people.

pub mod trusted_issuers;
