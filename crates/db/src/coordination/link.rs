//! A connection to a store that may go away: it is made and looked at in the background, so that no request connects, and
//! none waits longer than the bound of a command.

use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;

use svc_core::{Class, Error, Result};
use tokio::sync::Notify;
use tokio::time::timeout;

/// How often a connection is looked at, and tried to be made again while there is none.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const TRY_EVERY: Duration = Duration::from_millis(250);

/// A store at the other end of a network.
pub(super) trait Remote: Send + Sync + 'static {
    /// What commands are sent through.
    type Connection: Send + Sync + 'static;
    /// What logs and metrics call it.
    const NAME: &'static str;

    /// Connects, without looking at what it has reached.
    fn connect(&self) -> impl Future<Output = Result<Self::Connection>> + Send;

    /// Whether the store answers, and is one that can be relied on: [`Class::BadRequest`] says that its settings forbid that.
    fn check(&self, connection: &Self::Connection) -> impl Future<Output = Result<()>> + Send;
}

/// The present connection, if there is one.
pub(super) struct Link<R: Remote> {
    remote: R,
    present: RwLock<Option<Arc<R::Connection>>>,
    lost: Arc<Notify>,
    /// What the log says of the present outage.
    said: Mutex<Option<String>>,
    longest_connect: Duration,
    longest_command: Duration,
}

impl<R: Remote> Link<R> {
    /// Connects. A store that is out of reach is an outage that the process starts with; one whose settings forbid to rely on
    /// it is a fault of the deployment.
    pub async fn open(remote: R, longest_connect: Duration, longest_command: Duration) -> Result<Arc<Self>> {
        let (present, lost) = (RwLock::default(), Arc::new(Notify::new()));
        let said = Mutex::default();
        let link = Arc::new(Self { remote, present, lost, said, longest_connect, longest_command });
        if let Err(error) = link.connect().await {
            if error.class() == Class::BadRequest {
                return Err(error);
            }
            link.say(&error);
        }
        tokio::spawn(keep(Arc::downgrade(&link)));
        Ok(link)
    }

    /// Sends a command. The first failure gives the connection up, so that commands which come meanwhile are refused at once.
    pub async fn ask<T, F: Future<Output = Result<T>>>(
        &self,
        command: impl FnOnce(Arc<R::Connection>) -> F,
    ) -> Result<T> {
        let connection = self.present().ok_or_else(|| out_of_reach::<R>("there is no connection"))?;
        let asked = timeout(self.longest_command, command(Arc::clone(&connection))).await;
        let asked = asked.unwrap_or_else(|_| Err(out_of_reach::<R>("it does not answer in time")));
        if let Err(error) = &asked {
            self.give_up(&connection, error);
        }
        asked
    }

    /// Whether commands are sent at this moment.
    pub fn is_up(&self) -> bool {
        self.present().is_some()
    }

    fn present(&self) -> Option<Arc<R::Connection>> {
        self.present.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn connect(&self) -> Result<()> {
        let connecting = async {
            let connection = self.remote.connect().await?;
            self.remote.check(&connection).await.map(|()| connection)
        };
        let connected = timeout(self.longest_connect, connecting).await;
        let connection = connected.map_err(|_| out_of_reach::<R>("it does not answer in time"))??;
        *self.present.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(connection));
        Ok(())
    }

    /// Looks at the connection, or tries to make one.
    async fn look(&self) {
        let Some(connection) = self.present() else {
            match self.connect().await {
                Ok(()) => self.is_back(),
                Err(error) => self.say(&error),
            }
            return;
        };
        let checked = timeout(self.longest_command, self.remote.check(&connection)).await;
        if let Err(error) = checked.unwrap_or_else(|_| Err(out_of_reach::<R>("it does not answer in time"))) {
            self.give_up(&connection, &error);
        }
    }

    /// Gives a connection up, unless another one has taken its place.
    fn give_up(&self, connection: &Arc<R::Connection>, error: &Error) {
        let mut present = self.present.write().unwrap_or_else(PoisonError::into_inner);
        if present.as_ref().is_some_and(|present| Arc::ptr_eq(present, connection)) {
            *present = None;
            self.say(error);
            self.lost.notify_one();
        }
    }

    /// Logs a cause once for as long as it stays the same.
    fn say(&self, error: &Error) {
        let cause = causes(error);
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.as_ref() != Some(&cause) {
            log::warn!("{} is out of reach: {cause}", R::NAME);
            *said = Some(cause);
        }
    }

    fn is_back(&self) {
        *self.said.lock().unwrap_or_else(PoisonError::into_inner) = None;
        log::info!("{} is in use again", R::NAME);
    }
}

/// Looks until the last use of the link has ended.
async fn keep<R: Remote>(link: Weak<Link<R>>) {
    loop {
        let Some(present) = link.upgrade() else { return };
        let (lost, pause) = (Arc::clone(&present.lost), if present.is_up() { LOOK_EVERY } else { TRY_EVERY });
        drop(present);
        let _ = timeout(pause, lost.notified()).await;
        let Some(present) = link.upgrade() else { return };
        present.look().await;
    }
}

#[track_caller]
fn out_of_reach<R: Remote>(why: &'static str) -> Error {
    Error::unavailable(format!("{}: {why}", R::NAME))
}

/// The error and what it came from, in one line.
fn causes(error: &Error) -> String {
    let first: &dyn std::error::Error = error;
    let chain = std::iter::successors(Some(first), |error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
