//! The program `svc-kms` as an operator and its clients meet it.

// Lets the lints see that helpers outside test functions are tests too.
#![cfg(test)]

mod channel;
mod commands;
mod docs;
/// The test kit's, without the rest of the kit: it knows the database, and this program does not.
#[path = "../../../../testkit/src/hang.rs"]
mod hang;
mod operations;
mod place;
/// The test kit's, without the rest of the kit: it knows the database, and this program does not.
#[path = "../../../../testkit/src/soft_hsm.rs"]
mod soft_hsm;
mod supervised;
mod token;
