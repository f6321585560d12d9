//! Own texts of a file in place of messages of hosted pages and mails: those of a tenant, and of its organizations.

use serde_json::json;
use svc_core::{Error, TenantId};
use svc_db::{System, Tenant as Space, Tx};
use svc_domain::organizations::{self, Organization, looks};
use svc_domain::tenancy::tenants::records::{self, TenantRecord};
use svc_domain::tenancy::texts::{self, Texts};

use super::change::{self, Change};
use super::outcome::{Outcome, Record, Verb};
use super::{Target, Tenant, Unlisted, table};
use crate::failure::Failure;

/// Whether the file has texts for a tenant, or for an organization of it.
pub(super) fn are_in(wanted: &Tenant) -> bool {
    wanted.texts.is_some() || wanted.organization.iter().any(|organization| organization.texts().is_some())
}

/// Makes the texts of a tenant so. Its record is the deployment's, and so is the transaction.
pub(super) async fn of_tenant(
    target: &Target<'_>,
    tx: &mut Tx<System>,
    (id, wanted): (TenantId, &Tenant),
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let present = record(tx, id).await?;
    let before = texts::find(tx, &present).await?;
    let Some(plan) = Plan::of(target, &before, wanted.texts.as_ref())? else { return Ok(()) };
    if plan.after != before {
        texts::set(tx, target.cx, &present, &plan.after).await?;
    }
    outcome.note(Record { changes: plan.changes, ..Record::new(plan.verb, "texts", &wanted.slug) });
    Ok(())
}

/// Makes the texts of an organization so, which is there.
pub(super) async fn of_organization(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    (slug, wanted): (&str, Option<&Texts>),
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    if wanted.is_none() && target.mode.unlisted == Unlisted::Ignored {
        return Ok(());
    }
    // In the version that it has by now.
    let Some(present) = organizations::find_by_slug(tx, slug).await? else { return Ok(()) };
    let before = looks::texts(tx, &present).await?;
    let Some(plan) = Plan::of(target, &before, wanted)? else { return Ok(()) };
    if plan.after != before {
        looks::set_texts(tx, target.cx, &present, &plan.after).await?;
    }
    outcome.note(Record { changes: plan.changes, ..Record::new(plan.verb, "organization_texts", slug) });
    Ok(())
}

/// What becomes of texts.
struct Plan {
    verb: Verb,
    changes: Vec<Change>,
    after: Texts,
}

impl Plan {
    /// Nothing where there is nothing to tell.
    fn of(target: &Target<'_>, before: &Texts, wanted: Option<&Texts>) -> Result<Option<Self>, Failure> {
        let Some(wanted) = wanted else { return Ok(Self::unlisted(target.mode.unlisted, before)) };
        let after = checked(target, wanted)?;
        let (verb, changes) = if after == *before {
            (Verb::Unchanged, Vec::new())
        } else if before.0.is_empty() {
            (Verb::Created, Vec::new())
        } else {
            (Verb::Updated, change::between(&json!({ "texts": before }), &json!({ "texts": after })))
        };
        Ok(Some(Self { verb, changes, after }))
    }

    /// The file does not mention them.
    fn unlisted(unlisted: Unlisted, before: &Texts) -> Option<Self> {
        if before.0.is_empty() {
            return None;
        }
        let (verb, after) = match unlisted {
            Unlisted::Ignored => return None,
            Unlisted::Told => (Verb::Unlisted, before.clone()),
            Unlisted::Removed => (Verb::Pruned, Texts::default()),
        };
        Some(Self { verb, changes: Vec::new(), after })
    }
}

/// The texts without languages that have none, held against the catalogues.
fn checked(target: &Target<'_>, wanted: &Texts) -> Result<Texts, Failure> {
    let pages = target.pages.ok_or_else(|| Failure::new("the messages of the pages are not at hand"))?;
    Error::every([wanted.check(), pages.check(wanted)])?;
    Ok(wanted.clone().without_empty_languages())
}

async fn record(tx: &mut Tx<System>, id: TenantId) -> Result<TenantRecord, Failure> {
    let found = records::find(tx, id.reference()).await?;
    found.ok_or_else(|| Failure::new("the tenant was deleted meanwhile; apply the file again"))
}

/// The texts of a tenant as a table of a file, if it has any.
pub(super) async fn exported(tx: &mut Tx<System>, id: TenantId) -> Result<Option<toml::Table>, Failure> {
    let present = record(tx, id).await?;
    written(&texts::find(tx, &present).await?)
}

/// The texts of an organization as a table of a file, if it has any.
pub(super) async fn exported_of(
    tx: &mut Tx<Space>,
    organization: &Organization,
) -> Result<Option<toml::Table>, Failure> {
    written(&looks::texts(tx, organization).await?)
}

fn written(texts: &Texts) -> Result<Option<toml::Table>, Failure> {
    if texts.0.is_empty() { Ok(None) } else { table(texts).map(Some) }
}
