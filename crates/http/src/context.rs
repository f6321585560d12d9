//! What a handler is given by its route's guard; a context exists only where a guard has made it.

use std::ops::Deref;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::capability::Capability;
use svc_core::{Actor, Class, Cx, Error, OrInternal as _, Result};
use svc_db::{Tenant as TenantSpace, Tx};
use svc_domain::apps::App as Client;
use svc_domain::federation::connectors::TenantConnectors;
use svc_domain::organizations::Organization;
use svc_domain::scim::schemas::ScimSchema;
use svc_domain::scim::tokens::ScimToken;
use svc_domain::tenancy::tenants::Tenant;
use svc_domain::tokens::access_token::Claims;
use svc_keys::{base64url, from_base64url};

use crate::app::App;
use crate::arrival::Arrival;
use crate::render::Problem;
use crate::reply::Narrowed;

/// A call with a valid access token of the tenant whose host was called.
#[derive(Clone)]
pub struct TenantCx {
    /// The call; its actor is the token's subject.
    pub cx: Cx,
    /// The tenant.
    pub tenant: Arc<Tenant>,
    /// The verified claims.
    pub claims: Arc<Claims>,
    /// The application.
    pub app: App,
    /// The route's pattern, to which cursors are sealed.
    pub route: &'static str,
    /// What a list is narrowed to, to which its cursors are bound.
    pub narrowed: Narrowed,
    /// The request's circumstances.
    pub arrival: Arc<Arrival>,
}

/// A call by an operator of the deployment: one of the default tenant, whose actor is an operator.
#[derive(Clone)]
pub struct OperatorCx(pub(crate) TenantCx);

/// A call by the directory of an organization, with a SCIM token; its actor is the token.
#[derive(Clone)]
pub struct ScimCx {
    /// The call.
    pub cx: Cx,
    /// The tenant.
    pub tenant: Arc<Tenant>,
    /// The token.
    pub token: Arc<ScimToken>,
    /// The organization that the token belongs to.
    pub organization: Arc<Organization>,
    /// The schemas that the tenant declares.
    pub schemas: Arc<[ScimSchema]>,
    /// The application.
    pub app: App,
}

/// A call to a tenant's host by a caller who is not, or not yet, known.
#[derive(Clone)]
pub struct HostCx {
    /// The call.
    pub cx: Cx,
    /// The tenant that the host names.
    pub tenant: Arc<Tenant>,
    /// The application.
    pub app: App,
    /// The request's circumstances.
    pub arrival: Arc<Arrival>,
    /// The providers of the tenant's own, where the request has asked for them.
    pub connectors: OnceLock<Arc<TenantConnectors>>,
}

/// A call to the deployment itself, whichever host was used.
#[derive(Clone)]
pub struct PlainCx {
    /// The call.
    pub cx: Cx,
    /// The application.
    pub app: App,
    /// The request's circumstances.
    pub arrival: Arc<Arrival>,
}

/// An extractor of a plane's own that proves a browser session, so that a route may be guarded with it.
pub trait SessionCaller {}

/// The contexts of guards, as handlers' first parameters.
pub trait FirstParam {
    /// The type of the first parameter.
    type First;
}

/// The future of a read.
pub type Reading<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

impl TenantCx {
    /// Begins changing the tenant's data.
    pub async fn begin(&self) -> Result<Tx<TenantSpace>> {
        self.app.db.begin(self.tenant.id).await
    }

    /// Begins reading the tenant's data.
    pub async fn read(&self) -> Result<Tx<TenantSpace>> {
        self.app.db.read(self.tenant.id).await
    }

    /// Reads what may lag: from the replica, and from this plane's own database where there is none, or it does not answer. One that
    /// has not taken in the schema of this version yet lacks tables and columns.
    pub async fn read_late<T>(
        &self,
        read: impl for<'a> Fn(&'a mut Tx<TenantSpace>) -> Reading<'a, T>,
    ) -> Result<T> {
        if let Some(replica) = &self.app.replica {
            match read(&mut replica.read(self.tenant.id).await?).await {
                Err(error) if matches!(error.class(), Class::TemporarilyUnavailable | Class::ServerError) => {
                    tracing::warn!(error = ?error, "the replica of the database does not answer");
                }
                outcome => return outcome,
            }
        }
        read(&mut self.read().await?).await
    }

    /// The same call as one to the tenant's host.
    pub fn host(&self) -> HostCx {
        let Self { cx, tenant, app, arrival, .. } = self.clone();
        HostCx { cx, tenant, app, arrival, connectors: OnceLock::new() }
    }
}

impl ScimCx {
    /// Begins changing the tenant's data.
    pub async fn begin(&self) -> Result<Tx<TenantSpace>> {
        self.app.db.begin(self.tenant.id).await
    }

    /// Begins reading the tenant's data.
    pub async fn read(&self) -> Result<Tx<TenantSpace>> {
        self.app.db.read(self.tenant.id).await
    }

    /// Seals where a list stopped, so that a caller cannot steer it elsewhere (RFC 9865 §2).
    pub fn cursor<P: Serialize>(&self, position: &P) -> Result<String> {
        let plain = serde_json::to_vec(position).or_internal()?;
        let [tenant, organization] = self.place();
        Ok(base64url(self.app.cursors.seal(&["scim", &tenant, &organization], &plain, &self.cx)?))
    }

    /// Where a list stopped, if it was this organization's.
    pub fn position<P: DeserializeOwned>(&self, cursor: &str) -> Option<P> {
        let [tenant, organization] = self.place();
        let sealed = from_base64url(cursor)?;
        let plain = self.app.cursors.open(&["scim", &tenant, &organization], &sealed)?;
        serde_json::from_slice(&plain).ok()
    }

    fn place(&self) -> [String; 2] {
        [self.tenant.id.to_string(), self.organization.id.to_string()]
    }
}

impl HostCx {
    /// The same call, performed by an actor who has since been identified.
    #[must_use]
    pub fn performed_by(mut self, actor: Actor) -> Self {
        self.cx.actor = actor;
        self
    }

    /// The same call, performed by an application that has proven itself.
    #[must_use]
    pub fn performed_by_app(self, client: &Client) -> Self {
        self.performed_by(Actor::App(client.id.to_string()))
    }

    /// Whether the tenant has a capability.
    pub fn offers(&self, capability: &Capability) -> bool {
        self.tenant.offers(&self.app.config, capability)
    }

    /// Whether the tenant has a capability and the application does not go without it.
    pub fn offers_to(&self, client: &Client, capability: &Capability) -> bool {
        self.offers(capability) && client.keeps(capability)
    }

    /// Begins changing the tenant's data.
    pub async fn begin(&self) -> Result<Tx<TenantSpace>> {
        self.app.db.begin(self.tenant.id).await
    }

    /// Begins reading the tenant's data.
    pub async fn read(&self) -> Result<Tx<TenantSpace>> {
        self.app.db.read(self.tenant.id).await
    }

    /// Takes the tenant's own providers to hand, for what is offered to people: the same for the whole request.
    pub async fn know_connectors(&self) -> Result<()> {
        if self.connectors.get().is_none() && self.offers(&Capability::SOCIAL) {
            let found = self.app.services.connectors.of(self.tenant.id).await?;
            self.connectors.get_or_init(|| found);
        }
        Ok(())
    }

    /// The origin of every URL that we publish for the tenant, from configuration and never from the request.
    pub fn origin(&self) -> &str {
        &self.tenant.issuer
    }
}

/// The context of a route, which is for one parameter of its handler.
fn taken<C: Clone + Send + Sync + 'static>(parts: &mut Parts) -> Option<C> {
    parts.extensions.remove()
}

/// The same where other parameters ask for it too.
fn copied<C: Clone + Send + Sync + 'static>(parts: &mut Parts) -> Option<C> {
    parts.extensions.get().cloned()
}

macro_rules! contexts {
    ($($context:ident $from:ident -> $inner:ident by $member:tt,)*) => {$(
        impl FromRequestParts<App> for $context {
            type Rejection = Problem;

            async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
                let context = $from::<Self>(parts);
                context.ok_or_else(|| Error::internal("a handler's context differs from its route's guard").into())
            }
        }

        impl Deref for $context {
            type Target = $inner;

            fn deref(&self) -> &$inner {
                &self.$member
            }
        }
    )*};
}

contexts! {
    TenantCx copied -> Cx by cx,
    OperatorCx taken -> TenantCx by 0,
    ScimCx taken -> Cx by cx,
    HostCx taken -> Cx by cx,
    PlainCx taken -> Cx by cx,
}

macro_rules! first_params {
    ($($rest:ident)*) => {
        first_params!(@each [] $($rest)*);
    };
    (@each [$($seen:ident)*]) => { first_params!(@impl $($seen)*); };
    (@each [$($seen:ident)*] $next:ident $($rest:ident)*) => {
        first_params!(@impl $($seen)*);
        first_params!(@each [$($seen)* $next] $($rest)*);
    };
    (@impl $($param:ident)*) => {
        impl<M, C, $($param),*> FirstParam for (M, C, $($param,)*) {
            type First = C;
        }
    };
}

first_params! { A B D E F G H }
