//! The people whom questions are about, in memory: what policies may look at, no older than `access_control.cache_ttl_secs`.
//!
//! What this process changes is seen at once. What another node changes is seen when that time is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use svc_config::AccessControl;
use svc_core::{OrganizationId, Result, Seconds, TenantId, TenantRef, TenantUserId, Timestamp};
use svc_db::{Db, Tenant, Tx, Written, args, sql};

use crate::document;
use crate::memory::{self, Kept};
use crate::people::tenant_users::{self, Person};

/// Most bytes of people.
const BYTES: u64 = 32 << 20;
/// Most organizations of a person that policies see.
const MOST_ORGANIZATIONS: u32 = 500;
/// The tables of which a person is made.
const TABLES: &[&str] = &[
    "tenant_users",
    "accounts",
    "role_members",
    "user_groups",
    "group_roles",
    "group_members",
    "group_nesting",
    "organizations",
    "organization_members",
    "organization_roles",
    // Roles in an organization come by groups of its directory, too.
    "scim_groups",
    "scim_group_members",
    "scim_group_roles",
];

/// A person of the tenant as policies see one.
#[derive(Debug)]
pub struct Principal {
    /// The membership.
    pub id: TenantUserId,
    /// The `sub` for the tenant's own applications.
    pub subject: String,
    /// Where the membership stands.
    pub status: &'static str,
    /// Whether the person may be given anything.
    pub is_active: bool,
    pub(super) username: Option<String>,
    pub(super) email: Option<String>,
    pub(super) email_verified: bool,
    pub(super) roles: Vec<String>,
    pub(super) groups: Vec<String>,
    /// Those that are active, with the roles there.
    pub(super) organizations: Vec<(OrganizationId, Vec<String>)>,
}

/// Finds people; answers from memory.
pub(super) struct People {
    db: Db,
    /// How long a person is remembered.
    fresh: Seconds,
    kept: Kept<(TenantRef, String), Arc<Remembered>>,
    /// How often this process has changed people.
    changes: AtomicU64,
}

struct Remembered {
    /// `None` where no person has the id.
    person: Option<Arc<Principal>>,
    read_at: Timestamp,
    after: u64,
}

impl People {
    pub fn new(db: Db, config: &AccessControl) -> Self {
        let weigh = |(_, name): &(TenantRef, String), remembered: &Arc<Remembered>| {
            let person = remembered.person.as_ref();
            let lists = person
                .map_or(0, |person| memory::weight(&(&person.roles, &person.groups, &person.organizations)));
            size_of::<Principal>() + name.len() + lists
        };
        Self {
            db,
            fresh: config.cache_ttl_secs,
            kept: memory::bounded(BYTES, weigh),
            changes: AtomicU64::default(),
        }
    }

    /// Whether people are made of a table.
    pub fn keeps(table: &str) -> bool {
        TABLES.contains(&table)
    }

    /// Takes in that this process has changed something.
    pub fn forget(&self, written: &[Written]) {
        if written.iter().any(|written| Self::keeps(written.table)) {
            self.changes.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// The person of this id or `sub`.
    pub async fn find(&self, tenant: TenantId, name: &str, now: Timestamp) -> Result<Option<Arc<Principal>>> {
        let key = (tenant.reference(), name.to_owned());
        let changes = self.changes.load(Ordering::SeqCst);
        let kept = self.kept.get(&key);
        if let Some(kept) = kept.filter(|kept| kept.after == changes && self.is_fresh(kept.read_at, now)) {
            return Ok(kept.person.clone());
        }
        // Boxed: the state of the rare way would be part of every request.
        let person = Box::pin(async { read(&mut self.db.read(tenant).await?, name).await }).await?;
        let person = person.map(Arc::new);
        self.kept.insert(key, Arc::new(Remembered { person: person.clone(), read_at: now, after: changes }));
        Ok(person)
    }

    fn is_fresh(&self, read_at: Timestamp, now: Timestamp) -> bool {
        read_at <= now && now < read_at + self.fresh
    }
}

async fn read(tx: &mut Tx<Tenant>, name: &str) -> Result<Option<Principal>> {
    let person = match name.parse::<TenantUserId>() {
        Ok(id) => tenant_users::find(tx, id).await?,
        Err(_) => None,
    };
    let person = match person {
        Some(person) => Some(person),
        None => tenant_users::find_by_subject(tx, name).await?,
    };
    match person {
        Some(person) => Ok(Some(principal(tx, person).await?)),
        None => Ok(None),
    }
}

/// A person with the organizations in which it may act.
async fn principal(tx: &mut Tx<Tenant>, person: Person) -> Result<Principal> {
    let select = sql!(
        "SELECT r.organization_id, r.held_roles FROM organization_records r JOIN organizations o \
         ON o.tenant_id = r.tenant_id AND o.id = r.organization_id \
         WHERE r.tenant_id = $1 AND r.tenant_user_id = $2 AND o.status = 'active' ORDER BY r.organization_id LIMIT $3"
    );
    let rows = tx.all(select, args![person.id, MOST_ORGANIZATIONS]).await?;
    let organizations =
        rows.iter().map(|row| Ok((row.parse("organization_id")?, document::load(row, "held_roles")?)));
    let organizations = organizations.collect::<Result<_>>()?;
    let is_active = person.may_sign_in();
    let Person { id, subject, status, username, email, email_verified, roles, groups, .. } = person;
    let status = status.name();
    Ok(Principal {
        id,
        subject,
        status,
        is_active,
        username,
        email,
        email_verified,
        roles,
        groups,
        organizations,
    })
}
