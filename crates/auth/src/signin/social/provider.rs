//! A provider that people can sign in with, as the operator or the tenant has registered at it: how we prove ourselves there, and
//! how it speaks of people.

use std::sync::Arc;

use svc_core::{ConnectorId, Result, Secret};
use svc_domain::federation::connectors::{self, Connector};
use svc_http::{ChosenBy, HostCx, Params};
use svc_keys::Purpose;

use super::{apple, relay};
use crate::signin::provider::{Authentication, Registration, Renewal, Speaks};

/// A provider that people can sign in with.
#[derive(Clone, Debug)]
pub struct Provider {
    /// What it is called in addresses.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// How it speaks, and where.
    pub speaks: Speaks,
    /// What it calls us.
    pub client_id: String,
    /// What proves us there.
    pub secret: Held,
    /// How.
    pub secrecy: Secrecy,
    /// What it is asked for.
    pub scopes: Vec<String>,
    /// Whether it takes a challenge.
    pub uses_pkce: bool,
    /// How it is asked for a fresh sign-in.
    pub renewal: Renewal,
    /// Whether it refuses a long `state`.
    pub wants_short_state: bool,
    /// How it speaks of people.
    pub reads: Reads<String>,
    /// Whether the tenant says where it is, so that its word is the tenant's: it proves no address, and changes nothing of an account,
    /// which counts in other tenants too.
    pub counts_here_alone: bool,
}

/// What proves us at a provider, or makes what does.
#[derive(Clone, Debug)]
pub enum Held {
    /// Nothing.
    Nothing,
    /// A secret of the configuration.
    Given(Secret),
    /// The secret of a connector, sealed under the tenant's key.
    Sealed(Arc<Connector>),
}

/// How a secret proves us.
#[derive(Clone, Debug)]
pub enum Secrecy {
    /// In the `Authorization` header.
    Basic,
    /// In the body.
    Post,
    /// In the body, made for each call.
    Apple(apple::Signer),
}

/// The members in which a provider speaks of people.
#[derive(Clone, Debug)]
pub struct Reads<T> {
    /// Names the person for good.
    pub subject: T,
    /// The address.
    pub email: T,
    /// The full name.
    pub name: T,
    /// What the person knows the account by.
    pub label: T,
    /// When the address is believed.
    pub belief: Belief<T>,
}

/// When the address of a provider is believed to be the person's.
#[derive(Clone, Debug)]
pub enum Belief<T> {
    /// Never: the person proves it here.
    Never,
    /// Where this member is true.
    Claim(T),
    /// Where it is the first of the person's addresses, which are listed behind the endpoint of the person.
    List(T),
    /// Always: the provider tells proven addresses only.
    Given,
}

impl<T> Reads<T> {
    /// The same in another form.
    pub fn map<U>(self, form: impl Fn(T) -> U) -> Reads<U> {
        Reads {
            subject: form(self.subject),
            email: form(self.email),
            name: form(self.name),
            label: form(self.label),
            belief: match self.belief {
                Belief::Never => Belief::Never,
                Belief::Given => Belief::Given,
                Belief::Claim(name) => Belief::Claim(form(name)),
                Belief::List(path) => Belief::List(form(path)),
            },
        }
    }
}

impl Reads<String> {
    /// The members without which less is known than could be.
    pub fn wanted(&self) -> Vec<String> {
        vec![self.email.clone(), self.name.clone()]
    }
}

impl Held {
    /// A secret of the configuration, if it has one.
    pub fn given(secret: Option<&Secret>) -> Self {
        secret.map_or(Self::Nothing, |secret| Self::Given(secret.clone()))
    }

    async fn open(&self, host: &HostCx) -> Result<Option<Secret>> {
        match self {
            Self::Nothing => Ok(None),
            Self::Given(secret) => Ok(Some(secret.clone())),
            Self::Sealed(connector) => {
                let sealers = &host.app.services.sealers;
                let sealer = sealers.of(host.tenant.id, Purpose::Credentials, &host.cx).await?;
                connectors::client_secret(connector, host.tenant.id.reference(), &sealer)
            }
        }
    }
}

impl Provider {
    /// Whether the tenant has registered at it.
    pub fn is_tenants(&self) -> bool {
        self.id.parse::<ConnectorId>().is_ok()
    }

    /// By whose word it is there.
    pub fn chosen_by(&self) -> ChosenBy {
        if self.is_tenants() { ChosenBy::Tenant } else { ChosenBy::Operator }
    }

    /// Where the provider sends people back to, behind the tenant's issuer.
    pub fn return_path(&self) -> String {
        format!("/auth/return/{}", self.id)
    }

    /// The full name of the person that comes with the answer itself.
    pub fn name_in(&self, params: &Params) -> Option<String> {
        match self.secrecy {
            Secrecy::Apple(_) => apple::name(params),
            Secrecy::Basic | Secrecy::Post => None,
        }
    }

    /// What this tenant is there.
    pub async fn client(&self, host: &HostCx) -> Result<Registration> {
        let authentication = match (&self.secrecy, self.secret.open(host).await?) {
            (_, None) => Authentication::None,
            (Secrecy::Apple(signer), Some(key)) => {
                Authentication::Post(signer.secret(&self.client_id, &key, host.cx.now)?)
            }
            (Secrecy::Basic, Some(secret)) => Authentication::Basic(secret),
            (Secrecy::Post, Some(secret)) => Authentication::Post(secret),
        };
        Ok(Registration {
            speaks: self.speaks.clone(),
            chosen_by: self.chosen_by(),
            client_id: self.client_id.clone(),
            authentication,
            scopes: self.scopes.clone(),
            redirect_uri: relay::redirect_uri(host, &self.return_path()),
            uses_pkce: self.uses_pkce,
            reads: self.reads.wanted(),
            answers_by_form: matches!(self.secrecy, Secrecy::Apple(_)),
            renewal: self.renewal,
        })
    }
}
