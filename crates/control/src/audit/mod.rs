//! `/api/v1/audit`: what happened in the tenant, newest first; counts, the export, and the checkpoints of its chain.

mod export;
pub(crate) mod streams;

use serde::Deserialize;
use svc_core::{AuditId, Error, Result, Timestamp};
use svc_domain::log::audit::{ActorKind, AuditEntry, Outcome};
use svc_domain::log::chain::checkpoints::{self, Checkpoint};
use svc_domain::log::search::{self, Facets, Filter};
use svc_http::{Json, List, Listing, Problem, Query, TenantCx};
use utoipa::IntoParams;

use crate::resource::Resource;

/// Which entries.
#[derive(Clone, Debug, Deserialize, IntoParams)]
pub(super) struct Which {
    /// An action, or a category of them, such as `role.*`.
    #[param(nullable = false)]
    action: Option<String>,
    /// The `actor_id`.
    #[param(nullable = false)]
    actor: Option<String>,
    /// The `actor_kind`.
    #[param(inline, value_type = Option<ActorKind>, nullable = false)]
    actor_kind: Option<ActorKind>,
    /// The `target`.
    #[param(nullable = false)]
    target: Option<String>,
    /// The `outcome`.
    #[param(inline, value_type = Option<Outcome>, nullable = false)]
    outcome: Option<Outcome>,
    /// The `request_id`.
    #[param(nullable = false)]
    request_id: Option<String>,
    /// The `client_ip`.
    #[param(nullable = false)]
    client_ip: Option<String>,
    /// A text that any field contains; the case of letters does not count.
    #[param(nullable = false)]
    q: Option<String>,
    /// Not before this time.
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    since: Option<Timestamp>,
    /// Before this time.
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    until: Option<Timestamp>,
}

/// Longest text of a filter.
const LONGEST: usize = 256;

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("audit", "Audit")
        .may_read("Read the audit log of this organisation")
        .get("", "Search the audit log, newest entries first", list)
        .get("facets", "Count the audit log by action, actor and outcome", facets)
        .get("export", "Download the audit log, oldest entries first, as JSON Lines or CSV", export::export)
        .get("checkpoints", "List the signed checkpoints of the audit log, newest first", list_checkpoints)
}

async fn list(
    caller: TenantCx,
    Listing { filter, page }: Listing<AuditId, Which>,
) -> Result<Json<List<AuditEntry>>, Problem> {
    let filter = filter.read()?;
    let limit = usize::try_from(page.limit).unwrap_or_default();
    let found = caller
        .read_late(|tx| {
            let filter = filter.clone();
            Box::pin(async move { search::search(tx, &filter, (page.after, limit)).await })
        })
        .await?;
    Ok(Json(caller.page_until(found.entries, found.next)?))
}

async fn facets(caller: TenantCx, Query(which): Query<Which>) -> Result<Json<Facets>, Problem> {
    let filter = which.read()?;
    let found = caller
        .read_late(|tx| {
            let filter = filter.clone();
            Box::pin(async move { search::facets(tx, &filter).await })
        })
        .await?;
    Ok(Json(found))
}

async fn list_checkpoints(
    caller: TenantCx,
    Listing { page, .. }: Listing<i64>,
) -> Result<Json<List<Checkpoint>>, Problem> {
    let mut tx = caller.read().await?;
    let found = checkpoints::list(&mut tx, page.after, page.fetch()).await?;
    Ok(Json(caller.page(found, page.limit, |checkpoint: &Checkpoint| checkpoint.position)?))
}

impl Which {
    /// The filter that is meant.
    fn read(self) -> Result<Filter> {
        let Self { action, actor, actor_kind, target, outcome, request_id, client_ip, q: text, since, until } =
            self;
        let texts = [
            ("action", &action),
            ("actor", &actor),
            ("target", &target),
            ("request_id", &request_id),
            ("client_ip", &client_ip),
            ("q", &text),
        ];
        let too_long = texts.iter().find(|(_, text)| text.as_ref().is_some_and(|text| text.len() > LONGEST));
        if let Some((name, _)) = too_long {
            return Err(Error::bad_request(format!("{name}: use at most {LONGEST} bytes")));
        }
        if action.as_ref().is_some_and(|action| action.find('*').is_some_and(|at| at + 1 != action.len())) {
            return Err(Error::bad_request(
                "action: give an action, or a category that ends with `*`, such as `role.*`",
            ));
        }
        Ok(Filter { action, actor, actor_kind, target, outcome, request_id, client_ip, text, since, until })
    }
}
