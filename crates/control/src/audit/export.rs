//! `GET /api/v1/audit/export`: the audit log as a file, read and sent piece by piece.

use serde::Deserialize;
use svc_core::{AuditId, OrInternal as _, Result};
use svc_domain::log::audit::AuditEntry;
use svc_domain::log::search::{self, Filter};
use svc_http::{Download, Problem, Query, TenantCx};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

use super::Which;
use crate::csv::field;

/// The form of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// One JSON document a line.
    #[default]
    Jsonl,
    /// RFC 4180, with a head line.
    Csv,
}

/// What to export.
#[derive(Debug, Deserialize)]
pub(super) struct ExportQuery {
    #[serde(flatten)]
    form: Form,
    #[serde(flatten)]
    which: Which,
}

/// As what.
#[derive(Debug, Deserialize, IntoParams)]
struct Form {
    /// `jsonl` unless given.
    #[serde(default)]
    #[param(inline, value_type = Option<Format>, nullable = false)]
    format: Format,
}

impl IntoParams for ExportQuery {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        [Form::into_params(&place), Which::into_params(&place)].concat()
    }
}

/// Where an export is.
enum At {
    Start,
    After(AuditId),
}

const COLUMNS: &str =
    "position,id,at,actor_kind,actor_id,action,target,outcome,request_id,client_ip,detail,hash\r\n";

pub(super) async fn export(caller: TenantCx, Query(asked): Query<ExportQuery>) -> Result<Download, Problem> {
    let filter = asked.which.read()?;
    let format = asked.form.format;
    let (kind, name) = match format {
        Format::Jsonl => ("application/jsonl", "audit.jsonl"),
        Format::Csv => ("text/csv; charset=utf-8", "audit.csv"),
    };
    Ok(Download::of(kind, name, At::Start, move |at| piece(caller.clone(), filter.clone(), format, at)))
}

/// The next entries as they stand in the file. Each piece is a transaction of its own, so that no reader holds one.
async fn piece(caller: TenantCx, filter: Filter, format: Format, at: At) -> Result<Option<(Vec<u8>, At)>> {
    let (cursor, mut bytes) = match at {
        At::Start if format == Format::Csv => (None, COLUMNS.as_bytes().to_vec()),
        At::Start => (None, Vec::new()),
        At::After(cursor) => (Some(cursor), Vec::new()),
    };
    let (entries, last) = caller
        .read_late(|tx| {
            let filter = filter.clone();
            Box::pin(async move { search::onwards(tx, &filter, cursor).await })
        })
        .await?;
    for entry in &entries {
        match format {
            Format::Jsonl => {
                serde_json::to_writer(&mut bytes, entry).or_internal()?;
                bytes.push(b'\n');
            }
            Format::Csv => bytes.extend_from_slice(line(entry).as_bytes()),
        }
    }
    Ok(match last {
        Some(last) => Some((bytes, At::After(last))),
        None if bytes.is_empty() => None,
        // A log without entries has a head line; nothing can follow.
        None => Some((bytes, At::After(cursor.unwrap_or_else(|| caller.cx.id())))),
    })
}

fn line(entry: &AuditEntry) -> String {
    let position = entry.position.map(|position| position.to_string()).unwrap_or_default();
    let (id, at, detail) = (entry.id.to_string(), entry.at.to_string(), entry.detail.to_string());
    let fields = [
        position.as_str(),
        &id,
        &at,
        &entry.actor_kind,
        &entry.actor_id,
        &entry.action,
        &entry.target,
        &entry.outcome,
        &entry.request_id,
        &entry.client_ip,
        &detail,
        entry.hash.as_deref().unwrap_or_default(),
    ];
    let fields: Vec<_> = fields.into_iter().map(field).collect();
    format!("{}\r\n", fields.join(","))
}
