//! What a tenant may do about the credentials of its people: it sets those of the accounts that it manages; to all others
//! it can mail the way to do it themselves.

use serde::Deserialize;
use svc_core::{Error, Result, Seconds, Secret, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::log::Action;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::tenant_users::{Person, Status};
use svc_domain::people::{accounts, credentials, guesses, passwords};
use svc_http::{Json, Letters, NoContent, Path, Problem, TenantCx};
use svc_keys::{base64url, digest};
use utoipa::ToSchema;

use crate::privileges;
use crate::tenant_users::find;

/// Mails to one person within the window, whichever administrator asks for them.
const MOST_MAILS: i64 = 5;
const WINDOW: Seconds = Seconds(3600);

/// A password to set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "password": "compiler nanosecond moth" })))]
pub(crate) struct NewPassword {
    #[schema(value_type = String, format = "password", min_length = 8, max_length = 1024, write_only)]
    password: Secret,
    /// Whether the person has to replace it: it signs in once, to choose another, and no session begins with it.
    #[serde(default)]
    must_change: bool,
}

/// Refuses to change what belongs to the person alone.
pub(crate) async fn check(caller: &TenantCx, tx: &mut Tx<Tenant>, person: &Person) -> Result<()> {
    check_managed(tx, person).await?;
    // Who has the credentials of a person has the person's roles.
    privileges::for_person(caller, tx, person).await
}

/// Refuses to look into what belongs to the person alone. The account of a removed person is looked after by a membership that
/// followed, whose roles count, or by no one here.
pub(crate) async fn check_managed(tx: &mut Tx<Tenant>, person: &Person) -> Result<()> {
    if person.status != Status::Removed && accounts::is_managed(tx, person.account_id).await? {
        return Ok(());
    }
    Err(Error::forbidden("this account is not managed by the tenant; only its owner changes it"))
}

pub(crate) async fn invite(caller: TenantCx, Path(id): Path<TenantUserId>) -> Result<NoContent, Problem> {
    let person = find(&mut caller.read().await?, id).await?;
    if person.status != Status::Invited {
        return Err(Error::conflict("this person does not wait for an invitation").into());
    }
    count_mail(&caller, person.email.as_deref().unwrap_or_default()).await?;
    let mut tx = caller.begin().await?;
    let person = find(&mut tx, id).await?;
    // What lets a person in gives what the person gets.
    privileges::for_person(&caller, &mut tx, &person).await?;
    (caller.app.part::<Letters>()?.invitation)(&caller, &mut tx, &person).await?;
    tx.commit().await?;
    Ok(NoContent)
}

pub(crate) async fn recover(caller: TenantCx, Path(id): Path<TenantUserId>) -> Result<NoContent, Problem> {
    let person = find(&mut caller.read().await?, id).await?;
    if !person.may_sign_in() {
        return Err(Error::conflict("this person may not sign in").into());
    }
    count_mail(&caller, person.email.as_deref().unwrap_or_default()).await?;
    let mut tx = caller.begin().await?;
    (caller.app.part::<Letters>()?.recovery)(&caller, &mut tx, &person).await?;
    tx.commit().await?;
    Ok(NoContent)
}

pub(crate) async fn set_password(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    Json(NewPassword { password, must_change }): Json<NewPassword>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.read().await?;
    let person = find(&mut tx, id).await?;
    check(&caller, &mut tx, &person).await?;
    drop(tx);
    let known = [&person.email, &person.username, &person.profile.name];
    let about: Vec<_> = known.into_iter().flatten().map(String::as_str).collect();
    let password = passwords::normal(&password);
    passwords::check(&password, &about)?;
    caller.app.breached.refuse(&password).await?;
    // Hashing takes its time and would hold the transaction open.
    let phc = caller.app.hash_password(caller.tenant.id, &password).await?;
    let mut tx = caller.begin().await?;
    let person = find(&mut tx, id).await?;
    // Held before the time is taken: what a sign-in begins until then is older.
    credentials::hold(&mut tx, person.account_id);
    check(&caller, &mut tx, &person).await?;
    let candidate = Candidate::from(person);
    let account = &candidate.account;
    // What was begun meanwhile ends too.
    let cx = caller.at(caller.app.clock.now().max(caller.now));
    if must_change {
        changes::give_password(&mut tx, &cx, account, &phc).await?;
    } else {
        changes::set_account_password(&mut tx, &cx, account, (&phc, Action::PasswordChanged)).await?;
    }
    // What others have guessed wrong does not keep the person out who gets it.
    guesses::clear(&mut tx, &candidate);
    tx.commit().await?;
    Ok(NoContent)
}

/// Counts a mail before a transaction begins: the shared counter takes a connection of its own.
pub(crate) async fn count_mail(caller: &TenantCx, address: &str) -> Result<()> {
    let address = address.to_ascii_lowercase();
    let key = format!("mail {} by {}", base64url(digest(&address).0), caller.tenant.id);
    let count = caller.app.coordination.incr(&key, WINDOW, caller.now).await;
    let Some(wait) = count.wait_beyond(MOST_MAILS, caller.now) else { return Ok(()) };
    Err(Error::rate_limited("this person has had too many mails; wait before the next").retry_in(wait))
}
