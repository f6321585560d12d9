//! `/api/v1/texts` and `/api/v1/organizations/{id}/texts`: custom texts in place of messages of hosted pages and mails.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::{Error, OrganizationId, Result};
use svc_db::Tx;
use svc_domain::log::audit;
use svc_domain::organizations::{Organization, looks};
use svc_domain::tenancy::tenants::records::{self, TenantRecord};
use svc_domain::tenancy::texts::{self, Texts};
use svc_http::{IfMatch, Json, MergePatch, Path, Problem, Query, TenantCx, Versioned, Wording};
use utoipa::{IntoParams, ToSchema};

use crate::resource::Resource;
use crate::{organizations, record, unknown};

/// Custom texts of hosted pages and mails.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "texts": { "en": { "signin-title": "Welcome back" }, "de": { "signin-title": "Willkommen zurück" } } })))]
struct PageTexts {
    /// By language, such as `de`, then by the key of the message. Plain text of 1 to 1000 characters, with `{name}` for each
    /// value of the message; 64 KiB altogether.
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, std::collections::BTreeMap<String, String>>)]
    texts: Texts,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Wanted {
    /// The language, such as `de`; the deployment's default unless given.
    #[param(nullable = false)]
    language: Option<String>,
}

/// The messages of the hosted pages and mails in a language.
#[derive(Debug, Serialize, ToSchema)]
struct OriginalTexts {
    /// The language.
    language: String,
    /// The messages, by key.
    messages: Vec<OriginalText>,
}

/// A message as the catalogue of the deployment has it.
#[derive(Debug, Serialize, ToSchema)]
struct OriginalText {
    /// Its key.
    key: String,
    /// Its text, with `{name}` for each value.
    text: String,
    /// The names of its values.
    values: Vec<String>,
    /// Whether it may be reworded. Messages by which people decide about their security may not.
    replaceable: bool,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("texts", "Texts")
        .may_read("See the own texts of the sign-in pages of this organisation")
        .may_write("Reword the sign-in pages and mails of this organisation")
        .get("", "Read the custom texts of hosted pages and mails", read)
        .put("", "Replace the custom texts of hosted pages and mails", replace)
        .patch("", "Change custom texts of hosted pages and mails", change)
        .get("originals", "List the messages of hosted pages and mails", originals)
}

/// Adds the routes to those of organizations.
pub(crate) fn routes(organizations: Resource) -> Resource {
    const PATH: &str = "{id}/texts";
    organizations
        .get(PATH, "Read the custom texts of an organization", read_of)
        .put(PATH, "Replace the custom texts of an organization", replace_of)
        .patch(PATH, "Change custom texts of an organization", change_of)
}

async fn originals(
    caller: TenantCx,
    Query(Wanted { language }): Query<Wanted>,
) -> Result<Json<OriginalTexts>, Problem> {
    let found = (caller.app.part::<Wording>()?.originals)(&caller.app, language.as_deref())?;
    let found = found.ok_or_else(|| {
        Error::bad_request("language: not supported here; use one of the tenant's languages")
    })?;
    let messages = found.messages.into_iter().map(|message| OriginalText {
        key: message.key,
        text: message.text,
        values: message.values,
        replaceable: message.is_replaceable,
    });
    Ok(Json(OriginalTexts { language: found.language, messages: messages.collect() }))
}

async fn read(caller: TenantCx) -> Result<Versioned<PageTexts>, Problem> {
    let mut tx = caller.app.db.read_system().await?;
    let tenant = records::find(&mut tx, caller.tenant.id.reference()).await?.ok_or_else(unknown)?;
    Ok(shown(tenant.version, texts::find(&mut tx, &tenant).await?))
}

async fn replace(
    caller: TenantCx,
    if_match: IfMatch,
    Json(wanted): Json<PageTexts>,
) -> Result<Versioned<PageTexts>, Problem> {
    set(&caller, &if_match, |_| Ok(wanted)).await
}

async fn change(
    caller: TenantCx,
    if_match: IfMatch,
    patch: MergePatch<PageTexts>,
) -> Result<Versioned<PageTexts>, Problem> {
    set(&caller, &if_match, |present| patch.apply(&present)).await
}

/// Makes the texts of the caller's tenant so. The record of a tenant is the deployment's, so the transaction is too; it touches no
/// other tenant.
async fn set(
    caller: &TenantCx,
    if_match: &IfMatch,
    wanted: impl FnOnce(PageTexts) -> Result<PageTexts> + Send,
) -> Result<Versioned<PageTexts>, Problem> {
    let mut tx = caller.app.db.begin_system().await?;
    let held = records::hold(&mut tx, caller.tenant.id.reference());
    let present = records::find(&mut tx, caller.tenant.id.reference()).await?.ok_or_else(unknown)?;
    if_match.check(held, present.version)?;
    let before = texts::find(&mut tx, &present).await?;
    let wanted = checked(caller, wanted(PageTexts { texts: before.clone() })?)?;
    if wanted == before {
        return Ok(shown(present.version, wanted));
    }
    texts::set(&mut tx, caller, &present, &wanted).await?;
    tell_changes(&mut tx, &present.id.to_string(), &before, &wanted);
    let TenantRecord { version, .. } =
        records::find(&mut tx, caller.tenant.id.reference()).await?.ok_or_else(unknown)?;
    tx.commit().await?;
    Ok(shown(version, wanted))
}

async fn read_of(caller: TenantCx, Path(id): Path<OrganizationId>) -> Result<Versioned<PageTexts>, Problem> {
    let mut tx = caller.read().await?;
    let organization = organizations::find(&mut tx, id).await?;
    Ok(shown(organization.version, looks::texts(&mut tx, &organization).await?))
}

async fn replace_of(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    if_match: IfMatch,
    Json(wanted): Json<PageTexts>,
) -> Result<Versioned<PageTexts>, Problem> {
    set_of(&caller, (id, &if_match), |_| Ok(wanted)).await
}

async fn change_of(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    if_match: IfMatch,
    patch: MergePatch<PageTexts>,
) -> Result<Versioned<PageTexts>, Problem> {
    set_of(&caller, (id, &if_match), |present| patch.apply(&present)).await
}

async fn set_of(
    caller: &TenantCx,
    (id, if_match): (OrganizationId, &IfMatch),
    wanted: impl FnOnce(PageTexts) -> Result<PageTexts> + Send,
) -> Result<Versioned<PageTexts>, Problem> {
    let (mut tx, held) = record::begin(caller, &id).await?;
    let present = organizations::find(&mut tx, id).await?;
    if_match.check(held, present.version)?;
    let before = looks::texts(&mut tx, &present).await?;
    let wanted = checked(caller, wanted(PageTexts { texts: before.clone() })?)?;
    if wanted == before {
        return Ok(shown(present.version, wanted));
    }
    looks::set_texts(&mut tx, caller, &present, &wanted).await?;
    tell_changes(&mut tx, &present.id.to_string(), &before, &wanted);
    let Organization { version, .. } = organizations::find(&mut tx, id).await?;
    tx.commit().await?;
    Ok(shown(version, wanted))
}

/// Tells the audit log what became of the texts of each language.
fn tell_changes<S>(tx: &mut Tx<S>, target: &str, before: &Texts, after: &Texts) {
    audit::tell_changes(tx, target, &json!(before), &json!(after));
}

/// The texts without languages that have none, held against the catalogues.
fn checked(caller: &TenantCx, wanted: PageTexts) -> Result<Texts> {
    let PageTexts { texts } = wanted;
    texts.check()?;
    (caller.app.part::<Wording>()?.check)(&caller.app, &texts)?;
    Ok(texts.without_empty_languages())
}

fn shown(version: i64, texts: Texts) -> Versioned<PageTexts> {
    Versioned { version, record: PageTexts { texts } }
}
