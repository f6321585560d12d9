//! Schema extensions that a tenant declares for its provisioned people (RFC 7643 §3.3, §7).

mod checks;
mod declared;
mod store;
mod values;

pub use self::declared::{
    AttributeType, DeclaredAttribute, DeclaredPart, Mutability, Returned, SchemaContent, ScimSchema,
    Uniqueness,
};
pub use self::store::{Under, all, create, delete, find, list, stored_under, update};
pub(in crate::scim) use self::store::{of_tenant, records};
pub use self::values::{StoredValue, Values, digest_of, hold, people_with, set};
