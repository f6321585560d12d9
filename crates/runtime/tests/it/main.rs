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

mod accepted_by_apps;
mod account;
mod api_keys;
mod apply;
mod apply_again;
mod apply_declared;
mod apply_groups;
mod apply_handles;
mod apply_json;
mod apply_more;
mod apply_people;
mod apply_scopes;
mod archive;
mod audit;
mod audit_streams;
mod authorization_details;
mod backchannel_logout;
mod breached;
mod capabilities;
mod captcha;
mod changes;
mod client_credentials;
mod client_keys;
mod clocks;
mod code_flow;
mod code_sign_up;
mod control_plane;
mod coordination;
mod costs;
mod custom_claims;
mod custom_domains;
mod data_of_people;
mod delegation;
mod demanded_factors;
mod discovery;
mod docs;
mod dpop;
mod fields;
mod folders;
mod forward_auth;
mod groups;
mod guessed_codes;
mod guests;
mod harness;
mod hooks;
mod http_security;
mod impersonation;
mod imports;
mod indexes;
mod intake;
mod introspection;
mod isolation;
mod lengths;
mod logs;
mod magic_links;
mod mailed_codes;
mod members;
mod members_again;
mod mtls;
mod names;
mod nulls;
mod oauth_security;
mod openapi;
mod organizations;
mod outage;
mod pages_security;
mod par;
mod planes;
mod plans;
mod policies;
mod polling;
mod process;
mod reachable_factors;
mod recovery;
mod refresh;
mod register;
mod replica;
mod restart;
mod revocation;
mod roles;
mod roles_named;
mod scim;
mod scim_targets;
mod search;
mod sent_codes;
mod several_accounts;
mod shared_signals;
mod sign_out;
mod siwe;
mod social;
mod statements;
mod telemetry;
mod tenant_settings;
mod texted_codes;
mod unproven_addresses;
mod unusual_sign_ins;
mod userinfo;
mod webhooks;
mod wings;
mod without_passwords;
mod workspace;
