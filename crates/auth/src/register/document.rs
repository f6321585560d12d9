//! Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): an https address as `client_id`, at which
//! the application says what it is.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::capability::Capability;
use svc_core::{Actor, Class, Error, Result, Seconds, Timestamp, json};
use svc_domain::apps::registrations::{self, Kind, NewRegistration, Remarks};
use svc_domain::apps::{self, App, AuthMethod, Configuration, Rules};
use svc_http::{HostCx, Limits, StatusCode, header};
use svc_keys::{base64url, digest};
use url::Url;

use super::metadata::Metadata;
use super::policy::{Beyond, Policy};
use super::sector;

const LIMITS: Limits = Limits { time: Seconds(5), bytes: 16 * 1024 };
/// How long a document counts that does not say.
const USUAL: Seconds = Seconds(3600);
/// How long it counts at most, also where it cannot be read again.
const LONGEST: Seconds = Seconds(86_400);
const MINUTE: Seconds = Seconds(60);
/// Fetches a minute of one document, and on behalf of one address.
const FETCHES: (i64, i64) = (10, 60);

/// What a document says.
struct Document {
    configuration: Configuration,
    remarks: Remarks,
    fresh_for: Seconds,
}

/// The application of a `client_id`, also of one that is the address of its document.
pub async fn find(host: &HostCx, client_id: &str) -> Result<Option<Arc<App>>> {
    if apps::is_document_address(client_id) {
        return boxed_by_address(host, client_id).await;
    }
    host.app.services.apps.find(host.tenant.id, client_id).await
}

type Finding<'a> = Pin<Box<dyn Future<Output = Result<Option<Arc<App>>>> + Send + 'a>>;

/// Boxed: every endpoint would hold room for the rare way, and have its code.
fn boxed_by_address<'a>(host: &'a HostCx, client_id: &'a str) -> Finding<'a> {
    Box::pin(by_address(host, client_id))
}

async fn by_address(host: &HostCx, client_id: &str) -> Result<Option<Arc<App>>> {
    let (apps, tenant) = (&host.app.services.apps, &host.tenant);
    if !host.offers(&Capability::CLIENT_ID_METADATA_DOCUMENTS) || !is_plain(client_id) {
        return Ok(None);
    }
    let known = apps.find(tenant.id, client_id).await?;
    let fetched_at = match &known {
        None => None,
        Some(app) => {
            let registration = registrations::find(&mut host.read().await?, app.id).await?;
            let is_settled = registration.as_ref().is_none_or(|found| host.cx.now < found.fresh_until);
            if is_settled || !app.enabled {
                return Ok(known);
            }
            registration.map(|found| found.fetched_at)
        }
    };
    match fetch(host, client_id).await {
        Ok(document) => keep(host, client_id, known, &document).await.map(Some),
        Err(error) if fetched_at.is_some_and(|at| host.cx.now < at + LONGEST) => {
            tracing::debug!(client_id, ?error, "a metadata document could not be read again");
            Ok(known)
        }
        Err(error) => Err(error),
    }
}

/// Whether the address can be compared character for character: https, a path, nothing hidden, nothing to normalise.
fn is_plain(client_id: &str) -> bool {
    let is_short = client_id.len() <= 500 && client_id.bytes().all(|byte| byte.is_ascii_graphic());
    is_short
        && !client_id.contains(['#', '@', '\\'])
        && Url::parse(client_id).is_ok_and(|url| url.as_str() == client_id && url.path() != "/")
}

async fn fetch(host: &HostCx, client_id: &str) -> Result<Document> {
    slow_down(host, client_id).await?;
    let unusable = |why: &str| Error::invalid_request(format!("the document at client_id {why}"));
    let fetched = host.app.outbound.get(client_id, LIMITS).await?;
    let content_type = fetched.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    if fetched.status != StatusCode::OK || !(essence == "application/json" || essence.ends_with("+json")) {
        return Err(unusable("is not there as JSON"));
    }
    let document = json::object(&fetched.body, json::DEEPEST)
        .map_err(|error| unusable("is not a JSON object").caused_by(error))?;
    if document.get("client_id").and_then(Value::as_str) != Some(client_id) {
        return Err(unusable("names another client_id"));
    }
    if document.contains_key("client_secret") || document.contains_key("client_secret_expires_at") {
        return Err(unusable("has a secret, which is none"));
    }
    let metadata = Metadata::read(&document)?;
    if metadata.called().any(|url| host.app.outbound.check(url).is_err()) {
        return Err(unusable("names addresses that are not https on port 443 of a public host"));
    }
    // The sector decides by which subjects it knows people: its owner has to name the application.
    sector::check(host, &metadata)
        .await
        .map_err(|error| unusable("names a sector that does not list its redirect URIs").caused_by(error))?;
    let remarks = metadata.remarks()?;
    let policy = Policy::of(host, Beyond::Narrows).await?;
    let configuration = as_public(metadata, &document).configuration(&policy)?;
    check(host.app.part::<Rules>()?, client_id, &configuration)?;
    let fresh_for = fetched.max_age.unwrap_or(USUAL).min(LONGEST);
    Ok(Document { configuration, remarks, fresh_for })
}

/// Without a method of its own an application is public: a secret cannot be agreed on.
fn as_public(metadata: Metadata, document: &Map<String, Value>) -> Metadata {
    let method = document.get("token_endpoint_auth_method").and_then(Value::as_str);
    let says = method.is_some_and(|method| !method.is_empty());
    if says { metadata } else { metadata.public() }
}

fn check(rules: &Rules, client_id: &str, configuration: &Configuration) -> Result<()> {
    if !matches!(configuration.token_endpoint_auth_method, AuthMethod::None | AuthMethod::PrivateKeyJwt) {
        return Err(Error::invalid_request(
            "the document at client_id asks for a secret; use none or private_key_jwt",
        ));
    }
    let origin = |text: &str| Url::parse(text).ok().map(|url| url.origin());
    if configuration.client_uri.as_deref().is_some_and(|uri| origin(uri) != origin(client_id)) {
        return Err(Error::invalid_request("the document at client_id has a client_uri on another origin"));
    }
    rules.check_redirect_uris(configuration)
}

/// Notes what the document says: the row lets codes, tokens and consents refer to the application.
async fn keep(
    host: &HostCx,
    client_id: &str,
    known: Option<Arc<App>>,
    document: &Document,
) -> Result<Arc<App>> {
    let cx = &host.cx.acting_as(Actor::System("client documents"));
    let fresh_until = cx.now + document.fresh_for;
    let kept = match known {
        Some(app) => renew(host, app.id, document, fresh_until).await,
        None => begin(host, client_id, document, fresh_until).await,
    };
    match kept {
        // Another request was quicker with the same document.
        Err(error) if error.class() == Class::Conflict => {}
        kept => kept?,
    }
    let app = host.app.services.apps.find(host.tenant.id, client_id).await?;
    app.ok_or_else(|| Error::invalid_request("the application has just been removed; start again"))
}

async fn renew(
    host: &HostCx,
    id: svc_core::AppId,
    document: &Document,
    fresh_until: Timestamp,
) -> Result<()> {
    let cx = &host.cx.acting_as(Actor::System("client documents"));
    let mut tx = host.begin().await?;
    if let Some(app) = apps::find(&mut tx, id).await? {
        let wanted = document.configuration.clone().bounded_as(&app.configuration);
        let change = apps::Change { configuration: &wanted, enabled: app.enabled };
        apps::update(&mut tx, cx, host.app.part::<Rules>()?, &app, change).await?;
        registrations::refresh(&mut tx, cx, id, &document.remarks, fresh_until).await?;
    }
    tx.commit().await
}

async fn begin(host: &HostCx, client_id: &str, document: &Document, fresh_until: Timestamp) -> Result<()> {
    let cx = &host.cx.acting_as(Actor::System("client documents"));
    let mut tx = host.begin().await?;
    let most = i64::from(host.app.config.oidc.dynamic_registration_quota);
    let is_full = registrations::unused(&mut tx, Kind::Document).await? >= most;
    if is_full && !registrations::make_room(&mut tx, cx, Kind::Document).await? {
        return Err(
            Error::rate_limited("too many applications are new here; try again later").retry_after(3600)
        );
    }
    let (rules, wanted) = (host.app.part::<Rules>()?, &document.configuration);
    let app = apps::create_registered(
        &mut tx,
        cx,
        rules,
        Some(client_id),
        apps::NewApp { configuration: wanted, secret: None },
    )
    .await?;
    let remarks = &document.remarks;
    let new = NewRegistration { app: app.id, kind: Kind::Document, digest: None, remarks, fresh_until };
    registrations::create(&mut tx, cx, &new).await?;
    tx.commit().await
}

/// A caller cannot make us call another server as often as it likes.
async fn slow_down(host: &HostCx, client_id: &str) -> Result<()> {
    let (coordination, now) = (&host.app.coordination, host.cx.now);
    let document = format!("client document {} {}", host.tenant.id, base64url(digest(client_id).0));
    let caller = format!("client documents {}", host.arrival.throttle_key());
    let counts = [
        (coordination.incr(&document, MINUTE, now).await, FETCHES.0),
        (coordination.incr(&caller, MINUTE, now).await, FETCHES.1),
    ];
    if counts.iter().any(|(count, most)| count.count > *most) {
        return Err(
            Error::rate_limited("this client_id was looked up too often; wait a minute").retry_after(60)
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_two_parsers_could_read_differently_is_no_client_id() {
        for good in
            ["https://app.example/client.json", "https://app.example/a?v=1", "http://localhost:3000/c"]
        {
            assert!(is_plain(good), "{good}");
        }
        for bad in [
            "https://app.example",
            "https://app.example/",
            "https://app.example/c#x",
            "https://u@app.example/c",
            "https://app.example/a/../c",
            "https://APP.example/c",
            "https://app.example:443/c",
            "https://app.example/\u{e4}",
            "https://app.example\\c",
        ] {
            assert!(!is_plain(bad), "{bad}");
        }
    }
}
