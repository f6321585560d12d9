//! A provider that people can sign in with, as the operator has registered at it: how we prove ourselves there, and how it speaks
//! of people.

use svc_core::{Result, Secret};
use svc_http::{HostCx, Params};

use super::{apple, relay};
use crate::signin::provider::{Authentication, Registration, Speaks};

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
    pub client_secret: Option<Secret>,
    /// How.
    pub secrecy: Secrecy,
    /// What it is asked for.
    pub scopes: Vec<String>,
    /// Whether it takes a challenge.
    pub uses_pkce: bool,
    /// How it speaks of people.
    pub reads: Reads<String>,
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

impl Provider {
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
    pub fn client(&self, host: &HostCx) -> Result<Registration> {
        let authentication = match (&self.secrecy, &self.client_secret) {
            (Secrecy::Apple(key), _) => Authentication::Post(key.secret(&self.client_id, host.cx.now)?),
            (_, None) => Authentication::None,
            (Secrecy::Basic, Some(secret)) => Authentication::Basic(secret.clone()),
            (Secrecy::Post, Some(secret)) => Authentication::Post(secret.clone()),
        };
        Ok(Registration {
            speaks: self.speaks.clone(),
            client_id: self.client_id.clone(),
            authentication,
            scopes: self.scopes.clone(),
            redirect_uri: relay::redirect_uri(host, &self.return_path()),
            uses_pkce: self.uses_pkce,
            reads: self.reads.wanted(),
            answers_by_form: matches!(self.secrecy, Secrecy::Apple(_)),
        })
    }
}
