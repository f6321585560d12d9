//! What the person has answered to what the tenant asks for, and may change.

use svc_core::Result;
use svc_domain::people::fields::Field;
use svc_domain::people::intake::{Open, Owed};
use svc_http::{Params, Response};

use super::super::own::details::{questions, save};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AccountDetails, MessageKey};
use crate::signin::intake::{Typed, input, part};

/// The section.
pub const SECTION: Section = Section {
    id: "details",
    title: "account-details",
    path: "/account/details",
    is_offered: |host| {
        host.app.services.intakes.at_hand(host.tenant.id).is_some_and(|intake| intake.has_fields())
    },
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> {
        Box::pin(async move {
            let metadata = here.session.person.metadata.clone();
            page(&here, told, Typed::Kept(&metadata)).await
        })
    },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn page(here: &Here<'_>, told: Told, typed: Typed<'_>) -> Result<Response> {
    let (questions, language) = (questions(&here.own()).await?, here.visit.locale.as_str());
    let part_of = |fields: Vec<&Field>, typed| {
        part(&Open { terms: Vec::new(), fields, owed: Owed::Optional }, language, typed).fields
    };
    let metadata = &here.session.person.metadata;
    let mut all = crate::pages::Intake::default();
    for field in questions.fields() {
        // What the person cannot change is shown as it is kept, whatever was sent.
        let typed =
            if field.content.editable && was_asked(here, field) { typed } else { Typed::Kept(metadata) };
        all.fields.extend(part_of(vec![field], typed));
    }
    let editable = questions.fields().filter(|field| field.content.editable);
    let asked: Vec<&str> = editable.map(|field| field.content.name.as_str()).collect();
    let page = AccountDetails {
        frame: here.frame_with(told, Some(asked.join(" ")))?,
        intake: all,
        may_change: !asked.is_empty(),
    };
    here.visit.page(&page)
}

/// Whether the form that was sent asks for a field. To one that has come since the page was shown, its silence is no answer.
fn was_asked(here: &Here<'_>, field: &Field) -> bool {
    let is_it = |name: &str| name == field.content.name;
    here.memory.as_deref().is_none_or(|asked| asked.split(' ').any(is_it))
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let own = here.own();
    let questions = questions(&own).await?;
    let mut answers = Vec::new();
    for field in questions.fields().filter(|field| field.content.editable && was_asked(&here, field)) {
        let Ok(answer) = field.typed(form.one(&input(field))) else {
            let told = Told { error: Some(MessageKey::AnswersIncomplete), ..Told::default() };
            return page(&here, told, Typed::Sent(form)).await.map(Acted::Shown);
        };
        answers.push((field, answer));
    }
    save(&own, answers).await?;
    Ok(Acted::Done(MessageKey::DetailsSaved))
}
