//! Tenant users: a person's membership in one tenant, with its own subject and states.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, json};
use svc_core::events::{
    Event, RolesChanged, TenantUserActivated, TenantUserInvited, TenantUserRemoved, TenantUserSuspended,
    UserCreated, UsernameChanged,
};
use svc_core::{AccountId, Class, Cx, Digest, Error, Result, TenantUserId, Timestamp};
use svc_db::{Call, Row, Tenant, Tx, after, args, change_sql, sql};
use utoipa::ToSchema;

use crate::claims::profile::{Known, Profile};
use crate::delivery::signals;
use crate::document;
use crate::grants::ending;
use crate::log::{Action, Meaning, change, record};
use crate::people::{accounts, sessions, subjects};
use crate::tokens::revocations::{self, Revoked};

/// Where a membership stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TenantUserStatus)]
pub enum Status {
    /// Asked to join; becomes active by acceptance.
    Invited,
    /// Known from a directory; becomes active at the first sign-in.
    PreProvisioned,
    /// May sign in.
    Active,
    /// May not sign in, for now.
    Suspended,
    /// Gone for good; history stays.
    Removed,
}

/// A membership together with the account behind it.
#[derive(Clone, Debug)]
pub struct Person {
    /// The membership.
    pub id: TenantUserId,
    /// The account behind it.
    pub account_id: AccountId,
    /// The `sub` for the tenant's own applications.
    pub subject: String,
    /// The sign-in name within the tenant.
    pub username: Option<String>,
    /// Where the membership stands.
    pub status: Status,
    /// Roles within the tenant.
    pub roles: Vec<String>,
    /// The account's address.
    pub email: Option<String>,
    /// Whether the address was proven.
    pub email_verified: bool,
    /// Standard claims.
    pub profile: Profile,
    /// The password as a PHC string.
    pub password: Option<String>,
    /// Sessions and families older than this are over.
    pub credentials_changed_at: Timestamp,
    /// Whether the account itself may sign in anywhere.
    pub account_is_active: bool,
    /// When the membership was made.
    pub created_at: Timestamp,
    /// When anything of it last changed.
    pub updated_at: Timestamp,
}

impl Person {
    /// Whether the person may be given anything.
    pub fn may_sign_in(&self) -> bool {
        self.status == Status::Active && self.account_is_active
    }

    /// The person's claims, before any scope is applied.
    pub fn known(&self) -> Known<'_> {
        Known {
            profile: &self.profile,
            username: self.username.as_deref(),
            email: self.email.as_deref(),
            email_verified: self.email_verified,
            roles: &self.roles,
            updated_at: self.updated_at,
        }
    }
}

/// Most roles of one member.
const MOST_ROLES: usize = 100;
/// Most characters of a role.
const LONGEST_ROLE: usize = 100;

/// What stands for a person, stored by its digest.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Credential {
    /// A session's cookie.
    Session,
    /// An authorization code.
    Code,
    /// A refresh token.
    RefreshToken,
    /// An approved device code.
    DeviceCode,
    /// An approved backchannel request.
    CibaRequest,
}

/// Makes an account a member; the subject is random and stored, so that it survives everything.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    account: AccountId,
    username: Option<&str>,
    roles: &[String],
) -> Result<TenantUserId> {
    insert(tx, cx, (account, Status::Active), username, roles).await
}

/// Makes an account a member who may sign in once the invitation is accepted.
pub async fn invite(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    account: AccountId,
    username: Option<&str>,
    roles: &[String],
) -> Result<TenantUserId> {
    insert(tx, cx, (account, Status::Invited), username, roles).await
}

async fn insert(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (account, status): (AccountId, Status),
    username: Option<&str>,
    roles: &[String],
) -> Result<TenantUserId> {
    let id: TenantUserId = cx.id();
    let subject = svc_keys::random::token(&*cx.entropy);
    let username = username.map(check_username).transpose()?;
    check_roles(roles)?;
    let insert = change_sql!(
        "INSERT INTO tenant_users (tenant_id, id, account_id, subject, username, username_key, status, roles, metadata, \
         created_at, updated_at, version) VALUES ($1, $2, $3, $4, $5, $6, $9, $7, '{}', $8, $8, 1)"
    );
    let key = username.map(str::to_ascii_lowercase);
    let arguments =
        args![id, account, &subject, username, key, document::store(&roles)?, cx.now, status.name()];
    let created = UserCreated { tenant_user_id: id, sub: subject.clone() };
    let standing = if status == Status::Invited {
        Event::from(TenantUserInvited { tenant_user_id: id, sub: subject })
    } else {
        Event::from(TenantUserActivated { tenant_user_id: id, sub: subject })
    };
    let meaning = Meaning::done(Action::TenantUserCreated, id)
        .with(json!({ "status": status }))
        .telling(created)
        .telling(standing);
    change(tx, cx, insert, arguments, meaning).await?;
    accounts::joined(tx, account);
    Ok(id)
}

/// Makes the sign-in name so; returns whether anything changed. `conflict` where another member has it.
pub async fn set_username(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    username: Option<&str>,
) -> Result<bool> {
    let username = username.map(check_username).transpose()?;
    let update = change_sql!(
        "UPDATE tenant_users SET username = $3, username_key = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND COALESCE(username, '') <> COALESCE($3, '')"
    );
    let meaning = Meaning::done(Action::UsernameChanged, person.id)
        .telling(UsernameChanged { tenant_user_id: person.id, username: username.map(str::to_owned) });
    let arguments = args![person.id, username, username.map(str::to_ascii_lowercase), cx.now];
    let changed = change(tx, cx, update, arguments, meaning).await.map_err(|error| match error.class() {
        Class::Conflict => Error::conflict("username: another member has this one"),
        _ => error,
    })?;
    Ok(changed > 0)
}

/// Makes the roles so; returns whether anything changed.
pub async fn set_roles(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, roles: &[String]) -> Result<bool> {
    check_roles(roles)?;
    let update = change_sql!(
        "UPDATE tenant_users SET roles = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND roles <> $3"
    );
    let meaning = Meaning::done(Action::RolesChanged, person.id)
        .with(json!({ "roles": roles }))
        .telling(RolesChanged { tenant_user_id: person.id, roles: roles.to_vec() });
    let arguments = args![person.id, document::store(&roles)?, cx.now];
    let changed = change(tx, cx, update, arguments, meaning).await? > 0;
    if changed {
        let claims = Map::from_iter([("roles".to_owned(), json!(roles))]);
        signals::claims_changed(tx, cx, person, claims).await?;
    }
    Ok(changed)
}

/// Moves a membership; suspending and removing end sessions, refresh families and tokens in the same transaction.
pub async fn set_status(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, to: Status) -> Result<()> {
    let meaning = transition(person, to)?;
    let update = change_sql!(
        "UPDATE tenant_users SET status = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND status = $5"
    );
    let arguments = args![person.id, to.name(), cx.now, person.status.name()];
    if change(tx, cx, update, arguments, meaning).await? == 0 {
        return Err(Error::conflict("the tenant user changed meanwhile; read it again"));
    }
    if to != Status::Active {
        end_access(tx, cx, person).await?;
    }
    Ok(())
}

/// Ends every session, code, refresh family and token of a membership.
pub async fn end_access(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    ending::of_person(tx, cx, person.id).await?;
    sessions::end_all(tx, cx, person.id).await?;
    signals::access_ended(tx, cx, person).await?;
    for subject in subjects::every(tx, person).await? {
        revocations::revoke(tx, cx, &Revoked::Subject(subject));
    }
    Ok(())
}

/// The same because an administrator of the tenant wants it so.
pub async fn end_all_access(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    end_access(tx, cx, person).await?;
    record(tx, cx, Meaning::done(Action::AccessEnded, person.id));
    Ok(())
}

/// One membership with its account.
pub async fn find(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Option<Person>> {
    let select = sql!(
        "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND id = $2"
    );
    tx.optional(select, args![id]).await?.as_ref().map(person).transpose()
}

/// Selects the person behind a credential, to be read with it in one round trip.
pub(crate) fn behind(tx: &Tx<Tenant>, credential: Credential, digest: Digest) -> Call {
    let select = match credential {
        Credential::Session => sql!(
            "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND id = (SELECT tenant_user_id FROM sessions \
         WHERE tenant_id = $1 AND digest = $2)"
        ),
        Credential::Code => sql!(
            "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND id = (SELECT tenant_user_id FROM codes \
         WHERE tenant_id = $1 AND digest = $2)"
        ),
        Credential::RefreshToken => sql!(
            "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND id = (SELECT f.tenant_user_id FROM refresh_tokens t \
         JOIN refresh_families f ON f.tenant_id = t.tenant_id AND f.id = t.family_id \
         WHERE t.tenant_id = $1 AND t.digest = $2)"
        ),
        Credential::DeviceCode => sql!(
            "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND id = (SELECT tenant_user_id FROM device_codes \
         WHERE tenant_id = $1 AND digest = $2)"
        ),
        Credential::CibaRequest => sql!(
            "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND id = (SELECT tenant_user_id FROM ciba_requests \
         WHERE tenant_id = $1 AND digest = $2)"
        ),
    };
    tx.call(select, args![digest])
}

/// The person that a statement yielded.
pub(crate) fn one(rows: &[Row]) -> Result<Option<Person>> {
    rows.first().map(person).transpose()
}

/// Selects the membership that a `sub` names: the tenant's own, and the one behind a pairwise subject.
pub fn of_subject(tx: &Tx<Tenant>, subject: &str) -> [Call; 2] {
    let own = sql!(
        "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND subject = $2"
    );
    let pairwise = sql!(
        "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND id = (SELECT tenant_user_id FROM pairwise_subjects \
         WHERE tenant_id = $1 AND subject = $2)"
    );
    [tx.call(own, args![subject]), tx.call(pairwise, args![subject])]
}

/// The membership that a `sub` names, also a pairwise one.
pub async fn find_by_subject(tx: &mut Tx<Tenant>, subject: &str) -> Result<Option<Person>> {
    let [own, pairwise] = tx.batch(of_subject(tx, subject)).await?;
    named_by_subject(&own, &pairwise)
}

/// The membership that the statements of [`of_subject`] yielded.
pub fn named_by_subject(own: &[Row], pairwise: &[Row]) -> Result<Option<Person>> {
    own.first().or(pairwise.first()).map(person).transpose()
}

/// The present membership of an account.
pub async fn find_by_account(tx: &mut Tx<Tenant>, account: AccountId) -> Result<Option<Person>> {
    let select = sql!(
        "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND account_id = $2 AND status <> 'removed'"
    );
    tx.optional(select, args![account]).await?.as_ref().map(person).transpose()
}

/// The person who signs in as `identifier`: an e-mail address of the account, or a user name of the tenant.
pub async fn find_by_identifier(tx: &mut Tx<Tenant>, identifier: &str) -> Result<Option<Person>> {
    let [rows] = tx.batch([named(tx, identifier)]).await?;
    one(&rows)
}

/// Selects the person who signs in as `identifier`, to be read with others in one round trip.
pub(crate) fn named(tx: &Tx<Tenant>, identifier: &str) -> Call {
    let key = identifier_key(identifier);
    // A user name has no `@`, so each form has its own index.
    let select = if key.contains('@') {
        sql!(
            "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND email_key = $2 AND status <> 'removed'"
        )
    } else {
        sql!(
            "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND username_key = $2 AND status <> 'removed'"
        )
    };
    tx.call(select, args![key])
}

/// The one form of what a person typed to sign in; also what an unknown identifier is counted under.
pub fn identifier_key(identifier: &str) -> String {
    identifier.trim().to_ascii_lowercase()
}

/// A page of memberships by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, cursor: Option<TenantUserId>, limit: u32) -> Result<Vec<Person>> {
    let select = sql!(
        "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    );
    tx.all(select, args![after(cursor), limit]).await?.iter().map(person).collect()
}

/// The same of one status.
pub async fn list_of(
    tx: &mut Tx<Tenant>,
    status: Status,
    cursor: Option<TenantUserId>,
    limit: u32,
) -> Result<Vec<Person>> {
    let select = sql!(
        "SELECT id, account_id, subject, username, status, roles, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
         FROM people WHERE tenant_id = $1 AND status = $2 AND id > $3 ORDER BY id LIMIT $4"
    );
    tx.all(select, args![status.name(), after(cursor), limit]).await?.iter().map(person).collect()
}

fn person(row: &Row) -> Result<Person> {
    Ok(Person {
        id: row.parse("id")?,
        account_id: row.parse("account_id")?,
        subject: row.text("subject")?,
        username: row.maybe_text("username")?,
        status: Status::stored(&row.text("status")?)?,
        roles: document::load(row, "roles")?,
        email: row.maybe_text("email")?,
        email_verified: row.flag("email_verified")?,
        profile: document::load(row, "profile")?,
        password: row.maybe_text("password")?,
        credentials_changed_at: row.time("credentials_changed_at")?,
        account_is_active: row.text("account_status")? == "active",
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?.max(row.time("account_updated_at")?),
    })
}

fn transition(person: &Person, to: Status) -> Result<Meaning> {
    let (tenant_user_id, sub) = (person.id, person.subject.clone());
    let activated = || Event::from(TenantUserActivated { tenant_user_id, sub: sub.clone() });
    let (action, event) = match (person.status, to) {
        (Status::Invited | Status::PreProvisioned, Status::Active) => {
            (Action::TenantUserActivated, activated())
        }
        (Status::Suspended, Status::Active) => (Action::TenantUserReactivated, activated()),
        (Status::Active, Status::Suspended) => {
            (Action::TenantUserSuspended, TenantUserSuspended { tenant_user_id, sub }.into())
        }
        (Status::Removed, _) => return Err(Error::conflict("a removed tenant user stays removed")),
        (_, Status::Removed) => (Action::TenantUserRemoved, TenantUserRemoved { tenant_user_id, sub }.into()),
        (from, to) => {
            let (from, to) = (from.name(), to.name());
            return Err(Error::conflict(format!("a tenant user does not go from {from} to {to}")));
        }
    };
    Ok(Meaning::done(action, person.id).telling(event))
}

impl Status {
    const ALL: [Self; 5] =
        [Self::Invited, Self::PreProvisioned, Self::Active, Self::Suspended, Self::Removed];

    /// The stored name, which is also the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invited => "invited",
            Self::PreProvisioned => "pre_provisioned",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Removed => "removed",
        }
    }

    pub(crate) fn stored(name: &str) -> Result<Self> {
        Self::named(name).ok_or_else(|| Error::internal(format!("a tenant user of unknown status {name}")))
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl FromStr for Status {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let choices = || Self::ALL.map(Self::name).join(", ");
        Self::named(text).ok_or_else(|| Error::bad_request(format!("status: one of {}", choices())))
    }
}

fn check_roles(roles: &[String]) -> Result<()> {
    let is_role = |role: &String| {
        (1..=LONGEST_ROLE).contains(&role.chars().count()) && !role.chars().any(char::is_control)
    };
    if roles.len() <= MOST_ROLES && roles.iter().all(is_role) {
        Ok(())
    } else {
        Err(Error::bad_request(format!(
            "roles: use at most {MOST_ROLES} of 1 to {LONGEST_ROLE} characters without control characters"
        )))
    }
}

fn check_username(username: &str) -> Result<&str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if (1..=64).contains(&username.len()) && username.bytes().all(allowed) {
        Ok(username)
    } else {
        Err(Error::bad_request("username: use 1 to 64 letters, digits, dots, hyphens and underscores"))
    }
}
