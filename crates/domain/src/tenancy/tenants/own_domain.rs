//! The domain at which a tenant answers: its administrators take one that is proven, and give it up.

use svc_config::Config;
use svc_core::events::TenantUpdated;
use svc_core::{Cx, Error, Result, TenantId};
use svc_db::{System, Tx, args, change_system_sql};

use super::naming::Naming;
use super::{find_by_slug, records};
use crate::document;
use crate::log::{Action, Log, Meaning, change_across};

/// Refuses for a tenant of this slug a domain at which another one answers by its slug, or as that of the deployment's own host: people
/// would find this one there.
pub async fn check_unnamed(tx: &mut Tx<System>, config: &Config, (slug, domain): (&str, &str)) -> Result<()> {
    let naming = Naming::of(config)?;
    let Some(other) = naming.named_at(domain).filter(|other| *other != slug) else { return Ok(()) };
    match find_by_slug(tx, other).await? {
        Some(_) => Err(Error::conflict(format!("custom_domain: the tenant {other:?} answers at {domain}"))),
        None => Ok(()),
    }
}

/// Lets a tenant answer at `to` instead of `from`, where none is the host of its slug. `conflict` where it answers elsewhere
/// meanwhile, or where another tenant answers at `to`.
pub async fn move_domain(
    tx: &mut Tx<System>,
    cx: &Cx,
    id: TenantId,
    (from, to): (Option<&str>, Option<&str>),
) -> Result<()> {
    records::hold(tx, id.reference());
    let update = change_system_sql!(
        "UPDATE tenants SET custom_domain = $2, updated_at = $4, version = version + 1 \
         WHERE id = $1 AND COALESCE(custom_domain, '') = $3 AND deleted_at IS NULL RETURNING name, settings"
    );
    let (before, after) = (from.unwrap_or_default().to_owned(), to.map(str::to_owned));
    let changed = change_across(tx, cx, update, args![id, after.clone(), before, cx.now], |row| {
        let (name, custom_domain) = (row.text("name")?, after.clone());
        let event = TenantUpdated { name, custom_domain, settings: document::load(row, "settings")? };
        Ok((Log::Of(id.reference()), Meaning::done(Action::TenantUpdated, id).with_event(event)))
    })
    .await
    .map_err(|error| error.if_taken("domain: another tenant answers at it"))?;
    if changed.is_empty() {
        return Err(Error::conflict("the domain of the tenant changed meanwhile; read it again"));
    }
    Ok(())
}
