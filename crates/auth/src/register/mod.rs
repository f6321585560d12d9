//! Dynamic client registration (RFC 7591) and its management (RFC 7592): applications that register themselves.

pub mod document;
mod metadata;
pub mod origins;
mod policy;
mod sector;

use serde_json::{Map, Value, json};
use svc_config::{Config, Registration as Mode};
use svc_core::{Actor, Class, Error, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apps::registrations::{self, Kind, NewRegistration, Registration, Remarks};
use svc_domain::apps::{self, App, Configuration, Rules};
use svc_http::{
    Admission, Cors, HeaderMap, HostCx, IntoResponse, Json, Limit, NoContent, NoStore, Path, Problem,
    Response, Route, Routes, StatusCode, bearer,
};
use svc_keys::{digest, prefixed_token, token};

use self::metadata::{Information, Metadata, Replacement, told};
use self::policy::{Beyond, Policy};

/// Where applications register.
pub const PATH: &str = "/oauth/register";
const ONE: &str = "/oauth/register/{client_id}";
const WHY: &str = "the handler asks for an initial or a registration access token";

const MANAGED: &str = "With the registration access token as bearer token (RFC 7592 §2).";

/// The registration endpoint and the client configuration endpoint.
pub fn routes() -> Routes {
    Routes::new([
        Route::post(PATH)
            .public(WHY, register)
            .cors(Cors::asking(admission))
            .summary("Register an application")
            .describe(
                "With an initial access token as bearer token, unless registration is open (RFC 7591 §3).",
            )
            .body::<Metadata>()
            .returns::<Information>(201)
            .limit(changes),
        Route::get(ONE)
            .public(WHY, read)
            .summary("Read a registration")
            .describe(MANAGED)
            .bearer()
            .returns::<Information>(200)
            .limit(reads),
        Route::put(ONE)
            .public(WHY, replace)
            .summary("Replace a registration")
            .describe(MANAGED)
            .bearer()
            .body::<Replacement>()
            .returns::<Information>(200)
            .limit(changes),
        Route::delete(ONE)
            .public(WHY, delete)
            .summary("Delete a registration")
            .describe(MANAGED)
            .bearer()
            .returns_nothing(204)
            .limit(changes),
    ])
}

/// How often one address may register, change and remove applications.
fn changes(config: &Config) -> Limit {
    let oidc = &config.oidc;
    let calls = i64::from(oidc.dynamic_registration_rate_limit_max);
    Limit { calls, window: oidc.dynamic_registration_rate_limit_window_secs }
}

/// Reading costs less.
fn reads(config: &Config) -> Limit {
    let limit = changes(config);
    Limit { calls: 3 * limit.calls, ..limit }
}

/// Whether applications may register at this deployment.
fn is_open(host: &HostCx) -> bool {
    host.app.config.oidc.dynamic_registration != Mode::Off
}

/// What discovery says of it: only what is there.
pub fn publish(host: &HostCx, document: &mut Value) {
    let Value::Object(members) = document else { return };
    if is_open(host) {
        members.insert("registration_endpoint".to_owned(), json!(format!("{}{PATH}", host.origin())));
    }
    if host.tenant.settings.client_id_metadata_documents {
        members.insert("client_id_metadata_document_supported".to_owned(), json!(true));
    }
}

/// Any origin may register where registration is open: an application has registered none before.
async fn admission(host: HostCx, _: String) -> Admission {
    match host.app.config.oidc.dynamic_registration {
        Mode::Open => Admission::Anyone,
        Mode::Token | Mode::Off => Admission::Refused,
    }
}

type Body = Result<Json<Value>, Problem>;

async fn register(host: HostCx, headers: HeaderMap, body: Body) -> Result<Response, Problem> {
    let challenge = challenge(&host, &headers);
    registered(host, &headers, body).await.map_err(challenge)
}

async fn registered(host: HostCx, headers: &HeaderMap, body: Body) -> Result<Response> {
    let mode = present_mode(&host)?;
    let presented = bearer(headers).ok();
    must_be_admissible(&host, presented, mode).await?;
    let document = object(body)?;
    let wanted = Wanted::read(&host, &document, Beyond::Narrows).await?;
    let host = host.performed_by(Actor::System("registration"));
    let mut tx = host.begin().await?;
    admit(&host, &mut tx, presented).await?;
    let secret = new_secret(&host, &wanted.configuration);
    let app = apps::create_registered(
        &mut tx,
        &host.cx,
        host.app.part::<Rules>()?,
        None,
        apps::NewApp { configuration: &wanted.configuration, secret: secret.as_deref().map(digest) },
    )
    .await?;
    let access_token = token(&*host.cx.entropy);
    let new = NewRegistration {
        app: app.id,
        kind: Kind::Dynamic,
        digest: Some(digest(&access_token)),
        remarks: &wanted.remarks,
        fresh_until: Timestamp::from_secs(0),
    };
    registrations::create(&mut tx, &host.cx, &new).await?;
    tx.commit().await?;
    let answer = answer(&host, &app, (&wanted.remarks, app.created_at), (&access_token, secret.as_deref()))?;
    Ok((StatusCode::CREATED, NoStore(answer)).into_response())
}

async fn read(host: HostCx, Path(client_id): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let challenge = challenge(&host, &headers);
    shown(&host, &client_id, &headers).await.map_err(challenge)
}

async fn shown(host: &HostCx, client_id: &str, headers: &HeaderMap) -> Result<Response> {
    present_mode(host)?;
    let mut tx = host.read().await?;
    let managed = managed(&mut tx, headers, client_id).await?;
    Ok(NoStore(managed.answer(host, &managed.app, &managed.registration.remarks, None)?).into_response())
}

async fn replace(
    host: HostCx,
    Path(client_id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let challenge = challenge(&host, &headers);
    replaced(host, (&client_id, &headers), body).await.map_err(challenge)
}

async fn replaced(host: HostCx, (client_id, headers): (&str, &HeaderMap), body: Body) -> Result<Response> {
    present_mode(&host)?;
    // Who may not change anything learns nothing about what would be allowed.
    let managed = managed(&mut host.read().await?, headers, client_id).await?;
    let document = object(body)?;
    check_identity(&managed.app, &document, host.cx.now)?;
    let wanted = Wanted::read(&host, &document, Beyond::Forbidden).await?;
    let host = host.performed_by_app(&managed.app);
    let mut tx = host.begin().await?;
    let configuration = wanted.configuration.bounded_as(&managed.app.configuration);
    let (app, secret) = with_fitting_secret(&host, &mut tx, &managed.app, &configuration).await?;
    let change = apps::Change { configuration: &configuration, enabled: app.enabled };
    apps::update(&mut tx, &host.cx, host.app.part::<Rules>()?, &app, change).await?;
    registrations::refresh(&mut tx, &host.cx, app.id, &wanted.remarks, Timestamp::from_secs(0)).await?;
    let app = apps::find(&mut tx, app.id).await?.ok_or_else(unknown)?;
    tx.commit().await?;
    Ok(NoStore(managed.answer(&host, &app, &wanted.remarks, secret.as_deref())?).into_response())
}

async fn delete(
    host: HostCx,
    Path(client_id): Path<String>,
    headers: HeaderMap,
) -> Result<NoContent, Problem> {
    let challenge = challenge(&host, &headers);
    deleted(host, &client_id, &headers).await.map_err(challenge)
}

async fn deleted(host: HostCx, client_id: &str, headers: &HeaderMap) -> Result<NoContent> {
    present_mode(&host)?;
    let managed = managed(&mut host.read().await?, headers, client_id).await?;
    let host = host.performed_by_app(&managed.app);
    let mut tx = host.begin().await?;
    apps::delete(&mut tx, &host.cx, managed.app.id).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// The refusal with what its sender has to bring: of a token that was sent it is said that it does not count, of none no error is
/// (RFC 6750 §3).
fn challenge(host: &HostCx, headers: &HeaderMap) -> impl FnOnce(Error) -> Problem + Send + use<> {
    let (is_sent, realm) = (bearer(headers).is_ok(), host.tenant.issuer.clone());
    move |error: Error| {
        if error.class() != Class::InvalidToken {
            return error.into();
        }
        let told = if is_sent { ", error=\"invalid_token\"" } else { "" };
        Problem::from(error).challenge(&format!("Bearer realm=\"{realm}\"{told}"))
    }
}

/// A registration, and the token that proved to manage it.
struct Managed {
    app: App,
    registration: Registration,
    access_token: String,
}

impl Managed {
    fn answer(&self, host: &HostCx, app: &App, remarks: &Remarks, secret: Option<&str>) -> Result<Value> {
        answer(host, app, (remarks, self.registration.created_at), (&self.access_token, secret))
    }
}

/// What a document asks for, checked.
struct Wanted {
    configuration: Configuration,
    remarks: Remarks,
}

impl Wanted {
    async fn read(host: &HostCx, document: &Map<String, Value>, beyond: Beyond) -> Result<Self> {
        let metadata = Metadata::read(document)?;
        let remarks = metadata.remarks()?;
        let policy = Policy::of(host, beyond).await?;
        let configuration = metadata.clone().configuration(&policy)?;
        let rules = host.app.part::<Rules>()?;
        rules.check_redirect_uris(&configuration)?;
        sector::check(host, &metadata).await?;
        Ok(Self { configuration, remarks })
    }
}

/// Refuses who may not register before anything is looked at that they sent, and before we call an address that they name. What the
/// token has left is counted later, with the registration ([`admit`]).
async fn must_be_admissible(host: &HostCx, presented: Option<&str>, mode: Mode) -> Result<()> {
    let Some(presented) = presented else {
        return match mode {
            Mode::Token => Err(Error::invalid_token("registering needs an initial access token")),
            Mode::Open | Mode::Off => Ok(()),
        };
    };
    let has_some_left =
        registrations::has_token(&mut host.read().await?, &host.cx, digest(presented)).await?;
    if has_some_left { Ok(()) } else { Err(used_up()) }
}

/// An initial access token with something left, or the open mode with room.
async fn admit(host: &HostCx, tx: &mut Tx<Tenant>, presented: Option<&str>) -> Result<()> {
    if let Some(presented) = presented {
        let spent = registrations::spend_token(tx, &host.cx, digest(presented)).await?;
        return spent.map(|_| ()).ok_or_else(used_up);
    }
    let most = i64::from(host.app.config.oidc.dynamic_registration_quota);
    let is_full = registrations::unused(tx, Kind::Dynamic).await? >= most;
    if is_full && !registrations::make_room(tx, &host.cx, Kind::Dynamic).await? {
        return Err(Error::rate_limited(
            "too many applications were registered just now; try again in an hour",
        )
        .retry_after(3600));
    }
    Ok(())
}

/// The application that the registration access token manages, if the path names it (RFC 7592 §2).
async fn managed(tx: &mut Tx<Tenant>, headers: &HeaderMap, client_id: &str) -> Result<Managed> {
    let presented = bearer(headers).map_err(|_| unknown())?;
    let registration = registrations::find_by_token(tx, digest(presented)).await?.ok_or_else(unknown)?;
    let app = apps::find(tx, registration.app).await?.ok_or_else(unknown)?;
    if app.client_id() != client_id {
        return Err(Error::forbidden("the registration access token manages another application"));
    }
    if !app.enabled {
        return Err(Error::forbidden("an administrator has disabled this application"));
    }
    Ok(Managed { app, registration, access_token: presented.to_owned() })
}

/// A replacement names the application that it replaces, and cannot choose a secret (RFC 7592 §2.2).
fn check_identity(app: &App, document: &Map<String, Value>, now: Timestamp) -> Result<()> {
    match document.get("client_id").filter(|named| !named.is_null()) {
        None => {
            return Err(Error::invalid_client_metadata(
                "client_id: a replacement names its application; send the one that registering gave",
            ));
        }
        Some(named) if *named != app.client_id() => {
            return Err(Error::invalid_client_metadata("client_id: is another application's"));
        }
        Some(_) => {}
    }
    let Some(secret) = document.get("client_secret").filter(|secret| !secret.is_null()) else {
        return Ok(());
    };
    let is_ours = secret.as_str().is_some_and(|secret| app.has_secret(digest(secret), now));
    if is_ours { Ok(()) } else { Err(Error::forbidden("client_secret: it is ours to choose")) }
}

/// The application with a secret exactly if it will need one; a new one is answered once.
async fn with_fitting_secret(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    app: &App,
    wanted: &Configuration,
) -> Result<(App, Option<String>)> {
    let present = apps::find(tx, app.id).await?.ok_or_else(unknown)?;
    let needs = wanted.token_endpoint_auth_method.has_secret();
    if needs == present.secret_digest.is_some() {
        return Ok((present, None));
    }
    let secret = new_secret(host, wanted);
    apps::secrets::set(tx, &host.cx, app.id, secret.as_deref().map(digest)).await?;
    let present = apps::find(tx, app.id).await?.ok_or_else(unknown)?;
    Ok((present, secret))
}

fn answer(
    host: &HostCx,
    app: &App,
    (remarks, created_at): (&Remarks, Timestamp),
    (access_token, secret): (&str, Option<&str>),
) -> Result<Value> {
    let mut told = told(app, remarks, host.app.part::<Rules>()?.grants())?;
    let client_id = app.client_id();
    told.insert("client_id_issued_at".to_owned(), json!(created_at.as_secs()));
    told.insert("registration_access_token".to_owned(), json!(access_token));
    told.insert("registration_client_uri".to_owned(), json!(format!("{}{PATH}/{client_id}", host.origin())));
    if let Some(secret) = secret {
        told.insert("client_secret".to_owned(), json!(secret));
    }
    if app.configuration.token_endpoint_auth_method.has_secret() {
        told.insert("client_secret_expires_at".to_owned(), json!(0));
    }
    Ok(Value::Object(told))
}

fn new_secret(host: &HostCx, configuration: &Configuration) -> Option<String> {
    let needs = configuration.token_endpoint_auth_method.has_secret();
    needs.then(|| prefixed_token("svc_cs_", &*host.cx.entropy))
}

fn object(body: Body) -> Result<Map<String, Value>> {
    match body {
        Ok(Json(Value::Object(document))) => Ok(document),
        _ => Err(Error::invalid_client_metadata(
            "the body is not a JSON object of at most 64 KiB, sent as application/json",
        )),
    }
}

fn present_mode(host: &HostCx) -> Result<Mode> {
    match host.app.config.oidc.dynamic_registration {
        Mode::Off => Err(Error::not_found("applications do not register themselves here")),
        mode => Ok(mode),
    }
}

fn unknown() -> Error {
    Error::invalid_token("the registration access token is not valid")
}

fn used_up() -> Error {
    Error::invalid_token("the initial access token is unknown, expired or used up")
}
