//! A guest keeps the account: by an address that they prove, behind whose link they choose a password or a passkey, or by an account at
//! another provider. What the page says is the same whether another account has the address or not.

use svc_core::{Result, Scope};
use svc_domain::people::accounts::Email;
use svc_http::{Params, Response, StatusCode};

use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::hosted::{captcha, mail};
use crate::pages::{AccountKeep, IdentityProvider, MessageKey, RegisterSent};
use crate::signin::linked::keep_url;
use crate::signin::offers;
use crate::signin::pre_registration::{self, Registration};
use crate::signin::sign_up_letter;
use crate::signin::social::offered;

const PATH: &str = "/account/keep";

/// The section.
pub const SECTION: Section = Section {
    id: "keep",
    title: "account-keep",
    path: PATH,
    is_offered: offers::sign_up,
    is_sensitive: false,
    whose: Whose::Guests,
    show: |here, told| -> Answering<'_, Response> {
        Box::pin(async move { show(&here, told, ("", StatusCode::OK)) })
    },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

fn show(here: &Here<'_>, told: Told, (typed, status): (&str, StatusCode)) -> Result<Response> {
    // The account of a guest is kept by a proven address.
    let proving = offered(&here.visit.host).into_iter().filter(|provider| !provider.counts_here_alone);
    let providers = proving.map(|provider| {
        Ok(IdentityProvider {
            id: provider.id.as_str().into(),
            name: (&provider.name).into(),
            url: keep_url(here.visit, &provider.id)?.into(),
        })
    });
    let providers = providers.collect::<Result<_>>()?;
    let mut frame = here.frame(told)?;
    frame.form = frame.form.asking(captcha::widget(here.visit));
    here.visit.page_as(status, &AccountKeep { frame, email: typed.into(), providers }, None)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let (visit, typed) = (here.visit, form.one("email").unwrap_or_default());
    let again = |error, status| again(&here, (typed, status), error);
    let Ok(email) = Email::parse(typed) else { return again(MessageKey::EmailInvalid, StatusCode::OK) };
    if let Some(error) = captcha::judge_again(visit, form).await?.fault() {
        return again(error, StatusCode::OK);
    }
    if let Some(error) = mail::too_many(visit, "register").await {
        return again(error, StatusCode::TOO_MANY_REQUESTS);
    }
    let Some(app) = pre_registration::app_of_guest(&visit.host, &here.session.person).await? else {
        return again(MessageKey::RegistrationUnavailable, StatusCode::OK);
    };
    let registration =
        Registration { app: &app, scope: &Scope::default(), audience: &visit.host.tenant.issuer };
    if let Some((error, status)) = pre_registration::refusal(&visit.host, registration, &email).await? {
        return again(error, status);
    }
    sign_up_letter::send(visit, &email, None).await?;
    let form = here.frame(Told::default())?.form;
    let email = email.as_str().into();
    visit
        .page(&RegisterSent { form, email, again_url: Some(PATH.into()), ..RegisterSent::default() })
        .map(Acted::Shown)
}

fn again(here: &Here<'_>, typed: (&str, StatusCode), error: MessageKey) -> Result<Acted> {
    show(here, Told { error: Some(error), ..Told::default() }, typed).map(Acted::Shown)
}
