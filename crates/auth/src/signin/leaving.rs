//! Errors on the way to an application that no one has checked: a page with a link or a button stands between, so that open
//! registration makes no open redirector (RFC 9700 §4.11.2).

use svc_core::Result;
use svc_domain::apps::App;
use svc_http::{Response, StatusCode, form_target};
use url::Url;

use crate::authorize::Reply;
use crate::hosted::Visit;
use crate::pages::Leaving;

/// Sends an answer that no person has asked for by a form. `is_silent` says that the request forbids pages: that holds where
/// the browser does not show the answer as a page, in a frame.
pub async fn send(visit: &Visit, app: &App, reply: &Reply, is_silent: bool) -> Result<Response> {
    let is_automatic = !app.is_self_registered() || (is_silent && !visit.is_navigation);
    let Some(error) = reply.field("error").filter(|_| !is_automatic) else {
        return reply.send(visit, app).await;
    };
    let sent = reply.as_sent(&visit.host, app).await?;
    let (action, fields) = sent.form().map(|form| (form.action, form.fields)).unzip();
    let page = Leaving {
        app_name: (&app.configuration.name).into(),
        destination: destination(&reply.redirect_uri).into(),
        url: sent.url().into(),
        action,
        fields: fields.unwrap_or_default(),
        error: error.into(),
        detail: reply.field("error_description").unwrap_or_default().into(),
    };
    let response = if page.action.is_some() {
        visit.page_here(StatusCode::BAD_REQUEST, &page, form_target(&reply.redirect_uri))?
    } else {
        visit.page_as(StatusCode::BAD_REQUEST, &page, None)?
    };
    Ok(reply.noted(response))
}

/// Where an answer goes, as people read it: the host, or the scheme of a native application.
pub fn destination(redirect_uri: &str) -> String {
    let host = Url::parse(redirect_uri).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.or_else(|| form_target(redirect_uri)).unwrap_or_default()
}
