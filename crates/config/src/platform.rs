//! The deployment as a whole: `[security]`, `[kms]`, `[openapi]`, `[tenant]`, `[telemetry]`, `[i18n]` and the
//! like.

use std::path::PathBuf;

use super::load::choice::choice;
use super::load::section::section;
use super::load::web::HttpUrl;
use svc_core::{Seconds, Secret};

section! {
    /// What separates production from development.
    Security {
        /// Production mode: every production rule must hold, or the process does not start.
        production: bool = false;
        /// Whether webhooks may go to ports other than 443. Never in production.
        webhook_allow_non_standard_ports: bool = false;
        /// Whether outbound requests may go to this machine, and over plain http. Never in production.
        outbound_allow_loopback: bool = false;
    }
}

section! {
    /// The key-management process `svc-kms`. Set all paths or none; without it the keyring wraps the keys of
    /// the deployment. Secrets that are given nowhere are asked of it by their key: what
    /// `svc-kms provision email.smtp.password` holds is `password` in `[email.smtp]`, and `chains.0.rpc_url` is `rpc_url`
    /// in the first of `[[chains]]`.
    Kms {
        /// Its socket.
        socket_path: Option<PathBuf> = None;
        /// Its public key.
        server_public_key_path: Option<PathBuf> = None;
        /// Our private key towards it.
        client_private_key_path: Option<PathBuf> = None;
        /// Time that a starting process waits for it, because both may be started at once.
        start_timeout_secs: Seconds = Seconds(10), 0..=300;
    }
}

impl Kms {
    /// Whether key management is configured.
    pub fn is_configured(&self) -> bool {
        self.parts().iter().all(|(_, path)| path.is_some())
    }

    /// Each key with its value.
    pub(super) fn parts(&self) -> [(&'static str, &Option<PathBuf>); 3] {
        [
            ("kms.socket_path", &self.socket_path),
            ("kms.server_public_key_path", &self.server_public_key_path),
            ("kms.client_private_key_path", &self.client_private_key_path),
        ]
    }
}

section! {
    /// The deployment's keyring: it wraps signing keys, and seals what browsers carry and what waits in
    /// queues.
    Keyring {
        /// Its file, the same on every node; `svc-runtime keyring init` makes one. When not set, the first start makes it: at the
        /// path of the SQLite file with `.keyring` at its end, or with PostgreSQL as `svc.keyring` in the working directory.
        path: Option<PathBuf> = None;
    }
}

section! {
    /// The API description at /openapi.json and its interactive page.
    OpenApi {
        /// Whether they are served. Never in production.
        enabled: bool = false;
    }
}

section! {
    /// How tenants are found.
    Tenant {
        /// Tenant of requests whose host names none: for development with a single tenant.
        default_tenant_slug: Option<String> = None;
    }
}

choice! {
    /// How log lines look.
    LogFormat {
        /// JSON in production, text otherwise.
        Auto = "auto",
        /// For people.
        Text = "text",
        /// One JSON object for each line.
        Json = "json",
    }
}

section! {
    /// Logs, metrics and traces.
    Telemetry {
        /// How log lines look.
        log_format: LogFormat = LogFormat::Auto;
        /// What is logged: a level, or levels by module (`info,svc_http=debug`).
        log_filter: String = "info".to_owned();
        /// Whether /metrics is served.
        metrics_enabled: bool = true;
        /// Address of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`; `/v1/traces` and
        /// `/v1/metrics` are added. Without it nothing is sent. In production https, or on this machine.
        otlp_endpoint: Option<HttpUrl> = None;
        /// Header `Authorization` for the collector.
        otlp_authorization: Option<Secret> = None;
        /// How many of a hundred traces that begin here are sent. A trace that a caller has begun is sent if the caller keeps it.
        otlp_traces_percent: u32 = 10, 0..=100;
        /// Pause between two messages to the collector.
        otlp_interval_secs: Seconds = Seconds(15), 1..=300;
        /// What the collector calls this deployment (`service.name`).
        otlp_service_name: String = "svc".to_owned();
    }
}

section! {
    /// Languages of pages and mails.
    I18n {
        /// Language of people who ask for none that is supported (BCP 47).
        default_locale: String = "en".to_owned();
        /// Languages offered; the default is one of them.
        supported: Vec<String> = ["en", "de", "fr", "es", "pt", "ja", "ar"].map(str::to_owned).to_vec();
    }
}

section! {
    /// Operators of the deployment.
    Admin {
        /// How long an operator may use the control plane after a sign-in; no token of an operator lives longer.
        session_lifetime_secs: Seconds = Seconds(28_800), 300..=86_400;
        /// For how many days a deleted tenant can be restored before everything in it is removed.
        tenant_deletion_grace_days: u16 = 30, 0..=365;
        /// Whether operators need a second factor.
        second_factor_required: bool = false;
    }
}

section! {
    /// Roles and policies.
    AccessControl {
        /// How long a node decides about a person without asking the database again. What the node itself changes is seen at
        /// once, what another node changes when this time is over; with 0 every decision asks.
        cache_ttl_secs: Seconds = Seconds(1), 0..=300;
        /// Policies of one tenant.
        max_policies_per_tenant: u32 = 500, 1..=100_000;
    }
}

section! {
    /// Forward authentication: lets reverse proxies ask whose a request is. Only those of `server.trusted_proxies` may.
    Proxy {
        /// Whether it is offered.
        enabled: bool = false;
        /// Header in which the application behind the proxy receives the subject.
        subject_header: String = "x-svc-subject".to_owned();
        /// How long a sign-in holds at a host behind a proxy, until the browser passes by here again.
        session_lifetime_secs: Seconds = Seconds(28_800), 60..=86_400;
    }
}
