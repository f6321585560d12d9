//! The service as a whole: one binary, a module for each surface.
// Lets the lints see that helpers outside test functions are tests too.
#![cfg(test)]
#![allow(
    clippy::cloned_ref_to_slice_refs,
    clippy::elidable_lifetime_names,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::items_after_statements,
    clippy::match_same_arms,
    clippy::semicolon_if_nothing_returned,
    clippy::similar_names,
    clippy::too_many_arguments,
    clippy::unused_async,
    reason = "tests are read for what they claim, not for how they allocate or line up"
)]

mod apply;
mod authorization_details;
mod backchannel_logout;
mod capabilities;
mod changes;
mod client_credentials;
mod client_keys;
mod code_flow;
mod costs;
mod delegation;
mod discovery;
mod docs;
mod dpop;
mod folders;
mod harness;
mod http_security;
mod introspection;
mod isolation;
mod members;
mod oauth_security;
mod openapi;
mod outage;
mod pages_security;
mod par;
mod polling;
mod process;
mod refresh;
mod register;
mod restart;
mod revocation;
mod shared_signals;
mod sign_out;
mod statements;
mod userinfo;
mod wings;
mod workspace;
