//! How pages look for the people of an organization, which texts of its own it has, and how they sign in: from memory, by the name
//! that a request calls it.

use std::sync::Arc;

use svc_core::events::OrganizationUpdated;
use svc_core::{Cx, OrganizationId, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, Row, System, Tenant, Tx, args, change_sql, quiet_sql, sql, system_sql};

use super::{Configuration, Organization, SignInRules, may_name, sign_in};
use crate::document;
use crate::log::{Action, Meaning, change, check_version};
use crate::memory::{self, CacheCounts, Forgettings, Kept};
use crate::tenancy::branding::Branding;
use crate::tenancy::texts::{Texts, facts};

/// Most bytes of looks in memory.
const BYTES: u64 = 16 << 20;
/// Most tenants whose generation is in memory.
const TENANTS: u64 = 4 << 20;

/// What an active organization changes of its tenant's pages and mails, and of how people sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The organization.
    pub id: OrganizationId,
    /// What it chooses of the look.
    pub branding: Branding,
    /// Its texts.
    pub texts: Arc<Texts>,
    /// How its members must have signed in for tokens that count in it.
    pub sign_in: SignInRules,
}

/// Reads looks of active organizations; the argument says which.
macro_rules! looks_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, configuration, texts, sign_in_rules FROM organizations \
             WHERE tenant_id = $1 AND status = 'active' AND ",
            $which
        )
    };
}

/// Finds what pages of organizations depend on; answers from memory.
pub struct Looks {
    db: Db,
    kept: Kept<(TenantRef, String), Arc<Remembered>>,
    /// By tenant: what was read in another generation does not count.
    generations: Kept<TenantRef, i64>,
    forgettings: Forgettings,
}

struct Remembered {
    generation: i64,
    /// Nothing where there is no such organization: that is not to be told by the time that an answer takes.
    look: Option<Arc<Look>>,
}

impl Looks {
    /// Nothing yet, over `db`.
    pub fn new(db: Db) -> Self {
        let weigh = |(_, named): &(TenantRef, String), kept: &Arc<Remembered>| {
            let look = kept.look.as_deref().map(|look| (&look.branding, &*look.texts, &look.sign_in));
            size_of::<Look>() + named.len() + memory::weight(&look)
        };
        let generations = memory::bounded(TENANTS, |_, _| size_of::<i64>());
        Self { db, kept: memory::bounded(BYTES, weigh), generations, forgettings: Forgettings::default() }
    }

    /// Forgets the looks of tenants that changed some since `since`, here or on another node.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed = system_sql!("SELECT tenant_id, generation FROM look_sets WHERE updated_at >= $1");
        let changed = tx.all(changed, args![since]).await?;
        if !changed.is_empty() {
            self.forgettings.count();
        }
        for row in changed {
            let (tenant, generation) = (row.parse::<TenantRef>("tenant_id")?, row.int("generation")?);
            if self.generations.get(&tenant).is_some_and(|kept| kept != generation) {
                self.generations.invalidate(&tenant);
            }
        }
        self.kept.run_pending_tasks();
        Ok(())
    }

    /// How often memory had a look.
    pub fn counts(&self) -> CacheCounts {
        self.kept.counts()
    }

    /// The look of the active organization that a request calls by its id or its slug; nothing where there is none.
    pub async fn named(&self, tenant: TenantId, named: &str) -> Result<Option<Arc<Look>>> {
        if !may_name(named) {
            return Ok(None);
        }
        let key = (tenant.reference(), named.to_owned());
        if let (Some(generation), Some(kept)) = (self.generations.get(&key.0), self.kept.find(&key))
            && kept.generation == generation
        {
            return Ok(kept.look.clone());
        }
        // Boxed: the state of the rare way would be part of every request.
        Box::pin(self.load(tenant, key)).await
    }

    async fn load(&self, tenant: TenantId, key: (TenantRef, String)) -> Result<Option<Arc<Look>>> {
        let before = self.forgettings.number();
        let mut tx = self.db.read(tenant).await?;
        let generation = tx.call(sql!("SELECT generation FROM look_sets WHERE tenant_id = $1"), args![]);
        let named = match key.1.parse::<OrganizationId>() {
            Ok(id) => tx.call(looks_sql!("id = $2"), args![id]),
            Err(_) => tx.call(looks_sql!("slug = $2"), args![&key.1]),
        };
        let [generation, found] = tx.batch([generation, named]).await?;
        let generation = generation.first().map_or(Ok(0), |row| row.int("generation"))?;
        let look = found.first().map(look).transpose()?.map(Arc::new);
        self.generations.insert(key.0, generation);
        self.kept.insert(key.clone(), Arc::new(Remembered { generation, look: look.clone() }));
        if self.forgettings.number() != before {
            self.generations.invalidate(&key.0);
        }
        Ok(look)
    }
}

fn look(row: &Row) -> Result<Look> {
    let configuration: Configuration = document::load(row, "configuration")?;
    let texts = Arc::new(Texts::of_row(row)?);
    Ok(Look { id: row.parse("id")?, branding: configuration.branding(), texts, sign_in: sign_in::read(row)? })
}

/// The look of an active organization, as a transaction sees it.
pub async fn find(tx: &mut Tx<Tenant>, id: OrganizationId) -> Result<Option<Look>> {
    tx.optional(looks_sql!("id = $2"), args![id]).await?.as_ref().map(look).transpose()
}

/// The texts of an organization.
pub async fn texts(tx: &mut Tx<Tenant>, organization: &Organization) -> Result<Texts> {
    let select = sql!("SELECT texts FROM organizations WHERE tenant_id = $1 AND id = $2");
    let row = tx.one(select, args![organization.id]).await?;
    Texts::of_row(&row)
}

/// Makes the texts of an organization so, which the caller has held against the catalogues.
pub async fn set_texts(tx: &mut Tx<Tenant>, cx: &Cx, present: &Organization, texts: &Texts) -> Result<()> {
    texts.check()?;
    let update = change_sql!(
        "UPDATE organizations SET texts = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $5"
    );
    let (id, name) = (present.id, present.configuration.name.clone());
    let event = OrganizationUpdated { organization_id: id, name, status: present.status.name() };
    let meaning = Meaning::done(Action::OrganizationTextsChanged, id).with(facts(texts)).telling(event);
    let arguments = args![id, document::store(texts)?, cx.now, present.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the organization")?;
    touch(tx, cx);
    Ok(())
}

/// Lets every node know that the tenant's organizations look different.
pub(super) fn touch(tx: &mut Tx<Tenant>, cx: &Cx) {
    let upsert = quiet_sql!(
        "goes with the organization, whose change is recorded",
        "INSERT INTO look_sets (tenant_id, generation, updated_at) VALUES ($1, 1, $2) ON CONFLICT (tenant_id) \
         DO UPDATE SET generation = look_sets.generation + 1, updated_at = excluded.updated_at"
    );
    tx.later(upsert, args![cx.now]);
}
