//! The UserInfo endpoint (OpenID Connect Core §5.3): what a person has consented to tell the application, by scope or by
//! name; the access token says both.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use svc_core::{Class, Error, OrInternal as _};
use svc_domain::apps::App;
use svc_domain::claims::claims_request::within;
use svc_domain::claims::custom::{self, CustomClaim};
use svc_domain::claims::profile::{CLAIMS_OF_SCOPES, unlocks};
use svc_domain::organizations::{self, Place};
use svc_domain::people::directory::EndUser;
use svc_domain::tokens::access_token::{self, Claims, OrganizationContext, SubjectType};
use svc_http::dpop::Covered;
use svc_http::{
    Credential, Form, FormOf, HeaderMap, HostCx, IntoResponse, Method, NoStore, Params, Problem, Request,
    RequestParts, Response, Route, Routes, Scheme, Uri, challenged_scheme, check_token, count_bearer, header,
};
use svc_keys::jose::{Signer, Typ};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use super::interaction::{Named, named};
use crate::authorize::Reads;
use crate::register::origins;

const PATH: &str = "/userinfo";
const PEOPLE: &[SubjectType] = &[SubjectType::Human, SubjectType::Anonymous];
const WHY: &str = "the bearer token is the credential";

/// The routes of this endpoint; GET and POST are the same but for where the token may stand.
pub fn routes() -> Routes {
    Routes::new([
        documented(Route::get(PATH).public(WHY, by_get)),
        documented(Route::post(PATH).public(WHY, by_post)).forms(|| vec![form()]),
    ])
}

fn documented(route: Route) -> Route {
    route
        .cors(origins::registered())
        .summary("Claims about the signed-in person")
        .describe(
            "Takes an access token with the scope `openid` that is for no API. Answers with a signed JWT where the \
             application registered `userinfo_signed_response_alg`.",
        )
        .bearer()
        .returns::<UserInfo>(200)
        .returns_text(200, "application/jwt")
}

fn form() -> FormOf {
    let reads = Reads { needed: &[], usual: &[], taken: &[&["access_token"]] };
    reads.form("UserInfoRequest", "The access token, where no header carries it.")
}

/// The claims that scopes unlock, or that were asked for by name (OpenID Connect Core §5.3.2).
struct UserInfo;

impl PartialSchema for UserInfo {
    fn schema() -> RefOr<Schema> {
        let of = |kind: Type| ObjectBuilder::new().schema_type(SchemaType::new(kind));
        let subject = of(Type::String).description(Some("The subject within tenant and application."));
        let text = "The claims that the scope of the token unlocks, and those that were asked for by name.";
        let claims = ObjectBuilder::new().description(Some(text)).property("sub", subject).required("sub");
        // The tenant's own.
        let claims = claims.additional_properties(Some(AdditionalProperties::FreeForm(true)));
        // Where the answer is signed it has these two.
        let claims = claims.property("iss", of(Type::String)).property("aud", of(Type::String));
        let claims = claims.property("org", OrganizationContext::schema());
        let names =
            CLAIMS_OF_SCOPES.iter().flat_map(|(scope, names)| names.iter().map(move |name| (scope, name)));
        let claims = names.fold(claims, |claims, (scope, name)| {
            let text = format!("With the scope `{scope}`.");
            let schema = match *name {
                "email_verified" | "phone_number_verified" => of(Type::Boolean),
                "updated_at" => of(Type::Integer),
                "address" => of(Type::Object),
                "roles" | "groups" => {
                    return claims.property(
                        *name,
                        ArrayBuilder::new().items(of(Type::String)).description(Some(text)),
                    );
                }
                _ => of(Type::String),
            };
            claims.property(*name, schema.description(Some(text)))
        });
        claims.into()
    }
}

impl ToSchema for UserInfo {
    fn name() -> Cow<'static, str> {
        "UserInfo".into()
    }
}

/// Answers `HEAD` too, and a proof names the method of its own request.
async fn by_get(host: HostCx, request: Request) -> (Named, Result<Response, Problem>) {
    let (RequestParts { headers, method, uri, .. }, _) = request.into_parts();
    let covered = Covered { headers: &headers, method: &method, path: PATH };
    (named(&host, &headers), answer(&host, &covered, in_header(&headers, &uri)).await)
}

async fn by_post(
    host: HostCx,
    headers: HeaderMap,
    uri: Uri,
    form: Option<Form>,
) -> (Named, Result<Response, Problem>) {
    let in_form = form.as_ref().and_then(|Form(params)| params.one("access_token"));
    let sent = match in_form {
        Some(_) if headers.contains_key(header::AUTHORIZATION) || has_token_in_query(&uri) => {
            Err(sent_twice())
        }
        Some(token) => Ok(Credential { scheme: Scheme::Bearer, token }),
        None => in_header(&headers, &uri),
    };
    let covered = Covered { headers: &headers, method: &Method::POST, path: PATH };
    (named(&host, &headers), answer(&host, &covered, sent).await)
}

async fn answer(
    host: &HostCx,
    covered: &Covered<'_>,
    sent: Result<Credential<'_>, Error>,
) -> Result<Response, Problem> {
    let sent = sent.map_err(|error| challenged(host, Scheme::Bearer, error))?;
    let claims = verified(host, sent.token).map_err(|error| challenged(host, sent.scheme, error))?;
    let proven = check_token(host, covered, &sent, &claims).await;
    proven.map_err(|error| challenged(host, challenged_scheme(&claims), error))?;
    count_bearer(host, &claims)?;
    respond(host, &claims).await.map_err(|error| challenged(host, sent.scheme, error))
}

fn in_header<'a>(headers: &'a HeaderMap, uri: &Uri) -> Result<Credential<'a>, Error> {
    let sent = Credential::of(headers)?;
    if has_token_in_query(uri) { Err(sent_twice()) } else { Ok(sent) }
}

/// Addresses end up in logs: a token there is no credential (RFC 6750 §2.3), and with another it is a fault.
fn has_token_in_query(uri: &Uri) -> bool {
    Params::parse(uri.query().unwrap_or_default()).is_ok_and(|query| query.has("access_token"))
}

fn sent_twice() -> Error {
    Error::invalid_request("send the access token once, in the header or in the form")
}

/// The challenge of RFC 6750 §3 or RFC 9449 §7.1; a request without a token gets no error code. It names no metadata: that of the
/// management API would lead to a token that is refused here (RFC 9728 §3.3).
fn challenged(host: &HostCx, scheme: Scheme, error: Error) -> Problem {
    let class = error.class();
    let is_told = [Class::InvalidToken, Class::InsufficientScope, Class::UnprovenKey, Class::StaleDpopNonce]
        .contains(&class);
    let told = is_told.then(|| (class.code(), error.detail()));
    let scope = (class == Class::InsufficientScope).then_some("openid");
    let challenge = scheme.undescribed_challenge(host, told, scope);
    let problem = Problem::from(error);
    if [401, 403].contains(&class.status()) { problem.challenge(&challenge) } else { problem }
}

fn verified(host: &HostCx, token: &str) -> Result<Claims, Error> {
    let services = &host.app.services;
    let claims =
        access_token::verify(&services.keys.ring(host.tenant.id), token, &host.tenant.issuer, host.cx.now)?;
    if claims.tenant_id != host.tenant.id.reference() || services.revocations.is_revoked(&claims) {
        return Err(refused());
    }
    // An API that receives a token cannot read its person's claims with it.
    if claims.aud != host.tenant.issuer {
        return Err(Error::invalid_token(
            "the access token is for another API; ask for one without resource to call UserInfo",
        ));
    }
    if !claims.scope.has("openid") || !PEOPLE.contains(&claims.subject_type) {
        return Err(Error::insufficient_scope("the access token lacks the scope openid"));
    }
    Ok(claims)
}

fn refused() -> Error {
    Error::invalid_token("the access token is not valid")
}

async fn respond(host: &HostCx, claims: &Claims) -> Result<Response, Error> {
    let services = &host.app.services;
    let person = services.people.find_by_subject(host.tenant.id, &claims.sub).await?;
    let person = person.filter(EndUser::may_sign_in).ok_or_else(refused)?;
    let app = services.apps.find(host.tenant.id, &claims.client_id).await?;
    let named = match &app {
        Some(app) => within(&claims.userinfo_claims, &app.configuration.scope),
        None => BTreeSet::new(),
    };
    let is_told = |name: &str| unlocks(&claims.scope, name) || named.contains(name);
    let mut answer = person.known().claims_where(is_told);
    answer.insert("sub".to_owned(), json!(claims.sub));
    if let Some(app) = &app {
        answer.extend(custom_claims(host, (&person, claims), &app.configuration.custom_claims).await?);
    }
    if let Some(org) = &claims.org {
        answer.insert("org".to_owned(), json!(org));
    }
    signed_or_plain(host, claims, app.as_deref(), answer).await
}

/// The claims of the tenant's own; what they say of the organization is read where one of them says anything of it.
async fn custom_claims(
    host: &HostCx,
    (person, claims): (&EndUser, &Claims),
    wanted: &[CustomClaim],
) -> Result<Map<String, Value>, Error> {
    let place = match &claims.org {
        Some(org) if custom::need_organization(wanted) => {
            organizations::place(&mut host.read().await?, person.id(), org.id).await?
        }
        _ => None,
    };
    Ok(custom::made(wanted, person.facts(place.as_ref().map(Place::facts))))
}

/// Signed when the application registered `userinfo_signed_response_alg`.
async fn signed_or_plain(
    host: &HostCx,
    claims: &Claims,
    app: Option<&App>,
    mut told: Map<String, Value>,
) -> Result<Response, Error> {
    let Some(algorithm) = app.and_then(|app| app.configuration.userinfo_signed_response_alg) else {
        return Ok(NoStore(told).into_response());
    };
    told.insert("iss".to_owned(), json!(claims.iss));
    told.insert("aud".to_owned(), json!(claims.client_id));
    let payload = serde_json::to_vec(&told).or_internal()?;
    let keys = &host.app.services.keys;
    keys.publish(host.tenant.id.reference(), algorithm);
    let token = keys.ring(host.tenant.id).sign(algorithm, Typ::Jwt, &payload).await?;
    let headers = [(header::CONTENT_TYPE, "application/jwt"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, token).into_response())
}
