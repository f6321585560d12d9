//! Sign-out at a host behind a proxy: its cookie ends here, the session at the end-session endpoint (OpenID Connect
//! RP-Initiated Logout 1.0).

use svc_core::capability::Capability;
use svc_core::{Actor, OrInternal as _, Result};
use svc_domain::apps::App;
use svc_domain::tokens::revocations::{self, Revoked};
use svc_http::{HeaderMap, HostCx, IntoResponse, Problem, Response, Route, Routes, see_other};

use super::ticket::Ticket;
use super::{application, forwarded};
use crate::hosted::with_query;
use crate::token::report_revoked;

const PATH: &str = "/auth/proxy/sign-out";
const WHY: &str = "people come here to sign out of a host behind a proxy";

/// The address that the host links to.
pub fn routes() -> Routes {
    Routes::new([Route::get(PATH).public(WHY, sign_out).undocumented()])
}

async fn sign_out(host: HostCx, headers: HeaderMap) -> Result<Response, Problem> {
    let origin = forwarded::origin(&host, &headers)?;
    let mut url = host.origin().to_owned();
    if let Some(ticket) = Ticket::of(&host, &headers, &origin) {
        let app = application::of(&host, &ticket.claims.client_id, &origin).await;
        end(&host, ticket).await?;
        if let Ok(app) = app
            && host.offers_to(&app, &Capability::END_SESSION)
        {
            url = end_session(&host, &app, &origin);
        }
    }
    Ok((Ticket::removal(&origin)?, see_other(&url)).into_response())
}

/// Ends the ticket everywhere: a copy of the cookie is worth nothing.
async fn end(host: &HostCx, Ticket { claims }: Ticket) -> Result<()> {
    let client_id = claims.client_id.parse().or_internal()?;
    let host = host.clone().performed_by(Actor::User(claims.sub));
    let mut tx = host.begin().await?;
    revocations::revoke(&mut tx, &host.cx, &Revoked::Jti(claims.jti.clone()));
    report_revoked(&host, &mut tx, client_id, claims.jti);
    tx.commit().await
}

/// Where the session ends, and from where the person returns to the start of the host if that is registered.
fn end_session(host: &HostCx, app: &App, origin: &str) -> String {
    let (client_id, start) = (app.client_id(), format!("{origin}/"));
    let is_registered = app.configuration.post_logout_redirect_uris.contains(&start);
    let back = is_registered.then_some(("post_logout_redirect_uri", start.as_str()));
    let fields = [("client_id", client_id.as_str())].into_iter().chain(back);
    with_query(&format!("{}/oauth/end-session", host.origin()), fields)
}
