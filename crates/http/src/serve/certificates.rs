//! Which certificate a client is shown: that of the name which it asks for (RFC 6066 §3), or else the deployment's.

use std::sync::Arc;

use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use svc_core::Timestamp;

use super::domain_files::DomainFiles;
use super::domain_orders::Ordered;
use super::identity::Identity;
use super::orders::End;

/// Certificates in files, which are read again when these change, and the ends of those that were ordered.
#[derive(Clone, Debug, Default)]
pub struct Certificates {
    pub(super) identity: Option<Arc<Identity>>,
    pub(super) ordered: Option<Arc<End>>,
    pub(super) domains: Option<Arc<DomainFiles>>,
    pub(super) ordered_domains: Option<Arc<Ordered>>,
}

impl Certificates {
    /// Shows what is in the files now; what cannot be shown leaves everything as it was.
    pub fn reload(&self, now: Timestamp) {
        if let Some(identity) = &self.identity {
            identity.reload(now);
        }
        if let Some(domains) = &self.domains {
            domains.reload(now);
        }
    }

    /// The same where a file was written since.
    pub(super) fn look_again(&self, now: Timestamp) {
        if let Some(identity) = &self.identity {
            identity.look_again(now);
        }
        if let Some(domains) = &self.domains {
            domains.look_again(now);
        }
    }

    /// When clients stop taking the deployment's.
    pub(super) fn end(&self) -> Option<Timestamp> {
        match &self.identity {
            Some(identity) => identity.ends_at(),
            None => self.ordered.as_ref()?.at(),
        }
    }

    /// Whether custom domains have certificates here.
    pub(super) fn has_domains(&self) -> bool {
        self.domains.is_some() || self.ordered_domains.is_some()
    }

    /// When clients stop taking the first of those of custom domains.
    pub(super) fn first_domain_end(&self) -> Option<Timestamp> {
        let in_files = self.domains.as_ref().and_then(|domains| domains.first_end());
        let ordered = self.ordered_domains.as_ref().and_then(|ordered| ordered.first_end());
        in_files.into_iter().chain(ordered).min()
    }
}

/// Chooses by name.
#[derive(Debug)]
pub(super) struct ByName {
    pub(super) domains: Option<Arc<DomainFiles>>,
    pub(super) ordered: Option<Arc<Ordered>>,
    /// What everyone else is shown.
    pub(super) usual: Arc<dyn ResolvesServerCert>,
}

impl ResolvesServerCert for ByName {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let Some(name) = hello.server_name().map(str::to_ascii_lowercase) else {
            return self.usual.resolve(hello);
        };
        if let Some(certificate) = self.domains.as_ref().and_then(|domains| domains.find(&name)) {
            return Some(certificate);
        }
        match self.ordered.as_ref().and_then(|ordered| ordered.find(&name)) {
            Some(ordered) => ordered.resolve(hello),
            None => self.usual.resolve(hello),
        }
    }
}
