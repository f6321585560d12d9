//! `/api/v1/control-plane/operators`: the members of the default tenant who operate the deployment.

use svc_core::{Error, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::people::operators::{self, Operator};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{Json, List, Listing, NoContent, OperatorCx, Path, Problem, Route, Routes};

use crate::unknown;

const ONE: &str = "/api/v1/control-plane/operators/{id}";

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([
        Route::get("/api/v1/control-plane/operators").operator(list).summary("List the operators"),
        Route::put(ONE)
            .operator(grant)
            .summary("Make a member of the default tenant an operator; `id` is the tenant user")
            .idempotent(),
        Route::delete(ONE)
            .operator(revoke)
            .summary("Make an operator an ordinary member; the sessions and tokens of the membership end")
            .idempotent(),
    ])
}

async fn list(
    caller: OperatorCx,
    Listing { page, .. }: Listing<TenantUserId>,
) -> Result<Json<List<Operator>>, Problem> {
    let mut tx = caller.read().await?;
    let found = operators::list(&mut tx, (page.after, page.fetch())).await?;
    Ok(Json(caller.page(found, page.limit, |operator: &Operator| operator.tenant_user_id)?))
}

async fn grant(caller: OperatorCx, Path(id): Path<TenantUserId>) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let person = member(&mut tx, id).await?;
    operators::grant(&mut tx, &caller, &person).await?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn revoke(caller: OperatorCx, Path(id): Path<TenantUserId>) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let person = member(&mut tx, id).await?;
    if person.subject == caller.claims.sub {
        return Err(Error::conflict("an operator does not end its own access; another operator does").into());
    }
    if !operators::revoke(&mut tx, &caller, &person).await? {
        return Err(unknown().into());
    }
    tx.commit().await?;
    Ok(NoContent)
}

/// A member of the default tenant.
async fn member(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Person> {
    tenant_users::find(tx, id).await?.ok_or_else(unknown)
}
