//! When and where the person signed in, what failed, and what was unusual about it.

use svc_core::Result;
use svc_domain::people::login_history::Login;
use svc_http::Response;

use super::super::own::login_history;
use super::section::{Answering, Here, Section, Told, Whose};
use crate::pages::{AccountLogin, AccountLoginHistory, LOGIN_REASONS, LOGIN_WAYS};
use crate::signin::offers;

/// The section.
pub const SECTION: Section = Section {
    id: "login-history",
    title: "account-login-history",
    path: "/account/login-history",
    is_offered: |_| true,
    is_sensitive: false,
    whose: Whose::Everyone,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: None,
};

/// How many are shown; the API has all.
const SHOWN: u32 = 50;

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let logins = login_history::page(&here.own(), (None, SHOWN)).await?;
    let may_choose_one = !here.session.person.is_guest() && !here.session.is_acting();
    let page = AccountLoginHistory {
        has_passwords: offers::password(&here.visit.host) && may_choose_one,
        logins: logins.into_iter().map(shown).collect(),
        frame: here.frame(told)?,
    };
    here.visit.page(&page)
}

fn shown(login: Login) -> AccountLogin {
    let mut ways = ids(LOGIN_WAYS, login.amr.iter().map(String::as_str));
    ways.dedup();
    AccountLogin {
        at: login.at.to_string().into(),
        outcome: login.outcome.into(),
        browser: login.browser.into(),
        os: login.os.into(),
        network: login.network.into(),
        ways,
        reasons: ids(LOGIN_REASONS, login.reasons.iter().map(|said| said.reason.signal.as_str())),
    }
}

/// The messages of the words that this version knows.
fn ids<'a>(known: &[(&str, &'static str)], words: impl Iterator<Item = &'a str>) -> Vec<&'static str> {
    words.filter_map(|word| known.iter().find(|(name, _)| *name == word)).map(|(_, id)| *id).collect()
}
