//! Sign-in by a link sent by mail: an address is a first factor and never the second (NIST SP 800-63B §3.1.3.1). The link signs in
//! the browser that asked for it, and no other. The page, the limits and the work are the same whether an account has the address or
//! not.

use std::future::ready;

use serde_json::{Value, json};
use svc_core::Result;
use svc_core::capability::Capability;
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::accounts::Email;
use svc_domain::people::changes::Candidate;
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_http::StatusCode;
use svc_keys::{digest, token};

use super::email_otp::{address, owner};
use super::method::{Beginning, Begun, Judging, Method, Needs, Turn, Verdict};
use crate::hosted::paths::SIGN_IN_LINK;
use crate::hosted::{Visit, mail};
use crate::pages::{Mail, MessageKey, Topic};
use crate::signin::progress::Factor;
use crate::signin::waiting::Waiting;

const ID: &str = "magic_link";

/// A link sent to an address; its page makes the proof.
pub const METHOD: Method = Method {
    id: ID,
    factor: Factor::Mailbox,
    amr: &["otp"],
    is_offered: |host| host.offers(&Capability::MAGIC_LINK),
    is_first: true,
    recovers: false,
    needs: Needs::Nothing,
    begin: Some(|turn| -> Beginning<'_> { Box::pin(begin(turn)) }),
    finish: |_| -> Judging<'_> {
        Box::pin(ready(Ok(Verdict::Refused(StatusCode::OK, MessageKey::SignInAgain))))
    },
    partial: "_magic_link.html",
    lists: None,
};

/// First the form that asks for the address, then the page that says to open the link.
async fn begin(turn: Turn<'_>) -> Result<Begun> {
    let Turn { visit, params, .. } = turn;
    let email = match address(turn, ID).await? {
        Ok(email) => email,
        Err(instead) => return Ok(instead),
    };
    send(visit, &email, params.required("flow")?).await?;
    Ok(Begun::Ask { shown: json!({ "to": email.as_str() }), memory: Value::Null })
}

/// Makes a link to where the sign-in is, and mails it where an account can be entered by it.
async fn send(visit: &Visit, email: &Email, flow: &str) -> Result<()> {
    mail::must_be_sealable(visit)?;
    let (cx, config) = (visit.cx(), visit.config());
    let lifetime = config.magic_link.lifetime_secs.min(config.oidc.login_transaction_lifetime_secs);
    let candidate = owner(visit, email).await?;
    let account = candidate.as_ref().map(|candidate| &candidate.account);
    let may_be_sent = mail::may_be_sent(visit, email.as_str(), account).await;
    let secret = token(&*cx.entropy);
    let url = format!("{}{SIGN_IN_LINK}?token={secret}", visit.host.origin());
    let name = account.and_then(|account| account.profile.name.as_deref());
    let mail = Mail {
        topic: Topic::SignInLink,
        name,
        organization: None,
        url: &url,
        code: None,
        time: Some(lifetime),
    };
    let text = mail::written(visit, account, &mail)?;
    let payload = Waiting::new(visit, flow, email)?;
    let (kind, account_id) = (LinkKind::SignIn, account.map(|account| account.id));
    let new = NewLink { digest: digest(&secret), kind, account: account_id, payload: &payload, lifetime };
    let target = target_of(candidate.as_ref().and_then(Candidate::member_id));
    let mut tx = visit.host.begin().await?;
    links::create(&mut tx, cx, new).await?;
    record(&mut tx, cx, Meaning::done(Action::SignInCodeRequested, target));
    if let Some(to) = account.and_then(|account| account.email.as_deref()).filter(|_| may_be_sent) {
        mail::queue(visit, &mut tx, to, text)?;
    }
    tx.commit().await
}
