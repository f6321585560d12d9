//! Tenants: the isolation boundary, found by host, kept in memory.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use svc_config::{Config, Registration};
use svc_core::capability::{Capability, Without};
use svc_core::events::{Event, TenantCreated, TenantUpdated};
use svc_core::{Class, Cx, Error, OrInternal as _, Origin, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, Row, System, Tx, args, change_system_sql, system_sql};
use svc_keys::Authorities;
use url::Url;

use crate::document;
use crate::log::{Action, Log, Meaning, change_across};
use crate::memory::{self, CacheCounts, Kept};
use crate::web_uri::is_web_uri;

/// A tenant as every request sees it.
#[derive(Debug)]
pub struct Tenant {
    /// The boundary that its rows carry.
    pub id: TenantId,
    /// The host label.
    pub slug: String,
    /// What people read.
    pub name: String,
    /// A domain of its own, if any.
    pub custom_domain: Option<String>,
    /// A suspended tenant answers nothing.
    pub is_active: bool,
    /// Choices of its administrators.
    pub settings: TenantSettings,
    /// The issuer identifier: every URL that we publish for it starts with this, byte for byte.
    pub issuer: String,
    /// Grows with each change.
    pub version: i64,
}

/// What the management API is stored as, wherever an audience is stored: its identifier follows the issuer, and is computed
/// at every use.
pub const MANAGEMENT: &str = "urn:svc:management-api";

/// What the API of the control plane is stored as, for the same reason.
pub const CONTROL_PLANE: &str = "urn:svc:control-plane";

/// Choices that a tenant's administrators make.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct TenantSettings {
    /// Whether people may register themselves.
    pub registration: bool,
    /// An accent colour for the hosted pages, `#rrggbb`.
    pub accent: Option<String>,
    /// A logo for the hosted pages, an https URL.
    pub logo_uri: Option<String>,
    /// The privacy policy, linked from every hosted page, an https URL.
    pub policy_uri: Option<String>,
    /// The terms of service, linked from every hosted page, an https URL.
    pub tos_uri: Option<String>,
    /// Write an audit entry and an event for every client-credentials token in its own commit, instead of one entry per
    /// application, audience and second.
    pub record_every_token: bool,
    /// Whether an application may name itself by the https address of a document about it (Client ID Metadata Documents).
    pub client_id_metadata_documents: bool,
    /// Whether its tokens are signed with keys of its own, which no other tenant publishes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_signing_keys: bool,
    /// The authorities of client certificates, in PEM (RFC 8705 §2.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_client_ca_pem: Option<String>,
    /// Capabilities that the tenant goes without.
    #[serde(skip_serializing_if = "Without::is_empty")]
    pub disabled_capabilities: Without,
}

/// What to create or change.
#[derive(Clone, Debug)]
pub struct NewTenant {
    /// The host label: lower-case letters, digits and hyphens, 1 to 63.
    pub slug: String,
    /// What people read.
    pub name: String,
    /// A domain of its own, if any.
    pub custom_domain: Option<String>,
    /// Choices.
    pub settings: TenantSettings,
}

impl Tenant {
    /// Whether the tenant has a capability: as far as the deployment has it, because a level can only narrow.
    pub fn offers(&self, config: &Config, capability: &Capability) -> bool {
        let is_configured = match capability.name {
            "authorization_details" => config.oidc.authorization_details,
            "api_keys" => config.api_keys.enabled,
            "device" => config.device_authorization.enabled,
            "dynamic_registration" => config.oidc.dynamic_registration != Registration::Off,
            "organizations" => config.organizations.enabled,
            "proxy" => config.proxy.enabled,
            "webhooks" => config.webhooks.enabled,
            "mtls" => config.server.mtls.is_offered(),
            "control_plane" => config.tenant.default_tenant_slug.as_deref() == Some(self.slug.as_str()),
            "client_id_metadata_documents" => self.settings.client_id_metadata_documents,
            _ => true,
        };
        let is_disabled = config.oidc.disabled_capabilities.iter().any(|name| name == capability.name);
        is_configured && !is_disabled && self.settings.disabled_capabilities.keeps(capability)
    }

    /// The issuer at the port where clients are asked for certificates, if that is published (RFC 8705 §5).
    pub fn mtls_origin(&self, config: &Config) -> Option<String> {
        if !self.offers(config, &Capability::MTLS) {
            return None;
        }
        let mut url = Url::parse(&self.issuer).ok()?;
        url.set_port(Some(config.server.mtls.published_port()?)).ok()?;
        Some(url.as_str().trim_end_matches('/').to_owned())
    }

    /// The audience of our own management APIs for this tenant.
    pub fn api_audience(&self) -> String {
        format!("{}/api", self.issuer)
    }

    /// The audience of the control plane, which the default tenant alone has.
    pub fn control_plane_audience(&self) -> String {
        format!("{}/control-plane", self.issuer)
    }

    /// Whether an audience is that of an API which the service itself keeps.
    pub fn keeps_api(&self, audience: &str) -> bool {
        self.stored_audience(audience) != audience
    }

    /// The audience that a stored one means: those of the service's own APIs follow the issuer, so their names are stored instead.
    pub fn audience_of(&self, stored: &str) -> String {
        match stored {
            MANAGEMENT => self.api_audience(),
            CONTROL_PLANE => self.control_plane_audience(),
            other => other.to_owned(),
        }
    }

    /// How an audience is stored; the reverse of [`Tenant::audience_of`].
    pub fn stored_audience<'a>(&self, audience: &'a str) -> &'a str {
        match audience.strip_prefix(&self.issuer) {
            Some("/api") => MANAGEMENT,
            Some("/control-plane") => CONTROL_PLANE,
            _ => audience,
        }
    }
}

/// Finds tenants by host or id; answers from memory.
pub struct Tenants {
    db: Db,
    naming: Naming,
    /// Whom a host has named; the record decides whether it still does.
    by_host: Kept<String, TenantRef>,
    by_id: Kept<TenantRef, Arc<Tenant>>,
}

/// Most bytes of tenants kept in memory.
const KEPT: u64 = 16 << 20;
/// Most bytes of hosts.
const HOSTS: u64 = 4 << 20;

/// Reads tenants; the argument says which.
macro_rules! tenants_sql {
    ($which:literal) => {
        system_sql!(
            "SELECT id, slug, name, custom_domain, status, settings, version FROM tenants WHERE ",
            $which
        )
    };
}

impl Tenants {
    /// An empty directory over `db`.
    pub fn new(db: Db, config: &Config) -> Result<Self> {
        let naming = Naming::of(config)?;
        let by_id = memory::bounded(KEPT, |_, tenant: &Arc<Tenant>| {
            size_of::<Tenant>() + tenant.name.len() + memory::weight(&tenant.settings)
        });
        Ok(Self { db, naming, by_host: memory::bounded(HOSTS, |host, _| host.len()), by_id })
    }

    /// The tenant that `host` (without port) names: custom domain, `<slug>.<base_domain>`, else the default tenant.
    pub async fn at_host(&self, host: &str) -> Result<Arc<Tenant>> {
        let known = self.by_host.find(host).and_then(|id| self.by_id.get(&id));
        if let Some(tenant) = known.filter(|tenant| self.naming.is_named(host, tenant)) {
            return usable(tenant);
        }
        // Boxed: the state of the rare way would be part of every request.
        let tenant = Box::pin(self.load_at_host(host)).await?;
        self.by_host.insert(host.to_owned(), tenant.id.reference());
        self.by_id.insert(tenant.id.reference(), Arc::clone(&tenant));
        usable(tenant)
    }

    /// How often the tenant of a host was in memory.
    pub fn counts(&self) -> CacheCounts {
        self.by_host.counts()
    }

    /// A tenant that is already proven.
    pub async fn by_id(&self, id: TenantId) -> Result<Arc<Tenant>> {
        if let Some(tenant) = self.by_id.get(&id.reference()) {
            return usable(tenant);
        }
        let tenant = Box::pin(self.load(id)).await?;
        self.by_id.insert(id.reference(), Arc::clone(&tenant));
        usable(tenant)
    }

    /// The same, for work that was left behind: nothing where the tenant is gone or suspended.
    pub async fn find(&self, id: TenantId) -> Result<Option<Arc<Tenant>>> {
        match self.by_id(id).await {
            Ok(tenant) => Ok(Some(tenant)),
            Err(error) if error.class() == Class::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether a host is one of a tenant's own domains, for the host allow-list.
    pub async fn is_custom_domain(&self, host: &str) -> bool {
        self.at_host(host).await.is_ok_and(|tenant| tenant.custom_domain.as_deref() == Some(host))
    }

    /// Forgets what changed since `since`, so that another node's change is seen here.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed = system_sql!("SELECT id, custom_domain, version FROM tenants WHERE updated_at >= $1");
        for row in tx.all(changed, args![since]).await? {
            let (id, version): (TenantRef, i64) = (row.parse("id")?, row.int("version")?);
            // The window overlaps the last one; what was read since then is current.
            if self.by_id.get(&id).is_some_and(|tenant| tenant.version != version) {
                self.by_id.invalidate(&id);
            }
            // Until it was given to this tenant, the domain may have named the default tenant.
            if let Some(domain) = row.maybe_text("custom_domain")? {
                self.by_host.invalidate(&domain);
            }
        }
        // What was not asked for is given back even where no request comes that would do it.
        self.by_id.run_pending_tasks();
        Ok(())
    }

    /// Forgets everything; the next request reads it again.
    pub fn forget(&self) {
        self.by_host.invalidate_all();
        self.by_id.invalidate_all();
    }

    async fn load(&self, id: TenantId) -> Result<Arc<Tenant>> {
        self.read(&mut self.db.read_system().await?, id).await
    }

    /// The tenant as an operator's transaction sees it, which may have made or changed it.
    pub async fn read(&self, tx: &mut Tx<System>, id: TenantId) -> Result<Arc<Tenant>> {
        let select = tenants_sql!("id = $1");
        let row = tx.optional(select, args![id]).await?.ok_or_else(unknown)?;
        self.naming.tenant(&row).map(Arc::new)
    }

    async fn load_at_host(&self, host: &str) -> Result<Arc<Tenant>> {
        let mut tx = self.db.read_system().await?;
        let custom = tenants_sql!("custom_domain = $1");
        if let Some(row) = tx.optional(custom, args![host]).await? {
            return self.naming.tenant(&row).map(Arc::new);
        }
        let slug = self.naming.slug_of(host).ok_or_else(unknown)?;
        let by_slug = tenants_sql!("slug = $1");
        let row = tx.optional(by_slug, args![slug]).await?.ok_or_else(unknown)?;
        self.naming.tenant(&row).map(Arc::new)
    }
}

/// Creates a tenant; the slug must be free.
pub async fn create(tx: &mut Tx<System>, cx: &Cx, new: &NewTenant) -> Result<TenantId> {
    Error::every([check_slug(&new.slug), check_settings(&new.settings)])?;
    let id: TenantRef = cx.id();
    let insert = change_system_sql!(
        "INSERT INTO tenants (id, slug, name, custom_domain, status, settings, created_at, updated_at, version, \
         own_keys_wanted_at) VALUES ($1, $2, $3, $4, 'active', $5, $6, $6, 1, $7) RETURNING id"
    );
    let settings = document::store(&new.settings)?;
    let own_keys = own_keys_wanted_at(&new.settings, cx);
    let arguments = args![id, &new.slug, &new.name, new.custom_domain.clone(), settings, cx.now, own_keys];
    change_across(tx, cx, insert, arguments, |_| {
        let (slug, name, custom_domain) = (new.slug.clone(), new.name.clone(), new.custom_domain.clone());
        let event = Event::from(TenantCreated { slug, name, custom_domain });
        let meaning = Meaning::done(Action::TenantCreated, id).with(event.data.clone());
        Ok((Log::Of(id), meaning.telling(event)))
    })
    .await?;
    Ok(proven(id))
}

/// Makes a tenant's name, domain and settings so; returns whether anything changed.
pub async fn update(tx: &mut Tx<System>, cx: &Cx, id: TenantId, new: &NewTenant) -> Result<bool> {
    check_settings(&new.settings)?;
    let update = change_system_sql!(
        "UPDATE tenants SET name = $2, custom_domain = $3, settings = $4, updated_at = $5, version = version + 1, \
         own_keys_wanted_at = $6 \
         WHERE id = $1 AND (name <> $2 OR COALESCE(custom_domain, '') <> COALESCE($3, '') OR settings <> $4) RETURNING id"
    );
    let settings = document::store(&new.settings)?;
    let own_keys = own_keys_wanted_at(&new.settings, cx);
    let arguments = args![id, &new.name, new.custom_domain.clone(), settings, cx.now, own_keys];
    let changed = change_across(tx, cx, update, arguments, |_| {
        let (name, custom_domain) = (new.name.clone(), new.custom_domain.clone());
        let settings = serde_json::to_value(&new.settings).or_internal()?;
        let event = Event::from(TenantUpdated { name, custom_domain, settings });
        let meaning = Meaning::done(Action::TenantUpdated, id).with(event.data.clone());
        Ok((Log::Of(id.reference()), meaning.telling(event)))
    })
    .await?;
    Ok(!changed.is_empty())
}

/// SQL does not look into the settings.
fn own_keys_wanted_at(settings: &TenantSettings, cx: &Cx) -> Option<Timestamp> {
    settings.own_signing_keys.then_some(cx.now)
}

/// The active tenants that sign with keys of their own.
pub async fn with_own_keys(tx: &mut Tx<System>) -> Result<Vec<TenantRef>> {
    let select = system_sql!(
        "SELECT id FROM tenants WHERE own_keys_wanted_at IS NOT NULL AND status = 'active' ORDER BY id"
    );
    tx.all(select, args![]).await?.iter().map(|row| row.parse("id")).collect()
}

/// How many there are.
pub async fn count(tx: &mut Tx<System>) -> Result<i64> {
    tx.one(system_sql!("SELECT count(*) AS n FROM tenants"), args![]).await?.int("n")
}

/// Every domain that a tenant has of its own.
pub async fn custom_domains(tx: &mut Tx<System>) -> Result<Vec<String>> {
    let select = system_sql!(
        "SELECT custom_domain FROM tenants WHERE custom_domain IS NOT NULL ORDER BY custom_domain"
    );
    tx.all(select, args![]).await?.iter().map(|row| row.text("custom_domain")).collect()
}

/// The tenant with this slug, for operators.
pub async fn find_by_slug(tx: &mut Tx<System>, slug: &str) -> Result<Option<TenantId>> {
    let select = system_sql!("SELECT id FROM tenants WHERE slug = $1");
    let row = tx.optional(select, args![slug]).await?;
    row.map(|row| row.parse("id").map(proven)).transpose()
}

/// Every tenant, for workers.
pub async fn all(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let rows = tx.all(system_sql!("SELECT id FROM tenants ORDER BY id"), &[]).await?;
    rows.iter().map(|row| row.parse("id").map(proven)).collect()
}

/// The tenant of a row that a worker has taken.
pub(crate) fn of_row(row: &Row) -> Result<TenantId> {
    row.parse("tenant_id").map(proven)
}

#[expect(clippy::disallowed_methods, reason = "the id was read from, or just written to, the database")]
fn proven(id: TenantRef) -> TenantId {
    TenantId::proven(id, Origin::Operator)
}

fn unknown() -> Error {
    Error::not_found("no tenant answers at this address")
}

fn usable(tenant: Arc<Tenant>) -> Result<Arc<Tenant>> {
    if tenant.is_active { Ok(tenant) } else { Err(unknown()) }
}

fn check_slug(slug: &str) -> Result<()> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = (1..=63).contains(&slug.len()) && slug.bytes().all(allowed);
    if is_label && !slug.starts_with('-') && !slug.ends_with('-') {
        Ok(())
    } else {
        Err(Error::bad_request("slug: use 1 to 63 lower-case letters, digits and inner hyphens"))
    }
}

/// Refuses settings that no tenant can have.
pub fn check_settings(settings: &TenantSettings) -> Result<()> {
    let is_colour = |text: &str| {
        text.strip_prefix('#')
            .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let accent = match settings.accent.as_deref() {
        Some(accent) if !is_colour(accent) => Err(Error::bad_request("accent: write a colour as #rrggbb")),
        _ => Ok(()),
    };
    let addresses = [
        ("logo_uri", &settings.logo_uri),
        ("policy_uri", &settings.policy_uri),
        ("tos_uri", &settings.tos_uri),
    ];
    let addresses = addresses.into_iter().map(|(name, uri)| match uri.as_deref() {
        Some(uri) if !is_web_uri(uri) => Err(Error::bad_request(format!("{name}: give an https URL"))),
        _ => Ok(()),
    });
    let authorities = match settings.tls_client_ca_pem.as_deref().map(Authorities::from_pem) {
        Some(Err(error)) => Err(Error::bad_request(format!("tls_client_ca_pem: {}", error.detail()))),
        _ => Ok(()),
    };
    let capabilities = settings.disabled_capabilities.check();
    Error::every(std::iter::once(accent).chain(addresses).chain([authorities, capabilities]))
}

/// How hosts, slugs and issuers relate in this deployment.
struct Naming {
    issuer: Url,
    base_domain: Option<String>,
    default_slug: Option<String>,
}

impl Naming {
    fn of(config: &Config) -> Result<Self> {
        let issuer = Url::parse(&config.oidc.issuer_url)
            .map_err(|error| Error::bad_request("oidc.issuer_url is not a URL").caused_by(error))?;
        let filled = |text: &String| (!text.is_empty()).then(|| text.clone());
        Ok(Self {
            issuer,
            base_domain: config.server.base_domain.as_ref().and_then(filled),
            default_slug: config.tenant.default_tenant_slug.as_ref().and_then(filled),
        })
    }

    fn slug_of<'a>(&'a self, host: &'a str) -> Option<&'a str> {
        let base = self.base_domain.as_deref().unwrap_or_default();
        match host.strip_suffix(base).and_then(|rest| rest.strip_suffix('.')) {
            Some(label) if !base.is_empty() => Some(label),
            _ => self.default_slug.as_deref(),
        }
    }

    fn is_named(&self, host: &str, tenant: &Tenant) -> bool {
        tenant.custom_domain.as_deref() == Some(host) || self.slug_of(host) == Some(&tenant.slug)
    }

    fn tenant(&self, row: &Row) -> Result<Tenant> {
        let slug = row.text("slug")?;
        let custom_domain = row.maybe_text("custom_domain")?;
        let issuer = self.issuer_of(&slug, custom_domain.as_deref())?;
        Ok(Tenant {
            id: resolved(row.parse("id")?),
            name: row.text("name")?,
            is_active: row.text("status")? == "active",
            settings: document::load(row, "settings")?,
            slug,
            custom_domain,
            issuer,
            version: row.int("version")?,
        })
    }

    fn issuer_of(&self, slug: &str, custom_domain: Option<&str>) -> Result<String> {
        if let Some(domain) = custom_domain {
            return Ok(format!("https://{domain}"));
        }
        let mut issuer = self.issuer.clone();
        if self.default_slug.as_deref() != Some(slug) {
            let host = format!("{slug}.{}", issuer.host_str().unwrap_or_default());
            issuer.set_host(Some(&host)).or_internal()?;
        }
        Ok(issuer.as_str().trim_end_matches('/').to_owned())
    }
}

#[expect(clippy::disallowed_methods, reason = "the row was found by the host of the request")]
fn resolved(id: TenantRef) -> TenantId {
    TenantId::proven(id, Origin::ResolvedHost)
}
