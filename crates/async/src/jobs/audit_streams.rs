//! Sends the audit log to the streams of tenants, and tells the owners of those that were deactivated.

use std::time::Duration;

use svc_core::capability::Capability;
use svc_core::{OrInternal as _, Result, Seconds};
use svc_domain::delivery::audit_streams::{self, Batch, Sent};
use svc_http::App;
use tokio::task::JoinSet;

use super::{Job, Progress, Reach, Workers, cx, owners};
use crate::streams;

pub(super) const JOB: Job = Job {
    name: "audit-streams",
    every: Duration::from_secs(1),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Most batches that are on their way at once in this process; each is kept in memory.
const AT_ONCE: usize = 16;
/// How many batches one run sends, so that it ends.
const MOST: u64 = 256;
/// How often more is claimed while all that is on its way is slow.
const TICK: Duration = Duration::from_secs(1);

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let done = send(app).await?;
    measure(app).await?;
    Ok(Progress { done: done + tell_owners(app).await?, has_more: done >= MOST })
}

async fn send(app: &App) -> Result<u64> {
    let mut under_way = JoinSet::new();
    let mut done = 0;
    loop {
        let room = AT_ONCE - under_way.len();
        if done < MOST && room > 0 {
            for batch in claim(app, room).await? {
                let app = app.clone();
                under_way.spawn(async move {
                    let sent = attempt(&app, &batch).await;
                    (batch, sent)
                });
                done += 1;
            }
        }
        if under_way.is_empty() {
            return Ok(done);
        }
        // What a broken task had claimed is sent again after its claim; so is what is not written down, and what operators have paused.
        if let Ok(Some(Ok((batch, Some(sent))))) = tokio::time::timeout(TICK, under_way.join_next()).await
            && let Err(error) = settle(app, &batch, &sent).await
        {
            tracing::warn!(stream = %batch.stream, error = ?error, "an attempt was not written down");
        }
    }
}

async fn claim(app: &App, room: usize) -> Result<Vec<Batch>> {
    let mut tx = app.db.begin_system().await?;
    let batches = audit_streams::claim(&mut tx, app.clock.now(), u32::try_from(room).or_internal()?).await?;
    tx.commit().await?;
    Ok(batches)
}

async fn attempt(app: &App, batch: &Batch) -> Option<Sent> {
    send_now(app, batch).await.unwrap_or_else(|error| {
        tracing::warn!(stream = %batch.stream, error = ?error, "a batch of the audit log could not be sent");
        Some(Sent::failed("the service could not send it; its log says why"))
    })
}

/// Nothing where operators have switched streams off, or suspended the tenant: the batch waits, and the receiver has not failed.
async fn send_now(app: &App, batch: &Batch) -> Result<Option<Sent>> {
    let Some(tenant) = app.services.tenants.find(batch.tenant).await? else { return Ok(None) };
    if tenant.is_paused(&Capability::AUDIT_STREAMS) {
        return Ok(None);
    }
    if !tenant.offers(&app.config, &Capability::AUDIT_STREAMS) {
        return Ok(Some(Sent::failed("streams of the audit log are switched off")));
    }
    streams::send(app, batch).await.map(Some)
}

async fn settle(app: &App, batch: &Batch, sent: &Sent) -> Result<()> {
    let patience = Seconds::from_days(app.config.audit_log.stream_deactivate_after_days);
    let mut tx = app.db.begin_system().await?;
    let deactivated = audit_streams::settle(&mut tx, &cx(app, JOB.name), batch, (sent, patience)).await?;
    tx.commit().await?;
    let kind = batch.destination.kind();
    let outcome = if *sent == Sent::Taken { "sent" } else { "failed" };
    metrics::counter!("audit_stream_batches_total", "kind" => kind, "outcome" => outcome).increment(1);
    if *sent == Sent::Taken {
        let entries = u64::try_from(batch.entries.len()).or_internal()?;
        metrics::counter!("audit_stream_entries_total", "kind" => kind).increment(entries);
    }
    if let Some(reason) = deactivated {
        metrics::counter!("audit_streams_deactivated_total", "reason" => reason).increment(1);
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a measure")]
async fn measure(app: &App) -> Result<()> {
    let mut tx = app.db.read_system().await?;
    let lag = audit_streams::lag(&mut tx).await?;
    let age = lag.oldest.map_or(0, |oldest| (app.clock.now() - oldest).0.max(0));
    metrics::gauge!("audit_stream_lag_entries").set(lag.entries as f64);
    metrics::gauge!("audit_stream_lag_seconds").set(age as f64);
    Ok(())
}

async fn tell_owners(app: &App) -> Result<u64> {
    let cx = cx(app, JOB.name);
    let tenants = audit_streams::tenants_with_owners_to_tell(&mut app.db.read_system().await?).await?;
    owners::tell(app, &cx, tenants, |tx, cx, sealer| Box::pin(audit_streams::tell_owners(tx, cx, sealer)))
        .await
}
