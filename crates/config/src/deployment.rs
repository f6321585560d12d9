//! How the processes of a deployment divide the work, and what they coordinate through.

use super::load::choice::choice;
use super::load::section::section;
use svc_core::{Seconds, Secret};

choice! {
    /// Which part of the service a process runs: `SVC_RUNTIME_PLANE`.
    Plane {
        /// Everything in one process.
        All = "all",
        /// Authentication, OAuth, sessions, hosted pages.
        Auth = "auth",
        /// Management APIs, SCIM, admin routes, the `OpenAPI` document when enabled.
        Control = "control",
        /// Background workers and event processing.
        Async = "async",
    }
}

choice! {
    /// What processes coordinate through: rate limits, replay checks, locks, cache invalidation.
    CoordinationBackend {
        /// The service's own database, also when that is `SQLite`.
        Postgres = "postgres",
        /// Redis.
        Redis = "redis",
        /// Memcached.
        Memcached = "memcached",
    }
}

choice! {
    /// How planes reach the one logical database of a deployment.
    DatabaseTopology {
        /// By one address.
        Shared = "shared",
        /// By an address for each plane, and one for identities: they may differ in role, pooler or host.
        SplitByPlane = "split_by_plane",
    }
}

section! {
    /// How the processes of this deployment divide the work.
    Deployment {
        /// Whether one process may run every plane. When not set: yes outside production, no in production.
        allow_all_in_one_runtime_plane: Option<bool> = None;
        /// Whether the planes `all` and `async` run background workers.
        background_tasks_enabled: bool = true;
        /// Whether the `async` plane watches the configured chains itself.
        #[mark(Unused)]
        embedded_chain_monitor: bool = false;
        /// What processes coordinate through; `postgres` is the service's own database, also when that is
        /// SQLite. `redis` and `memcached` need their own section.
        coordination_backend: CoordinationBackend = CoordinationBackend::Postgres;
        /// Whether planes share one address of the database, or each has its own: another role, pooler or host.
        database_topology: DatabaseTopology = DatabaseTopology::Shared;
    }
}

section! {
    /// Redis 7, active when `deployment.coordination_backend` is "redis".
    Redis {
        /// Address: `redis://user:password@host:6379/0`, or `rediss://` with TLS, which trusts
        /// `server.tls.ca_pem_path` too. Redis must not evict keys (`maxmemory-policy noeviction`).
        url: Option<Secret> = None;
        /// Connections, which requests share.
        pool_size: u32 = 10, 1..=1000;
    }
}

section! {
    /// Memcached 1.6, active when `deployment.coordination_backend` is "memcached".
    Memcached {
        /// Host and port: "cache.internal:11211".
        address: Option<String> = None;
        /// Most connections.
        pool_size: u32 = 10, 1..=1000;
        /// Most idle connections kept.
        max_idle: u32 = 5, 0..=1000;
        /// Time to connect.
        connect_timeout_secs: Seconds = Seconds(5), 1..=60;
        /// Time for one command.
        command_timeout_secs: Seconds = Seconds(2), 1..=60;
    }
}

impl Plane {
    /// Whether a process of this plane serves sign-in and OAuth.
    pub fn serves_auth(self) -> bool {
        matches!(self, Self::All | Self::Auth)
    }

    /// Whether a process of this plane serves the management APIs.
    pub fn serves_control(self) -> bool {
        matches!(self, Self::All | Self::Control)
    }

    /// Whether a process of this plane may run background workers.
    pub fn runs_workers(self) -> bool {
        matches!(self, Self::All | Self::Async)
    }
}
