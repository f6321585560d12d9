//! Compares a person or a group with what a target application was last sent, and decides what to send (RFC 7644).

use serde::{Deserialize, Serialize};
use svc_core::{Cx, DeliveryKind, GroupId, OrInternal as _, Result, ScimTargetId, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};
use svc_keys::keyring::Sealer;

use super::choices::OnRemoval;
use super::links::{self, Link, LinkKind};
use super::pushed::{Document, Fingerprint};
use super::store::{self, Access, ScimTarget};
use super::{AT_ONCE, MOST_MEMBERS, people};
use crate::delivery::{Order, Queue, Schedule};
use crate::document;
use crate::people::{groups, tenant_users};

/// A queued comparison. It holds no data: what to send is decided when it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScimLook {
    /// For which target.
    pub target: ScimTargetId,
    /// At a person or a group.
    pub kind: LinkKind,
    /// The id of the person or group.
    pub local_id: String,
}

impl Queue for ScimLook {
    type Kind = DeliveryKind;
    const QUEUE: &'static str = "scim";
    const SCHEDULE: Schedule = Schedule::DAYS;
    const ORDER: Order = Order::ByTopic { at_once: AT_ONCE };
}

/// What a look has found.
pub struct Look {
    /// The target.
    pub target: ScimTarget,
    /// What has to be done there.
    pub step: Step,
    /// What is known of the last push.
    pub pushed: Option<Fingerprint>,
    /// The reasons that it answers.
    pub(super) wanted: i64,
    /// When what it is about had last changed.
    pub(super) person_at: Timestamp,
}

/// What has to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The application has it as it is.
    Nothing,
    /// It is created there, if it is not found.
    Create {
        /// The SCIM resource.
        document: Document,
        /// An attempt to create it may have succeeded.
        may_exist: bool,
    },
    /// It is changed there.
    Update {
        /// Its id at the application.
        remote_id: String,
        /// What it becomes.
        document: Document,
    },
    /// It is deactivated there.
    Deactivate(Remote),
    /// It is deleted there.
    Delete(Remote),
    /// The application does not have it, and need not.
    Forget,
    /// It cannot be pushed as it is.
    Refuse(String),
}

/// Something at the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remote {
    /// By the id that it has there.
    Known(String),
    /// By the `externalId` that it has there, if it is there.
    Sought(String),
}

/// What a person or a group is to be at the application.
enum Wanted {
    Present(Document),
    Inactive,
    Absent,
    Unfit(String),
}

/// What a delivery is about at this moment, and how the application is reached; nothing where its target is deactivated or deleted,
/// or the link is gone.
pub async fn look(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    due: &ScimLook,
) -> Result<Option<(Look, Access)>> {
    let target = store::find(tx, due.target).await?;
    let Some(target) = target.filter(|target| target.active) else { return Ok(None) };
    // The reasons come before what they are reasons for: what changes meanwhile is a further reason.
    let Some(link) = links::find(tx, target.id, (due.kind, &due.local_id)).await? else { return Ok(None) };
    let (wanted, person_at) = match due.kind {
        LinkKind::User => of_person(tx, cx, &target, &due.local_id).await?,
        LinkKind::Group => (of_group(tx, &target, &link).await?, cx.now),
    };
    let step = step(&target, &link, wanted)?;
    note_attempt(tx, due, &step, link.pushed.as_ref())?;
    let access = store::access(tx, &target, sealer)?;
    Ok(Some((Look { step, pushed: link.pushed, wanted: link.wanted, person_at, target }, access)))
}

/// From here on it may be there, or be another than what was last pushed, whatever becomes of this process.
fn note_attempt(
    tx: &mut Tx<Tenant>,
    due: &ScimLook,
    step: &Step,
    pushed: Option<&Fingerprint>,
) -> Result<()> {
    let may_exist = match step {
        Step::Nothing | Step::Forget | Step::Refuse(_) => return Ok(()),
        Step::Create { .. } => true,
        Step::Update { .. } | Step::Deactivate(_) | Step::Delete(_) => false,
    };
    let update = quiet_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET may_exist = (may_exist OR $5), pushed = $6 WHERE tenant_id = $1 AND target_id = $2 \
         AND kind = $3 AND local_id = $4"
    );
    let doubted = pushed.map(|pushed| document::store(&pushed.doubted())).transpose()?;
    tx.later(update, args![due.target, due.kind.name(), &due.local_id, may_exist, doubted]);
    Ok(())
}

async fn of_person(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    target: &ScimTarget,
    id: &str,
) -> Result<(Wanted, Timestamp)> {
    let person: TenantUserId = id.parse().or_internal()?;
    let Some(person) = tenant_users::find(tx, person).await? else { return Ok((Wanted::Absent, cx.now)) };
    let wanted = if !people::gets(tx, target.id, id).await? {
        Wanted::Absent
    } else if !person.may_sign_in() {
        Wanted::Inactive
    } else {
        match Document::of_person(&target.configuration, &person) {
            Ok(document) => Wanted::Present(document),
            Err(why) => Wanted::Unfit(why.to_owned()),
        }
    };
    Ok((wanted, person.updated_at))
}

/// A group is there as soon as one of its members is.
async fn of_group(tx: &mut Tx<Tenant>, target: &ScimTarget, link: &Link) -> Result<Wanted> {
    let id: GroupId = link.id.parse().or_internal()?;
    let Some(group) = groups::find(tx, id).await? else { return Ok(Wanted::Absent) };
    let members = members(tx, target.id, id).await?;
    if members.len() > usize::try_from(MOST_MEMBERS).unwrap_or_default() {
        return Ok(Wanted::Unfit(format!(
            "the group has more than {MOST_MEMBERS} members, which is the most"
        )));
    }
    if members.is_empty() && link.remote_id.is_none() && !link.may_exist {
        return Ok(Wanted::Absent);
    }
    Ok(Wanted::Present(Document::of_group(&group, &members)))
}

/// The accounts of the people of a group, also of those who are in a group that is in it.
async fn members(tx: &mut Tx<Tenant>, target: ScimTargetId, group: GroupId) -> Result<Vec<String>> {
    let select = sql!(
        "WITH RECURSIVE inside (id) AS (SELECT CAST($3 AS TEXT) UNION SELECT n.member_id FROM inside \
         JOIN group_nesting n ON n.tenant_id = $1 AND n.group_id = inside.id) \
         SELECT DISTINCT l.remote_id FROM inside JOIN group_members m ON m.tenant_id = $1 AND m.group_id = inside.id \
         JOIN scim_links l ON l.tenant_id = $1 AND l.target_id = $2 AND l.kind = 'user' AND l.local_id = m.tenant_user_id \
         WHERE l.remote_id IS NOT NULL AND l.state <> 'deactivated' ORDER BY l.remote_id LIMIT $4"
    );
    let rows = tx.all(select, args![target, group, MOST_MEMBERS + 1]).await?;
    rows.iter().map(|row| row.text("remote_id")).collect()
}

fn step(target: &ScimTarget, link: &Link, wanted: Wanted) -> Result<Step> {
    let remote = match &link.remote_id {
        Some(id) => Some(Remote::Known(id.clone())),
        None => link.may_exist.then(|| Remote::Sought(link.id.clone())),
    };
    let deletes = target.configuration.on_removal == OnRemoval::Delete || link.kind == LinkKind::Group;
    Ok(match (wanted, remote) {
        (Wanted::Unfit(why), _) => Step::Refuse(why),
        (Wanted::Present(document), Some(Remote::Known(remote_id))) => {
            let is_known = link.pushed.as_ref().map(|pushed| pushed.is_of(&document)).transpose()?;
            if link.stored_state != "deactivated" && is_known == Some(true) {
                Step::Nothing
            } else {
                Step::Update { remote_id, document }
            }
        }
        (Wanted::Present(document), other) => Step::Create { document, may_exist: other.is_some() },
        (_, None) => Step::Forget,
        (Wanted::Absent, Some(remote)) if deletes => Step::Delete(remote),
        (_, Some(Remote::Known(_))) if link.stored_state == "deactivated" => Step::Nothing,
        (_, Some(remote)) => Step::Deactivate(remote),
    })
}
