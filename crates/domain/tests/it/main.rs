//! The aggregates against a real engine: SQLite, or PostgreSQL when `SVC_TEST_DATABASE_URL` is set.

// Lets the lints see that helpers outside test functions are tests too.
#![cfg(test)]

mod accounts_and_locks;
mod api_keys;
mod archive;
mod audit_chain;
mod consents;
mod counted;
mod deciding;
mod deletion;
mod deliveries;
mod ending;
mod grants_of_apps;
mod impersonations;
mod isolation;
mod keyrings;
mod logouts;
mod migrations;
mod months;
mod newer;
mod newer_words;
mod operators;
mod outrun;
mod owners;
mod passkeys;
mod policies;
mod positions;
mod provisioning;
mod records;
mod retries;
mod roles;
mod schema;
mod signals;
mod signing_keys;
mod spending;
mod sso;
mod taking_turns;
mod tenant_keys;
mod webhooks;

use svc_testkit as world;
