//! What is said about people: the standard claims and a tenant's own, requests for them, and how strongly a sign-in was proven.

pub mod assurance;
pub mod claims_request;
pub mod custom;
pub mod forms;
pub mod profile;
pub mod reserved;
pub mod ways;
