//! People in memory: what UserInfo says of the subject of a token, without asking the database (OpenID Connect Core §5.3).
//!
//! A membership and the account behind it are kept apart, each by its id, so that a change of either is one entry to forget.
//! Only what claims are made of is kept, and whether the person may be given anything: no password.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::{AccountId, Result, TenantId, TenantRef, TenantUserId, Timestamp};
use svc_db::{Db, Row, Rows, System, Tx, Written, args, sql, system_sql};

use crate::claims::custom;
use crate::claims::profile::{Known, Profile};
use crate::document;
use crate::memory::{self, Forgettings};
use crate::people::tenant_users::{self, Metadata, Standing, Status};

/// Finds people by the subject of a token; answers from memory.
pub struct People {
    db: Db,
    /// Whose each subject is, which never changes.
    subjects: memory::Kept<(TenantRef, String), TenantUserId>,
    memberships: memory::Kept<(TenantRef, TenantUserId), Arc<Membership>>,
    accounts: memory::Kept<AccountId, Arc<Holder>>,
    forgettings: Forgettings,
}

/// What a membership adds to a person's claims.
#[derive(Debug)]
struct Membership {
    id: TenantUserId,
    account: AccountId,
    status: Status,
    username: Option<String>,
    roles: Vec<String>,
    groups: Vec<String>,
    public_metadata: Map<String, Value>,
    updated_at: Timestamp,
}

/// What an account says of its owner.
#[derive(Debug)]
struct Holder {
    is_active: bool,
    email: Option<String>,
    email_verified: bool,
    /// What the profile claims.
    claims: Map<String, Value>,
    updated_at: Timestamp,
}

/// The person behind a subject.
pub struct EndUser {
    membership: Arc<Membership>,
    holder: Arc<Holder>,
}

/// Most bytes of memberships, and of accounts.
const KEPT: u64 = 32 << 20;
/// Most bytes of subjects.
const SUBJECTS: u64 = 16 << 20;
/// The tables of which rows are kept here.
const MEMBERSHIPS: &str = "tenant_users";
const ACCOUNTS: &str = "accounts";

impl EndUser {
    /// Whether the person may be given anything.
    pub fn may_sign_in(&self) -> bool {
        self.membership.status == Status::Active && self.holder.is_active
    }

    /// The membership.
    pub fn id(&self) -> TenantUserId {
        self.membership.id
    }

    /// What a tenant's own claims are made of; `organization` is the one in which the token counts.
    pub fn facts<'a>(&'a self, organization: Option<custom::Organization<'a>>) -> custom::Facts<'a> {
        let Membership { public_metadata, roles, groups, .. } = &*self.membership;
        custom::Facts { public_metadata, roles, groups, organization }
    }

    /// The person's claims, before any scope is applied.
    pub fn known(&self) -> Known<'_> {
        Known {
            profile: Cow::Borrowed(&self.holder.claims),
            username: self.membership.username.as_deref(),
            email: self.holder.email.as_deref(),
            email_verified: self.holder.email_verified,
            roles: &self.membership.roles,
            groups: &self.membership.groups,
            updated_at: self.membership.updated_at.max(self.holder.updated_at),
        }
    }
}

impl People {
    /// An empty directory over `db`.
    pub fn new(db: Db) -> Self {
        Self {
            db,
            subjects: memory::bounded(SUBJECTS, |(_, subject), _| subject.len()),
            memberships: memory::bounded(KEPT, |_, membership: &Arc<Membership>| {
                let username = membership.username.as_ref().map_or(0, String::len);
                let documents = (&membership.roles, &membership.groups, &membership.public_metadata);
                size_of::<Membership>() + username + memory::weight(&documents)
            }),
            accounts: memory::bounded(KEPT, |_, holder: &Arc<Holder>| {
                let email = holder.email.as_ref().map_or(0, String::len);
                size_of::<Holder>() + email + memory::weight(&holder.claims)
            }),
            forgettings: Forgettings::default(),
        }
    }

    /// Whether anything of a table is kept.
    pub fn keeps(table: &str) -> bool {
        [MEMBERSHIPS, ACCOUNTS].contains(&table)
    }

    /// The person whom a `sub` names in this tenant, also a pairwise one.
    pub async fn find_by_subject(&self, tenant: TenantId, subject: &str) -> Result<Option<EndUser>> {
        let key = (tenant.reference(), subject.to_owned());
        if let Some(known) = self.subjects.get(&key).and_then(|id| self.kept(tenant, id)) {
            return Ok(Some(known));
        }
        // Boxed: the state of the rare way would be part of every request.
        let found = Box::pin(self.read(tenant, subject)).await?;
        let Some((id, end_user)) = found else { return Ok(None) };
        self.subjects.insert(key, id);
        Ok(Some(end_user))
    }

    fn kept(&self, tenant: TenantId, id: TenantUserId) -> Option<EndUser> {
        let membership = self.memberships.get(&(tenant.reference(), id))?;
        let holder = self.accounts.get(&membership.account)?;
        Some(EndUser { membership, holder })
    }

    /// Reads a person and keeps them, unless people changed meanwhile.
    async fn read(&self, tenant: TenantId, subject: &str) -> Result<Option<(TenantUserId, EndUser)>> {
        let before = self.forgettings.number();
        let by_subject = sql!(
            "SELECT id, account_id, username, status, roles, group_roles, group_names, metadata, updated_at, email, email_verified, profile, account_status, \
             account_updated_at FROM people WHERE tenant_id = $1 AND subject = $2"
        );
        let by_pairwise_subject = sql!(
            "SELECT id, account_id, username, status, roles, group_roles, group_names, metadata, updated_at, email, email_verified, profile, account_status, \
             account_updated_at FROM people WHERE tenant_id = $1 AND id = (SELECT tenant_user_id FROM pairwise_subjects \
             WHERE tenant_id = $1 AND subject = $2)"
        );
        let mut tx = self.db.read(tenant).await?;
        let calls = [tx.call(by_subject, args![subject]), tx.call(by_pairwise_subject, args![subject])];
        let [own, pairwise] = tx.batch(calls).await?;
        let Some(row) = own.first().or(pairwise.first()) else { return Ok(None) };
        let id: TenantUserId = row.parse("id")?;
        let end_user = EndUser { membership: Arc::new(membership(row)?), holder: Arc::new(holder(row)?) };
        let (key, account) = ((tenant.reference(), id), end_user.membership.account);
        self.memberships.insert(key, Arc::clone(&end_user.membership));
        self.accounts.insert(account, Arc::clone(&end_user.holder));
        if self.forgettings.number() != before {
            self.memberships.invalidate(&key);
            self.accounts.invalidate(&account);
        }
        Ok(Some((id, end_user)))
    }

    /// Forgets what a commit of this process has written. A row that is new cannot have been read before.
    pub fn forget(&self, written: &[Written]) {
        let ours = written.iter().filter(|written| Self::keeps(written.table) && written.rows != Rows::New);
        for written in ours {
            self.forgettings.count();
            match &written.rows {
                Rows::One { tenant: Some(tenant), id } => self.forget_membership(tenant, id),
                Rows::One { tenant: None, id } => self.forget_account(id),
                Rows::New | Rows::Any => self.forget_all(),
            }
        }
    }

    fn forget_membership(&self, tenant: &str, id: &str) {
        match (tenant.parse(), id.parse()) {
            (Ok(tenant), Ok(id)) => self.memberships.invalidate(&(tenant, id)),
            _ => self.forget_all(),
        }
    }

    fn forget_account(&self, id: &str) {
        match id.parse::<AccountId>() {
            Ok(id) => self.accounts.invalidate(&id),
            Err(_) => self.forget_all(),
        }
    }

    fn forget_all(&self) {
        self.memberships.invalidate_all();
        self.accounts.invalidate_all();
    }

    /// Forgets what changed since `since`, so that another node's change is seen here.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let memberships =
            system_sql!("SELECT tenant_id, id FROM tenant_users WHERE updated_at >= $1 AND version > 1");
        let accounts =
            system_sql!("SELECT id FROM accounts WHERE updated_at >= $1 AND updated_at > created_at");
        let calls = [tx.call(memberships, args![since]), tx.call(accounts, args![since])];
        let [memberships, accounts] = tx.batch(calls).await?;
        if !(memberships.is_empty() && accounts.is_empty()) {
            self.forgettings.count();
        }
        for row in &memberships {
            self.memberships.invalidate(&(row.parse("tenant_id")?, row.parse("id")?));
        }
        for row in &accounts {
            self.accounts.invalidate(&row.parse::<AccountId>("id")?);
        }
        // What was not asked for is given back even where no request comes that would do it.
        self.memberships.run_pending_tasks();
        self.accounts.run_pending_tasks();
        self.subjects.run_pending_tasks();
        Ok(())
    }
}

fn membership(row: &Row) -> Result<Membership> {
    let Standing { roles, groups, .. } = tenant_users::standing(row)?;
    Ok(Membership {
        id: row.parse("id")?,
        account: row.parse("account_id")?,
        status: Status::stored(&row.text("status")?)?,
        username: row.maybe_text("username")?,
        roles,
        groups,
        public_metadata: document::load::<Metadata>(row, "metadata")?.public,
        updated_at: row.time("updated_at")?,
    })
}

fn holder(row: &Row) -> Result<Holder> {
    Ok(Holder {
        is_active: row.text("account_status")? == "active",
        email: row.maybe_text("email")?,
        email_verified: row.flag("email_verified")?,
        claims: document::load::<Profile>(row, "profile")?.claims(),
        updated_at: row.time("account_updated_at")?,
    })
}
