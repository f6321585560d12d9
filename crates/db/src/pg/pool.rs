//! Connections kept for use: bounded in number and age, none ever kept with an open transaction.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use svc_core::{Error, Result};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};
use tokio_postgres::{Client, Config};

use super::address;
use super::connection::{Connection, Failure};
use super::flight::Flight;
use super::outage::{Outage, PROBE_EVERY};
use super::wire;
use crate::call::Answer;
use crate::counts::{Connections, Counters};
use crate::engine::PoolSettings;
use crate::error::of_refusal;
use crate::tls::Tls;

/// How long a connection may take to give up what a cancelled request had asked.
const CLEAN_UP: Duration = Duration::from_secs(5);
/// How long after the server's own `statement_timeout` a silent connection counts as lost.
const GRACE: Duration = Duration::from_secs(5);
const SLOW: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub(crate) struct Pool(Arc<Shared>);

struct Shared {
    config: Config,
    tls: Tls,
    settings: PoolSettings,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
    outage: Outage,
    tended: OnceLock<()>,
    counters: Arc<Counters>,
}

/// A connection on loan.
pub(super) struct Lease {
    // INVARIANT: there until dropped or found broken.
    connection: Option<Connection>,
    permit: Option<OwnedSemaphorePermit>,
    /// Whether something was sent whose answer has not been read.
    is_flying: bool,
    shared: Arc<Shared>,
}

impl Pool {
    pub fn open(url: &str, settings: &PoolSettings, counters: Arc<Counters>) -> Result<Self> {
        let (config, tls) = address::read(url, settings)?;
        let permits = usize::try_from(settings.max_connections).unwrap_or(usize::MAX).clamp(1, 10_000);
        Ok(Self(Arc::new(Shared {
            config,
            tls,
            settings: settings.clone(),
            permits: Arc::new(Semaphore::new(permits)),
            idle: Mutex::default(),
            outage: Outage::new(),
            tended: OnceLock::new(),
            counters,
        })))
    }

    pub fn counters(&self) -> &Counters {
        &self.0.counters
    }

    /// Its connections at this moment.
    pub fn connections(&self) -> Connections {
        let Shared { permits, idle, settings, .. } = &*self.0;
        let most = usize::try_from(settings.max_connections).unwrap_or(usize::MAX).clamp(1, 10_000);
        let idle = idle.lock().unwrap_or_else(PoisonError::into_inner).len();
        Connections { idle, used: most.saturating_sub(permits.available_permits()), most: Some(most) }
    }

    /// Lends a connection, waiting for one no longer than the time to connect; fails at once during an outage.
    pub(super) async fn lease(&self) -> Result<Lease> {
        let shared = &self.0;
        shared.tended.get_or_init(|| drop(tokio::spawn(tend(Arc::downgrade(shared)))));
        let mut permit = shared.permit().await?;
        loop {
            let Some(connection) = shared.pop() else { break };
            let mut lease = shared.lend(connection, permit);
            let is_tested = shared.settings.test_before_acquire;
            if is_tested && lease.fly(&Flight { head: &[], calls: &[], tail: None }).await.is_err() {
                permit = lease.return_permit()?;
                continue;
            }
            return Ok(lease);
        }
        let connection = shared.connect().await?;
        Ok(shared.lend(connection, permit))
    }

    /// A connection outside the pool, without the limit on statements, for migrations and tests.
    pub async fn apart(&self) -> Result<Client> {
        self.0.client().await.map_err(|unreached| unreached.error)
    }

    /// Whether the server answers.
    pub async fn ping(&self) -> Result<()> {
        let flight = Flight { head: &[], calls: &[], tail: Some("SELECT 1") };
        self.lease().await?.fly(&flight).await.map(drop).map_err(Lost::into_error)
    }

    /// Closes what is idle, and lends nothing more.
    pub fn close(&self) {
        self.0.permits.close();
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Shared {
    async fn permit(self: &Arc<Self>) -> Result<OwnedSemaphorePermit> {
        let out_of_reach = || Error::unavailable("PostgreSQL is out of reach");
        if self.outage.is_on() {
            return Err(out_of_reach());
        }
        let permit = timeout(self.settings.connect_timeout, Arc::clone(&self.permits).acquire_owned());
        tokio::select! {
            biased;
            permit = permit => match permit {
                Ok(permit) => permit.map_err(|closed| Error::unavailable(closed)),
                Err(_) => Err(Error::unavailable("every connection to PostgreSQL is in use")),
            },
            () = self.outage.noticed() => Err(out_of_reach()),
        }
    }

    fn lend(self: &Arc<Self>, connection: Connection, permit: OwnedSemaphorePermit) -> Lease {
        let shared = Arc::clone(self);
        Lease { connection: Some(connection), permit: Some(permit), is_flying: false, shared }
    }

    /// The connection that rested for the shortest time, if any is still good.
    fn pop(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut connection = idle.pop()?;
            if self.is_good(&mut connection) {
                return Some(connection);
            }
        }
    }

    fn put(&self, mut connection: Connection) {
        connection.rested = Instant::now();
        if self.is_good(&mut connection) && !self.permits.is_closed() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
    }

    fn is_good(&self, connection: &mut Connection) -> bool {
        let within = |span: Duration, since: Instant| span.is_zero() || since.elapsed() < span;
        within(self.settings.max_lifetime, connection.born)
            && within(self.settings.idle_timeout, connection.rested)
            && !connection.is_over()
    }

    async fn connect(self: &Arc<Self>) -> Result<Connection> {
        match self.connection().await {
            Ok(connection) => Ok(connection),
            Err(unreached) => {
                if unreached.is_away {
                    self.is_lost();
                }
                Err(unreached.error)
            }
        }
    }

    async fn connection(&self) -> Result<Connection, Unreached> {
        let greeting = timeout(self.settings.connect_timeout, wire::connect(&self.config, &self.tls)).await;
        let wire =
            greeting.map_err(|error| Unreached::silent(error))?.map_err(|error| Unreached::refused(error))?;
        Ok(Connection::new(wire, self.settings.statement_cache_capacity))
    }

    async fn client(&self) -> Result<Client, Unreached> {
        let greeting = timeout(self.settings.connect_timeout, self.config.connect(self.tls.clone())).await;
        let (client, connection) =
            greeting.map_err(|error| Unreached::silent(error))?.map_err(|error| Unreached::refused(error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                log::debug!("a connection to PostgreSQL ended: {error}");
            }
        });
        Ok(client)
    }

    /// Begins an outage, and tries until it is over.
    fn is_lost(self: &Arc<Self>) {
        if !self.outage.begins() {
            return;
        }
        let shared = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(PROBE_EVERY).await;
                let Some(shared) = shared.upgrade() else { return };
                if shared.permits.is_closed() {
                    return;
                }
                if let Ok(connection) = shared.connection().await {
                    shared.put(connection);
                    shared.outage.ends();
                    return;
                }
            }
        });
    }

    /// How long to wait for a statement: the server's limit and [`GRACE`], or without end where the server has no limit.
    fn limit(&self) -> Duration {
        match self.settings.statement_timeout {
            Duration::ZERO => Duration::MAX,
            limit => limit + GRACE,
        }
    }
}

/// A connection that was not made.
struct Unreached {
    /// Whether the server cannot be reached; false where it refused the connection.
    is_away: bool,
    error: Error,
}

impl Unreached {
    #[track_caller]
    fn silent(elapsed: tokio::time::error::Elapsed) -> Self {
        Self { is_away: true, error: Error::unavailable(elapsed) }
    }

    /// A server that refuses a connection can be reached, unless it says that it is starting or shutting down (SQLSTATE class 57). No
    /// statement was sent yet, so that every refusal is temporary: the caller may try again.
    #[track_caller]
    fn refused(error: tokio_postgres::Error) -> Self {
        let is_away = error.code().is_none_or(|state| state.code().starts_with("57"));
        Self { is_away, error: Error::unavailable(error) }
    }
}

/// Closes connections that are old or long idle, and keeps `min_connections` open.
async fn tend(shared: Weak<Shared>) {
    loop {
        tokio::time::sleep(Duration::from_secs(10)).await;
        let Some(shared) = shared.upgrade() else { return };
        if shared.permits.is_closed() {
            return;
        }
        let open = {
            let mut idle = shared.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain_mut(|connection| shared.is_good(connection));
            let most = usize::try_from(shared.settings.max_connections).unwrap_or(usize::MAX);
            idle.len() + most.saturating_sub(shared.permits.available_permits())
        };
        let least = usize::try_from(shared.settings.min_connections).unwrap_or_default();
        for _ in open..least {
            let Ok(connection) = shared.connection().await else { break };
            shared.put(connection);
        }
    }
}

/// A flight that failed.
pub(super) enum Lost {
    /// The connection is gone, and with it the transaction.
    Connection(Error),
    /// The server refused a statement.
    Statement(Error),
}

impl Lost {
    pub fn into_error(self) -> Error {
        match self {
            Self::Connection(error) | Self::Statement(error) => error,
        }
    }
}

impl Lease {
    /// Sends a flight and reads its answers.
    pub async fn fly(&mut self, flight: &Flight<'_>) -> Result<Vec<Answer>, Lost> {
        let shared = Arc::clone(&self.shared);
        let Some(connection) = &mut self.connection else {
            return Err(Lost::Connection(Error::unavailable("the connection to PostgreSQL is lost")));
        };
        let started = Instant::now();
        shared.counters.flight(flight.calls.len());
        self.is_flying = true;
        let outcome = timeout(shared.limit(), flight.over(connection)).await;
        self.is_flying = false;
        if started.elapsed() > SLOW {
            let texts: Vec<_> = flight.calls.iter().map(|call| call.text).collect();
            log::warn!("slow statements, {} ms: {texts:?}", started.elapsed().as_millis());
        }
        match outcome {
            Ok(Ok(answers)) => Ok(answers),
            Ok(Err(Failure::Refused(refusal))) => Err(Lost::Statement(of_refusal(refusal))),
            Ok(Err(Failure::Lost(error, refusal))) => {
                self.connection = None;
                let unavailable = || Error::unavailable(error);
                Err(Lost::Connection(refusal.map_or_else(unavailable, of_refusal)))
            }
            Err(_) => {
                // The server is there and silent: its own limit has passed.
                self.connection = None;
                shared.is_lost();
                Err(Lost::Connection(Error::unavailable("PostgreSQL does not answer")))
            }
        }
    }

    /// Gives the permit back for another connection.
    fn return_permit(mut self) -> Result<OwnedSemaphorePermit> {
        self.connection = None;
        self.permit.take().ok_or_else(|| Error::internal("a connection was lent without a permit"))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        let shared = Arc::clone(&self.shared);
        if !self.is_flying {
            if connection.is_busy() {
                connection.give_up();
            }
            return shared.put(connection);
        }
        let permit = self.permit.take();
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            let answers = timeout(CLEAN_UP, connection.settle()).await;
            if matches!(answers, Ok(Ok(()))) {
                if connection.is_busy() {
                    connection.give_up();
                }
                shared.put(connection);
            }
            drop(permit);
        });
    }
}
