//! Operations on applications.

use serde_json::json;
use svc_core::capability::Capability;
use svc_core::events::{ApplicationCreated, ApplicationDeleted, ApplicationUpdated};
use svc_core::{AppId, Cx, Digest, Error, Result};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::{Algorithm, KeySet};

use super::certificate;
use super::configuration::{Configuration, REDIRECT_ORIGINS};
use super::rules::Rules;
use super::words::{AuthMethod, Profile, SubjectForm};
use super::{App, REGISTERED, control_plane, secrets};
use crate::apis::is_details_type;
use crate::claims::custom;
use crate::document;
use crate::grants::ending;
use crate::lists::{self, Order, Ordered, Search};
use crate::log::{Action, Meaning, change, check_version};
use crate::names;
use crate::tenancy::quotas::{self, Quota};
use crate::tokens::revocations::{self, Revoked};
use crate::web_uri::is_web_uri;

/// Most types of authorization details that one application may ask for.
const MOST_DETAILS_TYPES: usize = 50;

/// Reads applications; the argument says which.
macro_rules! apps_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, handle, enabled, secret_digest, former_secret_digest, former_secret_expires_at, configuration, \
             name_key, created_at, updated_at, version FROM apps WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// An application to create.
#[derive(Clone, Copy)]
pub struct NewApp<'a> {
    /// What it may do.
    pub configuration: &'a Configuration,
    /// The digest of its secret, if it authenticates with one.
    pub secret: Option<Digest>,
}

/// What an application becomes.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// What it may do.
    pub configuration: &'a Configuration,
    /// Whether it gets anything.
    pub enabled: bool,
}

/// Creates an application; the handle must be free.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    rules: &Rules,
    handle: &str,
    new: NewApp<'_>,
) -> Result<App> {
    create_as(tx, cx, rules, (cx.id(), handle), new).await
}

/// The same under an id that an operator chose: one that a declarative file keeps from deployment to deployment.
pub async fn create_as(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    rules: &Rules,
    (id, handle): (AppId, &str),
    new: NewApp<'_>,
) -> Result<App> {
    Error::every([check_handle(handle), check(rules, new.configuration, new.secret.is_some())])?;
    insert(tx, cx, id, handle, new).await
}

/// Creates an application that registered itself: its handle is the address of its document, or made of its id.
pub async fn create_registered(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    rules: &Rules,
    address: Option<&str>,
    new: NewApp<'_>,
) -> Result<App> {
    check(rules, new.configuration, new.secret.is_some())?;
    let unique: AppId = cx.id();
    let handle = address.map_or_else(|| unique.to_string().replacen("app_", REGISTERED, 1), str::to_owned);
    insert(tx, cx, cx.id(), &handle, new).await
}

pub(super) async fn insert(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    id: AppId,
    handle: &str,
    NewApp { configuration: new, secret }: NewApp<'_>,
) -> Result<App> {
    quotas::check(tx, Quota::Applications).await?;
    let app = App {
        id,
        handle: handle.to_owned(),
        enabled: true,
        secret_digest: secret,
        former_secret: None,
        configuration: new.clone(),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO apps (tenant_id, id, handle, enabled, secret_digest, configuration, created_at, updated_at, version, \
         eddsa_since, secret_created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1, $8, $9)"
    );
    let eddsa_since = new.asks_for(Algorithm::EdDsa).then_some(cx.now);
    let made = secret.map(|_| cx.now);
    let arguments = args![app.id, handle, true, secret, document::store(new)?, cx.now, eddsa_since, made];
    let event = ApplicationCreated { client_id: app.id, name: new.name.clone() };
    let meaning = Meaning::done(Action::ApplicationCreated, app.id).telling(event);
    let created = change(tx, cx, insert, arguments, meaning).await;
    let taken = format!("handle: an application has the handle {handle} already; give this one another");
    created.map_err(|error| error.if_taken(&taken))?;
    set_origins(tx, app.id, new);
    Ok(app)
}

/// Makes configuration and enabledness so; returns whether anything changed. Disabling ends the application's tokens.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    rules: &Rules,
    app: &App,
    change: Change<'_>,
) -> Result<bool> {
    control_plane::refuse(app)?;
    check(rules, change.configuration, app.secret_digest.is_some())?;
    make_so(tx, cx, app, change).await
}

pub(super) async fn make_so(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    app: &App,
    Change { configuration: new, enabled }: Change<'_>,
) -> Result<bool> {
    let update = change_sql!(
        "UPDATE apps SET configuration = $3, enabled = $4, updated_at = $5, version = version + 1, eddsa_since = $7, \
         eddsa_ended_at = CASE WHEN CAST($7 AS BIGINT) IS NULL AND eddsa_since IS NOT NULL THEN CAST($5 AS BIGINT) \
         ELSE eddsa_ended_at END WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let eddsa_since = new.asks_for(Algorithm::EdDsa).then_some(cx.now);
    if *new == app.configuration && enabled == app.enabled {
        return Ok(false);
    }
    let arguments = args![app.id, document::store(new)?, enabled, cx.now, app.version, eddsa_since];
    let meaning = Meaning::done(Action::ApplicationUpdated, app.id)
        .with(json!({ "enabled": enabled }))
        .telling(ApplicationUpdated { client_id: app.id, name: new.name.clone(), enabled });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the application")?;
    set_origins(tx, app.id, new);
    if app.enabled && !enabled {
        revocations::revoke(tx, cx, &Revoked::App(app.client_id()));
        ending::of_app(tx, cx, app.id, &app.client_id()).await?;
    } else if enabled && !app.enabled {
        ending::late_of_app(tx, cx, app.id, &app.client_id()).await?;
    }
    Ok(true)
}

/// Whether an application registered `origin`.
pub async fn has_origin(tx: &mut Tx<Tenant>, origin: &str) -> Result<bool> {
    let select = sql!("SELECT origin FROM app_origins WHERE tenant_id = $1 AND origin = $2 LIMIT 1");
    Ok(tx.optional(select, args![origin]).await?.is_some())
}

fn set_origins(tx: &mut Tx<Tenant>, id: AppId, configuration: &Configuration) {
    let delete = quiet_sql!(
        "goes with the application, whose change is recorded",
        "DELETE FROM app_origins WHERE tenant_id = $1 AND app_id = $2"
    );
    tx.later(delete, args![id]);
    for origin in configuration.origins() {
        let insert = quiet_sql!(
            "goes with the application, whose change is recorded",
            "INSERT INTO app_origins (tenant_id, app_id, origin) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
        );
        tx.later(insert, args![id, &origin]);
    }
}

/// Deletes an application with its consents, codes and refresh families; its tokens die. Lists of fields and hooks may still name it,
/// and then concern no application by that: [`crate::app_deletion`] takes it out of them, at once or soon.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId) -> Result<()> {
    let app = find(tx, id).await?;
    app.as_ref().map_or(Ok(()), control_plane::refuse)?;
    let address = app.filter(App::is_document).map(|app| app.client_id());
    let client_id = address.clone().unwrap_or_else(|| id.to_string());
    ending::of_app(tx, cx, id, &client_id).await?;
    let delete = change_sql!("DELETE FROM apps WHERE tenant_id = $1 AND id = $2");
    let meaning = Meaning::done(Action::ApplicationDeleted, id).telling(ApplicationDeleted { client_id: id });
    if change(tx, cx, delete, args![id], meaning).await? == 0 {
        return Err(Error::not_found("no record has this id"));
    }
    for name in address.into_iter().chain([id.to_string()]) {
        revocations::revoke(tx, cx, &Revoked::App(name));
    }
    Ok(())
}

/// One application.
pub async fn find(tx: &mut Tx<Tenant>, id: AppId) -> Result<Option<App>> {
    let select = apps_sql!("id = $2");
    one(tx.optional(select, args![id]).await?.as_ref())
}

/// The application with this handle.
pub async fn find_by_handle(tx: &mut Tx<Tenant>, handle: &str) -> Result<Option<App>> {
    let select = apps_sql!("handle = $2");
    one(tx.optional(select, args![handle]).await?.as_ref())
}

/// A page of applications by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, (cursor, limit): (Option<AppId>, u32)) -> Result<Vec<App>> {
    let select = apps_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), app).await
}

/// A page of applications in an order, of those that are searched for where it is by name.
pub(super) async fn list_by(
    tx: &mut Tx<Tenant>,
    order: Order,
    wanted: Search<'_, AppId>,
) -> Result<Vec<App>> {
    let selects = Ordered {
        oldest: apps_sql!("id > $2 ORDER BY id LIMIT $3"),
        newest: apps_sql!("id < $2 ORDER BY id DESC LIMIT $3"),
        name: apps_sql!("(name_key, id) > ($2, $3) AND name_key < $4 ORDER BY name_key, id LIMIT $5"),
        name_descending: apps_sql!(
            "(name_key, id) < ($2, $3) AND name_key >= $4 ORDER BY name_key DESC, id DESC LIMIT $5"
        ),
    };
    lists::ordered(tx, selects, (order, wanted), app).await
}

fn one(row: Option<&Row>) -> Result<Option<App>> {
    Ok(row.map(app).transpose()?.flatten())
}

/// The application of a row, or nothing where a newer version has given it words that this one does not know.
pub(super) fn app(row: &Row) -> Result<Option<App>> {
    let Some(configuration) = document::known(row, "configuration")? else { return Ok(None) };
    Ok(Some(App {
        id: row.parse("id")?,
        handle: row.text("handle")?,
        enabled: row.flag("enabled")?,
        secret_digest: digest(row, "secret_digest")?,
        former_secret: secrets::former(row)?,
        configuration,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    }))
}

pub(super) fn digest(row: &Row, column: &str) -> Result<Option<Digest>> {
    Ok(row.maybe_bytes(column)?.and_then(|bytes| bytes.try_into().ok()).map(Digest))
}

fn check_handle(handle: &str) -> Result<()> {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if (1..=63).contains(&handle.len()) && handle.bytes().all(allowed) {
        if handle.starts_with(REGISTERED) {
            return Err(Error::bad_request(
                "handle: `dcr_` is reserved for applications that register themselves",
            ));
        }
        if handle == control_plane::HANDLE {
            return Err(Error::bad_request("handle: `control-plane` is the application of operators"));
        }
        Ok(())
    } else {
        Err(Error::bad_request("handle: use 1 to 63 lower-case letters, digits, hyphens and underscores"))
    }
}

fn check(rules: &Rules, configuration: &Configuration, has_secret: bool) -> Result<()> {
    Error::every([
        names::check(&configuration.name, 120)
            .map_err(|error| Error::invalid_client_metadata(error.detail())),
        check_methods(configuration, has_secret),
        check_keys(configuration),
        certificate::check(configuration),
        rules.check_grants(configuration),
        check_subject(configuration),
        check_details_types(&configuration.authorization_details_types),
        rules.check_redirect_uris(configuration),
        check_addresses(configuration),
        check_capabilities(configuration),
        check_ways(configuration),
        check_acr_values(&configuration.default_acr_values),
        custom::check(&configuration.custom_claims)
            .map_err(|error| Error::invalid_client_metadata(error.detail())),
    ])
}

fn check_subject(configuration: &Configuration) -> Result<()> {
    if configuration.subject_type == Some(SubjectForm::Public) && !configuration.first_party {
        return refused("subject_type: public is for first-party applications; leave it out for pairwise");
    }
    Ok(())
}

fn check_details_types(types: &[String]) -> Result<()> {
    if types.len() > MOST_DETAILS_TYPES || !types.iter().all(|name| is_details_type(name)) {
        return refused(format!(
            "authorization_details_types: name at most {MOST_DETAILS_TYPES} types, as APIs call them"
        ));
    }
    Ok(())
}

/// What it goes without, which cannot be something that it must use.
fn check_capabilities(configuration: &Configuration) -> Result<()> {
    let without = &configuration.disabled_capabilities;
    let known = without.check_of_application();
    known.map_err(|error| Error::invalid_client_metadata(error.detail()))?;
    let is_fapi2 = configuration.profile == Profile::Fapi2;
    let is_bound = configuration.tls_client_certificate_bound_access_tokens;
    let needed = [
        (&Capability::DPOP, configuration.dpop_bound_access_tokens || (is_fapi2 && !is_bound)),
        (&Capability::MTLS, is_bound || configuration.token_endpoint_auth_method.is_certificate()),
        (&Capability::PAR, is_fapi2 || configuration.require_pushed_authorization_requests),
        (&Capability::JAR, configuration.require_signed_request_object),
    ];
    match needed.into_iter().find(|(capability, is_needed)| *is_needed && !without.keeps(capability)) {
        Some((capability, _)) => {
            refused(format!("disabled_capabilities: the application must use {}", capability.name))
        }
        None => Ok(()),
    }
}

/// The ways to sign in that it accepts.
fn check_ways(configuration: &Configuration) -> Result<()> {
    let Some(ways) = &configuration.sign_in_methods else { return Ok(()) };
    if ways.is_every() {
        return refused(
            "sign_in_methods: name a way to sign in, or leave it out where every one is accepted",
        );
    }
    ways.check("sign_in_methods").map_err(|error| Error::invalid_client_metadata(error.detail()))
}

/// Values that we do not know are kept: no sign-in reaches them.
fn check_acr_values(values: &[String]) -> Result<()> {
    let is_one = |value: &String| {
        (1..=100).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if values.len() <= 10 && values.iter().all(is_one) {
        return Ok(());
    }
    refused("default_acr_values: name at most 10 values, each of 1 to 100 characters without spaces")
}

/// How it authenticates, and whether it has what that takes.
fn check_methods(configuration: &Configuration, has_secret: bool) -> Result<()> {
    let method = configuration.token_endpoint_auth_method;
    let goes_with_secret = if method.has_secret() == has_secret {
        Ok(())
    } else {
        refused(format!("token_endpoint_auth_method: {} and the secret do not go together", method.name()))
    };
    let others = &configuration.additional_auth_methods;
    let is_other_place = |other: &AuthMethod| method.has_secret() && other.has_secret() && *other != method;
    let names_other_place = if others.len() <= 1 && others.iter().all(is_other_place) {
        Ok(())
    } else {
        refused(
            "additional_auth_methods: name client_secret_post next to client_secret_basic, or the reverse",
        )
    };
    Error::every([goes_with_secret, names_other_place])
}

/// The addresses besides redirect URIs.
fn check_addresses(configuration: &Configuration) -> Result<()> {
    let audiences = configuration.identity_assertions.iter().map(|target| &target.audience);
    let of_pages = [
        ("logo_uri", &configuration.logo_uri),
        ("policy_uri", &configuration.policy_uri),
        ("tos_uri", &configuration.tos_uri),
        ("client_uri", &configuration.client_uri),
        ("sector_identifier_uri", &configuration.sector_identifier_uri),
        ("backchannel_logout_uri", &configuration.backchannel_logout_uri),
        ("initiate_login_uri", &configuration.initiate_login_uri),
    ];
    let addresses = of_pages.iter().filter_map(|(name, uri)| Some((*name, uri.as_ref()?)));
    let origins = configuration.allowed_origins.iter().filter(|origin| *origin != REDIRECT_ORIGINS);
    let all = audiences.map(|audience| ("identity_assertions", audience));
    let all = all.chain(addresses).chain(origins.map(|origin| ("allowed_origins", origin)));
    Error::every(all.map(|(name, uri)| check_address(name, uri)))
}

fn check_address(name: &str, uri: &str) -> Result<()> {
    if !is_web_uri(uri) {
        return refused(format!("{name}: {uri:?} is not an https URL"));
    }
    match name {
        "backchannel_logout_uri" if uri.contains('#') => {
            refused("backchannel_logout_uri: a fragment is not allowed")
        }
        "initiate_login_uri" if !uri.starts_with("https://") => refused("initiate_login_uri: use https"),
        _ => Ok(()),
    }
}

#[track_caller]
fn refused<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::invalid_client_metadata(why))
}

/// Keys, and what an application needs them for.
fn check_keys(configuration: &Configuration) -> Result<()> {
    let is_fapi2 = configuration.profile == Profile::Fapi2;
    let method = configuration.token_endpoint_auth_method;
    let has_key = method == AuthMethod::PrivateKeyJwt || method.is_certificate();
    let proves_by_key = if is_fapi2 && !has_key {
        refused(
            "token_endpoint_auth_method: the profile fapi2 needs private_key_jwt, tls_client_auth or \
             self_signed_tls_client_auth",
        )
    } else {
        Ok(())
    };
    let incoming = [
        configuration.token_endpoint_auth_signing_alg,
        configuration.request_object_signing_alg,
        configuration.backchannel_authentication_request_signing_alg,
    ];
    let mut all = incoming.into_iter().flatten().chain(configuration.signed_for_it());
    let goes_without_rsa = if is_fapi2 && all.any(|algorithm| algorithm == Algorithm::Rs256) {
        refused("the profile fapi2 goes without RS256")
    } else {
        Ok(())
    };
    Error::every([proves_by_key, check_key_source(configuration), goes_without_rsa])
}

/// Where the keys come from, if any are needed.
fn check_key_source(configuration: &Configuration) -> Result<()> {
    let Configuration { token_endpoint_auth_method: method, jwks, jwks_uri, .. } = configuration;
    let has_keys = [AuthMethod::PrivateKeyJwt, AuthMethod::SelfSignedTlsClientAuth].contains(method);
    let needs_keys = has_keys || configuration.require_signed_request_object;
    match (jwks, jwks_uri) {
        (Some(_), Some(_)) => refused("jwks: give either jwks or jwks_uri"),
        (None, None) if needs_keys => refused("jwks: give the public keys, as jwks or as jwks_uri"),
        (Some(jwks), None) => {
            let set = KeySet::from_json(jwks);
            let set =
                set.map_err(|error| Error::invalid_client_metadata(format!("jwks: {}", error.detail())))?;
            if set.is_empty() && !set.has_certificates() {
                return refused("jwks: no key is a public EC P-256, OKP Ed25519 or RSA key for signatures");
            }
            Ok(())
        }
        (None, Some(uri)) if !is_web_uri(uri) => refused("jwks_uri: use an https URL"),
        (None, _) => Ok(()),
    }
}
