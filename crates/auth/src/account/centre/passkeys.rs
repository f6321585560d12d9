//! Passkeys and security keys of a person (WebAuthn §7.1): made by the browser for this host, named and removed here.

use serde_json::json;
use svc_core::Result;
use svc_domain::people::credentials::Kind;
use svc_domain::people::credentials::passkeys::{self, Use};
use svc_http::{IntoResponse, Json, Params, Response};

use super::super::first_passkey::party;
use super::super::own::credentials::{remove, rename};
use super::super::own::passkeys::{add, ask};
use super::second_factors::told;
use super::section::{Acted, Answering, Here, Section, Told, Whose, unknown_action};
use crate::pages::{AccountPasskey, AccountPasskeys, Kept, MessageKey};
use crate::signin::methods::passkey::relying_party;

/// The section.
pub const SECTION: Section = Section {
    id: "passkeys",
    title: "account-passkeys",
    path: "/account/passkeys",
    is_offered: |host| relying_party(host).is_some(),
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let (host, party) = (&here.visit.host, party(&here.visit.host)?);
    let keys = passkeys::list(&mut host.read().await?, here.session.person.account_id).await?;
    let all = keys.into_iter().map(|(credential, passkey)| AccountPasskey {
        kept: Kept::of(&credential),
        is_security_key: passkey.purpose == Use::SecurityKey,
        is_backed_up: passkey.is_backed_up,
        works_at: (!party.knows(&passkey)).then(|| passkey.rp_id.as_str().into()),
    });
    let page = AccountPasskeys { keys: all.collect(), frame: here.frame(told)? };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let own = here.own();
    match form.required("action")? {
        "add" => match here.memory.as_deref().filter(|_| form.has("answer")) {
            Some(creation) => {
                let answer = form.one("answer").unwrap_or_default();
                let added = add(&own, &party(&own.host)?, (creation, answer, None)).await?;
                Ok(told(added, MessageKey::CredentialAdded))
            }
            None => challenge(&here, form).await,
        },
        "rename" => {
            let name = form.one("name").unwrap_or_default();
            Ok(told(rename(&own, (form.id("credential")?, name)).await?, MessageKey::CredentialRenamed))
        }
        "remove" => {
            let removed = remove(&own, form.id("credential")?, &[Kind::Passkey]).await?;
            Ok(told(removed, MessageKey::CredentialRemoved))
        }
        _ => Err(unknown_action()),
    }
}

/// The challenge for the script of the page, and the state that its form sends on.
async fn challenge(here: &Here<'_>, form: &Params) -> Result<Acted> {
    let new = ask(&here.own(), form.required("use")?).await?;
    let flow = here.frame_with(Told::default(), Some(new.creation))?.form.flow;
    Ok(Acted::Shown(Json(json!({ "flow": flow, "shown": new.shown })).into_response()))
}
