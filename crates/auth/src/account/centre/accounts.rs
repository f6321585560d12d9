//! The accounts that are signed in in this browser: which of them is in use, how to add another one, and how to sign them out.

use svc_core::{Result, SessionId};
use svc_http::{IntoResponse as _, Params, Response};

use super::super::sign_out::{ALL, end_some, signed_out};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::hosted::done;
use crate::hosted::paths::OWN_ACCOUNTS;
use crate::pages::{AccountAccounts, MessageKey};
use crate::signin::{Accounts, Attempt, Errand, shown_account};

const ID: &str = "accounts";

/// The section.
pub const SECTION: Section = Section {
    id: ID,
    title: "account-accounts",
    path: OWN_ACCOUNTS,
    is_offered: |_| true,
    is_sensitive: false,
    whose: Whose::Everyone,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let accounts = Accounts::of(here.visit, &mut here.visit.host.read().await?).await?;
    let shown =
        accounts.sessions().map(|session| shown_account(&session.person, Some(session.id.to_string())));
    let shown: Vec<_> = shown.collect();
    let most = here.visit.config().session_cookie.accounts_per_browser;
    let has_room = u32::try_from(shown.len()).is_ok_and(|count| count < most);
    let page = AccountAccounts { frame: here.frame(told)?, accounts: shown, has_room };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    match (form.one("use"), form.one("end")) {
        (Some(id), None) => switch(&here, id).await,
        (None, Some(id)) => end(&here, id).await,
        _ => {
            let errand = Errand::Account(ID.to_owned());
            errand.sign_in_page(here.visit, &Attempt::default()).map(Acted::Shown)
        }
    }
}

/// Lets another account act. One that is signed in no more is missing on the page that follows.
async fn switch(here: &Here<'_>, id: &str) -> Result<Acted> {
    let accounts = Accounts::of(here.visit, &mut here.visit.host.read().await?).await?;
    let Some(id) = accounts.named(id).map(|session| session.id) else {
        return Ok(Acted::Done(MessageKey::SignInAgain));
    };
    let cookies = accounts.with_chosen(id).cookies(here.visit)?;
    Ok(Acted::Shown((cookies, done(here.visit, OWN_ACCOUNTS, MessageKey::AccountSwitched)?).into_response()))
}

/// Signs an account out of this browser, or all of them.
async fn end(here: &Here<'_>, id: &str) -> Result<Acted> {
    let visit = here.visit;
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::of(visit, &mut tx).await?;
    let meant = accounts.sessions().map(|session| session.id);
    let meant: Vec<SessionId> = meant.filter(|known| id == ALL || known.to_string() == id).collect();
    end_some(visit, &mut tx, (&accounts, &meant)).await?;
    tx.commit().await?;
    here.own().take_in_ends().await?;
    let left = accounts.without(&meant);
    if left.present().is_none() {
        return signed_out(visit, &left, None, None).map(Acted::Shown);
    }
    let cookies = left.cookies(visit)?;
    Ok(Acted::Shown((cookies, done(visit, OWN_ACCOUNTS, MessageKey::AccountSignedOut)?).into_response()))
}
