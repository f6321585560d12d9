//! `/scim/v2/.search`: resources of all types (RFC 7644 §3.4.3), and `/scim/v2/Me`, which a directory is not (§3.11).

use serde_json::{Map, Value};
use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::scim::users::ProvisionedUser;
use svc_http::{Problem, Response, ScimBody, ScimCx, StatusCode};

use super::groups::Group;
use super::listing::Asked;
use super::provisioned::{self, Provisioned};
use super::reply;

pub(super) async fn search(caller: ScimCx, ScimBody(sent): ScimBody) -> Result<Response, Problem> {
    let mut tx = caller.read().await?;
    let users = of_type::<ProvisionedUser>(&caller, &mut tx, &sent).await?;
    let groups = of_type::<Group>(&caller, &mut tx, &sent).await?;
    // An attribute that one type alone has is compared with resources of that type.
    let (asked, resources) = match (users, groups) {
        (Ok((asked, mut users)), Ok((_, groups))) => {
            users.extend(groups);
            (asked, users)
        }
        (Ok(found), Err(_)) | (Err(_), Ok(found)) => found,
        (Err(error), Err(_)) => return Err(error.into()),
    };
    let asked = asked.shown_already();
    let found = asked.page(resources);
    Ok(reply::document(StatusCode::OK, &asked.answer(&caller, found)?)?)
}

type Matching = (Asked, Vec<Map<String, Value>>);

/// The resources of a type that are asked for; or why nothing of the type can be.
async fn of_type<R: Provisioned>(
    caller: &ScimCx,
    tx: &mut Tx<Tenant>,
    sent: &Map<String, Value>,
) -> Result<Result<Matching>> {
    match Asked::of_message(caller, sent, R::schema(caller)) {
        Ok(asked) => {
            let resources = provisioned::matching::<R>(caller, tx, &asked).await?;
            let shown = resources.into_iter().map(|one| asked.projection.apply(one)).collect();
            Ok(Ok((asked, shown)))
        }
        Err(error) => Ok(Err(error)),
    }
}

pub(super) async fn me(_: ScimCx) -> Result<Response, Problem> {
    Err(Error::not_implemented("there is no /Me: a SCIM token belongs to a directory, not to a person")
        .into())
}
