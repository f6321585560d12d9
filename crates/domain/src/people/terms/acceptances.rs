//! What people accepted, as evidence: it repeats what they were shown, and no one changes or deletes it.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::events::TermsAccepted;
use svc_core::{AppId, Cx, OrganizationId, Result, TenantUserId, TermsId, Timestamp};
use svc_db::{Tenant, Tx, after, args, change_sql, sql};
use utoipa::ToSchema;

use super::Terms;
use crate::document;
use crate::log::{Action, Meaning, change};
use crate::people::intake::for_whom;

/// Where a person accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TermsAcceptedAt)]
pub enum Way {
    /// When they registered.
    SignUp,
    /// When they signed in.
    SignIn,
    /// In the account centre, or by an application of theirs.
    Account,
}

/// What a person accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TermsAcceptance)]
pub struct Acceptance {
    /// The version, by its id.
    #[schema(value_type = String)]
    pub terms_id: TermsId,
    /// What it was.
    #[serde(flatten)]
    pub shown: Shown,
    /// When they accepted it.
    #[schema(value_type = String, format = "date-time")]
    pub accepted_at: Timestamp,
}

/// What a person was shown when they accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TermsShown)]
pub struct Shown {
    /// The document.
    pub key: String,
    /// The name of the version.
    pub label: String,
    /// From when on it counts.
    #[schema(value_type = String, format = "date-time")]
    pub effective_at: Timestamp,
    /// The language in which it was linked.
    pub language: String,
    /// What it was called there.
    pub title: String,
    /// Where it could be read.
    pub url: String,
    /// Where the person accepted.
    pub at: Way,
    /// The application that they were signing in to, or through which they accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub application_id: Option<AppId>,
    /// The organizations whose people accepted it; everyone unless given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>)]
    pub organization_ids: Vec<OrganizationId>,
}

impl Shown {
    /// Whether it counted for the people of these organizations.
    pub fn was_for(&self, organizations: &[OrganizationId]) -> bool {
        for_whom::includes(&self.organization_ids, organizations)
    }
}

/// How a person accepts: in which language, where, and by which application.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The language that they read.
    pub language: &'a str,
    /// Where.
    pub at: Way,
    /// The application.
    pub application: Option<AppId>,
}

/// Most acceptances of one person that are read together: a tenant has no more versions at a time.
const MOST: u32 = 1000;

/// What a person accepted, the latest last.
pub async fn accepted(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Vec<Acceptance>> {
    let mut all = list_accepted(tx, person, (None, MOST)).await?;
    all.sort_by_key(|acceptance| (acceptance.accepted_at, acceptance.terms_id));
    Ok(all)
}

/// A page of what a person accepted, by version after `cursor`.
pub async fn list_accepted(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
    (cursor, limit): (Option<TermsId>, u32),
) -> Result<Vec<Acceptance>> {
    let select = sql!(
        "SELECT terms_id, accepted_at, document FROM terms_acceptances \
         WHERE tenant_id = $1 AND tenant_user_id = $2 AND terms_id > $3 ORDER BY terms_id LIMIT $4"
    );
    let rows = tx.all(select, args![person, after(cursor), limit]).await?;
    let mut all = Vec::with_capacity(rows.len());
    for row in &rows {
        // Another way than these is one of a newer version, where the person is asked again.
        if let Some(shown) = document::known_whole(row, "document")? {
            let (terms_id, accepted_at) = (row.parse("terms_id")?, row.time("accepted_at")?);
            all.push(Acceptance { terms_id, shown, accepted_at });
        }
    }
    Ok(all)
}

/// Notes that a person accepts a version, once; returns whether they had not before.
pub async fn accept(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (person, terms): (TenantUserId, &Terms),
    given: Given<'_>,
) -> Result<bool> {
    let Some((language, document)) = terms.document(given.language) else { return Ok(false) };
    let shown = Shown {
        key: terms.content.key.clone(),
        label: terms.content.label.clone(),
        effective_at: terms.content.effective_at,
        language: language.to_owned(),
        title: document.title.clone(),
        url: document.url.clone(),
        at: given.at,
        application_id: given.application,
        organization_ids: terms.content.organization_ids.clone(),
    };
    let insert = change_sql!(
        "INSERT INTO terms_acceptances (tenant_id, tenant_user_id, terms_id, accepted_at, document) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, tenant_user_id, terms_id) DO NOTHING"
    );
    let arguments = args![person, terms.id, cx.now, document::store(&shown)?];
    let event = TermsAccepted {
        tenant_user_id: person,
        terms_id: terms.id,
        key: shown.key.clone(),
        label: shown.label.clone(),
        language: shown.language.clone(),
    };
    let facts =
        json!({ "terms_id": terms.id, "key": shown.key, "label": shown.label, "language": shown.language });
    let meaning = Meaning::done(Action::TermsAccepted, person).with(facts).telling(event);
    Ok(change(tx, cx, insert, arguments, meaning).await? > 0)
}
