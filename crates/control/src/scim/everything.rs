//! `/scim/v2/.search`: resources of all types (RFC 7644 §3.4.3), and `/scim/v2/Me`, which a directory is not (§3.11).

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::scim::users::ProvisionedUser;
use svc_http::{Problem, Response, ScimBody, ScimCx, StatusCode};

use super::groups::Group;
use super::listing::ListRequest;
use super::projection::Projection;
use super::provisioned::{self, Provisioned};
use super::reply;
use super::schema::Schema;

pub(super) async fn search(caller: ScimCx, ScimBody(sent): ScimBody) -> Result<Response, Problem> {
    let mut tx = caller.read().await?;
    let users = of_type::<ProvisionedUser>(&caller, &mut tx, &sent).await?;
    let groups = of_type::<Group>(&caller, &mut tx, &sent).await?;
    let asked = [&users, &groups].into_iter().flatten().map(|(asked, _)| asked);
    let shown: Vec<_> = asked.map(|asked| (Arc::clone(&asked.schema), asked.projection.clone())).collect();
    // An attribute that one type alone has is compared with resources of that type.
    let (asked, resources) = match (users, groups) {
        (Ok((asked, users)), Ok((_, mut groups))) => {
            // In the order of ids, which begin with the kind.
            groups.extend(users);
            (asked, groups)
        }
        (Ok(found), Err(_)) | (Err(_), Ok(found)) => found,
        (Err(error), Err(_)) => return Err(error.into()),
    };
    let mut found = asked.page(resources);
    found.resources = found.resources.into_iter().map(|one| projected(one, &shown)).collect();
    Ok(reply::document(StatusCode::OK, &asked.shown_already().answer(&caller, found)?)?)
}

type Matching = (ListRequest, Vec<Map<String, Value>>);

/// The resources of a type that are asked for; or why nothing of the type can be.
async fn of_type<R: Provisioned>(
    caller: &ScimCx,
    tx: &mut Tx<Tenant>,
    sent: &Map<String, Value>,
) -> Result<Result<Matching>> {
    match ListRequest::of_message_to_all(caller, sent, R::schema(caller)) {
        Ok(asked) => {
            let resources = provisioned::matching::<R>(caller, tx, &asked).await?;
            Ok(Ok((asked, resources)))
        }
        Err(error) => Ok(Err(error)),
    }
}

/// A resource with what is asked for of its type.
fn projected(resource: Map<String, Value>, shown: &[(Arc<Schema>, Projection)]) -> Map<String, Value> {
    let kind = resource.get("meta").and_then(|meta| meta.get("resourceType")).and_then(Value::as_str);
    match shown.iter().find(|(schema, _)| kind == Some(&*schema.name)) {
        Some((_, projection)) => projection.apply(resource),
        None => resource,
    }
}

pub(super) async fn me(_: ScimCx) -> Result<Response, Problem> {
    Err(Error::not_implemented("there is no /Me: a SCIM token belongs to a directory, not to a person")
        .into())
}
