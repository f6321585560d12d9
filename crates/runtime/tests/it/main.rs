//! The service as a whole: one binary, a module for each surface.
// Lets the lints see that helpers outside test functions are tests too.
#![cfg(test)]

mod apply;
mod client_credentials;
mod client_keys;
mod code_flow;
mod delegation;
mod discovery;
mod dpop;
mod harness;
mod http_security;
mod introspection;
mod isolation;
mod oauth_security;
mod pages_security;
mod outage;
mod par;
mod polling;
mod process;
mod refresh;
mod register;
mod revocation;
mod sign_out;
mod userinfo;
mod workspace;
