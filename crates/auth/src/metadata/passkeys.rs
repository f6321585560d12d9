//! What browsers and apps ask a host about passkeys: origins under other domains where they work (WebAuthn §5.11), and the apps
//! that share them (Digital Asset Links, Apple's associated domains).

use serde::Serialize;
use serde_json::json;
use svc_config::{Passkey, PasskeysOfDomains};
use svc_core::{Error, OrInternal as _, Result};
use svc_domain::tenancy::tenants;
use svc_http::{HostCx, Problem, Route, Routes, StaticDocument};
use utoipa::ToSchema;

/// The routes of the published documents.
pub fn routes() -> Routes {
    let why = "published metadata";
    Routes::new([
        Route::get("/.well-known/webauthn")
            .public(why, origins)
            .summary("Origins that share the passkeys of this host")
            .returns::<RelatedOrigins>(200),
        Route::get("/.well-known/assetlinks.json")
            .public(why, android)
            .summary("Android apps that share the passkeys of this host")
            .returns::<Vec<AssetLink>>(200),
        Route::get("/.well-known/apple-app-site-association")
            .public(why, apple)
            .summary("Apple apps that share the passkeys of this host")
            .returns::<AppleApps>(200),
    ])
}

async fn origins(host: HostCx) -> Result<StaticDocument, Problem> {
    let section = section(&host);
    let mut origins: Vec<_> =
        section.related_origins.iter().map(|origin| origin.as_str().to_owned()).collect();
    if host.app.config.passkey.custom_domains == PasskeysOfDomains::Shared {
        let domains = tenants::custom_domains(&mut host.app.db.read_system().await?).await?;
        let further = domains.into_iter().map(|domain| format!("https://{domain}"));
        origins.extend(
            further.filter(|origin| !section.related_origins.iter().any(|one| one.as_str() == origin)),
        );
    }
    published(!origins.is_empty(), &RelatedOrigins { origins })
}

async fn android(host: HostCx) -> Result<StaticDocument, Problem> {
    let link = |(package, fingerprint): (&str, &str)| AssetLink {
        relation: ["delegate_permission/common.get_login_creds"],
        target: json!({
            "namespace": "android_app",
            "package_name": package,
            "sha256_cert_fingerprints": [fingerprint.to_ascii_uppercase()],
        }),
    };
    let links: Vec<_> = section(&host).android_apps().map(link).collect();
    published(!links.is_empty(), &links)
}

async fn apple(host: HostCx) -> Result<StaticDocument, Problem> {
    let apps = section(&host).apple_apps.clone();
    published(!apps.is_empty(), &AppleApps { webcredentials: WebCredentials { apps } })
}

fn section(host: &HostCx) -> &Passkey {
    &host.app.config.passkey
}

fn published<T: Serialize>(has_any: bool, document: &T) -> Result<StaticDocument, Problem> {
    if !has_any {
        return Err(Error::not_found("nothing is configured that this document would name").into());
    }
    Ok(StaticDocument::json(serde_json::to_vec(document).or_internal()?))
}

/// Origins that share passkeys (WebAuthn §5.11).
#[derive(Serialize, ToSchema)]
struct RelatedOrigins {
    /// The origins.
    origins: Vec<String>,
}

/// An Android app that shares passkeys (Digital Asset Links).
#[derive(Serialize, ToSchema)]
struct AssetLink {
    /// What is shared: credentials.
    relation: [&'static str; 1],
    /// The app: its package name and the fingerprint of its certificate.
    target: serde_json::Value,
}

/// Apple apps that share passkeys.
#[derive(Serialize, ToSchema)]
struct AppleApps {
    /// The apps.
    webcredentials: WebCredentials,
}

/// The apps that share credentials.
#[derive(Serialize, ToSchema)]
struct WebCredentials {
    /// Their app ids.
    apps: Vec<String>,
}
