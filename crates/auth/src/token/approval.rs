//! What a grant may say: who gets what. It cannot sign, cannot see headers and cannot widen.

use serde_json::Value;
use svc_core::{ApiKeyId, Class, Error, FamilyId, Scope, Timestamp};
use svc_domain::claims::claims_request::ClaimsRequest;
use svc_domain::grants::grant::{Authentication, AuthorizationGrant};
use svc_domain::organizations::Place;
use svc_domain::people::tenant_users::Person;
use svc_domain::tokens::access_token::Confirmation;

/// What a grant approves. Only the module `issue` turns it into tokens.
pub struct Approval {
    /// Whom the tokens are about.
    pub subject: Subject,
    /// What the source allowed; issuing narrows it further.
    pub scope: Scope,
    /// The API that the tokens are for.
    pub audience: String,
    /// The family that the tokens belong to, if they are revoked together.
    pub family: Option<FamilyId>,
    /// What becomes of the refresh token.
    pub refresh: Refresh,
    /// For the ID token of a code exchange.
    pub nonce: Option<String>,
    /// What the tokens are bound to, if they are.
    pub bound_to: Option<Confirmation>,
    /// What was granted in detail.
    pub authorization_details: Vec<Value>,
    /// The claims that were asked for by name.
    pub claims: ClaimsRequest,
    /// Who acts for the subject.
    pub actor: Option<Value>,
    /// The organization in which the tokens count.
    pub organization: Option<Place>,
    /// The type of the issued token, where the grant's response names it (RFC 8693 §2.2.1).
    pub issued_token_type: Option<&'static str>,
    /// What narrows the tokens of an exchange or an assertion.
    pub bounds: Bounds,
}

impl Approval {
    /// Tokens about `subject` for one API, and nothing further: no refresh token, no family and no organization. What they are
    /// bound to is always given, so that no grant forgets it.
    pub fn new(subject: Subject, scope: Scope, audience: String, bound_to: Option<Confirmation>) -> Self {
        Self {
            subject,
            scope,
            audience,
            family: None,
            refresh: Refresh::No,
            nonce: None,
            bound_to,
            authorization_details: Vec::new(),
            claims: ClaimsRequest::default(),
            actor: None,
            organization: None,
            issued_token_type: None,
            bounds: Bounds::default(),
        }
    }

    /// Everything that the person granted to the application. The caller adds the organization, once it has found that the
    /// person still belongs to it.
    pub fn of_grant(person: Box<Person>, grant: AuthorizationGrant, bound_to: Option<Confirmation>) -> Self {
        let subject = Subject::Person(person, grant.authentication);
        Self {
            authorization_details: grant.authorization_details,
            claims: grant.claims,
            actor: grant.actor,
            ..Self::new(subject, grant.scope, grant.audience, bound_to)
        }
    }

    /// The authorization details of the access token.
    pub fn details_of_token(&self) -> &[Value] {
        self.bounds.authorization_details.as_ref().unwrap_or(&self.authorization_details)
    }
}

/// What narrows tokens beyond scope and audience; nothing for a grant that the person gave here and now.
#[derive(Default)]
pub struct Bounds {
    /// The access token gets these details, fewer than were granted.
    pub authorization_details: Option<Vec<Value>>,
    /// No access token lives past this.
    pub ends_at: Option<Timestamp>,
    /// No refresh token lives past this.
    pub family_ends_at: Option<Timestamp>,
    /// Whether no session of ours stands behind the tokens.
    pub is_sessionless: bool,
    /// Instead of an access token, an identity assertion is issued for another authorization server.
    pub assertion: Option<Assertion>,
}

/// For whom an identity assertion is (draft-ietf-oauth-identity-assertion-authz-grant §3).
pub struct Assertion {
    /// The application's `client_id` at the other authorization server.
    pub client_id: String,
    /// The resource that it wants to reach there.
    pub resource: Option<String>,
}

/// Whom tokens are about.
pub enum Subject {
    /// A person, and how they signed in.
    Person(Box<Person>, Authentication),
    /// The application itself.
    App,
    /// An API key, which the application exchanged.
    Key(ApiKeyId),
}

/// What becomes of the refresh token.
pub enum Refresh {
    /// None is issued.
    No,
    /// A family begins, if `offline_access` was granted and the application may refresh.
    Begin,
    /// The next token of the family.
    Next(String),
}

/// A refusal.
pub struct Denied {
    /// What the client receives.
    pub error: Error,
    /// What stays of it.
    pub leaves: Leaves,
}

/// What stays of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// A change of state: the transaction commits all the same. What was presented is burnt, so that the same request does
    /// not change anything again.
    Change,
    /// An entry in the audit log, where such refusals are counted.
    Entry,
    /// The same, and in memory that the family of the refresh token has ended.
    EndedFamily,
    /// Nothing.
    Nothing,
}

impl Denied {
    /// A refusal that burns what was presented.
    pub fn burning(error: Error) -> Self {
        Self { error, leaves: Leaves::Change }
    }

    /// A refusal of a refresh token whose family has ended.
    pub fn by_ended_family(error: Error) -> Self {
        Self { error, leaves: Leaves::EndedFamily }
    }

    /// A refusal that is worth an entry in the audit log.
    pub fn noted(error: Error) -> Self {
        Self { error, leaves: Leaves::Entry }
    }
}

impl From<Error> for Denied {
    fn from(error: Error) -> Self {
        let is_of_grant = error.class() == Class::InvalidGrant;
        Self { error, leaves: if is_of_grant { Leaves::Entry } else { Leaves::Nothing } }
    }
}
