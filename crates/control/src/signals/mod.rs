//! `/api/v1/ssf`: event streams of the calling application (OpenID SSF 1.0 §8.1), and polling them (RFC 8936).
//!
//! The documents are those of the standards, and not shaped like our own resources.

mod poll;
mod status;
mod streams;
mod wanted;

use serde::Deserialize;
use svc_core::capability::Capability;
use svc_core::{AppId, Error, Result, StreamId};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::signals::{self, Stream};
use svc_domain::tokens::access_token::SubjectType;
use svc_http::{Routes, TenantCx};
use utoipa::IntoParams;

use crate::unknown;

const READ: &str = "ssf.read";
const MANAGE: &str = "ssf.manage";
/// Receivers are applications that act for themselves.
const RECEIVERS: &[SubjectType] = &[SubjectType::System];

/// Which stream a request is about.
#[derive(Debug, Deserialize, IntoParams)]
struct Which {
    /// The id of the stream.
    #[param(nullable = false)]
    stream_id: Option<String>,
}

impl Which {
    fn id(&self) -> Result<StreamId> {
        let missing = || Error::bad_request("stream_id: missing; give the id of the stream");
        self.stream_id.as_ref().ok_or_else(missing)?.parse()
    }
}

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    let all = streams::routes().into_iter().chain(status::routes()).chain([poll::route()]);
    Routes::new(all.map(|route| route.tag("Shared signals").subject_types(RECEIVERS)))
}

/// The application that calls.
async fn receiver(caller: &TenantCx) -> Result<AppId> {
    let client_id = &caller.claims.client_id;
    let unfit = || Error::forbidden("only an application of the tenant receives signals");
    let id = client_id.parse().map_err(|_| unfit())?;
    let app = caller.app.services.apps.find(caller.tenant.id, client_id).await?;
    if app.is_none_or(|app| app.keeps(&Capability::SIGNALS)) { Ok(id) } else { Err(unfit()) }
}

/// A stream of the calling application; another's is answered like an unknown one.
async fn find(tx: &mut Tx<Tenant>, caller: &TenantCx, id: StreamId) -> Result<Stream> {
    signals::find(tx, receiver(caller).await?, id).await?.ok_or_else(unknown)
}
