//! Custom domains as they are written and read.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use svc_core::CustomDomainId;
use svc_domain::tenancy::custom_domains::{Domain, Proof};
use svc_http::{TenantCx, Versioned, domain_proof};
use utoipa::{IntoParams, ToSchema};

/// A domain to ask for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "domain": "login.acme.example" })))]
pub(super) struct NewCustomDomain {
    /// Its name; names in other scripts are kept in ASCII.
    #[schema(min_length = 1, max_length = 253)]
    pub(super) domain: String,
}

/// A custom domain, with the records that its administrators set.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CustomDomainWithRecords)]
pub(super) struct Shown {
    #[serde(flatten)]
    domain: Domain,
    /// Its status.
    status: Status,
    /// The name of the TXT record that proves it.
    record_name: String,
    /// Where a CNAME record of the domain has to lead.
    cname_target: String,
    /// Addresses for A and AAAA records instead, where the deployment has named them.
    #[schema(value_type = Vec<String>)]
    addresses: Vec<IpAddr>,
}

/// The status of a custom domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = CustomDomainStatus)]
enum Status {
    /// No proof was found yet.
    Pending,
    /// The proof was found; the tenant may answer there.
    Verified,
    /// The tenant answers there: it is the issuer.
    Active,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Filter {
    /// Only those of this status.
    #[param(inline, nullable = false)]
    status: Option<Status>,
}

impl Filter {
    /// Whether a domain is one of those that are asked for.
    pub(super) fn fits(&self, caller: &TenantCx, domain: &Domain) -> bool {
        let status = Status::of(domain, caller.tenant.custom_domain.as_deref());
        self.status.is_none_or(|wanted| wanted == status)
    }
}

impl Status {
    fn of(domain: &Domain, answering: Option<&str>) -> Self {
        match domain.proof {
            Proof::Pending => Self::Pending,
            Proof::Verified if answering == Some(&domain.domain) => Self::Active,
            Proof::Verified => Self::Verified,
        }
    }
}

impl Shown {
    pub(super) fn of(caller: &TenantCx, domain: Domain) -> Self {
        let answering = caller.tenant.custom_domain.as_deref();
        Self::answering(caller, domain, answering)
    }

    /// The same where the tenant answers at another domain than memory has.
    pub(super) fn answering(caller: &TenantCx, domain: Domain, answering: Option<&str>) -> Self {
        let (config, tenants) = (&caller.app.config, &caller.app.services.tenants);
        let named = config.custom_domains.cname_target.clone();
        Self {
            status: Status::of(&domain, answering),
            record_name: domain_proof::record_name(config, &domain.domain),
            cname_target: named.unwrap_or_else(|| tenants.slug_host(&caller.tenant)),
            addresses: config.custom_domains.addresses.clone(),
            domain,
        }
    }

    pub(super) fn versioned(caller: &TenantCx, domain: Domain) -> Versioned<Self> {
        Versioned { version: domain.version, record: Self::of(caller, domain) }
    }

    pub(super) fn id(&self) -> CustomDomainId {
        self.domain.id
    }
}
