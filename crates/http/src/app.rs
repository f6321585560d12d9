//! What every handler may reach: configuration, database, services, time and randomness.

use std::any::type_name;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use axum::http::Extensions;
use svc_config::Config;
use svc_core::{Actor, Clock, Cx, Entropy, Error, Secret, TenantId};
use svc_db::Db;
use svc_db::coordination::Coordination;
use svc_domain::Services;
use svc_keys::{Purpose, Sealer};

use crate::arrival::Arrival;
use crate::breached::Breached;
use crate::memory::Refreshes;
use crate::metrics::Metrics;
use crate::outbound::names::Names;
use crate::outbound::{ChosenBy, Outbound};
use crate::places::Places;
use crate::readiness::Readiness;
use crate::reply::Published;
use crate::telemetry::Telemetry;

/// The running application. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// What the application is made of.
pub struct Parts {
    /// The configuration.
    pub config: Config,
    /// The database of this plane.
    pub db: Db,
    /// The same for maintenance, whose role and time limits may be its own.
    pub maintenance: Db,
    /// A read replica of it, which may lag.
    pub replica: Option<Db>,
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
    /// The same for maintenance, whose role and time limits may be its own.
    pub maintenance: Db,
    /// A read replica of it, which may lag.
    pub replica: Option<Db>,
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
    /// The client for addresses of the configuration.
    pub outbound_configured: Outbound,
    /// What domains say of themselves.
    pub names: Names,
    /// Passwords that are known from breaches.
    pub breached: Breached,
    /// Where networks are.
    pub places: Places,
    /// Meters.
    pub metrics: Metrics,
    /// Traces, and who takes them.
    pub telemetry: Telemetry,
    /// Whether the process may serve, and why not.
    pub readiness: Readiness,
    live: RwLock<Arc<Config>>,
    planes: Extensions,
    pub(crate) refreshes: Refreshes,
    pub(crate) published: Published,
    pub(crate) cursors: Sealer,
    pub(crate) proof_nonces: Sealer,
    /// What the `type` member of problem documents starts with.
    pub(crate) error_types: String,
}

impl App {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> svc_core::Result<Self> {
        let metrics = Metrics::new();
        let telemetry = Telemetry::new(&parts.config, &parts.clock, &parts.entropy, &metrics);
        let outbound = Outbound::new(&parts.config)?.traced(&telemetry);
        let outbound_configured = Outbound::to_chosen_by_operators(&parts.config)?.traced(&telemetry);
        let breached = Breached::from_config(&parts.config, &outbound_configured)?;
        let names = Names::new(&parts.config);
        let places = Places::from_config(&parts.config)?;
        let issuer = parts.config.oidc.issuer_url.as_str().trim_end_matches('/');
        let error_types = format!("{issuer}/errors");
        Ok(Self(Arc::new_cyclic(|inner: &Weak<Inner>| Inner {
            outbound,
            outbound_configured,
            names,
            breached,
            places,
            error_types,
            cursors: parts.services.keyring.sealer(Purpose::Cursors),
            proof_nonces: parts.services.keyring.sealer(Purpose::ProofNonces),
            planes: parts.planes,
            refreshes: Refreshes::default(),
            published: Published::default(),
            live: RwLock::new(Arc::new(parts.config.clone())),
            config: parts.config,
            db: parts.db.remembered_by(inner.clone()),
            maintenance: parts.maintenance.remembered_by(inner.clone()),
            replica: parts.replica,
            clock: parts.clock,
            entropy: parts.entropy,
            services: parts.services,
            coordination: parts.coordination,
            metrics,
            telemetry,
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

    /// The configuration with what was changed since the start: the keys that [`svc_config::RELOADED`] names are read here.
    pub fn live(&self) -> Arc<Config> {
        Arc::clone(&self.live.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Goes on with a changed configuration.
    pub fn go_on_with(&self, config: Config) {
        *self.live.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
    }

    /// The hash of a password that is chosen at a tenant, in the turn of that tenant.
    pub async fn hash_password(&self, tenant: TenantId, password: &Secret) -> svc_core::Result<String> {
        let turns = self.services.passwords.of(Some(tenant.reference()));
        turns.hash(password, &*self.entropy).await
    }

    /// The client for what identity providers publish and answer, at addresses that these chose: what a tenant chose never leads into
    /// the operator's network.
    pub fn outbound_to_providers(&self, chosen_by: ChosenBy) -> Outbound {
        match chosen_by {
            ChosenBy::Operator => self.outbound_configured.over_tls(&self.config),
            ChosenBy::Tenant => self.outbound.clone(),
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
