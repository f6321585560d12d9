//! The API of the control plane: the audience of operators' tokens, and its scopes. The default tenant alone has it.

use std::collections::BTreeSet;

use svc_core::{Cx, Result, Seconds};
use svc_db::Tx;

use crate::apis::management::ScopeSentence;
use crate::apis::{AccessTokenTyp, ApiScope, Configuration, roles, store};
pub use crate::tenancy::tenants::CONTROL_PLANE;
use crate::tenancy::tenants::Tenant;

/// A person needs this role to be given a scope of the control plane. It opens nothing to a member who is not an operator.
pub const OPERATOR: &str = "operator";

/// Opens the reads of the control plane.
pub const READ: &str = "control-plane:read";
/// Opens its writes.
pub const WRITE: &str = "control-plane:write";

/// Its scopes with the sentences that people read.
pub const SCOPES: [ScopeSentence; 2] =
    [(READ, "See how the deployment is operated"), (WRITE, "Operate the deployment")];

/// Makes the record so; `lifetime` is that of its tokens.
pub async fn ensure(tx: &mut Tx<svc_db::Tenant>, cx: &Cx, tenant: &Tenant, lifetime: Seconds) -> Result<()> {
    roles::ensure(tx, cx, OPERATOR).await?;
    let wanted = wanted(lifetime);
    match store::find_stored(tx, tenant, CONTROL_PLANE).await? {
        Some(present) => store::keep(tx, cx, &present, &wanted, true).await.map(|_| ()),
        None => store::insert(tx, cx, CONTROL_PLANE, &wanted).await.map(|_| ()),
    }
}

fn wanted(lifetime: Seconds) -> Configuration {
    let scope = |(name, description): ScopeSentence| ApiScope {
        name: name.to_owned(),
        description: description.to_owned(),
        roles: vec![OPERATOR.to_owned()],
    };
    Configuration {
        name: "Control plane".to_owned(),
        scopes: SCOPES.into_iter().map(scope).collect(),
        resource_servers: Vec::new(),
        access_token_lifetime_secs: Some(lifetime),
        access_token_typ: AccessTokenTyp::default(),
        access_token_claims: BTreeSet::new(),
        custom_claims: Vec::new(),
        authorization_details_types: Vec::new(),
    }
}
