//! A tenant as the client of an organization's provider, and how it reads what the provider says.

use serde_json::{Map, Value};
use svc_core::{Error, Result};
use svc_domain::federation::sso::{self as records, ClientAuth, Configuration, Connection};
use svc_http::{ChosenBy, HostCx, Params};
use svc_keys::Purpose;

use super::claims::{UserClaims, Vouched};
use crate::hosted::Visit;
use crate::signin::provider::{self, Asks, Authentication, Away, Registration, Renewal, Speaks};

/// Longest address that is read.
const LONGEST: usize = 320;
/// Most groups that are read.
const MOST_GROUPS: usize = 1000;

/// The address at the provider of a connection, and what to keep for the way back.
pub async fn leave(visit: &Visit, connection: &Connection, asks: Asks<'_>) -> Result<(String, Away)> {
    let client = client(&visit.host, connection).await?;
    provider::leave(visit, &client, (&connection.id.to_string(), asks)).await
}

/// What the provider of a connection says, by the answer that the browser brings back.
pub async fn redeem(
    visit: &Visit,
    connection: &Connection,
    away: &Away,
    params: &Params,
) -> Result<UserClaims> {
    let client = client(&visit.host, connection).await?;
    let proven = provider::redeem(visit, &client, away, params).await?;
    Ok(UserClaims { seen_at: proven.seen_at, ..user_claims(connection, &proven.document)? })
}

pub async fn client(host: &HostCx, connection: &Connection) -> Result<Registration> {
    let configuration = &connection.configuration;
    let issuer = configuration.issuer.clone();
    let renewal = Renewal::of_issuer(&issuer);
    Ok(Registration {
        speaks: Speaks::OpenId { at: issuer.clone(), issuer },
        chosen_by: ChosenBy::Tenant,
        client_id: configuration.client_id.clone(),
        authentication: authentication(host, connection).await?,
        scopes: configuration.scopes.clone(),
        redirect_uri: format!("{}{}", host.tenant.issuer, connection.return_path),
        uses_pkce: true,
        reads: configuration.reads(),
        answers_by_form: false,
        renewal,
    })
}

async fn authentication(host: &HostCx, connection: &Connection) -> Result<Authentication> {
    let how = connection.configuration.client_auth;
    if how == ClientAuth::PrivateKeyJwt {
        return Ok(Authentication::PrivateKeyJwt);
    }
    let sealer = host.app.services.sealers.of(host.tenant.id, Purpose::Credentials, &host.cx).await?;
    let secret = records::client_secret(connection, host.tenant.id.reference(), &sealer)?;
    let secret = secret.ok_or_else(|| Error::conflict("the connection has no client secret"))?;
    Ok(match how {
        ClientAuth::ClientSecretPost => Authentication::Post(secret),
        ClientAuth::ClientSecretBasic | ClientAuth::PrivateKeyJwt => Authentication::Basic(secret),
    })
}

fn user_claims(connection: &Connection, claims: &Map<String, Value>) -> Result<UserClaims> {
    let configuration = &connection.configuration;
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    let subject = text("sub").filter(|sub| (1..=255).contains(&sub.len()));
    let subject = subject.ok_or_else(|| Error::conflict("the provider's ID token: sub"))?;
    let line = |name: &str| {
        let text = text(name)?.trim();
        ((1..=LONGEST).contains(&text.len()) && !text.chars().any(char::is_control)).then(|| text.to_owned())
    };
    let vouched = Vouched {
        connection: connection.id,
        issuer: configuration.issuer.clone(),
        subject: subject.to_owned(),
        sid: text("sid").filter(|sid| sid.len() <= 255).map(str::to_owned),
        is_strong: configuration.trusted_assurance && has_second_factor(configuration, claims),
    };
    let mapping = &configuration.claims;
    Ok(UserClaims {
        vouched,
        seen_at: None,
        email: line(&mapping.email),
        name: line(&mapping.name),
        groups: claims.get(&mapping.groups).map(groups),
        domain: configuration.domain_claim().and_then(line),
    })
}

/// Whether the provider says that it saw several factors: by `mfa` (RFC 8176 §2), or by an `acr` that stands for that.
fn has_second_factor(configuration: &Configuration, claims: &Map<String, Value>) -> bool {
    let amr = claims.get("amr").and_then(Value::as_array);
    let acr = claims.get("acr").and_then(Value::as_str);
    let is_known = |acr: &str| configuration.second_factor_acr_values.iter().any(|known| known == acr);
    amr.is_some_and(|amr| amr.iter().any(|value| value == "mfa")) || acr.is_some_and(is_known)
}

fn groups(value: &Value) -> Vec<String> {
    let many = value.as_array().into_iter().flatten();
    many.chain([value]).filter_map(Value::as_str).take(MOST_GROUPS).map(str::to_owned).collect()
}
