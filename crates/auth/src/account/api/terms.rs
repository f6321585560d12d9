//! `/api/v1/identity/terms`: the documents that the person has accepted, and can accept.

use serde::{Deserialize, Serialize};
use svc_core::{Result, TermsId};
use svc_domain::people::terms::Acceptance;
use svc_http::{Json, NoContent, Problem, Query, Route, TenantCx};
use utoipa::{IntoParams, ToSchema};

use super::super::own::owner::Own;
use super::super::own::terms::{accept as accept_for, documents};
use super::caller::{READ, WRITE, own};

const PATH: &str = "/api/v1/identity/terms";

#[derive(Debug, Deserialize, IntoParams)]
struct Wanted {
    /// The language of titles and addresses, such as `de`; that of the account unless given.
    #[param(nullable = false)]
    language: Option<String>,
}

/// The documents that people accept, and what the person accepted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IdentityTerms)]
struct OwnTerms {
    /// Of each document the version that counts.
    current: Vec<CurrentTerms>,
    /// What the person accepted, the latest last.
    accepted: Vec<Acceptance>,
}

/// A version of a document that counts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IdentityTermsVersion)]
struct CurrentTerms {
    /// The version, by its id.
    #[schema(value_type = String)]
    terms_id: TermsId,
    /// The document.
    key: String,
    /// The name of the version.
    label: String,
    /// The language of title and address.
    language: String,
    /// What it is called.
    title: String,
    /// Where it can be read.
    url: String,
    /// Whether it must be accepted.
    required: bool,
    /// Whether the person has accepted it, or an earlier version that is enough.
    is_accepted: bool,
}

/// What the person accepts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = IdentityTermsAcceptance, examples(json!({ "terms_id": "trm_01jcqzv7y0e8kstk6yq6k3a4mf", "language": "en" })))]
struct Accept {
    /// The version, by its id: one that counts.
    #[schema(value_type = String)]
    terms_id: TermsId,
    /// The language in which the person read it; that of the account unless given.
    #[serde(default)]
    language: Option<String>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH)
            .tenant(READ, read)
            .summary("List the documents that the person accepted and can accept"),
        Route::post(PATH).tenant(WRITE, accept).summary("Accept a version of a document").idempotent(),
    ]
}

async fn read(
    caller: TenantCx,
    Query(Wanted { language }): Query<Wanted>,
) -> Result<Json<OwnTerms>, Problem> {
    let own = own(&caller).await?;
    let language = spoken(&own, language);
    let documents = documents(&own).await?;
    let current = documents.current().filter_map(|(terms, is_accepted)| {
        let (spoken, document) = terms.document(&language)?;
        Some(CurrentTerms {
            terms_id: terms.id,
            key: terms.content.key.clone(),
            label: terms.content.label.clone(),
            language: spoken.to_owned(),
            title: document.title.clone(),
            url: document.url.clone(),
            required: terms.content.required,
            is_accepted,
        })
    });
    Ok(Json(OwnTerms { current: current.collect(), accepted: documents.accepted.clone() }))
}

async fn accept(
    caller: TenantCx,
    Json(Accept { terms_id, language }): Json<Accept>,
) -> Result<NoContent, Problem> {
    let own = own(&caller).await?;
    let language = spoken(&own, language);
    let app = caller.app.services.apps.find(caller.tenant.id, &caller.claims.client_id).await?;
    accept_for(&own, &[terms_id], (&language, app.map(|app| app.id))).await?;
    Ok(NoContent)
}

fn spoken(own: &Own, language: Option<String>) -> String {
    language.or_else(|| own.language.clone()).unwrap_or_default()
}
