//! `/dev/inbox`: every mail that was sent, as text, as mail programs show it, and as JSON for tests; text messages too.

use minijinja::context;
use serde::Serialize;
use svc_async::{Inbox, InboxMail, InboxText};
use svc_core::Error;
use svc_http::{
    HeaderValue, HostCx, IntoResponse as _, Json, PageResponse, Path, Problem, Response, Route, Routes,
    header,
};

use super::party::Party;

/// The list as programs read it.
#[derive(Serialize)]
struct Mails {
    /// Newest first.
    data: Vec<InboxMail>,
    /// Text messages, newest first.
    texts: Vec<InboxText>,
}

/// The routes of the inbox.
pub fn routes() -> Routes {
    let why = "exists in development mode only";
    Routes::new([
        Route::get("/dev/inbox").public(why, list).undocumented(),
        Route::get("/dev/inbox/{id}").public(why, shown).undocumented(),
        Route::get("/dev/inbox.json").public(why, list_as_json).undocumented(),
    ])
}

async fn list(host: HostCx) -> Result<PageResponse, Problem> {
    let mails = host.app.part::<Inbox>()?.list();
    let shown: Vec<_> = mails
        .into_iter()
        .map(|InboxMail { id, to, subject, text, links, sent_at, .. }| {
            context! { id => id.to_string(), to, subject, text, links, sent => readable(&sent_at.to_string()), sent_at => sent_at.to_string() }
        })
        .collect();
    let texts = host.app.part::<Inbox>()?.texts().into_iter();
    let texts = texts.map(|InboxText { id, to, body, sent_at }| {
        context! { id => id.to_string(), to, body, sent => readable(&sent_at.to_string()), sent_at => sent_at.to_string() }
    });
    let content = context! { mails => shown, texts => texts.collect::<Vec<_>>() };
    Ok(host.app.part::<Party>()?.templates.page(&host.cx, "inbox.html", content)?)
}

/// What a mail program would load: styles of the mail itself and pictures from the web, no scripts.
const MAIL_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'none'; sandbox allow-popups allow-top-navigation-by-user-activation",
);

async fn shown(host: HostCx, Path(id): Path<String>) -> Result<Response, Problem> {
    let mails = host.app.part::<Inbox>()?.list();
    let mail = mails.into_iter().find(|mail| mail.id.to_string() == id);
    let mail = mail.ok_or_else(|| Error::not_found("no mail has this id"))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, MAIL_POLICY),
    ];
    Ok((headers, mail.html).into_response())
}

/// An RFC 3339 time without its fraction, as people read it.
fn readable(time: &str) -> String {
    let (date, clock) = time.split_once('T').unwrap_or((time, ""));
    let clock = clock.trim_end_matches('Z').split('.').next().unwrap_or_default();
    format!("{date}, {clock} UTC")
}

async fn list_as_json(host: HostCx) -> Result<Json<Mails>, Problem> {
    let inbox = host.app.part::<Inbox>()?;
    Ok(Json(Mails { data: inbox.list(), texts: inbox.texts() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_reads_without_its_fraction() {
        assert_eq!(readable("2026-03-01T09:05:07.123456Z"), "2026-03-01, 09:05:07 UTC");
        assert_eq!(readable("2026-03-01T09:05:07Z"), "2026-03-01, 09:05:07 UTC");
    }
}
