//! Certificates of custom domains that an authority issues (ACME, RFC 8555): ordered for domains that are proven, when they lead
//! here, and for no other name.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use futures_util::StreamExt as _;
use rustls::server::ResolvesServerCert;
use rustls_acme::AcmeState;
use svc_config::Config;
use svc_core::{Result, Timestamp};
use svc_domain::tenancy::custom_domains;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;

use super::domain_files::DomainFiles;
use super::orders::{Account, End};
use crate::app::App;

/// How often the domains are looked at. One order is begun at a look.
const EVERY: Duration = Duration::from_secs(5);
const HOUR: Duration = Duration::from_hours(1);
/// Domains of one process.
const MOST: u32 = 10_000;
/// The pause after an order that failed: authorities count failures of a name by the hour.
const FIRST_PAUSE: Duration = Duration::from_mins(1);
const LONGEST_PAUSE: Duration = Duration::from_hours(24);

/// What is shown for domains whose certificates were ordered.
#[derive(Debug, Default)]
pub(super) struct Ordered(RwLock<HashMap<String, Shown>>);

#[derive(Debug)]
struct Shown {
    resolver: Arc<dyn ResolvesServerCert>,
    end: Arc<End>,
}

impl Ordered {
    /// What a client that asks for this name is shown.
    pub(super) fn find(&self, name: &str) -> Option<Arc<dyn ResolvesServerCert>> {
        let shown = self.0.read().unwrap_or_else(PoisonError::into_inner);
        shown.get(name).map(|shown| Arc::clone(&shown.resolver))
    }

    /// When the first certificate of those that are there ends.
    pub(super) fn first_end(&self) -> Option<Timestamp> {
        let shown = self.0.read().unwrap_or_else(PoisonError::into_inner);
        shown.values().filter_map(|shown| shown.end.at()).min()
    }

    fn set(&self, name: &str, shown: Shown) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), shown);
    }

    fn forget(&self, name: &str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(name);
    }
}

/// The orders of `server.acme.custom_domains`.
pub(super) struct DomainOrders {
    account: Account,
    folder: PathBuf,
    ordered: Arc<Ordered>,
    files: Option<Arc<DomainFiles>>,
    /// Names of the deployment's own certificate.
    others: Vec<String>,
    running: HashMap<String, AbortHandle>,
    tasks: JoinSet<()>,
    begun: VecDeque<Instant>,
    looks: usize,
}

impl DomainOrders {
    pub(super) fn from_config(config: &Config, files: Option<Arc<DomainFiles>>) -> Result<Option<Self>> {
        if !config.server.acme.custom_domains {
            return Ok(None);
        }
        let account = Account::from_config(config)?;
        Ok(Some(Self {
            folder: account.folder().join("domains"),
            account,
            ordered: Arc::default(),
            files,
            others: config.server.acme.domains.clone(),
            running: HashMap::new(),
            tasks: JoinSet::new(),
            begun: VecDeque::new(),
            looks: 0,
        }))
    }

    pub(super) fn ordered(&self) -> Arc<Ordered> {
        Arc::clone(&self.ordered)
    }

    /// Looks after the certificates of all custom domains, for as long as it is polled.
    pub(super) async fn run(mut self, app: App) {
        let mut looks = tokio::time::interval(EVERY);
        loop {
            looks.tick().await;
            match wanted(&app).await {
                Ok(wanted) => self.look(&app, &wanted).await,
                Err(error) => tracing::warn!(error = ?error, "the custom domains could not be read"),
            }
        }
    }

    async fn look(&mut self, app: &App, wanted: &BTreeSet<String>) {
        while self.tasks.try_join_next().is_some() {}
        let is_elsewhere = |name: &String| {
            self.others.contains(name) || self.files.as_ref().is_some_and(|files| files.find(name).is_some())
        };
        let wanted: BTreeSet<_> = wanted.iter().filter(|name| !is_elsewhere(name)).cloned().collect();
        let gone: Vec<_> = self.running.keys().filter(|name| !wanted.contains(*name)).cloned().collect();
        for name in gone {
            self.end(&name);
        }
        let (known, new): (Vec<_>, Vec<_>) = wanted
            .into_iter()
            .filter(|name| !self.running.contains_key(name))
            .partition(|name| has_certificate(&self.folder.join(name)));
        for name in known {
            self.begin(name);
        }
        self.begin_one_of(app, new).await;
    }

    /// Begins an order for one of these, in turn, if it leads here and the hour has room for it.
    async fn begin_one_of(&mut self, app: &App, mut names: Vec<String>) {
        self.looks = self.looks.wrapping_add(1);
        while self.begun.front().is_some_and(|begun| begun.elapsed() >= HOUR) {
            self.begun.pop_front();
        }
        let most = app.config.server.acme.custom_domains_per_hour;
        if names.is_empty() || self.begun.len() >= usize::try_from(most).unwrap_or(usize::MAX) {
            return;
        }
        let name = names.swap_remove(self.looks % names.len());
        if leads_here(app, &name).await {
            self.begun.push_back(Instant::now());
            self.begin(name);
        }
    }

    fn begin(&mut self, name: String) {
        let end = Arc::<End>::default();
        let state = self.account.order_for(&name, &self.folder.join(&name), Arc::clone(&end));
        self.ordered.set(&name, Shown { resolver: state.resolver(), end });
        let task = self.tasks.spawn(keep(name.clone(), state));
        self.running.insert(name, task);
    }

    fn end(&mut self, name: &str) {
        self.ordered.forget(name);
        if let Some(task) = self.running.remove(name) {
            task.abort();
        }
    }
}

/// Names of hosts that are proven, or that an operator gave: their certificates are kept in folders of these names.
async fn wanted(app: &App) -> Result<BTreeSet<String>> {
    let names = custom_domains::served(&mut app.db.read_system().await?, MOST).await?;
    Ok(names.into_iter().filter(|name| is_host_name(name)).collect())
}

fn is_host_name(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    name.contains('.') && name.split('.').all(is_label)
}

/// Whether the name has an address that the service has: an order for any other would fail.
async fn leads_here(app: &App, name: &str) -> bool {
    let config = &app.config;
    let target = config.custom_domains.cname_target.clone();
    let target = target.unwrap_or_else(|| config.oidc.issuer_url.host());
    let mut ours = app.names.addresses(&target).await.unwrap_or_default();
    ours.extend(&config.custom_domains.addresses);
    let theirs = app.names.addresses(name).await.unwrap_or_default();
    theirs.iter().any(|address| ours.contains(address))
}

fn has_certificate(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|mut entries| entries.next().is_some())
}

/// Orders a certificate and renews it, with pauses after failures.
async fn keep(domain: String, mut state: AcmeState<std::io::Error>) {
    let mut pause = FIRST_PAUSE;
    while let Some(event) = state.next().await {
        match event {
            Ok(event) => {
                tracing::info!(domain, ?event, "the certificate of a custom domain");
                pause = FIRST_PAUSE;
            }
            Err(error) => {
                tracing::warn!(domain, %error, "the certificate of a custom domain; it is tried again");
                tokio::time::sleep(pause).await;
                pause = (pause * 4).min(LONGEST_PAUSE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_host_is_not_ordered() {
        for name in ["login.acme.example", "xn--bcher-kva.example"] {
            assert!(is_host_name(name), "{name}");
        }
        for other in
            ["", "acme", "..", "../acme.example", "acme.example/x", ".acme.example", "*.acme.example"]
        {
            assert!(!is_host_name(other), "{other}");
        }
    }
}
