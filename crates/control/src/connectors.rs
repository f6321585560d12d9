//! `/api/v1/connectors`: providers at which the tenant has registered itself, and at which its people sign in.

use serde::{Deserialize, Serialize};
use svc_core::{ConnectorId, Error, Result, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::federation::connectors::{self, Configuration, Connector, New};
use svc_http::TenantCx;
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;
use crate::{privileges, sealer};

/// A connector to make or to replace: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({
    "name": "github", "preset": "github", "client_id": "Iv1.8a61f9b3a7aba766",
    "client_secret": "the secret that the provider made", "enabled": true
})))]
pub(crate) struct ConnectorUpdate {
    #[serde(flatten)]
    configuration: Configuration,
    /// The secret that authenticates the tenant at the provider; for Apple, the text of the key's file. It is never shown. A
    /// secret is kept until another is given, or the provider or the client changes.
    #[serde(default, serialize_with = "crate::record::hidden")]
    #[schema(value_type = Option<String>, max_length = 4096)]
    client_secret: Option<Secret>,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only those with which people sign in, or only those with which they do not.
    #[param(nullable = false)]
    enabled: Option<bool>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("connectors", "Connectors")
        .may_read("See with which providers of this organisation people sign in")
        .may_write("Choose with which providers of this organisation people sign in")
        .crud::<Connector>()
}

impl Record for Connector {
    const ONE: &'static str = "a connector";
    const MANY: &'static str = "connectors";

    type Stored = Self;
    type Id = ConnectorId;
    type Filter = Filter;
    type New = ConnectorUpdate;
    type Created = Self;
    type Change = ConnectorUpdate;

    fn head(connector: &Self) -> (ConnectorId, i64) {
        (connector.id, connector.version)
    }

    fn present(connector: &Self) -> ConnectorUpdate {
        ConnectorUpdate { configuration: connector.configuration.clone(), client_secret: None }
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<ConnectorId>,
    ) -> Result<Vec<Self>> {
        let fits = |one: &Self| filter.enabled.is_none_or(|wanted| wanted == one.configuration.enabled);
        connectors::list(tx, page.by_id(), fits).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: ConnectorId) -> Result<Option<Self>> {
        connectors::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: ConnectorUpdate) -> Result<(Self, Self)> {
        let ConnectorUpdate { configuration, client_secret } = &new;
        check(caller, configuration)?;
        // The transaction begins with its first statement, so that the key of the tenant can be made before it.
        let sealer = sealer(caller).await?;
        let most = caller.app.config.social.max_connectors_per_tenant;
        let new = New { configuration, client_secret: client_secret.as_ref(), most };
        let made = connectors::create(tx, caller, &sealer, new).await?;
        Ok((made.clone(), made))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        connector: Self,
        wanted: ConnectorUpdate,
    ) -> Result<()> {
        let ConnectorUpdate { configuration, client_secret } = &wanted;
        check(caller, configuration)?;
        let sealer = sealer(caller).await?;
        let wanted = (configuration, client_secret.as_ref());
        connectors::update(tx, caller, &sealer, &connector, wanted).await.map(|_| ())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, connector: Self) -> Result<()> {
        connectors::delete(tx, caller, &connector).await
    }
}

/// Who can make a provider's word count can become each person of whom it speaks.
fn check(caller: &TenantCx, configuration: &Configuration) -> Result<()> {
    privileges::always(caller, "a connector, whose provider speaks for people")?;
    Error::every(configuration.addresses().map(|(member, address)| {
        let outcome = caller.app.outbound.check(address);
        outcome.map_err(|error| Error::bad_request(format!("{member}: {}", error.detail())))
    }))
}
