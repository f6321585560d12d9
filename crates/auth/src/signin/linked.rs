//! An identity that a person adds to the account in which they are signed in.

use serde_json::json;
use svc_core::{Class, Error, Result};
use svc_domain::grants::grant::Authentication;
use svc_domain::people::credentials::identities::{self, Identity};
use svc_domain::people::credentials::{self, Owner};
use svc_domain::people::sessions::Session;
use svc_domain::people::{accounts, changes};
use svc_http::{RECENT_SIGN_IN, Response, is_recent};

use super::accounts::Accounts;
use super::attempt::Attempt;
use super::carried::{Aim, Ceremony, Pending};
use super::errand::Errand;
use super::methods::social;
use super::progress::Progress;
use crate::hosted::paths::{ACCOUNT, BEGIN};
use crate::hosted::{Visit, done, mail, with_query};
use crate::pages::{Changed, MessageKey, Topic};

/// The section of the account centre to which the person comes back.
pub const SECTION: &str = "identities";

/// The address that leads to another way to sign in, or to a provider of it, and back to the account of a session.
pub fn begin_url(
    visit: &Visit,
    session: &Session,
    (method, provider): (&str, Option<&str>),
) -> Result<String> {
    let memory = json!({ "links": session.person.account_id });
    let pending = Pending { method: method.to_owned(), shown: Some(json!({})), memory, return_path: None };
    let ceremony = Ceremony {
        aim: Aim::Errand(Errand::Account(SECTION.to_owned())),
        progress: Progress::of_session(session),
        pending: Some(pending),
    };
    let flow = visit.seal(&ceremony)?;
    let provider = provider.map(|provider| ("provider", provider));
    Ok(with_query(BEGIN, [("flow", flow.as_str()), ("method", method)].into_iter().chain(provider)))
}

/// The address that leads a guest to a provider, with whose word they keep the account.
pub fn keep_url(visit: &Visit, provider: &str) -> Result<String> {
    let aim = Aim::Errand(Errand::Account(String::new()));
    let flow = visit.seal(&Ceremony { aim, progress: Progress::default(), pending: None })?;
    Ok(with_query(BEGIN, [("flow", flow.as_str()), ("method", social::METHOD.id), ("provider", provider)]))
}

/// Adds an identity to the account, which is signed in in this browser still, and tells its owner. What the page has asked for is asked
/// for once more: the way there may take long, and another session of the person may have taken the place of the first.
pub async fn link(visit: &Visit, account: &str, identity: &Identity) -> Result<Response> {
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::of(visit, &mut tx).await?;
    let session = accounts.sessions().find(|session| session.person.account_id.to_string() == account);
    let session =
        session.ok_or_else(|| Error::forbidden("another person is signed in by now; start again"))?;
    let person = &session.person;
    let Authentication { auth_time, amr, .. } = &session.authentication;
    if !is_recent(*auth_time, RECENT_SIGN_IN, visit.cx().now)
        || !changes::may_change_credentials(&mut tx, person.account_id, amr).await?
        || credentials::has_missed_a_factor(&mut tx, person.account_id, (session.id, session.began_at))
            .await?
    {
        tx.rollback().await?;
        let attempt = Attempt { notice: Some(MessageKey::SignInAgain), ..Attempt::default() };
        return Errand::Account(SECTION.to_owned()).sign_in_page(visit, &attempt);
    }
    let cx = visit.cx().acting_as(person.actor());
    let notice = match identities::link(&mut tx, &cx, Owner::from(person), identity).await {
        Ok(()) => {
            accounts::must_be_as_read(&mut tx, person.account_id, person.credentials_changed_at).await?;
            let topic = Topic::CredentialAdded(Changed::of_identity(identity));
            mail::tell_owner_of(visit, &mut tx, person.account_id, topic).await?;
            tx.commit().await?;
            MessageKey::IdentityLinked
        }
        Err(error) if error.class() == Class::Conflict => {
            tx.rollback().await?;
            MessageKey::IdentityTaken
        }
        Err(error) => return Err(error),
    };
    done(visit, &format!("{ACCOUNT}/{SECTION}"), notice)
}

/// Back to the account centre, which says why nothing was added: the person is signed in, and there is nothing to prove here.
pub fn not_linked(visit: &Visit, why: MessageKey) -> Result<Response> {
    done(visit, &format!("{ACCOUNT}/{SECTION}"), why)
}
