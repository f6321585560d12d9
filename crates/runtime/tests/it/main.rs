//! The service as a whole: one binary, a module for each surface.

mod apply;
mod client_credentials;
mod code_flow;
mod discovery;
mod harness;
mod http_security;
mod introspection;
mod isolation;
mod oauth_security;
mod pages_security;
mod process;
mod refresh;
mod revocation;
mod userinfo;
mod workspace;
