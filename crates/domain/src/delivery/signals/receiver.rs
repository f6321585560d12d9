//! Where the events of a stream are pushed (RFC 8935).

use svc_core::{AppId, OrInternal as _, Result, Secret};
use svc_db::{Tenant, Tx};
use svc_keys::keyring::Sealer;

use super::events::SecurityEvent;
use super::streams::{self, Delivery, Status};
use crate::delivery;

/// The receiver of a stream that is pushed to.
#[derive(Debug)]
pub struct Receiver {
    /// The application.
    pub app: AppId,
    /// The address.
    pub endpoint_url: String,
    /// What the application wants to see in `Authorization`.
    pub authorization_header: Option<Secret>,
}

/// Where an event goes at this moment; nothing where its stream is not pushed to, or holds what waits.
pub async fn receiver(
    tx: &mut Tx<Tenant>,
    sealer: &Sealer,
    due: &delivery::Delivery<SecurityEvent>,
) -> Result<Option<Receiver>> {
    let Some(stream) = streams::any(tx, due.receiver.parse().or_internal()?).await? else { return Ok(None) };
    let flows = stream.status == Status::Enabled || due.is_notice;
    match stream.wanted.delivery {
        Delivery::Push { endpoint_url, authorization_header } if flows => {
            let place = (tx.tenant().reference(), stream.id);
            let authorization_header =
                authorization_header.map(|header| header.open(place, sealer)).transpose()?;
            Ok(Some(Receiver { app: stream.app, endpoint_url, authorization_header }))
        }
        _ => Ok(None),
    }
}
