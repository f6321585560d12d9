//! `/api/v1/audit/streams`: where the audit log of the tenant is sent.

use serde::{Deserialize, Serialize};
use svc_core::{AuditStreamId, Error, Result, Scope, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::audit_streams::{
    self, AuditStream, Begin, Configuration, Destination, NewStream, Update,
};
use svc_domain::lists::Order;
use svc_http::{Json, Outbound, Path, Problem, TenantCx, TlsPeer};
use svc_keys::s3::Place;
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;
use crate::{privileges, sealer, unknown};

/// The port of syslog over TLS (RFC 5425 §4.1).
const SYSLOG_PORT: u16 = 6514;

/// A new stream.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewAuditStream, examples(json!({ "name": "Security team", "destination": { "webhook": { "url": "https://receiver.example/audit" } } })))]
pub(crate) struct WantedStream {
    #[serde(flatten)]
    configuration: Configuration,
    /// Whether entries are sent.
    #[serde(default)]
    #[schema(default = true)]
    active: Option<bool>,
    /// The first entry that is sent: the next one (`now`), or the oldest that is kept (`oldest`).
    #[serde(default)]
    #[schema(default = "now")]
    begin: Begin,
    /// Of a webhook what signs its batches, made and shown once unless given; of storage the secret access key; of syslog the private key of
    /// the client certificate, as PEM.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 16384)]
    secret: Option<Secret>,
}

/// A stream as it has just been created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedAuditStream {
    #[serde(flatten)]
    stream: AuditStream,
    /// Shown this once; absent where the caller brought its own, or none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
}

/// What can be changed of a stream.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Security team", "destination": { "webhook": { "url": "https://receiver.example/audit" } }, "active": true })))]
pub(crate) struct AuditStreamUpdate {
    /// Unchanged unless given; null in a patch activates it. A stream that is activated continues where it stopped, as far as entries
    /// are kept.
    #[serde(default)]
    active: Option<bool>,
    /// As it is unless given; a destination that needs another one needs it here.
    #[serde(default, serialize_with = "crate::record::hidden")]
    #[schema(value_type = Option<String>, max_length = 16384)]
    secret: Option<Secret>,
    #[serde(flatten)]
    configuration: Configuration,
}

/// A kind of destination, by its member of `destination`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AuditStreamDestinationKind)]
pub(crate) enum DestinationKind {
    /// Batches of JSON, posted.
    Webhook,
    /// Messages of RFC 5424 over TLS.
    Syslog,
    /// Objects in storage.
    S3,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only active streams, or only inactive ones.
    #[param(nullable = false)]
    active: Option<bool>,
    /// Only those whose destination is of this kind.
    #[param(inline, nullable = false)]
    destination: Option<DestinationKind>,
    /// Only those whose name begins with this text, in the order of names; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by name.
    #[param(inline, nullable = false)]
    sort: Option<Order>,
}

impl Filter {
    fn fits(&self, stream: &AuditStream) -> bool {
        let kind = match stream.configuration.destination {
            Destination::Webhook(_) => DestinationKind::Webhook,
            Destination::Syslog(_) => DestinationKind::Syslog,
            Destination::S3(_) => DestinationKind::S3,
        };
        self.active.is_none_or(|wanted| wanted == stream.active)
            && self.destination.is_none_or(|wanted| wanted == kind)
    }
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("audit/streams", "Audit")
        .named("audit-streams")
        .may_read("See where the audit log of this organisation is sent")
        .may_write("Choose where the audit log of this organisation is sent")
        .crud::<AuditStream>()
        .post("{id}/test", "Test a stream: write an entry, which it sends at once", test)
}

impl Record for AuditStream {
    const ONE: &'static str = "a stream of the audit log";
    const MANY: &'static str = "streams of the audit log";

    type Stored = Self;
    type Id = AuditStreamId;
    type Filter = Filter;
    type New = WantedStream;
    type Created = CreatedAuditStream;
    type Change = AuditStreamUpdate;

    fn head(stream: &Self) -> (AuditStreamId, i64) {
        (stream.id, stream.version)
    }

    fn present(stream: &Self) -> AuditStreamUpdate {
        let configuration = stream.configuration.clone();
        AuditStreamUpdate { active: Some(stream.active), secret: None, configuration }
    }

    fn completed(stream: &Self, wanted: AuditStreamUpdate) -> AuditStreamUpdate {
        AuditStreamUpdate { active: wanted.active.or(Some(stream.active)), ..wanted }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(stream: &Self) -> Vec<&str> {
        vec![&stream.configuration.name]
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<AuditStreamId>,
    ) -> Result<Vec<Self>> {
        let mut all = audit_streams::list(tx, Page::whole()).await?;
        all.retain(|stream| filter.fits(stream));
        Ok(page.among(all, |stream| (stream.id, Self::names(stream))))
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: AuditStreamId) -> Result<Option<Self>> {
        audit_streams::find(tx, id).await
    }

    async fn create(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        new: WantedStream,
    ) -> Result<(Self, CreatedAuditStream)> {
        check(caller, &new.configuration, new.secret.as_ref())?;
        // The transaction begins with its first statement, so that the key of the tenant can be made before it.
        let sealer = sealer(caller).await?;
        let wanted = NewStream {
            configuration: &new.configuration,
            active: new.active.unwrap_or(true),
            begin: new.begin,
            secret: new.secret.as_ref().map(Secret::expose),
            most: caller.app.config.audit_log.max_streams,
        };
        let (stream, secret) = audit_streams::create(tx, caller, &sealer, wanted).await?;
        Ok((stream.clone(), CreatedAuditStream { stream, secret }))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        stream: Self,
        wanted: AuditStreamUpdate,
    ) -> Result<()> {
        check(caller, &wanted.configuration, wanted.secret.as_ref())?;
        let sealer = sealer(caller).await?;
        let update = Update {
            configuration: &wanted.configuration,
            active: wanted.active.unwrap_or(true),
            secret: wanted.secret.as_ref().map(Secret::expose),
        };
        audit_streams::update(tx, caller, &sealer, &stream, update).await
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, stream: Self) -> Result<()> {
        audit_streams::delete(tx, caller, stream.id).await
    }
}

async fn test(caller: TenantCx, Path(id): Path<AuditStreamId>) -> Result<Json<AuditStream>, Problem> {
    let mut tx = caller.begin().await?;
    let stream = audit_streams::find(&mut tx, id).await?.ok_or_else(unknown)?;
    audit_streams::test(&mut tx, &caller, &stream).await?;
    tx.commit().await?;
    Ok(Json(stream))
}

/// A stream shows the log to its receiver: the caller must be allowed to read it. An address that will never be called is refused here,
/// where an administrator reads the answer.
fn check(caller: &TenantCx, configuration: &Configuration, secret: Option<&Secret>) -> Result<()> {
    privileges::for_scope(caller, &"audit:read".parse::<Scope>()?)?;
    check_destination(&caller.app.outbound.to_receivers(&caller.app.config), configuration, secret)
}

/// Refuses a destination that cannot be, or that will never be called.
pub fn check_destination(
    outbound: &Outbound,
    configuration: &Configuration,
    secret: Option<&Secret>,
) -> Result<()> {
    audit_streams::check(configuration)?;
    match &configuration.destination {
        Destination::Webhook(webhook) => within("webhook.url", outbound.check(&webhook.url)),
        Destination::Syslog(syslog) => {
            let chain = syslog.client_certificate_pem.as_deref();
            let peer = TlsPeer {
                host: &syslog.host,
                port: syslog.port,
                ca_pem: syslog.ca_pem.as_deref(),
                identity: chain.zip(secret),
            };
            within("syslog", outbound.check_peer(&peer, SYSLOG_PORT))
        }
        Destination::S3(s3) => {
            let place = Place {
                endpoint: &s3.endpoint,
                region: &s3.region,
                bucket: &s3.bucket,
                path_style: s3.path_style,
                object: "",
            };
            within("s3.endpoint", place.url().and_then(|url| outbound.check(url.as_str())))
        }
    }
}

fn within(member: &str, outcome: Result<()>) -> Result<()> {
    outcome.map_err(|error| Error::bad_request(format!("destination.{member}: {}", error.detail())))
}
