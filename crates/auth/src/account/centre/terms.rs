//! The documents that the person has accepted, and when; and those that they can accept.

use svc_core::{Result, TermsId};
use svc_domain::people::intake::{Open, Owed};
use svc_domain::people::terms::Acceptance;
use svc_http::{Params, Response};

use super::super::own::terms::{accept, documents};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AcceptedTerms, AccountTerms, MessageKey};
use crate::signin::intake::{Typed, accepts, part};

/// The section.
pub const SECTION: Section = Section {
    id: "terms",
    title: "account-terms",
    path: "/account/terms",
    is_offered: |host| {
        host.app.services.intakes.at_hand(host.tenant.id).is_some_and(|intake| intake.has_terms())
    },
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let documents = documents(&here.own()).await?;
    let open = Open { terms: documents.acceptable(), fields: Vec::new(), owed: Owed::Optional };
    let page = AccountTerms {
        intake: part(&open, here.visit.locale.as_str(), Typed::Nothing),
        accepted: documents.accepted.iter().rev().map(shown).collect(),
        frame: here.frame(told)?,
    };
    here.visit.page(&page)
}

fn shown(acceptance: &Acceptance) -> AcceptedTerms {
    AcceptedTerms {
        title: (&acceptance.shown.title).into(),
        url: (&acceptance.shown.url).into(),
        label: (&acceptance.shown.label).into(),
        lang: (&acceptance.shown.language).into(),
        at: acceptance.accepted_at.to_string().into(),
    }
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let own = here.own();
    let documents = documents(&own).await?;
    let accepted = documents.acceptable().into_iter().filter(|terms| accepts(terms, form));
    let ids: Vec<TermsId> = accepted.map(|terms| terms.id).collect();
    if ids.is_empty() {
        return Ok(Acted::Fault(MessageKey::TermsNotAccepted));
    }
    accept(&own, &ids, (here.visit.locale.as_str(), None)).await?;
    Ok(Acted::Done(MessageKey::TermsAccepted))
}
