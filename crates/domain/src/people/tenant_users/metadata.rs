//! What a tenant notes of a member for its own applications, in addition to the standard claims.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::events::TenantUserMetadataChanged;
use svc_core::{Cx, Error, Result, TenantUserId};
use svc_db::{Tenant, Tx, args, change_sql};

use crate::document;
use crate::log::{Action, Meaning, change, check_version};

/// Most bytes of JSON of each part.
pub const MOST_METADATA: usize = 16 * 1024;

/// What a tenant notes of a member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// Metadata of which claims of tokens can be made.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub public: Map<String, Value>,
    /// What the management API alone shows.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub private: Map<String, Value>,
}

/// Refuses metadata that are too large.
pub fn check_metadata(metadata: &Metadata) -> Result<()> {
    let parts = [("public_metadata", &metadata.public), ("private_metadata", &metadata.private)];
    Error::every(parts.map(|(member, part)| match document::store(part) {
        Ok(text) if text.len() <= MOST_METADATA => Ok(()),
        _ => Err(Error::bad_request(format!("{member}: use at most 16 KiB of JSON"))),
    }))
}

/// Makes the metadata so; returns whether anything changed. `conflict` where they have changed since `present` was read.
pub async fn set_metadata(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    id: TenantUserId,
    (present, wanted): (&Metadata, &Metadata),
) -> Result<bool> {
    check_metadata(wanted)?;
    if wanted == present {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE tenant_users SET metadata = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND metadata = $5"
    );
    let meaning = Meaning::done(Action::TenantUserMetadataChanged, id)
        .telling(TenantUserMetadataChanged { tenant_user_id: id });
    let arguments = args![id, document::store(wanted)?, cx.now, document::store(present)?];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the tenant user")?;
    Ok(true)
}
