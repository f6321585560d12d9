//! Provisioning by directories (RFC 7643, RFC 7644): the tokens of organizations, and what their directories say of people.

pub mod tokens;
pub mod users;
