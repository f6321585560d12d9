//! `/dev/inbox`: every mail that was sent, for people and as JSON for tests.

use minijinja::context;
use serde::Serialize;
use svc_async::{Inbox, InboxMail};
use svc_http::{HostCx, Json, PageResponse, Problem, Route, Routes};

use super::party::Party;

/// The list as programs read it.
#[derive(Serialize)]
struct Mails {
    /// Newest first.
    data: Vec<InboxMail>,
}

/// The routes of the inbox.
pub fn routes() -> Routes {
    let why = "exists in development mode only";
    Routes::new([
        Route::get("/dev/inbox").public(why, list).undocumented(),
        Route::get("/dev/inbox.json").public(why, list_as_json).undocumented(),
    ])
}

async fn list(host: HostCx) -> Result<PageResponse, Problem> {
    let mails = host.app.part::<Inbox>()?.list();
    let shown: Vec<_> = mails
        .into_iter()
        .map(|InboxMail { id, to, subject, text, links, sent_at, .. }| {
            context! { id => id.to_string(), to, subject, text, links, sent_at => sent_at.to_string() }
        })
        .collect();
    Ok(host.app.part::<Party>()?.templates.page(&host.cx, "inbox.html", context! { mails => shown })?)
}

async fn list_as_json(host: HostCx) -> Result<Json<Mails>, Problem> {
    Ok(Json(Mails { data: host.app.part::<Inbox>()?.list() }))
}
