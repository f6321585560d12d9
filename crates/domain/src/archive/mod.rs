//! A tenant as one file: written from one state of a database, and brought into another deployment as a whole or not at all.
//!
//! What travels is declared column by column (`tables`), and a test holds that against the schema. Hashes travel as they are; what is
//! sealed is sealed again, under the passphrase of the archive. An archive never gives the tenant an account that others have: who has
//! an account at the other end becomes a member when its owner agrees, as with an import of people (`people::imports`).

mod accounts;
mod bringing;
mod check;
mod container;
mod export;
mod import;
mod key;
mod lines;
mod people;
mod reader;
mod table;
mod tables;
mod tenant;
mod values;

pub use self::accounts::{ACCOUNT, ACCOUNTS, CREDENTIAL, CREDENTIALS, LEFT_OF_ACCOUNTS, LEFT_OF_CREDENTIALS};
pub use self::check::{Checked, check};
pub use self::container::{FORMAT, Heading, Origin, Part, Writer};
pub use self::export::{Exported, Exporting, export};
pub use self::import::{Imported, Importing, import};
pub use self::key::ArchiveKey;
pub use self::reader::{Next, Reader};
pub use self::table::{Column, Fresh, Of, Table, Type};
pub use self::tables::{CARRIED, LEFT, RECORDS};
pub use self::tenant::{Brought, LEFT_OF_TENANTS, TENANT, TENANTS};

/// The part of the public halves of signing keys.
pub const SIGNING_KEYS: &str = "signing_keys";
/// Most bytes of a line: the largest module of a hook fits, and a file that is one line does not fill the memory.
pub const LONGEST_LINE: usize = 4 * 1024 * 1024;
/// Rows that are read or written together.
const PAGE: u32 = 50;

/// Tables whose rows are nothing without a secret that the service has to read, and those that hang on them.
const WITH_SECRETS: &[&str] =
    &["audit_streams", "hooks", "scim_links", "scim_target_people", "scim_targets", "webhooks"];

/// Whether an archive without secrets does without a table.
pub fn needs_secrets(table: &str) -> bool {
    WITH_SECRETS.contains(&table)
}

/// The latest migration of this version.
fn schema() -> i64 {
    crate::MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}
