//! Everything that is kept about the person here, as one JSON document (GDPR, Article 20).

use svc_core::{OrInternal as _, Result};
use svc_http::{IntoResponse as _, Params, Response, header};

use super::super::own::data::document;
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::AccountData;

/// The section.
pub const SECTION: Section = Section {
    id: "data",
    title: "account-data",
    path: "/account/data",
    is_offered: |_| true,
    is_sensitive: true,
    whose: Whose::Everyone,
    show: |here, told| -> Answering<'_, Response> { Box::pin(async move { show(&here, told) }) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

fn show(here: &Here<'_>, told: Told) -> Result<Response> {
    here.visit.page(&AccountData { frame: here.frame(told)? })
}

async fn act(here: Here<'_>, _: &Params) -> Result<Acted> {
    let text = serde_json::to_string_pretty(&document(&here.own()).await?).or_internal()?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"account.json\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok(Acted::Shown((headers, text).into_response()))
}
