//! Accounts at other providers and on block chains that open this one: added by signing in there or with them, taken away here.

use svc_core::Result;
use svc_domain::people::credentials::Kind;
use svc_domain::people::credentials::identities::{self, Identity};
use svc_http::{Params, Response};

use super::super::own::credentials::remove;
use super::second_factors::told;
use super::section::{Acted, Answering, Here, Section, Told, Whose, unknown_action};
use crate::pages::{AccountIdentities, AccountIdentity, IdentityProvider, Kept, Link, MessageKey};
use crate::signin::linked::begin_url;
use crate::signin::methods;
use crate::signin::siwe;
use crate::signin::social::offered;

/// The section.
pub const SECTION: Section = Section {
    id: "identities",
    title: "account-identities",
    path: "/account/identities",
    is_offered: |host| !offered(host).is_empty() || siwe::is_offered(host),
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let host = &here.visit.host;
    let providers = offered(host);
    let held = identities::of(&mut host.read().await?, here.session.person.account_id).await?;
    let name = |identity: &Identity| {
        let known = providers.iter().find(|provider| provider.id == identity.provider);
        match (identity.chain_account(), known) {
            (Some(_), _) => siwe::NAME.to_owned(),
            (None, Some(provider)) => provider.name.clone(),
            (None, None) => identity.provider_name.as_ref().unwrap_or(&identity.provider).clone(),
        }
    };
    let url = |way| begin_url(here.visit, &here.session, way).map(Link::from);
    let others = providers.iter().filter(|one| held.iter().all(|(_, identity)| identity.provider != one.id));
    let mut add = Vec::new();
    for provider in others {
        let url = url((methods::social::METHOD.id, Some(&provider.id)))?;
        add.push(IdentityProvider { id: provider.id.as_str().into(), name: (&provider.name).into(), url });
    }
    if siwe::is_offered(host) {
        let url = url((methods::siwe::METHOD.id, None))?;
        add.push(IdentityProvider { id: siwe::PROVIDER.into(), name: siwe::NAME.into(), url });
    }
    let page = AccountIdentities {
        add,
        identities: held
            .iter()
            .map(|(credential, identity)| AccountIdentity {
                kept: Kept::of(credential),
                provider: name(identity).into(),
            })
            .collect(),
        frame: here.frame(told)?,
    };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    match form.required("action")? {
        "remove" => {
            let removed = remove(&here.own(), form.id("credential")?, &[Kind::Identity]).await?;
            Ok(told(removed, MessageKey::CredentialRemoved))
        }
        _ => Err(unknown_action()),
    }
}
