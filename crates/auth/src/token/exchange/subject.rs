//! The subject of an exchange (RFC 8693 §2.1): whose token was presented, and what it may still be exchanged for.

use serde_json::Value;
use svc_core::{Error, FamilyId, OrganizationId, Scope, SessionId, Timestamp};
use svc_db::{Row, Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::grants::delegations::{self, Delegation, Source};
use svc_domain::grants::grant::Authentication;
use svc_domain::grants::refresh::{self, Family};
use svc_domain::people::sessions::{self, Lifetimes};
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tokens::access_token::{self, Claims, SubjectType};
use svc_domain::tokens::revocations::{self, Revoked};
use svc_keys::jose::{Algorithm, Jws, Typ};

use super::assertion;
use crate::token::grant::Request;
use crate::token::organization;

/// An access token of ours.
pub(crate) const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
/// An ID token of ours.
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";
/// An assertion of a trusted issuer, or an access token of ours by its format.
pub(crate) const JWT: &str = "urn:ietf:params:oauth:token-type:jwt";

/// What was presented.
pub(crate) struct Presented {
    /// The person that it is about.
    pub(crate) person: Person,
    /// How they signed in.
    pub(crate) authentication: Authentication,
    /// The session that it began in, as far as that is known.
    pub(crate) session: Option<SessionId>,
    /// Whether it outlives that session.
    pub(crate) is_sessionless: bool,
    /// What it permits, where it says so.
    pub(crate) scope: Option<Scope>,
    /// The API that it is for.
    pub(crate) audience: Option<String>,
    /// The one API that it may be exchanged for, where it says so.
    pub(crate) resource: Option<String>,
    /// The organization in which it counts.
    pub(crate) organization: Option<OrganizationId>,
    /// The organization whose issuer's word is behind it.
    pub(crate) vouched_by: Option<OrganizationId>,
    /// Who acts already.
    pub(crate) act: Option<Value>,
    /// Where it comes from.
    pub(crate) source: Source,
    /// The link that it belongs to.
    pub(crate) parent: Option<Delegation>,
    /// When it ends.
    pub(crate) ends_at: Timestamp,
    /// When what keeps it alive ends.
    pub(crate) family_ends_at: Option<Timestamp>,
    /// What it grants in detail.
    pub(crate) authorization_details: Vec<Value>,
    /// The APIs that it may be exchanged for; empty for every one.
    pub(crate) audiences: Vec<String>,
}

impl Presented {
    /// Whether a refresh token may follow from it. What none keeps alive ends by itself, and so does what follows: a token of ours, and
    /// the word of an issuer, which is asked for it again and may have changed its mind.
    pub(crate) fn may_last(&self) -> bool {
        self.family_ends_at.is_some()
    }
}

/// Verifies the subject token. There is no subject but the one that the token names, and none without a token.
pub(crate) async fn presented(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Presented, Error> {
    let token = request.params.required("subject_token")?;
    match request.params.required("subject_token_type")? {
        JWT if !is_ours(request, token) => of_assertion(request, tx, token).await,
        ACCESS_TOKEN | JWT => {
            let claims = verified(request, tx, token).await?;
            if claims.org.is_none() {
                organization::keep_ahead(request, tx, &claims.sub).await?;
            }
            of_access_token(request, tx, claims).await
        }
        _ => Err(Error::invalid_request(
            "subject_token_type: use access_token, jwt for a trusted issuer's assertion, or urn:svc:token-type:api-key",
        )),
    }
}

/// The same for what concerns the application alone: its own ID token, or an access token of its own on which no
/// other application acts (draft-ietf-oauth-identity-assertion-authz-grant §4.3).
pub(crate) async fn own(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Presented, Error> {
    let token = request.params.required("subject_token")?;
    match request.params.required("subject_token_type")? {
        ID_TOKEN => of_id_token(request, tx, token).await,
        ACCESS_TOKEN => {
            let claims = verified(request, tx, token).await?;
            let presented = of_access_token(request, tx, claims).await?;
            let is_own = presented.act.is_none() && presented.source.client_id == request.app.client_id();
            if is_own { Ok(presented) } else { Err(refused()) }
        }
        _ => Err(Error::invalid_request("subject_token_type: use id_token or access_token")),
    }
}

/// Whether a JWT says that it is of the tenant itself, and so of no trusted issuer: some clients name an access token by its format
/// (RFC 8693 §3).
fn is_ours(request: &Request<'_>, token: &str) -> bool {
    let claims = Jws::parse(token, Algorithm::ALL).and_then(|jws| jws.unverified_claims());
    claims.is_ok_and(|claims| claims.text("iss") == Some(request.host.tenant.issuer.as_str()))
}

async fn of_id_token(request: &Request<'_>, tx: &mut Tx<Tenant>, token: &str) -> Result<Presented, Error> {
    let (host, client_id) = (request.host, request.app.client_id());
    let claims = host
        .app
        .services
        .keys
        .ring(host.tenant.id)
        .verify(token, Typ::Jwt, host.cx.now)
        .map_err(|_| refused())?;
    // An access token of type `JWT` has a scope.
    // What support staff got while they acted for the person leads nowhere else.
    let is_own = claims.text("iss") == Some(host.tenant.issuer.as_str())
        && claims.member("scope").is_none()
        && claims.member("act").is_none()
        && claims.text("aud") == Some(client_id.as_str());
    let session: Option<SessionId> = claims.text("sid").and_then(|sid| sid.parse().ok()).filter(|_| is_own);
    let session = session.ok_or_else(refused)?;
    let auth_time = claims.required_time("auth_time").map_err(|_| refused())?;
    let subject = claims.text("sub").unwrap_or_default();
    let issued_at = claims.required_time("iat").map_err(|_| refused())?;
    if is_taken_back(request, tx, (subject, issued_at)).await? {
        return Err(refused());
    }
    let person = tenant_users::find_by_subject(tx, subject).await?;
    let person = current(tx, person, (Some(auth_time.as_secs()), Some(session))).await?;
    let present = sessions::present(tx, session).await?;
    let lifetimes = Lifetimes::of(&host.tenant.settings.limits, &host.app.config);
    if !sessions::is_live(tx, present, host.cx.now, lifetimes).await? {
        return Err(refused());
    }
    let amr =
        claims.member("amr").and_then(|amr| serde_json::from_value(amr.clone()).ok()).unwrap_or_default();
    let acr = claims.text("acr").unwrap_or_default().to_owned();
    Ok(Presented {
        person,
        authentication: Authentication { session, auth_time, amr, acr, acting: None },
        session: Some(session),
        is_sessionless: false,
        scope: None,
        audience: None,
        resource: None,
        organization: None,
        vouched_by: None,
        act: None,
        source: Source { client_id, family: None, jti: String::new() },
        parent: None,
        ends_at: claims.required_time("exp").map_err(|_| refused())?,
        family_ends_at: None,
        authorization_details: Vec::new(),
        audiences: Vec::new(),
    })
}

/// Whether the person has taken back what was allowed to the application, or the application was disabled, after this time, on
/// whatever node.
async fn is_taken_back(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    (subject, issued_at): (&str, Timestamp),
) -> Result<bool, Error> {
    let client_id = request.app.client_id();
    let consent = Revoked::Consent { sub: subject.to_owned(), client_id: client_id.clone() };
    revocations::has_ended(tx, issued_at, &[consent, Revoked::App(client_id)]).await
}

async fn of_assertion(request: &Request<'_>, tx: &mut Tx<Tenant>, token: &str) -> Result<Presented, Error> {
    let asserted = assertion::accept(request, tx, token).await.map_err(as_invalid_request)?;
    let vouched_by = asserted.issuer.organization_id;
    let place = organization::vouched(request, tx, &asserted, not_there).await.map_err(as_invalid_request)?;
    Ok(Presented {
        person: asserted.person,
        authentication: asserted.authentication,
        session: None,
        is_sessionless: true,
        scope: asserted.scope,
        audience: None,
        resource: asserted.resource,
        organization: place.map(|place| place.id),
        vouched_by,
        act: None,
        source: Source { client_id: asserted.issuer.issuer, family: None, jti: asserted.jti },
        parent: None,
        ends_at: asserted.expires_at,
        family_ends_at: None,
        authorization_details: Vec::new(),
        audiences: asserted.issuer.configuration.audiences,
    })
}

async fn of_access_token(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    claims: Claims,
) -> Result<Presented, Error> {
    let (person, origin) = Origin::of(request, tx, &claims).await?;
    let sid = session_of(&claims);
    let session = sid.or(origin.session());
    Ok(Presented {
        person,
        authentication: Authentication {
            session: session.unwrap_or_else(|| request.host.cx.id()),
            auth_time: claims.auth_time.map_or(request.host.cx.now, Timestamp::from_secs),
            amr: origin.amr().unwrap_or(claims.amr),
            acr: claims.acr.clone().unwrap_or_default(),
            acting: None,
        },
        session,
        is_sessionless: sid.is_none(),
        source: Source { client_id: claims.client_id, family: origin.id, jti: claims.jti },
        family_ends_at: origin.ends_at(),
        vouched_by: origin.link.as_ref().and_then(|link| link.vouched_by),
        parent: origin.link,
        scope: Some(claims.scope),
        audience: Some(claims.aud),
        resource: None,
        organization: claims.org.map(|org| org.id),
        act: claims.act,
        ends_at: Timestamp::from_secs(claims.exp),
        authorization_details: claims.authorization_details,
        audiences: Vec::new(),
    })
}

async fn verified(request: &Request<'_>, tx: &mut Tx<Tenant>, token: &str) -> Result<Claims, Error> {
    let host = request.host;
    let services = &host.app.services;
    let claims = access_token::verify_for_any_api(
        &services.keys.ring(host.tenant.id),
        token,
        &host.tenant.issuer,
        host.cx.now,
    );
    let claims = claims.map_err(|_| refused())?;
    let is_live = claims.tenant_id == host.tenant.id.reference() && !services.revocations.is_revoked(&claims);
    // An operator's token opens the control plane and nothing else.
    let is_operators = claims.aud == host.tenant.control_plane_audience();
    if !is_live || is_operators || claims.subject_type != SubjectType::Human {
        return Err(refused());
    }
    let is_recipient = is_recipient(request, tx, &claims).await?;
    if !is_recipient && !may_present(request.app, &claims) {
        return Err(refused());
    }
    // The key is its holder's; only the API that the token was sent to has it without one.
    let is_held = claims.cnf.as_ref().is_none_or(|bound| request.holds(bound));
    if is_held || is_recipient { Ok(claims) } else { Err(refused()) }
}

/// The tenant's own applications may be handed each other's tokens; others are held to what was issued to them.
fn may_present(app: &App, claims: &Claims) -> bool {
    app.configuration.first_party || claims.client_id == app.client_id()
}

/// Whether the application answers for the API that the token is for.
async fn is_recipient(request: &Request<'_>, tx: &mut Tx<Tenant>, claims: &Claims) -> Result<bool, Error> {
    let tenant = &request.host.tenant;
    let api = request.host.app.services.apis.find_in(tx, tenant, &claims.aud).await?;
    Ok(api.is_some_and(|api| api.is_answered_by(tenant, &request.app.client_id())))
}

/// The person, unless the sign-in behind a token counts no more: a token of before a change of password must not become one that
/// outlives it.
async fn current(
    tx: &mut Tx<Tenant>,
    person: Option<Person>,
    (auth_time, session): (Option<i64>, Option<SessionId>),
) -> Result<Person, Error> {
    let person = person.filter(Person::may_sign_in).ok_or_else(refused)?;
    let changed_at = Timestamp::from_secs(person.credentials_changed_at.as_secs());
    let is_current = match (auth_time.map(Timestamp::from_secs), session) {
        (None, _) => true,
        (Some(auth_time), None) => auth_time >= changed_at,
        (Some(auth_time), Some(session)) => {
            sessions::is_younger(tx, (session, auth_time), changed_at).await?
        }
    };
    if is_current { Ok(person) } else { Err(refused()) }
}

/// Refuses a token that another node has ended a moment ago.
fn must_count(ends: &[Row], claims: &Claims) -> Result<(), Error> {
    if revocations::is_ended(ends, claims)? { Err(refused()) } else { Ok(()) }
}

fn session_of(claims: &Claims) -> Option<SessionId> {
    claims.sid.as_deref().and_then(|sid| sid.parse().ok())
}

/// What keeps the presented token alive.
struct Origin {
    id: Option<FamilyId>,
    family: Option<Family>,
    link: Option<Delegation>,
}

impl Origin {
    /// Reads the person, and holds link and family, so that neither ends without seeing what follows from them now: in one flight.
    async fn of(
        request: &Request<'_>,
        tx: &mut Tx<Tenant>,
        claims: &Claims,
    ) -> Result<(Person, Self), Error> {
        let id: Option<FamilyId> = claims.family().and_then(|family| family.parse().ok());
        let Some(family) = id else {
            let [ends] = tx.batch([revocations::of_token(tx, claims)]).await?;
            must_count(&ends, claims)?;
            let person = tenant_users::find_by_subject(tx, &claims.sub).await?;
            let person = current(tx, person, (claims.auth_time, session_of(claims))).await?;
            return Self { id, family: None, link: None }
                .if_acting_is_recorded(claims)
                .map(|origin| (person, origin));
        };
        let [own, pairwise] = tenant_users::of_subject(tx, &claims.sub);
        let (link, family) = (delegations::hold(tx, family, request.host.cx.now), refresh::hold(tx, family));
        // Last, so that an end for which the two before had to wait is seen.
        let ends = revocations::of_token(tx, claims);
        let [own, pairwise, link, family, ends] = tx.batch([own, pairwise, link, family, ends]).await?;
        must_count(&ends, claims)?;
        let person = tenant_users::named_by_subject(&own, &pairwise)?;
        let family = refresh::held(&family).map_err(as_invalid_request)?;
        let origin = Self { id, family, link: delegations::held(&link)? };
        // A token that outlives its session does not name it, and the sign-in may be older than the account: one at a provider.
        let session = session_of(claims).or(origin.session());
        let person = current(tx, person, (claims.auth_time, session)).await?;
        origin.if_acting_is_recorded(claims).map(|origin| (person, origin))
    }

    /// An actor acts by a record that can be ended.
    fn if_acting_is_recorded(self, claims: &Claims) -> Result<Self, Error> {
        if claims.act.is_some() && self.link.is_none() { Err(refused()) } else { Ok(self) }
    }

    fn session(&self) -> Option<SessionId> {
        let of_link = self.link.as_ref().and_then(|link| link.session);
        of_link.or(self.family.as_ref().map(|family| family.grant.authentication.session))
    }

    fn amr(&self) -> Option<Vec<String>> {
        self.family.as_ref().map(|family| family.grant.authentication.amr.clone())
    }

    fn ends_at(&self) -> Option<Timestamp> {
        let link = self.link.as_ref().map(|link| link.expires_at);
        let family = self.family.as_ref().map(|family| family.expires_at);
        link.into_iter().chain(family).min()
    }
}

/// RFC 8693 §2.2.2 has one code for every fault of a subject token.
fn as_invalid_request(error: Error) -> Error {
    if error.class() == svc_core::Class::InvalidGrant {
        error.reclass(svc_core::Class::InvalidRequest)
    } else {
        error
    }
}

fn not_there() -> Error {
    Error::invalid_request("organization: the issuer of the subject_token is another organization's")
}

fn refused() -> Error {
    Error::invalid_request(
        "subject_token: give a live access token of a person that the application may exchange",
    )
}
