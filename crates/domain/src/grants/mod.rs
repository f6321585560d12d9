//! What people and applications have allowed: requests, codes, consents, refresh families, delegations.

pub mod ciba_requests;
pub mod codes;
pub mod consents;
pub mod delegations;
pub mod device_codes;
pub mod ended_families;
pub(crate) mod ending;
pub mod grant;
pub mod par;
pub mod polled;
pub mod refresh;
pub mod waiting;
