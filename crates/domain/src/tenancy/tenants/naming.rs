//! How hosts, slugs and issuers relate in a deployment.

use std::sync::Arc;

use svc_config::Config;
use svc_core::{Error, Origin, Result, TenantId, TenantRef};
use svc_db::Row;
use url::Url;

use super::Tenant;
use crate::document;
use crate::tenancy::switches::Switches;
use crate::tenancy::texts::Texts;

/// What the configuration says of the names of tenants.
pub(super) struct Naming {
    issuer: Url,
    base_domain: Option<String>,
    default_slug: Option<String>,
}

impl Naming {
    pub(super) fn of(config: &Config) -> Result<Self> {
        let issuer = Url::parse(&config.oidc.issuer_url)
            .map_err(|error| Error::bad_request("oidc.issuer_url: give a URL").caused_by(error))?;
        let filled = |text: &String| (!text.is_empty()).then(|| text.clone());
        Ok(Self {
            issuer,
            base_domain: config.server.base_domain.as_ref().and_then(filled),
            default_slug: config.tenant.default_tenant_slug.as_ref().and_then(filled),
        })
    }

    pub(super) fn slug_of<'a>(&'a self, host: &'a str) -> Option<&'a str> {
        let base = self.base_domain.as_deref().unwrap_or_default();
        match host.strip_suffix(base).and_then(|rest| rest.strip_suffix('.')) {
            Some(label) if !base.is_empty() => Some(label),
            _ => self.default_slug.as_deref(),
        }
    }

    /// The slug whose tenant answers at a host, as long as no other has it as its domain.
    pub(super) fn named_at<'a>(&'a self, host: &'a str) -> Option<&'a str> {
        if self.issuer.host_str() == Some(host) {
            return self.default_slug.as_deref();
        }
        host.strip_suffix(self.base_domain.as_deref()?)?.strip_suffix('.')
    }

    pub(super) fn is_named(&self, host: &str, tenant: &Tenant) -> bool {
        tenant.custom_domain.as_deref() == Some(host) || self.slug_of(host) == Some(&tenant.slug)
    }

    pub(super) fn tenant(&self, row: &Row) -> Result<Tenant> {
        let slug = row.text("slug")?;
        let custom_domain = row.maybe_text("custom_domain")?;
        let issuer = self.issuer_of(&slug, custom_domain.as_deref())?;
        Ok(Tenant {
            id: resolved(row.parse("id")?),
            name: row.text("name")?,
            is_active: row.text("status")? == "active",
            settings: document::load(row, "settings")?,
            texts: Arc::new(Texts::of_row(row)?),
            plan: document::load_if_any(row, "configuration")?.unwrap_or_default(),
            switches: Switches::of_row(row)?,
            slug,
            custom_domain,
            issuer,
            version: row.int("version")?,
        })
    }

    pub(super) fn slug_host(&self, slug: &str) -> String {
        let host = self.issuer.host_str().unwrap_or_default();
        if self.default_slug.as_deref() == Some(slug) { host.to_owned() } else { format!("{slug}.{host}") }
    }

    fn issuer_of(&self, slug: &str, custom_domain: Option<&str>) -> Result<String> {
        if let Some(domain) = custom_domain {
            return Ok(format!("https://{domain}"));
        }
        let mut issuer = self.issuer.clone();
        let host = self.slug_host(slug);
        issuer.set_host(Some(&host)).map_err(|error| {
            let detail = format!("slug: {host:?} can be no host; give the tenant a domain of its own");
            Error::bad_request(detail).caused_by(error)
        })?;
        Ok(issuer.as_str().trim_end_matches('/').to_owned())
    }
}

#[expect(clippy::disallowed_methods, reason = "the row was found by the host of the request")]
fn resolved(id: TenantRef) -> TenantId {
    TenantId::proven(id, Origin::ResolvedHost)
}

#[cfg(test)]
mod tests {
    use svc_config::HttpUrl;

    use super::*;

    #[test]
    fn below_an_issuer_whose_host_is_an_address_tenants_have_domains_of_their_own() {
        let mut config = Config::default();
        config.oidc.issuer_url = HttpUrl::parse("http://127.0.0.1:8080").unwrap();
        config.tenant.default_tenant_slug = Some("main".to_owned());
        let naming = Naming::of(&config).unwrap();
        assert_eq!(naming.issuer_of("main", None).unwrap(), "http://127.0.0.1:8080");
        let own = naming.issuer_of("acme", Some("login.acme.example"));
        assert_eq!(own.unwrap(), "https://login.acme.example");
        let refused = naming.issuer_of("acme", None).unwrap_err();
        assert_eq!(
            refused.detail(),
            "slug: \"acme.127.0.0.1\" can be no host; give the tenant a domain of its own"
        );
    }
}
