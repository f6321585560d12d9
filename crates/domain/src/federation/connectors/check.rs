//! What a connector may be: its words and addresses, what goes with a preset or without one, and its client secret.

use svc_core::text::is_visible;
use svc_core::{Error, Result, Scope, Secret};
use svc_keys::jose::SigningKey;

use super::{Configuration, Preset};
use crate::checks::{is_line, require};
use crate::web_uri::is_web_uri;

/// Longest secret that providers give, and longest key.
const LONGEST_SECRET: usize = 4096;

/// Refuses a configuration that could not work.
pub(super) fn configuration(wanted: &Configuration) -> Result<()> {
    let Configuration { name, display_name, client_id, scopes, preset, .. } = wanted;
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_scope = |scope: &String| scope.parse::<Scope>().is_ok_and(|one| one.iter().count() == 1);
    let is_address = |address: &str| is_web_uri(address) && !address.contains(['#', '?']);
    let claims = [&wanted.subject_claim, &wanted.email_claim, &wanted.name_claim];
    let wrong = wanted.addresses().filter(|(_, address)| !is_address(address)).map(|(member, _)| {
        Err(Error::bad_request(format!("{member}: give an https URL without query and fragment")))
    });
    let checks = [
        require(
            (1..=40).contains(&name.len()) && name.bytes().all(is_letter),
            "name: use 1 to 40 lower-case letters, digits and hyphens",
        ),
        require(
            display_name.as_ref().is_none_or(|name| is_line(name, 120) && is_visible(name)),
            "display_name: use 1 to 120 characters without control characters, of which one can be seen",
        ),
        require(is_line(client_id, 255), "client_id: use 1 to 255 characters without control characters"),
        require(
            scopes.len() <= 20 && scopes.iter().all(is_scope),
            "scopes: name at most 20 scopes, each by itself",
        ),
        require(
            claims.into_iter().all(|claim| is_line(claim, 255)),
            "subject_claim, email_claim, name_claim: use 1 to 255 characters without control characters",
        ),
        match preset {
            Some(preset) => of_preset(wanted, *preset),
            None => without_preset(wanted),
        },
    ];
    Error::every(checks.into_iter().chain(wrong))
}

/// Refuses what would let the names by which people are bound mean others: another member with the name, or another who says where the
/// provider is.
pub(super) fn same_people(new: &Configuration, present: &Configuration) -> Result<()> {
    require(
        new.subject_claim == present.subject_claim,
        "subject_claim: people are bound by what it names; make another connector for another one",
    )?;
    require(
        new.is_of_tenants_choice() == present.is_of_tenants_choice(),
        "preset, base_url: a connector stays at the public address of a preset, or at yours; make another connector",
    )
}

/// A preset knows all but where the provider is, and what it calls us.
fn of_preset(wanted: &Configuration, preset: Preset) -> Result<()> {
    let is_elsewhere = wanted.addresses().any(|(member, _)| member != "base_url");
    require(
        !is_elsewhere,
        "preset: leave out issuer and endpoints, which it knows, or leave out the preset",
    )?;
    require(
        wanted.leaves_the_rest(),
        "preset: leave out client_auth, pkce, scopes and claims, which it knows, or leave out the preset",
    )?;
    let is_id = |text: &Option<String>| {
        text.as_ref()
            .is_some_and(|text| (1..=255).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic()))
    };
    if preset == Preset::Apple {
        require(is_id(&wanted.team_id), "team_id: give the id of the team that Apple made")?;
        return require(is_id(&wanted.key_id), "key_id: give the id of the key that Apple made");
    }
    no_apple(wanted)
}

fn without_preset(wanted: &Configuration) -> Result<()> {
    no_apple(wanted)?;
    require(wanted.base_url.is_none(), "base_url: leave it out, it is for presets")?;
    let endpoints = [
        ("authorization_endpoint", &wanted.authorization_endpoint),
        ("token_endpoint", &wanted.token_endpoint),
        ("userinfo_endpoint", &wanted.userinfo_endpoint),
    ];
    if wanted.issuer.is_some() {
        require(
            endpoints.iter().all(|(_, address)| address.is_none()),
            "issuer: leave out the endpoints, which its metadata name, or leave out the issuer",
        )?;
        return require(
            wanted.scopes.iter().any(|scope| scope == "openid"),
            "scopes: an OpenID provider is asked for `openid`; add it",
        );
    }
    match endpoints.iter().find(|(_, address)| address.is_none()) {
        Some(_) if endpoints.iter().all(|(_, address)| address.is_none()) => Err(Error::bad_request(
            "preset: say which provider it is: by preset, by issuer, or by the three endpoints of OAuth 2.0",
        )),
        Some((member, _)) => Err(Error::bad_request(format!(
            "{member}: give it; a provider without issuer has three endpoints"
        ))),
        None => Ok(()),
    }
}

fn no_apple(wanted: &Configuration) -> Result<()> {
    require(
        wanted.team_id.is_none() && wanted.key_id.is_none(),
        "team_id, key_id: leave them out, they are for the preset apple",
    )
}

/// Refuses a secret that no provider gives, and a client that nothing would protect.
pub(super) fn secret(wanted: &Configuration, given: Option<&Secret>, is_kept: bool) -> Result<()> {
    let fits = |text: &str| {
        let is_allowed = |byte: u8| (b' '..=b'~').contains(&byte);
        (1..=LONGEST_SECRET).contains(&text.len()) && text.bytes().all(is_allowed)
    };
    match (wanted.preset, given) {
        (Some(Preset::Apple), Some(key)) => {
            let key_id = wanted.key_id.as_deref().unwrap_or_default();
            let read = SigningKey::given(key_id, key.expose());
            read.map(drop).map_err(|_| {
                Error::bad_request(
                    "client_secret: give the key that Apple made, as the text of its file (PEM, PKCS #8)",
                )
            })
        }
        (_, Some(secret)) => {
            require(fits(secret.expose()), "client_secret: use 1 to 4096 printable ASCII characters")
        }
        (Some(_), None) => {
            require(is_kept, "client_secret: give the secret that the provider made for `client_id`")
        }
        (None, None) => require(
            is_kept || wanted.pkce,
            "pkce: switch it on, or give client_secret: nothing else protects a client without a secret",
        ),
    }
}
