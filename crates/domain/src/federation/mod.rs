//! Other parties whose statements about people are believed.

pub mod connectors;
pub mod sso;
pub mod trusted_issuers;
pub mod trusted_subjects;
