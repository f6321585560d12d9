//! What a hook receives: the body of its call.

use std::net::IpAddr;

use serde::Serialize;
use serde_json::{Map, Value};
use svc_core::{AppId, OrganizationId, Scope, SessionId, TenantRef, TenantUserId, Timestamp};

use super::Point;
use crate::apps::App;
use crate::grants::grant::Authentication;
use crate::organizations::Place;
use crate::people::tenant_users::Person;
use crate::tenancy::tenants::Tenant;

/// The question that a hook answers.
#[derive(Debug, PartialEq, Serialize)]
pub struct Input<'a> {
    /// Where it is asked.
    pub point: Point,
    /// When what it is asked about began.
    pub time: Timestamp,
    /// The tenant.
    pub tenant: AboutTenant<'a>,
    /// The application that asks for something; none where a person signs in to a page of the service itself.
    pub application: Option<AboutApplication<'a>>,
    /// Whom it is about.
    pub subject: Subject<'a>,
    /// The organization in which it counts.
    pub organization: Option<AboutOrganization<'a>>,
    /// The `grant_type` of a request for tokens.
    pub grant_type: Option<&'a str>,
    /// The scope of the tokens.
    pub scope: &'a Scope,
    /// The API that the tokens are for.
    pub audience: &'a str,
}

/// The tenant.
#[derive(Debug, PartialEq, Serialize)]
pub struct AboutTenant<'a> {
    /// Its id.
    pub id: TenantRef,
    /// Its host label.
    pub slug: &'a str,
    /// Its issuer.
    pub issuer: &'a str,
}

/// An application.
#[derive(Debug, PartialEq, Serialize)]
pub struct AboutApplication<'a> {
    /// Its id.
    pub id: AppId,
    /// What requests call it.
    pub client_id: String,
    /// What administrators call it.
    pub name: &'a str,
}

/// Whom it is about.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Subject<'a> {
    /// The application itself.
    Application,
    /// A person who registers, by an address that is not proven yet or by an account of Ethereum.
    Registration {
        /// What was typed.
        #[serde(skip_serializing_if = "Option::is_none")]
        email: Option<&'a str>,
        /// The account of Ethereum that the person has proven to hold (CAIP-10).
        #[serde(skip_serializing_if = "Option::is_none")]
        chain_account: Option<&'a str>,
    },
    /// A person who is signing in, and has given a first proof.
    SignIn(Box<AboutSignIn<'a>>),
    /// A person who has signed in.
    Person(Box<AboutPerson<'a>>),
}

/// A sign-in after its first proof.
#[derive(Debug, PartialEq, Serialize)]
pub struct AboutSignIn<'a> {
    /// The id of the tenant user; none of a person who would join the tenant with this sign-in.
    pub id: Option<TenantUserId>,
    /// The sign-in name.
    pub username: Option<&'a str>,
    /// The address.
    pub email: Option<&'a str>,
    /// Whether the address was proven.
    pub email_verified: bool,
    /// Roles within the tenant.
    pub roles: &'a [String],
    /// Names of groups.
    pub groups: &'a [String],
    /// What the tenant notes of the person, and lets tokens tell.
    pub public_metadata: Option<&'a Map<String, Value>>,
    /// How strong the proof is.
    pub acr: &'a str,
    /// How it was made.
    pub amr: &'a [String],
    /// Whether the person has set up a second factor.
    pub has_second_factor: bool,
    /// The address of the browser.
    pub client_ip: Option<IpAddr>,
}

/// A person.
#[derive(Debug, PartialEq, Serialize)]
pub struct AboutPerson<'a> {
    /// The id of the tenant user.
    pub id: TenantUserId,
    /// The sign-in name.
    pub username: Option<&'a str>,
    /// The address.
    pub email: Option<&'a str>,
    /// Whether the address was proven.
    pub email_verified: bool,
    /// Roles within the tenant.
    pub roles: &'a [String],
    /// Names of groups.
    pub groups: &'a [String],
    /// What the tenant notes of the person, and lets tokens tell.
    pub public_metadata: &'a Map<String, Value>,
    /// The session; none where the word of another issuer stands for a sign-in.
    pub session_id: Option<SessionId>,
    /// When the person signed in.
    pub auth_time: Timestamp,
    /// How strongly.
    pub acr: &'a str,
    /// How.
    pub amr: &'a [String],
    /// Who acts in the place of the person, as tokens say it (RFC 8693 §4.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<Value>,
}

/// An organization, and the person in it.
#[derive(Debug, PartialEq, Serialize)]
pub struct AboutOrganization<'a> {
    /// Its id.
    pub id: OrganizationId,
    /// What addresses call it.
    pub slug: &'a str,
    /// What people read.
    pub name: &'a str,
    /// The person's roles there.
    pub roles: &'a [String],
}

impl<'a> From<&'a Tenant> for AboutTenant<'a> {
    fn from(tenant: &'a Tenant) -> Self {
        Self { id: tenant.id.reference(), slug: &tenant.slug, issuer: &tenant.issuer }
    }
}

impl<'a> From<&'a App> for AboutApplication<'a> {
    fn from(app: &'a App) -> Self {
        Self { id: app.id, client_id: app.client_id(), name: &app.configuration.name }
    }
}

impl<'a> From<&'a Place> for AboutOrganization<'a> {
    fn from(place: &'a Place) -> Self {
        Self { id: place.id, slug: &place.slug, name: &place.name, roles: &place.roles }
    }
}

impl<'a> Subject<'a> {
    /// A person, how they signed in, and in which session.
    pub fn person(
        person: &'a Person,
        authentication: &'a Authentication,
        session_id: Option<SessionId>,
    ) -> Self {
        Self::Person(Box::new(AboutPerson {
            id: person.id,
            username: person.username.as_deref(),
            email: person.email.as_deref(),
            email_verified: person.email_verified,
            roles: &person.roles,
            groups: &person.groups,
            public_metadata: &person.metadata.public,
            session_id,
            auth_time: authentication.auth_time,
            acr: &authentication.acr,
            amr: &authentication.amr,
            act: authentication.act(),
        }))
    }
}
