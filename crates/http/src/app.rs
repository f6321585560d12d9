//! What every handler may reach: configuration, database, services, time and randomness.

use std::any::type_name;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::{Arc, Weak};

use axum::http::Extensions;
use svc_config::Config;
use svc_core::{Actor, Clock, Cx, Entropy, Error};
use svc_db::Db;
use svc_db::coordination::Coordination;
use svc_domain::Services;
use svc_keys::{Purpose, Sealer};

use crate::arrival::Arrival;
use crate::memory::Refreshes;
use crate::metrics::Metrics;
use crate::outbound::Outbound;
use crate::readiness::Readiness;
use crate::reply::Published;

/// The running application. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// What the application is made of.
pub struct Parts {
    /// The configuration.
    pub config: Config,
    /// The database of this plane.
    pub db: Db,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// What the domain keeps in memory.
    pub services: Services,
    /// What nodes share in passing.
    pub coordination: Coordination,
    /// What planes hold for themselves, by type: see [`App::part`].
    pub planes: Extensions,
}

/// The application's members.
pub struct Inner {
    /// The configuration.
    pub config: Config,
    /// The database of this plane.
    pub db: Db,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// What the domain keeps in memory.
    pub services: Services,
    /// What nodes share in passing.
    pub coordination: Coordination,
    /// The client for addresses that others chose.
    pub outbound: Outbound,
    /// Meters.
    pub metrics: Metrics,
    /// Whether the process may serve, and why not.
    pub readiness: Readiness,
    planes: Extensions,
    pub(crate) refreshes: Refreshes,
    pub(crate) published: Published,
    pub(crate) cursors: Sealer,
    pub(crate) replays: Sealer,
    pub(crate) proof_nonces: Sealer,
    /// What the `type` member of problem documents starts with.
    pub(crate) error_types: String,
}

impl App {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> svc_core::Result<Self> {
        let outbound = Outbound::new(&parts.config)?;
        let issuer = parts.config.oidc.issuer_url.as_str().trim_end_matches('/');
        let error_types = format!("{issuer}/errors");
        Ok(Self(Arc::new_cyclic(|inner: &Weak<Inner>| Inner {
            outbound,
            error_types,
            cursors: parts.services.keyring.sealer(Purpose::Cursors),
            replays: parts.services.keyring.sealer(Purpose::Replies),
            proof_nonces: parts.services.keyring.sealer(Purpose::ProofNonces),
            planes: parts.planes,
            refreshes: Refreshes::default(),
            published: Published::default(),
            config: parts.config,
            db: parts.db.remembered_by(inner.clone()),
            clock: parts.clock,
            entropy: parts.entropy,
            services: parts.services,
            coordination: parts.coordination,
            metrics: Metrics::new(),
            readiness: Readiness::default(),
        })))
    }

    /// A context of this instant, for a caller not yet known.
    pub fn cx(&self, request_id: impl Into<String>, client_ip: Option<IpAddr>) -> Cx {
        Cx {
            now: self.clock.now(),
            entropy: Arc::clone(&self.entropy),
            actor: Actor::Anonymous,
            request_id: request_id.into(),
            client_ip,
        }
    }

    /// What a plane put into `Parts::planes` under this type; a composition without it is a fault of the programmer.
    pub fn part<T: Send + Sync + 'static>(&self) -> svc_core::Result<&T> {
        let part = self.planes.get::<Arc<T>>().map(Arc::as_ref);
        part.ok_or_else(|| Error::internal(format!("the plane was composed without {}", type_name::<T>())))
    }

    /// A context for a request.
    pub(crate) fn cx_of(&self, arrival: &Arrival) -> Cx {
        self.cx(arrival.request_id.as_str(), arrival.ip)
    }
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
