//! What tenants manage: organizations, domains, keys, webhooks, hooks, the audit log, the vault, billing, commerce.

use std::net::{IpAddr, SocketAddr};

use super::load::dns::DnsLabel;
use super::load::section::section;
use svc_core::Seconds;

section! {
    /// Organizations inside a tenant.
    Organizations {
        /// Whether tenants may have them.
        enabled: bool = true;
        /// Members of one organization.
        max_members: u32 = 10_000, 1..=1_000_000;
    }
}

section! {
    /// Invitations by mail.
    Invitations {
        /// Hours until an invitation lapses.
        lifetime_hours: u32 = 168, 1..=720;
        /// Invited people of one tenant who have not accepted.
        max_open_per_tenant: u32 = 1000, 1..=100_000;
        /// Invitations to one organization that no one has accepted.
        max_open_per_organization: u32 = 100, 1..=10_000;
    }
}

section! {
    /// Domains whose ownership an organization has proven by DNS.
    VerifiedDomains {
        /// Whether organizations may prove domains.
        enabled: bool = true;
        /// Label of the TXT record.
        record_label: DnsLabel = DnsLabel::built_in("_svc-challenge");
        /// Domains of one organization, proven or not.
        max_per_organization: u32 = 20, 1..=1000;
        /// Name servers that are asked, as `ADDRESS:PORT`; those of the system unless given.
        resolvers: Vec<SocketAddr> = Vec::new();
        /// Hours between repeated checks. A domain lapses when its proof is missing in three checks in a row over a week.
        recheck_hours: u32 = 24, 1..=720;
    }
}

section! {
    /// Domains of their own at which tenants answer; the record that proves them has the label of `[verified_domains]`.
    CustomDomains {
        /// Whether administrators of tenants may prove domains and let their tenant answer there.
        enabled: bool = true;
        /// Domains of one tenant, proven or not.
        max_per_tenant: u32 = 5, 1..=100;
        /// Host name that the CNAME record of a custom domain leads to. When not set: the host of the tenant's slug.
        cname_target: Option<String> = None;
        /// Addresses for A and AAAA records, where a CNAME record is not possible.
        addresses: Vec<IpAddr> = Vec::new();
    }
}

section! {
    /// API keys of tenants and people.
    ApiKeys {
        /// Whether tenants may use them.
        enabled: bool = true;
        /// Days until a key lapses when its maker names no date.
        default_lifetime_days: u32 = 90, 1..=3650;
        /// Longest life that may be asked for.
        max_lifetime_days: u32 = 365, 1..=3650;
        /// Live keys of one owner.
        max_per_owner: u32 = 50, 1..=1000;
    }
}

section! {
    /// Delivery of events to subscribers.
    Webhooks {
        /// Whether tenants may subscribe.
        enabled: bool = true;
        /// Time for one delivery, from connecting to the last byte.
        timeout_secs: Seconds = Seconds(10), 1..=15;
        /// Deliveries under way at once in one process.
        max_concurrent_deliveries: u32 = 128, 1..=1000;
        /// Days for which finished deliveries are kept.
        retention_days: u32 = 30, 1..=365;
        /// Days of failures only, after which a subscription is switched off.
        deactivate_after_days: u32 = 5, 1..=30;
    }
}

section! {
    /// Receivers that tenants have asked before something happens.
    Hooks {
        /// Whether tenants may have them.
        enabled: bool = true;
        /// Milliseconds for all hooks that are asked at one point, from connecting to the last byte.
        timeout_millis: u32 = 3_000, 100..=10_000;
        /// Hooks of one tenant.
        max_per_tenant: u32 = 20, 1..=100;
        /// WebAssembly modules of one tenant; 0 where hooks are called over the network alone.
        max_modules: u32 = 20, 0..=100;
        /// Fuel of a module for one answer, about one for an instruction: a hundred million take some tenths of a second.
        module_fuel: u64 = 100_000_000, 1_000_000..=10_000_000_000;
        /// MiB of memory of a module at work.
        module_memory_mib: u32 = 16, 1..=256;
    }
}

section! {
    /// The audit log.
    AuditLog {
        /// Days for which entries are kept; 0 keeps them for ever. PostgreSQL drops a month when its last entry is older.
        retention_days: u32 = 0, 0..=36_500;
        /// How often what was added to the log of a tenant is signed.
        checkpoint_interval_secs: Seconds = Seconds(3_600), 60..=86_400;
        /// Streams of one tenant; 0 for none.
        max_streams: u32 = 8, 0..=100;
        /// Time to send one batch to a stream, from connecting to its acknowledgement.
        stream_timeout_secs: Seconds = Seconds(20), 1..=45;
        /// Days of failures only, after which a stream is switched off.
        stream_deactivate_after_days: u32 = 5, 1..=30;
    }
}

section! {
    /// Credentials of third parties, kept for agents.
    #[mark(Unused)]
    Vault {
        /// Whether tenants may use it.
        enabled: bool = false;
        /// Largest credential.
        max_secret_bytes: u32 = 65_536, 1..=1_048_576;
        /// Credentials of one tenant.
        max_entries_per_tenant: u32 = 10_000, 1..=1_000_000;
    }
}

section! {
    /// Plans and metering.
    #[mark(Unused)]
    Billing {
        /// Whether usage is metered.
        enabled: bool = false;
        /// Currency of prices (ISO 4217).
        currency: String = "EUR".to_owned();
    }
}

section! {
    /// Purchases by agents within a mandate.
    #[mark(Unused)]
    Commerce {
        /// Whether tenants may use them.
        enabled: bool = false;
        /// Life of an unconfirmed purchase.
        confirmation_lifetime_secs: Seconds = Seconds(900), 60..=86_400;
    }
}
