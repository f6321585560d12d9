//! Provisioning by directories (RFC 7643, RFC 7644): the tokens of organizations, and what their directories say of people and groups.

pub mod groups;
pub mod schemas;
pub mod tokens;
pub mod users;

/// The one form under which names and addresses are unique.
fn key(text: &str) -> String {
    text.trim().to_lowercase()
}
