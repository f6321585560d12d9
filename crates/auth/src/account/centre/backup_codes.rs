//! Codes on paper that stand in for a second factor, each once: shown when they are made, and never again.

use svc_core::Result;
use svc_http::{Params, Response, StatusCode};

use super::super::own::backup_codes::{Standing, make_of, seed, standing};
use super::section::{Acted, Answering, Here, Section, Told, Whose, unknown_action};
use crate::pages::AccountBackupCodes;

/// The section.
pub const SECTION: Section = Section {
    id: "backup-codes",
    title: "account-backup-codes",
    path: "/account/backup-codes",
    is_offered: |host| host.app.config.two_factor.enabled,
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    page(&here, told, Vec::new()).await
}

async fn page(here: &Here<'_>, told: Told, codes: Vec<String>) -> Result<Response> {
    let Standing { left, has_factor } = standing(&here.own()).await?;
    let codes = codes.into_iter().map(Into::into).collect();
    let frame = here.frame_with(told, Some(seed(&here.own())))?;
    let page = AccountBackupCodes { frame, left, has_factor, codes };
    here.visit.page_here(StatusCode::OK, &page, None)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    if form.required("action")? != "make" {
        return Err(unknown_action());
    }
    let own = here.own();
    let seed = here.memory.clone().unwrap_or_else(|| seed(&own));
    match make_of(&own, &seed).await? {
        Ok(codes) => page(&here, Told::default(), codes).await.map(Acted::Shown),
        Err(denied) => Ok(Acted::Fault(denied.message())),
    }
}
