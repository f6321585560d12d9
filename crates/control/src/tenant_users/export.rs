//! `GET /api/v1/tenant-users/export`: the tenant's people as a file, in the form that an import takes. It has no secrets.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use svc_core::{OrInternal as _, Result, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts;
use svc_domain::people::imports::{self, Known};
use svc_domain::people::tenant_users::{self, Person, Status};
use svc_http::{Download, Problem, Query, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::csv::field;

/// People of one piece.
const PIECE: u32 = 200;
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

/// A line of an import.
#[derive(Serialize)]
struct Exported {
    external_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    email_verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    profile: Profile,
    roles: Vec<String>,
    status: Status,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    public_metadata: serde_json::Map<String, serde_json::Value>,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    private_metadata: serde_json::Map<String, serde_json::Value>,
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
    let people = tenant_users::list(&mut tx, (cursor, PIECE)).await?;
    let next =
        people.last().filter(|_| people.len() == PIECE as usize).map_or(At::End, |last| At::After(last.id));
    let mut bytes = head.as_bytes().to_vec();
    for person in exported(&mut tx, people).await? {
        match format {
            Format::Jsonl => {
                serde_json::to_writer(&mut bytes, &person).or_internal()?;
                bytes.push(b'\n');
            }
            Format::Csv => bytes.extend_from_slice(row(&person).as_bytes()),
        }
    }
    Ok(Some((bytes, next)))
}

async fn exported(tx: &mut Tx<Tenant>, people: Vec<Person>) -> Result<Vec<Exported>> {
    let (Some(first), Some(last)) = (people.first(), people.last()) else { return Ok(Vec::new()) };
    let mut known: HashMap<_, _> = imports::list_known(tx, (first.id, last.id)).await?.into_iter().collect();
    let mut exported = Vec::with_capacity(people.len());
    for person in people {
        if matches!(person.status, Status::Active | Status::Suspended) {
            let is_managed = accounts::is_managed(tx, person.account_id).await?;
            let known = known.remove(&person.id).unwrap_or_default();
            exported.push(Exported::of(person, is_managed, known));
        }
    }
    Ok(exported)
}

impl Exported {
    /// Of an account that the tenant does not manage it has what the API shows, and no more.
    fn of(person: Person, is_managed: bool, known: Known) -> Self {
        let name = person.profile.name.clone();
        Self {
            external_id: known.external_id.unwrap_or_else(|| person.id.to_string()),
            email: person.email,
            email_verified: person.email_verified,
            username: person.username,
            profile: if is_managed { person.profile } else { Profile { name, ..Profile::default() } },
            roles: person.own_roles,
            status: person.status,
            created_at: known.created_at.unwrap_or(person.created_at),
            public_metadata: person.metadata.public,
            private_metadata: person.metadata.private,
        }
    }
}

fn row(person: &Exported) -> String {
    let (roles, created_at) = (person.roles.join(";"), person.created_at.to_string());
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
