//! Whose account it is, and how well it is protected.

use svc_core::Result;
use svc_domain::people::credentials::{self, Kind};
use svc_domain::people::leaving;
use svc_http::Response;

use super::super::own::{guardians, guarding};
use super::section::{Answering, Here, Section, Told, Whose};
use crate::hosted::paths::{GUARDING, OWN_GUARDIANS};
use crate::pages::{AccountOverview, day};
use crate::signin::offers;

/// The section.
pub const SECTION: Section = Section {
    id: "overview",
    title: "account-overview",
    path: "/account",
    is_offered: |_| true,
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: None,
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let (visit, person) = (here.visit, &here.session.person);
    let mut tx = visit.host.read().await?;
    let all = credentials::of_account(&mut tx, person.account_id).await?;
    let due_at = leaving::due_at(&mut tx, person.id).await?;
    drop(tx);
    let Recoveries { is_asked, are_too_few, waiting } = recoveries(&here).await?;
    let now = visit.cx().now;
    let count = |kind| {
        let live = all.iter().filter(|one| one.kind == Some(kind) && one.is_live(now)).count();
        u32::try_from(live).unwrap_or(u32::MAX)
    };
    let page = AccountOverview {
        frame: here.frame(told)?,
        name: person.profile.name.as_deref().map(Into::into),
        email: person.email.as_deref().map(Into::into),
        email_verified: person.email_verified,
        has_password: offers::password(&visit.host).then_some(person.password.is_some()),
        apps: count(Kind::Totp),
        backup_codes: count(Kind::BackupCode),
        due_on: due_at.map(day),
        recovery_url: is_asked.then(|| OWN_GUARDIANS.into()),
        guarding_url: (waiting > 0).then(|| GUARDING.into()),
        guardians_url: are_too_few.then(|| OWN_GUARDIANS.into()),
    };
    visit.page(&page)
}

/// What a person learns of guardians: nothing of it is for support staff to answer.
#[derive(Default)]
struct Recoveries {
    /// Whether someone asks this person's guardians.
    is_asked: bool,
    /// Whether there are fewer of these than are needed.
    are_too_few: bool,
    /// How many people wait for this one.
    waiting: usize,
}

async fn recoveries(here: &Here<'_>) -> Result<Recoveries> {
    let own = here.own();
    if here.session.is_acting() || !offers::social_recovery(&own.host) {
        return Ok(Recoveries::default());
    }
    Ok(Recoveries {
        is_asked: guardians::is_asked(&own).await?,
        are_too_few: guardians::are_too_few(&own).await?,
        waiting: guarding::waiting(&own).await?,
    })
}
