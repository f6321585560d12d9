//! `svc-kms serve`: a socket for this user alone, and a conversation for each client that proves its key.

mod answers;
mod conversation;
mod holder;
mod logging;
mod signing_keys;
mod socket;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use svc_keys::supervisor::Supervisor;
use tokio::net::UnixListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Semaphore;
use tokio::time::MissedTickBehavior;

use self::holder::Holder;
pub use self::logging::LogFormat;
use crate::cli::Place;
use crate::failure::Failure;
use crate::sealed_file::SealedFile;

/// How often the file is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// More processes than any machine runs of one deployment.
const MOST_CLIENTS: usize = 256;

/// Holds the keys until it is asked to stop.
pub async fn run(place: &Place, socket: &Path, format: LogFormat) -> Result<(), Failure> {
    logging::start(format);
    keep_memory_private();
    // It follows its file anyway: what has other programs read theirs again, and the end of a terminal, do not end it.
    let _hangup = listened(SignalKind::hangup())?;
    // Before the file is opened, which takes a while: the first process of a container does not hear SIGTERM by itself.
    let stopped = stop_signal()?;
    let holder = Arc::new(Holder::open(SealedFile::of(&place.dir), place.opening.opener()?)?);
    let listener = socket::listen(socket).await?;
    let keys = holder.loaded().versions();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), socket = %socket.display(), keys, "listening");
    let supervisor = Supervisor::from_environment();
    supervisor.ready();
    tokio::select! {
        () = serve(listener, Arc::clone(&holder)) => {}
        () = watch(&holder) => {}
        () = supervisor.keep_told() => {}
        () = stopped => tracing::info!("stopping"),
    }
    // A socket that is left behind is taken over at the next start.
    let _ = std::fs::remove_file(socket);
    Ok(())
}

/// Accepts clients for ever.
async fn serve(listener: UnixListener, holder: Arc<Holder>) {
    let places = Arc::new(Semaphore::new(MOST_CLIENTS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let holder = Arc::clone(&holder);
                tokio::spawn(async move {
                    if let Err(why) = conversation::hold(stream, &holder).await {
                        tracing::warn!(%why, "a client was refused or lost");
                    }
                    drop(place);
                });
            }
            Err(error) => {
                tracing::error!(%error, "a client cannot be accepted");
                // Without file descriptors there is nothing to do but to wait for some.
                tokio::time::sleep(LOOK).await;
            }
        }
    }
}

/// Takes in what commands change in the file, for ever.
async fn watch(holder: &Arc<Holder>) {
    let mut ticks = tokio::time::interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let holder = Arc::clone(holder);
        if let Ok(Err(failure)) = tokio::task::spawn_blocking(move || holder.look()).await {
            tracing::error!(%failure, "the changed file cannot be taken in; what was read before goes on to be used");
        }
    }
}

/// Neither a core dump nor another process of the same user may read the keys.
fn keep_memory_private() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
    {
        tracing::warn!(%error, "other processes of this user may read this one's memory");
    }
}

fn listened(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|error| Failure::new(format!("signals cannot be received: {error}")))
}

fn stop_signal() -> Result<impl Future<Output = ()>, Failure> {
    let (mut terminate, mut interrupt) =
        (listened(SignalKind::terminate())?, listened(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
