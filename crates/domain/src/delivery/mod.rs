//! What is sent to others: mail, logout tokens, security events.

pub mod logouts;
pub mod mails;
pub mod retries;
pub mod signals;
