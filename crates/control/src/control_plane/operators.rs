//! `/api/v1/control-plane/operators`: the members of the default tenant who operate the deployment.

use serde::Deserialize;
use svc_core::{Error, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::people::operators::{self, Operator, Role};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{Json, List, Listing, NoContent, OperatorCx, Path, Problem, Route, Routes};
use utoipa::{IntoParams, ToSchema};

use crate::page::{Page, Position};
use crate::{record, unknown};

const ONE: &str = "/api/v1/control-plane/operators/{id}";

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([
        Route::get("/api/v1/control-plane/operators")
            .operator(Role::Viewer, list)
            .summary("List the operators"),
        Route::put(ONE)
            .operator(Role::Administrator, grant)
            .summary("Make a member of the default tenant an operator, or give an operator another role")
            .describe("`id` is the tenant user. Without a body the role is `administrator`.")
            .idempotent(),
        Route::delete(ONE)
            .operator(Role::Administrator, revoke)
            .summary("Make an operator an ordinary member; the sessions and tokens of the membership end")
            .idempotent(),
    ])
}

/// Which operators a list shows.
#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only those of this role.
    #[param(inline, nullable = false)]
    role: Option<Role>,
    /// Only those whose sign-in name or address begins with this text, in the order of what was found; the case of ASCII letters does not
    /// count.
    #[param(nullable = false, max_length = 320)]
    search: Option<String>,
}

async fn list(
    caller: OperatorCx,
    Listing { filter, page }: Listing<Position<TenantUserId>, Filter>,
) -> Result<Json<List<Operator>>, Problem> {
    let page = Page::of(page, filter.search.as_deref(), None)?;
    let mut all = operators::all(&mut caller.read().await?).await?;
    all.retain(|operator| filter.role.is_none_or(|wanted| wanted == operator.role));
    let found = page.among(all, |operator| (operator.tenant_user_id, names(operator)));
    let position = |operator: &Operator| page.position(operator.tenant_user_id, &names(operator));
    Ok(Json(caller.page(found, page.limit(), position)?))
}

/// What a search looks at.
fn names(operator: &Operator) -> Vec<&str> {
    [&operator.username, &operator.email].into_iter().flatten().map(String::as_str).collect()
}

/// The role of an operator.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OperatorGrant, examples(json!({ "role": "viewer" })))]
struct Granted {
    /// The role.
    #[serde(default)]
    role: Role,
}

async fn grant(
    caller: OperatorCx,
    Path(id): Path<TenantUserId>,
    body: Option<Json<Granted>>,
) -> Result<NoContent, Problem> {
    let Granted { role } = body.map(|Json(granted)| granted).unwrap_or_default();
    let (mut tx, _) = record::begin(&caller, &id).await?;
    let person = member(&mut tx, id).await?;
    if role != Role::Administrator {
        check_other(&caller, &person)?;
    }
    operators::grant(&mut tx, &caller, &person, role).await?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn revoke(caller: OperatorCx, Path(id): Path<TenantUserId>) -> Result<NoContent, Problem> {
    let (mut tx, _) = record::begin(&caller, &id).await?;
    let person = member(&mut tx, id).await?;
    check_other(&caller, &person)?;
    if !operators::revoke(&mut tx, &caller, &person).await? {
        return Err(unknown().into());
    }
    tx.commit().await?;
    Ok(NoContent)
}

/// An operator cannot lock itself out, so that an administrator is left.
fn check_other(caller: &OperatorCx, person: &Person) -> Result<()> {
    if person.subject == caller.claims.sub {
        return Err(Error::conflict(
            "an operator does not end or lower its own access; another operator does",
        ));
    }
    Ok(())
}

/// A member of the default tenant.
async fn member(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Person> {
    tenant_users::find(tx, id).await?.ok_or_else(unknown)
}
