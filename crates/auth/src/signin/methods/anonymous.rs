//! Goes on without saying who one is: the person becomes a guest, whose session proves nothing. In a browser with the session of a guest
//! it is that guest again, so that two tabs make one.

use svc_core::capability::Capability;
use svc_core::{Error, Result};
use svc_domain::people::changes::Candidate;
use svc_domain::people::guests;
use svc_http::StatusCode;

use super::method::{Judging, Method, Needs, Proof, Turn, Verdict};
use crate::hosted::{captcha, mail};
use crate::signin::progress::Factor;
use crate::signin::{offers, session};

const ID: &str = "anonymous";

/// A guest.
pub const METHOD: Method = Method {
    id: ID,
    factor: Factor::Nothing,
    amr: &[],
    is_offered: |host| host.offers(&Capability::ANONYMOUS),
    is_first: true,
    recovers: false,
    needs: Needs::NoAccount,
    begin: None,
    finish: |turn| -> Judging<'_> { Box::pin(finish(turn)) },
    partial: "_anonymous.html",
    lists: None,
};

async fn finish(turn: Turn<'_>) -> Result<Verdict> {
    let Turn { visit, app, progress, params, .. } = turn;
    let app = app.filter(|app| progress.account().is_none() && offers::guests(&visit.host, app));
    let app = app.ok_or_else(|| Error::not_found("guests are not taken here"))?;
    let guest = if let Some(guest) = session::any_guest(visit).await? {
        guest
    } else {
        if let Some(error) = captcha::judge_again(visit, params).await?.fault() {
            return Ok(Verdict::Refused(StatusCode::OK, error));
        }
        let purpose = format!("{ID} {}", visit.host.tenant.id.reference());
        if let Some(error) = mail::too_many(visit, &purpose).await {
            return Ok(Verdict::Refused(StatusCode::TOO_MANY_REQUESTS, error));
        }
        let mut tx = visit.host.begin().await?;
        let guest = guests::create(&mut tx, visit.cx(), app.id).await?;
        tx.commit().await?;
        guest
    };
    Ok(Verdict::Proven(Box::new(Proof::of(Candidate::from(guest).account))))
}
