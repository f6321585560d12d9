//! `GET /api/v1/tenant-users/export`: the tenant's people as a file, in the form that an import takes. It has no secrets.

use serde::Deserialize;
use svc_core::{OrInternal as _, Result, TenantUserId};
use svc_domain::people::exports::{self, Exported};
use svc_http::{Download, Problem, Query, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::csv::field;

/// People of one piece.
const PIECE: u32 = 100;
const COLUMNS: &str = "external_id,email,email_verified,username,name,roles,status,created_at\r\n";

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

/// As what.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Form {
    /// `jsonl` unless given.
    #[serde(default)]
    #[param(inline, value_type = Option<Format>, nullable = false)]
    format: Format,
}

/// Where an export is: after which person; over where it says none.
#[derive(Clone, Copy)]
enum At {
    Start,
    After(TenantUserId),
    End,
}

pub(super) async fn export(caller: TenantCx, Query(form): Query<Form>) -> Result<Download, Problem> {
    let format = form.format;
    let (kind, name) = match format {
        Format::Jsonl => ("application/jsonl", "people.jsonl"),
        Format::Csv => ("text/csv; charset=utf-8", "people.csv"),
    };
    Ok(Download::of(kind, name, At::Start, move |at| piece(caller.clone(), format, at)))
}

/// The next people as they stand in the file. Each piece is a transaction of its own, so that no reader holds one.
async fn piece(caller: TenantCx, format: Format, at: At) -> Result<Option<(Vec<u8>, At)>> {
    let (cursor, head) = match at {
        At::Start => (None, if format == Format::Csv { COLUMNS } else { "" }),
        At::After(cursor) => (Some(cursor), ""),
        At::End => return Ok(None),
    };
    let mut tx = caller.read().await?;
    let (people, next) = exports::page(&mut tx, &caller, (cursor, PIECE), None).await?;
    let mut bytes = head.as_bytes().to_vec();
    for person in people {
        match format {
            Format::Jsonl => {
                serde_json::to_writer(&mut bytes, &person).or_internal()?;
                bytes.push(b'\n');
            }
            Format::Csv => bytes.extend_from_slice(row(&person).as_bytes()),
        }
    }
    Ok(Some((bytes, next.map_or(At::End, At::After))))
}

fn row(person: &Exported) -> String {
    let roles: Vec<_> =
        person.roles.iter().map(|role| role.replace('\\', "\\\\").replace(';', "\\;")).collect();
    let (roles, created_at) = (roles.join(";"), person.created_at.to_string());
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    let fields = [
        &person.external_id,
        &optional(&person.email),
        &person.email_verified.to_string(),
        &optional(&person.username),
        &optional(&person.profile.name),
        &roles,
        person.status.name(),
        &created_at,
    ];
    format!("{}\r\n", fields.map(|text: &str| field(text)).join(","))
}
