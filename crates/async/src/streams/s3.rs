//! Writes batches as objects of JSON Lines, each once.

use std::io::Write as _;

use flate2::{Compression, GzBuilder};
use svc_core::{OrInternal as _, Result, Secret};
use svc_domain::delivery::audit_streams::{Batch, S3, Sent};
use svc_http::{App, Fetched, HeaderMap, HeaderName, HeaderValue, Limits, Method, StatusCode, header};
use svc_keys::s3::{Place, Signer};

use super::{MOST_ANSWER, refused};

pub(super) async fn send(app: &App, batch: &Batch, to: &S3, secret: &Secret) -> Result<Sent> {
    let (object, body) = (name(batch, to), body(batch, to.gzip)?);
    let answer = match put(app, to, (&object, &body), (secret, true)).await {
        // Storage that knows no conditions: a repeated batch replaces the same object by itself.
        Ok(answer) if answer.status == StatusCode::NOT_IMPLEMENTED => {
            put(app, to, (&object, &body), (secret, false)).await
        }
        answer => answer,
    };
    Ok(match answer {
        // The object is there: the batch was stored before, and the answer was lost.
        Ok(answer) if answer.status.is_success() || answer.status == StatusCode::PRECONDITION_FAILED => {
            Sent::Taken
        }
        Ok(answer) => refused(app, &answer, secret.expose()),
        Err(error) => Sent::failed(error.detail()),
    })
}

async fn put(
    app: &App,
    to: &S3,
    (object, body): (&str, &[u8]),
    (secret, is_new): (&Secret, bool),
) -> Result<Fetched> {
    let place = Place {
        endpoint: &to.endpoint,
        region: &to.region,
        bucket: &to.bucket,
        path_style: to.path_style,
        object,
    };
    let signer = Signer { access_key_id: &to.access_key_id, secret };
    let request = place.put(signer, body, (app.clock.now(), is_new))?;
    let kind = if to.gzip { "application/gzip" } else { "application/jsonl" };
    let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))]);
    for (name, value) in request.headers {
        headers.insert(HeaderName::from_static(name), HeaderValue::try_from(value).or_internal()?);
    }
    let limits = Limits { time: app.config.audit_log.stream_timeout_secs, bytes: MOST_ANSWER };
    let outbound = app.outbound.to_receivers(&app.config);
    let content = (headers, Some(body.to_vec().into()));
    outbound.send_reading_beginning(Method::PUT, &request.url, content, limits).await
}

/// `<prefix>/yyyy/mm/dd/<tenant>-<first>-<last>-<hash>.jsonl`: the day of its entries, and the hash of the last of them, by which
/// a log that was restored and went another way gets other names. Names sort in the order of the log.
fn name(batch: &Batch, to: &S3) -> String {
    let at = |place: Option<&svc_domain::log::audit::AuditEntry>| {
        place.map(|entry| entry.at.to_string()).unwrap_or_default()
    };
    let day = at(batch.entries.first()).chars().take(10).collect::<String>().replace('-', "/");
    let hash: String = batch
        .entries
        .last()
        .and_then(|entry| entry.hash.as_deref())
        .unwrap_or_default()
        .chars()
        .take(16)
        .collect();
    let (first, last) = batch.range;
    let prefix = to.prefix.trim_end_matches('/');
    let separator = if prefix.is_empty() { "" } else { "/" };
    let packed = if to.gzip { ".gz" } else { "" };
    format!("{prefix}{separator}{day}/{}-{first:012}-{last:012}-{hash}.jsonl{packed}", batch.tenant)
}

/// The same bytes each time that the batch is sent.
fn body(batch: &Batch, is_packed: bool) -> Result<Vec<u8>> {
    let mut lines = Vec::new();
    for entry in &batch.entries {
        serde_json::to_writer(&mut lines, entry).or_internal()?;
        lines.push(b'\n');
    }
    if !is_packed {
        return Ok(lines);
    }
    let mut packer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
    packer.write_all(&lines).or_internal()?;
    packer.finish().or_internal()
}
