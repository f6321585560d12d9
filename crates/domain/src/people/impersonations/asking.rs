//! How an impersonation comes to be: a staff member asks with a reason, and the person approves where the tenant wants that.

use serde_json::{Value, json};
use svc_core::{AppId, Cx, Error, ImpersonationId, Result, TenantUserId};
use svc_db::{Tenant, Tx, args, change_sql};

use super::{Impersonation, READY, State, WAITS, find};
use crate::log::{Action, Meaning, change, change_later};
use crate::people::operators;
use crate::people::tenant_users::Person;

/// Longest reason, in characters.
pub const MOST_REASON: usize = 500;

/// What is asked for.
pub struct NewImpersonation<'a> {
    /// The person.
    pub person: &'a Person,
    /// The staff member.
    pub staff: &'a Person,
    /// The one application that it is for, if it is for one.
    pub app: Option<AppId>,
    /// Why.
    pub reason: &'a str,
    /// For how long, in minutes.
    pub minutes: u32,
    /// Whether the person must approve.
    pub needs_approval: bool,
}

/// Asks to act for a person. No one acts for themselves, for an operator of the deployment, for a guest, or for a person who has
/// a role that the staff member does not have.
pub async fn ask(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewImpersonation<'_>) -> Result<Impersonation> {
    check_people(tx, new.person, new.staff).await?;
    let (state, lifetime) = if new.needs_approval { (State::Waiting, WAITS) } else { (State::Ready, READY) };
    let insert = change_sql!(
        "INSERT INTO impersonations (tenant_id, id, tenant_user_id, staff_id, app_id, reason, minutes, state, created_at, \
         expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    );
    let id: ImpersonationId = cx.id();
    let arguments = args![
        id,
        new.person.id,
        new.staff.id,
        new.app,
        new.reason,
        new.minutes,
        state.name(),
        cx.now,
        cx.now + lifetime
    ];
    let asked = Impersonation {
        id,
        person: new.person.id,
        staff: new.staff.id,
        app: new.app,
        reason: new.reason.to_owned(),
        minutes: new.minutes,
        state,
        session: None,
        created_at: cx.now,
        decided_at: None,
        started_at: None,
        ended_at: None,
        expires_at: cx.now + lifetime,
    };
    change_later(tx, cx, insert, arguments, asked.meaning(Action::ImpersonationRequested));
    Ok(asked)
}

/// Refuses a reason that tells nothing, or has what no page shows.
pub fn check_reason(reason: &str) -> Result<()> {
    let length = reason.trim().chars().count();
    if (1..=MOST_REASON).contains(&length) && !reason.chars().any(char::is_control) {
        return Ok(());
    }
    Err(Error::bad_request(format!(
        "reason: say in 1 to {MOST_REASON} characters, without line breaks, why you have to act for this person"
    )))
}

/// Refuses where the staff member would gain what they do not have. It is looked at again when it begins, and as long as it lasts.
pub(super) async fn check_people(tx: &mut Tx<Tenant>, person: &Person, staff: &Person) -> Result<()> {
    match refusal(tx, person, staff).await? {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}

/// Why the staff member may not act for the person.
pub(super) async fn refusal(tx: &mut Tx<Tenant>, person: &Person, staff: &Person) -> Result<Option<Error>> {
    if person.id == staff.id {
        return Ok(Some(Error::forbidden("tenant_user_id: no one acts for themselves")));
    }
    if !staff.may_sign_in() || staff.is_guest() {
        return Ok(Some(Error::forbidden("the staff member may not act for anyone")));
    }
    if !person.may_sign_in() {
        return Ok(Some(Error::conflict("tenant_user_id: this person may not sign in")));
    }
    if let Err(unknown) = person.must_be_known() {
        return Ok(Some(unknown));
    }
    if operators::role_of(tx, &person.subject).await?.is_some() {
        let refusal = Error::forbidden("tenant_user_id: no one acts for an operator of the deployment");
        return Ok(Some(refusal));
    }
    let lacking: Vec<&str> =
        person.roles.iter().filter(|role| !staff.roles.contains(role)).map(String::as_str).collect();
    Ok((!lacking.is_empty()).then(|| {
        Error::forbidden(format!(
            "tenant_user_id: the person has roles that you do not have ({}); ask a colleague who has them",
            lacking.join(", ")
        ))
    }))
}

/// Approves or refuses, as the person. `NotFound` where it is not about this person, `Conflict` where it was decided before.
pub async fn decide(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (id, person): (ImpersonationId, TenantUserId),
    is_allowed: bool,
) -> Result<()> {
    let asked = find(tx, id, cx.now).await?.filter(|asked| asked.person == person);
    let asked = asked.ok_or_else(|| Error::unknown_id())?;
    if asked.state != State::Waiting {
        return Err(Error::conflict("this request was decided before, or came too late"));
    }
    let update = change_sql!(
        "UPDATE impersonations SET state = $3, decided_at = $4, expires_at = $5 WHERE tenant_id = $1 AND id = $2 \
         AND state = 'waiting' AND expires_at > $4"
    );
    let (state, meaning) = if is_allowed {
        (State::Ready, asked.meaning(Action::ImpersonationApproved))
    } else {
        let refused = Meaning::denied(Action::ImpersonationRefused, asked.person);
        (State::Refused, refused.with(asked.facts()))
    };
    let arguments = args![asked.id, state.name(), cx.now, cx.now + READY];
    if change(tx, cx, update, arguments, meaning).await? == 0 {
        return Err(Error::conflict("this request was decided before, or came too late"));
    }
    Ok(())
}

impl Impersonation {
    /// What an entry of the audit log says of it.
    pub(super) fn meaning(&self, action: Action) -> Meaning {
        Meaning::done(action, self.person).with(self.facts())
    }

    fn facts(&self) -> Value {
        json!({
            "impersonation_id": self.id, "staff_id": self.staff, "reason": self.reason, "application_id": self.app,
            "minutes": self.minutes, "session_id": self.session,
        })
    }
}
