//! What people do to their own accounts, by the same rules on the pages of the account centre and through the API.

pub mod backup_codes;
pub mod credentials;
pub mod data;
pub mod delegations;
pub mod deletion;
pub mod details;
pub mod guardians;
pub mod guarding;
pub mod invitations;
pub mod login_history;
pub mod organizations;
pub mod owner;
pub mod passkeys;
pub mod password;
pub mod phone;
pub mod profile;
pub mod rights;
pub mod sessions;
pub mod sso_connections;
pub mod support;
pub mod terms;
pub mod totp;
