//! What every operation may know about the call it serves: one instant, randomness, and who is acting.

use std::net::IpAddr;
use std::sync::Arc;

use crate::{Entropy, Id, Kind, OrganizationId, Timestamp};

/// The context of one call; `now` is read once so that all its checks agree.
#[derive(Clone)]
pub struct Cx {
    /// The instant of the call.
    pub now: Timestamp,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Who acts, for the audit log.
    pub actor: Actor,
    /// The `x-request-id` that the caller sees.
    pub request_id: String,
    /// The client's address, as far as proxies are trusted.
    pub client_ip: Option<IpAddr>,
}

/// Who performs an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A person, by `sub`.
    User(String),
    /// An application, by `client_id`.
    App(String),
    /// A program with an API key, or with an access token that was exchanged for one.
    ApiKey {
        /// The id of the key.
        id: String,
        /// The organization to which the key belongs, if it belongs to one.
        organization: Option<OrganizationId>,
        /// The claim `act` of a token, a document: the application that exchanged the key.
        act: Option<String>,
    },
    /// An actor on behalf of a person or an application, by a delegated token.
    Delegated {
        /// The `sub` of whom it is done for.
        sub: String,
        /// The claim `act` (RFC 8693 §4.1), a document: who acts, and through whom.
        act: String,
    },
    /// An operator of the deployment.
    Operator(String),
    /// The service itself, for example a background job by name.
    System(&'static str),
    /// A caller that is not known.
    Anonymous,
}

impl Cx {
    /// A fresh id of this instant.
    pub fn id<K: Kind>(&self) -> Id<K> {
        Id::new(self.now, &*self.entropy)
    }

    /// The same call with another `now`. An operation that ends everything older than itself takes the time at which it runs, which
    /// may be well after the call began.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Self {
        Self { now, ..self.clone() }
    }

    /// The same call, performed by an actor who has since been identified.
    #[must_use]
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self { actor, ..self.clone() }
    }
}

impl Actor {
    /// The kind of actor, as the audit log stores it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::User(_) => "user",
            Self::App(_) => "application",
            Self::ApiKey { .. } => "api_key",
            Self::Delegated { .. } => "delegate",
            Self::Operator(_) => "operator",
            Self::System(_) => "system",
            Self::Anonymous => "anonymous",
        }
    }

    /// The actor's id, empty where there is no actor.
    pub fn id(&self) -> &str {
        match self {
            Self::User(id) | Self::App(id) | Self::ApiKey { id, .. } | Self::Operator(id) => id,
            Self::Delegated { sub, .. } => sub,
            Self::System(name) => name,
            Self::Anonymous => "",
        }
    }
}
