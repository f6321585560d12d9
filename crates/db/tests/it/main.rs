//! What operations rely on, on the engine that `SVC_TEST_DATABASE_URL` names, or on SQLite.

// Lets the lints see that functions around the tests are tests too.
#![cfg(test)]

mod coordination;
mod flights;
mod full_disk;
mod groups;
mod place;
mod plans;
mod private;
mod snapshots;
mod tls;
mod unreachable;
mod upkeep;
