//! From an approval to tokens (RFC 6749 §5.1, RFC 9068): the only place that signs access tokens.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};
use svc_core::events::TokenIssued;
use svc_core::{Error, OrInternal as _, STANDARD_SCOPES, Seconds, TenantRef};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{Api, PersonClaim};
use svc_domain::apps::control_plane;
use svc_domain::claims::claims_request::ClaimsRequest;
use svc_domain::claims::custom::{self, CustomClaim};
use svc_domain::delivery::logouts;
use svc_domain::grants::grant::AuthorizationGrant;
use svc_domain::grants::refresh;
use svc_domain::hooks::Added;
use svc_domain::keys::signing_keys::default_algorithm;
use svc_domain::log::{Meaning, record};
use svc_domain::organizations::Place;
use svc_domain::people::subjects;
use svc_domain::tokens::access_token::{Claims, SubjectType};
use svc_http::HostCx;
use svc_keys::jose::{Signer, Typ};

use super::approval::{Approval, Refresh, Subject};
use super::grant::Request;
use super::tokens::Tokens;
use super::{details, id_jag, id_token, pre_token, uses};
use crate::authorize::organization::roles_for;
use crate::authorize::resource::may_have;

/// What has been settled and recorded, and waits for the commit to be signed: SQLite has one writer, and no signature is made in
/// its turn.
pub(super) struct Unsigned {
    approval: Approval,
    sub: String,
    /// Where an access token is for; an identity assertion says so itself.
    target: Option<Target>,
    refresh_token: Option<String>,
    /// The claims that hooks add.
    added: Added,
}

/// Settles what is issued, and writes audit entry and event into the grant's transaction.
pub(super) async fn with_records(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    mut approval: Approval,
) -> Result<Unsigned, Error> {
    as_known_there(request, tx, &mut approval).await?;
    uses::note_with(request, tx);
    let sub = subject(request, &approval);
    let (mut target, mut token) = (None, None);
    if approval.bounds.assertion.is_none() {
        let (apis, tenant) = (&request.host.app.services.apis, &request.host.tenant);
        let api = if is_for_us(request, &approval) {
            None
        } else {
            apis.find_in(tx, tenant, &approval.audience).await?
        };
        target = Some(narrow(request, &mut approval, api)?);
        token = refresh_token(request, tx, &approval)?;
        note_session(request, tx, &approval).await?;
    }
    check_keys(request, &approval)?;
    let (tenant_user_id, act) = match &approval.subject {
        Subject::Person(person, authentication) => (Some(person.id), authentication.act()),
        Subject::App | Subject::Key(_) => (None, None),
    };
    let issued = TokenIssued {
        client_id: request.app.id,
        sub: sub.clone(),
        tenant_user_id,
        aud: approval.audience.clone(),
        scope: Some(approval.scope.to_string()),
        grant_type: request.params.one("grant_type").map(str::to_owned),
        count: None,
    };
    record(tx, &request.host.cx, Meaning::issued(issued).acted_by(act));
    Ok(Unsigned { approval, sub, target, refresh_token: token, added: Added::default() })
}

/// Refuses before anything is spent where tokens are signed by key management, and that is away.
pub(super) async fn can_sign(request: &Request<'_>) -> Result<(), Error> {
    let ring = request.host.app.services.keys.ring(request.host.tenant.id);
    let access_token = default_algorithm(&request.host.app.config.jwt);
    ring.can_sign([access_token, request.app.configuration.id_token_algorithm()]).await
}

/// A node without its keys refuses before anything is spent.
fn check_keys(request: &Request<'_>, approval: &Approval) -> Result<(), Error> {
    let ring = request.host.app.services.keys.ring(request.host.tenant.id);
    let access_token = default_algorithm(&request.host.app.config.jwt);
    let id_token = request.app.configuration.id_token_algorithm();
    let id_token = Some(id_token).filter(|_| approval.scope.has("openid"));
    let mut missing = id_token.into_iter().chain([access_token]).filter(|one| ring.active(*one).is_none());
    missing.next().map_or(Ok(()), |one| Err(Error::internal(format!("no active key signs {one}"))))
}

impl Unsigned {
    /// What an access token would say of what has been committed, where the service itself is whom it is for.
    pub(super) fn claims(&self, request: &Request<'_>, lifetime: Seconds) -> Claims {
        access_claims(request, &self.approval, bounded(request, &self.approval, lifetime))
    }

    /// What hooks receive of it.
    pub(super) fn input(&self, request: &Request<'_>) -> Result<Value, Error> {
        pre_token::input(request, &self.approval)
    }

    /// The same with the claims that hooks add.
    pub(super) fn with(self, added: Added) -> Self {
        Self { added, ..self }
    }

    /// Signs what has been committed.
    pub(super) async fn sign(self, request: &Request<'_>) -> Result<Tokens, Error> {
        let Self { approval, sub, target, refresh_token, added } = self;
        match (&target, &approval.bounds.assertion) {
            (Some(target), _) => sign(request, &approval, target, (refresh_token, added)).await,
            (None, Some(assertion)) => id_jag::issue(request, &approval, assertion, &sub).await,
            (None, None) => Err(Error::internal("an approval is for a target or for an assertion")),
        }
    }
}

/// A third-party application knows the person by the subject of its sector; everything that is issued names that.
async fn as_known_there(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    approval: &mut Approval,
) -> Result<(), Error> {
    if let Subject::Person(person, _) = &mut approval.subject
        && request.app.sector().is_some()
    {
        person.subject = subjects::of(tx, &request.host.cx, person, request.app).await?;
    }
    Ok(())
}

/// An application that learns of a session by an ID token, and wants to, is notified when the session ends. A refresh tells
/// it nothing new.
async fn note_session(request: &Request<'_>, tx: &mut Tx<Tenant>, approval: &Approval) -> Result<(), Error> {
    match &approval.subject {
        Subject::Person(person, authentication)
            if approval.scope.has("openid")
                && matches!(approval.refresh, Refresh::Begin)
                && request.app.configuration.backchannel_logout_uri.is_some() =>
        {
            logouts::note(tx, authentication.session, request.app.id, &person.subject).await
        }
        _ => Ok(()),
    }
}

/// Issues, and counts in the journal, which is written in batches.
pub(super) async fn with_journal(request: &Request<'_>, mut approval: Approval) -> Result<Tokens, Error> {
    let services = &request.host.app.services;
    let tenant = request.host.tenant.id;
    let api = if is_for_us(request, &approval) {
        None
    } else {
        services.apis.find(&request.host.tenant, &approval.audience).await?
    };
    let target = narrow(request, &mut approval, api)?;
    Box::pin(uses::note(request)).await?;
    let added = match pre_token::hooks(request).await? {
        Some(hooks) => pre_token::added(request, &hooks, &pre_token::input(request, &approval)?).await?,
        None => Added::default(),
    };
    let tokens = sign(request, &approval, &target, (None, added)).await?;
    while !services.journal.count(tenant, request.app.id, &approval.audience) {
        let cx = request.host.app.cx("journal", None);
        services.journal.flush(&request.host.app.db, &cx).await?;
    }
    Ok(tokens)
}

/// Whether the tokens are for the tenant itself, that is for UserInfo.
fn is_for_us(request: &Request<'_>, approval: &Approval) -> bool {
    approval.audience == request.host.tenant.issuer
}

/// Where tokens are for.
struct Target {
    api: Option<Arc<Api>>,
}

/// Narrows scope and details to what the application and the API allow at this moment. Where an application asks for
/// itself, the error names what the API does not offer, as at the authorization endpoint.
fn narrow(request: &Request<'_>, approval: &mut Approval, api: Option<Arc<Api>>) -> Result<Target, Error> {
    let requested = request.params.one("scope").filter(|_| matches!(approval.subject, Subject::App));
    let requested = requested.map(|_| approval.scope.clone()).unwrap_or_default();
    let target = narrowed(request, approval, api)?;
    match requested.iter().find(|token| !approval.scope.has(token)) {
        Some(token) => Err(not_for(token)),
        None if is_of_no_use(request, approval, target.api.as_deref()) => {
            Err(Error::invalid_target("the application may not have tokens for this API"))
        }
        None => Ok(target),
    }
}

/// Whether an application asks for itself for a token of an API that opens nothing there: it has none of the API's scopes, and the API is
/// not the one that is registered as its own. An API without scopes goes by the audience alone.
fn is_of_no_use(request: &Request<'_>, approval: &Approval, api: Option<&Api>) -> bool {
    let usual = request.app.configuration.audience.as_deref();
    let is_usual = usual.is_some_and(|stored| request.host.tenant.audience_of(stored) == approval.audience);
    let is_empty = approval.scope.is_empty() && approval.authorization_details.is_empty();
    let has_scopes = api.is_some_and(|api| !api.scope().is_empty());
    matches!(approval.subject, Subject::App) && is_empty && has_scopes && !is_usual
}

fn not_for(scope: &str) -> Error {
    let shown: String = scope.chars().take(80).collect();
    Error::invalid_scope(format!(
        "scope: this token is not for the API of {shown}; name that API by resource"
    ))
}

fn narrowed(request: &Request<'_>, approval: &mut Approval, api: Option<Arc<Api>>) -> Result<Target, Error> {
    details::settle(request, approval, api.as_deref())?;
    let allowed = &request.app.configuration.scope;
    let is_openid = approval.scope.has("openid") && allowed.has("openid");
    approval.claims = if is_openid { approval.claims.within(allowed) } else { ClaimsRequest::default() };
    let is_standard = |token: &str| STANDARD_SCOPES.contains(&token);
    if is_for_us(request, approval) {
        approval.scope.retain(|token| allowed.has(token) && is_standard(token));
        return Ok(Target { api: None });
    }
    let api = api.ok_or_else(|| Error::invalid_target("resource: name an API of this tenant"))?;
    control_plane::check_target(&request.host.tenant, request.app, &approval.audience)?;
    let mut scope = std::mem::take(&mut approval.scope);
    let roles = roles_of(request, approval);
    let may_have = |token: &str| may_have(request.app, &request.host.tenant, &api, token);
    scope.retain(|token| may_have(token) && (is_standard(token) || api.offers(token, roles)));
    approval.scope = scope;
    Ok(Target { api: Some(api) })
}

/// The roles that open scopes of the API.
fn roles_of<'a>(request: &Request<'_>, approval: &'a Approval) -> Option<&'a [String]> {
    let (tenant, place) = (&request.host.tenant, approval.organization.as_ref());
    match &approval.subject {
        Subject::Person(person, _) => Some(roles_for(tenant, &approval.audience, person, place)),
        Subject::App | Subject::Key(_) => None,
    }
}

async fn sign(
    request: &Request<'_>,
    approval: &Approval,
    target: &Target,
    (refresh_token, added): (Option<String>, Added),
) -> Result<Tokens, Error> {
    let host = request.host;
    let (config, limits) = (&host.app.config, &host.tenant.settings.limits.jwt);
    let lifetime = lifetime_of_access_token(host, target.api.as_deref());
    // What acts for a person has the shorter life of the two.
    let of_agent = approval.actor.as_ref().map(|_| limits.access_token_lifetime_agent_secs(config));
    let lifetime = bounded(request, approval, of_agent.map_or(lifetime, |most| lifetime.min(most)));
    let mut claims = access_claims(request, approval, lifetime);
    if let Some(api) = &target.api {
        tell_of_person(&mut claims, request, approval, api);
    }
    let ring = host.app.services.keys.ring(host.tenant.id);
    let wanted = target.api.as_ref().map(|api| api.configuration.custom_claims.as_slice());
    let custom = custom_claims(approval, wanted.unwrap_or_default(), added.access_token);
    let payload = serde_json::to_vec(&WithCustom { claims: &claims, custom }).or_internal()?;
    let typ = target.api.as_ref().map_or(Typ::AccessToken, |api| api.configuration.access_token_typ.typ());
    let access_token = ring.sign(default_algorithm(&config.jwt), typ, &payload).await?;
    let id_token = match &approval.subject {
        Subject::Person(person, authentication) if approval.scope.has("openid") => {
            let about = id_token::About {
                person,
                authentication,
                nonce: approval.nonce.as_deref(),
                access_token: &access_token,
                claims: &approval.claims.id_token,
                scope: &approval.scope,
                organization: approval.organization.as_ref().map(Place::context),
                custom: custom_claims(approval, &request.app.configuration.custom_claims, added.id_token),
            };
            Some(id_token::sign(request, &ring, about).await?)
        }
        _ => None,
    };
    Ok(Tokens {
        access_token,
        token_type: claims.token_type(),
        expires_in: lifetime.0,
        scope: claims.scope,
        id_token,
        refresh_token,
        issued_token_type: approval.issued_token_type,
        authorization_details: claims.authorization_details,
    })
}

/// A lifetime that ends no later than what the token rests on.
fn bounded(request: &Request<'_>, approval: &Approval, lifetime: Seconds) -> Seconds {
    let left = approval.bounds.ends_at.map(|end| Seconds(end.as_secs() - request.host.cx.now.as_secs()));
    left.map_or(lifetime, |left| lifetime.min(left))
}

/// How long an access token lives that is for an API, or for UserInfo, where nothing shortens it.
pub(super) fn lifetime_of_access_token(host: &HostCx, api: Option<&Api>) -> Seconds {
    let config = &host.app.config;
    let usual = || host.tenant.settings.limits.jwt.access_token_lifetime_human_secs(config);
    let lifetime = api.and_then(|api| api.configuration.access_token_lifetime_secs).unwrap_or_else(usual);
    // The record of the control plane says what was configured when an operator was made last.
    let is_of_operators = api.is_some_and(|api| api.identifier == host.tenant.control_plane_audience());
    if is_of_operators { lifetime.min(config.admin.session_lifetime_secs) } else { lifetime }
}

fn access_claims(request: &Request<'_>, approval: &Approval, lifetime: Seconds) -> Claims {
    let host = request.host;
    let now = host.cx.now;
    let (subject_type, authentication) = match &approval.subject {
        Subject::Person(person, authentication) => (person.subject_type(), Some(authentication)),
        Subject::App | Subject::Key(_) => (SubjectType::System, None),
    };
    let tenant_id: TenantRef = host.tenant.id.reference();
    Claims {
        iss: host.tenant.issuer.clone(),
        sub: subject(request, approval),
        aud: approval.audience.clone(),
        exp: (now + lifetime).as_secs(),
        nbf: now.as_secs(),
        iat: now.as_secs(),
        jti: jti(request, approval),
        tenant_id,
        client_id: request.app.client_id(),
        scope: approval.scope.clone(),
        subject_type,
        sid: authentication
            .filter(|_| !is_offline(approval) && !approval.bounds.is_sessionless)
            .map(|auth| auth.session.to_string()),
        auth_time: authentication.map(|auth| auth.auth_time.as_secs()),
        acr: authentication.map(|auth| auth.acr.clone()).filter(|acr| !acr.is_empty()),
        amr: authentication.map(|auth| auth.amr.clone()).unwrap_or_default(),
        act: approval.actor.clone(),
        authorization_details: approval.details_of_token().to_vec(),
        userinfo_claims: approval.claims.userinfo.clone(),
        roles: Vec::new(),
        groups: Vec::new(),
        permissions: Vec::new(),
        org: approval.organization.as_ref().map(Place::context),
        cnf: approval.bound_to.clone(),
    }
}

/// Adds what the API wants its tokens to say of the person (RFC 9068 §2.2.3.1).
fn tell_of_person(claims: &mut Claims, request: &Request<'_>, approval: &Approval, api: &Api) {
    let Subject::Person(person, _) = &approval.subject else { return };
    let roles = roles_of(request, approval).unwrap_or_default();
    let wants = |claim| api.configuration.access_token_claims.contains(&claim);
    if wants(PersonClaim::Roles) {
        claims.roles = roles.to_vec();
    }
    if wants(PersonClaim::Groups) {
        claims.groups.clone_from(&person.groups);
    }
    if wants(PersonClaim::Permissions) {
        let app = &request.app.configuration;
        // A person agrees to each scope of a third-party application.
        let may = if app.first_party { &app.scope } else { &approval.scope };
        let permissions = api.permissions_of(roles).intersect(may);
        claims.permissions = permissions.iter().map(str::to_owned).collect();
    }
}

/// An access token with the claims of the tenant's own, which nothing here reads again.
#[derive(Serialize)]
struct WithCustom<'a> {
    #[serde(flatten)]
    claims: &'a Claims,
    #[serde(flatten)]
    custom: Map<String, Value>,
}

/// The claims of the tenant's own: those that the person has, and over them those that hooks add.
fn custom_claims(
    approval: &Approval,
    wanted: &[CustomClaim],
    added: Map<String, Value>,
) -> Map<String, Value> {
    let mut claims = match &approval.subject {
        Subject::Person(person, _) if !wanted.is_empty() => {
            custom::made(wanted, person.facts(approval.organization.as_ref().map(Place::facts)))
        }
        Subject::Person(..) | Subject::App | Subject::Key(_) => Map::new(),
    };
    claims.extend(added);
    claims
}

/// Whether the tokens outlive the session; a refresh that narrows the scope does not bring them back into it.
fn is_offline(approval: &Approval) -> bool {
    approval.scope.has("offline_access") || matches!(approval.refresh, Refresh::Next(_))
}

/// The family in front lets one entry of the revocation list end every token of an authorization, and the key every token of it.
fn jti(request: &Request<'_>, approval: &Approval) -> String {
    let mut random = [0; 16];
    request.host.cx.entropy.fill(&mut random);
    let random = svc_keys::base64url(random);
    match (&approval.subject, approval.family) {
        (Subject::Key(key), _) => format!("{key}.{random}"),
        (_, Some(family)) => format!("{family}.{random}"),
        (_, None) => random,
    }
}

fn subject(request: &Request<'_>, approval: &Approval) -> String {
    match &approval.subject {
        Subject::Person(person, _) => person.subject.clone(),
        Subject::App => request.app.id.to_string(),
        Subject::Key(key) => key.to_string(),
    }
}

fn refresh_token(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    approval: &Approval,
) -> Result<Option<String>, Error> {
    let (Subject::Person(person, authentication), Some(id)) = (&approval.subject, approval.family) else {
        return Ok(None);
    };
    match &approval.refresh {
        Refresh::Next(token) => return Ok(Some(token.clone())),
        Refresh::Begin
            if approval.scope.has("offline_access") && request.app.allows_grant("refresh_token") => {}
        Refresh::Begin | Refresh::No => return Ok(None),
    }
    let cx = &request.host.cx;
    let config = &request.host.app.config;
    let limits = &request.host.tenant.settings.limits;
    let session = limits.session_cookie.absolute_lifetime_secs(config);
    let longest = session.max(limits.jwt.refresh_token_lifetime_human_secs(config));
    // A confidential application proves itself with each refresh; only a public one needs its key for that.
    let bound_to = approval.bound_to.as_ref().filter(|_| request.app.is_public());
    let family = refresh::Family {
        id,
        app: request.app.id,
        person: person.id,
        grant: AuthorizationGrant {
            redirect_uri: String::new(),
            code_challenge: None,
            nonce: None,
            scope: approval.scope.clone(),
            audience: request.host.tenant.stored_audience(&approval.audience).to_owned(),
            authentication: authentication.clone(),
            dpop_jkt: bound_to.and_then(|bound| bound.jkt.clone()),
            x5t_s256: bound_to.and_then(|bound| bound.x5t_s256.clone()),
            authorization_details: approval.authorization_details.clone(),
            claims: approval.claims.clone(),
            actor: approval.actor.clone(),
            organization: approval.organization.as_ref().map(|place| place.id),
        },
        created_at: cx.now,
        expires_at: approval.bounds.family_ends_at.map_or(cx.now + longest, |end| end.min(cx.now + longest)),
    };
    let token = svc_keys::token(&*cx.entropy);
    refresh::create_family(tx, &family)?;
    let expires_at = cx.now + lifetime_of_refresh_token(request, approval.actor.as_ref());
    refresh::add_token(tx, &family, svc_keys::digest(&token), expires_at);
    Ok(Some(token))
}

/// How long a refresh token lives: shorter for who acts for a person than for the person's own applications.
pub(super) fn lifetime_of_refresh_token(request: &Request<'_>, actor: Option<&Value>) -> Seconds {
    let (config, limits) = (&request.host.app.config, &request.host.tenant.settings.limits.jwt);
    match actor {
        Some(_) => limits.refresh_token_lifetime_agent_secs(config),
        None => limits.refresh_token_lifetime_human_secs(config),
    }
}
