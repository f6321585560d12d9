//! People: accounts of the deployment, memberships in tenants, sessions, and the proofs that change them.

pub mod accounts;
pub mod changes;
pub mod credentials;
pub mod directory;
pub mod exports;
pub mod fields;
pub mod groups;
pub mod guardians;
pub mod guesses;
pub mod guests;
pub mod impersonations;
pub mod imports;
pub mod intake;
pub mod leaving;
pub mod links;
pub mod login_history;
pub mod operators;
pub mod passwords;
pub mod phones;
pub mod restored;
pub mod risk;
pub mod sessions;
pub mod standing;
pub mod subjects;
pub mod tenant_users;
pub mod terms;
