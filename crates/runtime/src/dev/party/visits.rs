//! Who has signed in at the relying party: in memory, the newest first to stay.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::exchange::SignedIn;

/// The visits, by the value of their cookie.
#[derive(Default)]
pub struct Visits(Mutex<VecDeque<(String, Arc<SignedIn>)>>);

/// More than one person with a few browsers ever has.
const KEPT: usize = 50;

impl Visits {
    /// Remembers a visit.
    pub fn keep(&self, visit: String, signed_in: SignedIn) {
        let mut visits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        visits.push_front((visit, Arc::new(signed_in)));
        visits.truncate(KEPT);
    }

    /// The visit that a cookie names.
    pub fn find(&self, visit: &str) -> Option<Arc<SignedIn>> {
        let visits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        visits.iter().find(|(known, _)| known == visit).map(|(_, signed_in)| Arc::clone(signed_in))
    }

    /// Ends a visit.
    pub fn take(&self, visit: &str) -> Option<Arc<SignedIn>> {
        let found = self.find(visit);
        let mut visits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        visits.retain(|(known, _)| known != visit);
        found
    }
}
