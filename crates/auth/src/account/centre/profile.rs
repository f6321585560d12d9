//! The profile of the person: the claims of the scope `profile` (OpenID Connect Core §5.4).

use svc_core::Result;
use svc_http::{Params, Response};

use super::super::own::profile::{Names, set};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AccountProfile, MessageKey};

/// The section.
pub const SECTION: Section = Section {
    id: "profile",
    title: "account-profile",
    path: "/account/profile",
    is_offered: |_| true,
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(async move { show(&here, told) }) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

fn show(here: &Here<'_>, told: Told) -> Result<Response> {
    let profile = &here.session.person.profile;
    let text = |value: &Option<String>| value.as_deref().unwrap_or_default().into();
    let page = AccountProfile {
        frame: here.frame(told)?,
        name: text(&profile.name),
        given_name: text(&profile.given_name),
        family_name: text(&profile.family_name),
        nickname: text(&profile.nickname),
    };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    // What the form does not have stays as it is.
    let typed = |member, present| form.one(member).map(str::to_owned).or(present);
    let names = |present: Names| {
        Ok(Names {
            name: typed("name", present.name),
            given_name: typed("given_name", present.given_name),
            family_name: typed("family_name", present.family_name),
            nickname: typed("nickname", present.nickname),
            locale: present.locale,
        })
    };
    Ok(match set(&here.own(), names).await? {
        Ok(()) => Acted::Done(MessageKey::ProfileSaved),
        Err(denied) => Acted::Fault(denied.message()),
    })
}
