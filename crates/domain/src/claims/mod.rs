//! What is said about people: the standard claims, requests for them, and how strongly a sign-in was proven.

pub mod assurance;
pub mod claims_request;
pub mod profile;
