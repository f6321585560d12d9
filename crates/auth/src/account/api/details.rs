//! `/api/v1/identity/details`: what the person has answered to what the tenant asks for.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::Result;
use svc_domain::people::fields::FieldType;
use svc_http::{Json, Problem, Query, Route, TenantCx};
use utoipa::{IntoParams, ToSchema};

use super::super::own::details::{questions, read as answers_of, save};
use super::super::own::owner::Own;
use super::caller::{READ, WRITE, own};

const PATH: &str = "/api/v1/identity/details";

#[derive(Debug, Deserialize, IntoParams)]
struct Wanted {
    /// The language of labels, such as `de`; that of the account unless given.
    #[param(nullable = false)]
    language: Option<String>,
}

/// The fields that the person is asked to fill in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IdentityDetails)]
struct Details {
    /// The fields, in their order.
    fields: Vec<Detail>,
}

/// One field with the person's answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IdentityDetail)]
struct Detail {
    /// Its name.
    name: String,
    /// The type of the answer.
    #[serde(rename = "type")]
    kind: FieldType,
    /// What is asked for.
    label: String,
    /// A hint for the answer.
    help: Option<String>,
    /// Whether it must be answered.
    required: bool,
    /// Whether the person can change the answer.
    editable: bool,
    /// The choices, where it has some.
    choices: Vec<DetailChoice>,
    /// The answer.
    value: Option<Value>,
}

/// One answer that can be chosen.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IdentityDetailChoice)]
struct DetailChoice {
    /// What is kept.
    value: String,
    /// What people read.
    label: String,
}

/// Answers to change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = IdentityDetailsUpdate, examples(json!({ "values": { "company": "Acme", "newsletter": true } })))]
struct Change {
    /// By the names of the fields; `null` takes an answer away. Those that are not named stay.
    #[schema(value_type = Object)]
    values: Map<String, Value>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH)
            .tenant(READ, read)
            .summary("Read the fields that the tenant asks the person to fill in, with the answers"),
        Route::put(PATH)
            .tenant(WRITE, change)
            .summary("Set answers of the person to the tenant's fields")
            .idempotent(),
    ]
}

async fn read(caller: TenantCx, Query(Wanted { language }): Query<Wanted>) -> Result<Json<Details>, Problem> {
    let own = own(&caller).await?;
    let language = language.or_else(|| own.language.clone()).unwrap_or_default();
    Ok(Json(shown(&own, &language).await?))
}

async fn change(caller: TenantCx, Json(Change { values }): Json<Change>) -> Result<Json<Details>, Problem> {
    let present = own(&caller).await?;
    let questions = questions(&present).await?;
    save(&present, answers_of(&questions, &values)?).await?;
    let now = own(&caller).await?;
    let language = now.language.clone().unwrap_or_default();
    Ok(Json(shown(&now, &language).await?))
}

async fn shown(own: &Own, language: &str) -> Result<Details> {
    let questions = questions(own).await?;
    let fields = questions.fields().filter_map(|field| {
        let (text, content) = (field.text(language)?, &field.content);
        let choices = content.choices.iter().map(|choice| DetailChoice {
            value: choice.value.clone(),
            label: field.label(choice, language).to_owned(),
        });
        Some(Detail {
            name: content.name.clone(),
            kind: content.kind,
            label: text.label.clone(),
            help: text.help.clone(),
            required: content.required,
            editable: content.editable,
            choices: choices.collect(),
            value: field.answer(&own.person.metadata).cloned(),
        })
    });
    Ok(Details { fields: fields.collect() })
}
