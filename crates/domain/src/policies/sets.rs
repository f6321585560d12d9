//! The policies of each tenant in memory, read and compiled once until one of them changes; and the questions put to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use svc_config::AccessControl;
use svc_core::{Cx, OrInternal as _, Result, TenantId, Timestamp};
use svc_db::{Db, System, SystemSql, Tenant, Tx, Written, args, sql, system_sql};

use super::answer::Answer;
use super::compiled::{Compiled, judge};
use super::decisions::Decisions;
use super::people::{People, Principal};
use super::question::{AssumedEntity, CedarQuestion, Question};
use super::{Status, store};
use crate::generations::{Generation, Generations};
use crate::memory::CacheCounts;

/// Most bytes of the texts of policies in memory, with what is made of them.
const BYTES: u64 = 64 << 20;
/// How much longer a compiled text is than the text.
const COMPILED: usize = 40;

/// Finds the policies of a tenant, and asks them; answers from memory.
pub struct Policies {
    of_tenants: Generations<TenantPolicies>,
    people: People,
    /// What was decided and is not yet written down.
    pub decisions: Decisions,
}

/// The policies of a tenant that are evaluated.
pub struct TenantPolicies {
    /// Rises with every change of any of them.
    generation: i64,
    /// Those that decide, and those in the shadow.
    pub compiled: Vec<Compiled>,
    size: usize,
}

impl Policies {
    /// Nothing yet, over `db`.
    pub fn new(db: Db, config: &AccessControl) -> Self {
        Self {
            people: People::new(db.clone(), config),
            of_tenants: Generations::new(db),
            decisions: Decisions::default(),
        }
    }

    /// Whether rows of a table are forgotten as soon as they are written.
    pub fn keeps(table: &str) -> bool {
        People::keeps(table)
    }

    /// Takes in what a commit of this process has written.
    pub fn forget(&self, written: &[Written]) {
        self.people.forget(written);
    }

    /// Forgets the policies of tenants that changed some since `since`, here or on another node.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        self.of_tenants.refresh(tx, since).await
    }

    /// How often memory had a tenant's policies.
    pub fn counts(&self) -> CacheCounts {
        self.of_tenants.counts()
    }

    /// The policies of a tenant.
    pub async fn of(&self, tenant: TenantId) -> Result<Arc<TenantPolicies>> {
        self.of_tenants.of(tenant).await
    }

    /// Makes of a question what policies are asked.
    pub async fn prepare(
        &self,
        tenant: TenantId,
        cx: &Cx,
        question: &Question,
        given: &[AssumedEntity],
    ) -> Result<CedarQuestion> {
        let person = self.person(tenant, cx, question).await?;
        CedarQuestion::of(question, person.as_deref(), given, cx.now)
    }

    /// The same of a question of another time, about the person as it is now.
    pub(super) async fn prepare_at(
        &self,
        tenant: TenantId,
        (cx, then): (&Cx, &Cx),
        question: &Question,
    ) -> Result<CedarQuestion> {
        let person = self.person(tenant, cx, question).await?;
        CedarQuestion::of(question, person.as_deref(), &[], then.now)
    }

    /// The subject, where it is a person of the tenant.
    async fn person(&self, tenant: TenantId, cx: &Cx, question: &Question) -> Result<Option<Arc<Principal>>> {
        if !question.is_about_person() {
            return Ok(None);
        }
        self.people.find(tenant, &question.subject.id, cx.now).await
    }

    /// Answers a question, asks the policies in the shadow as well, and notes both to be written down.
    pub async fn decide(&self, tenant: TenantId, cx: &Cx, question: &Question) -> Result<Answer> {
        let (policies, asked) = (self.of(tenant).await?, self.prepare(tenant, cx, question, &[]).await?);
        let answer = judge(policies.deciding(), &asked);
        let shadows: Vec<_> = policies.shadows().filter(|shadow| shadow.concerns(&asked)).collect();
        let differing = shadows.iter().filter_map(|shadow| {
            let (id, version) = shadow.source?;
            let mut with = answer.clone();
            with.add(shadow.answer(&asked));
            Some(((id, version), with.is_permitted() != answer.is_permitted()))
        });
        self.decisions.note(tenant, cx, (question, &answer), differing.collect());
        Ok(answer)
    }
}

impl Generation for TenantPolicies {
    const BYTES: u64 = BYTES;
    const CHANGED: SystemSql =
        system_sql!("SELECT tenant_id, generation FROM policy_sets WHERE updated_at >= $1");

    /// Reads and compiles a tenant's policies.
    async fn read(tx: &mut Tx<Tenant>) -> Result<Self> {
        let generation = sql!("SELECT generation FROM policy_sets WHERE tenant_id = $1");
        let calls = [tx.call(generation, args![]), store::evaluated(tx)];
        let [generation, rows] = tx.batch(calls).await?;
        let generation = generation.first().map_or(Ok(0), |row| row.int("generation"))?;
        let policies = rows.iter().map(store::policy).collect::<Result<Vec<_>>>()?;
        // It may take a while, in which this thread would serve no request.
        let compiling = tokio::task::spawn_blocking(move || {
            let size = policies.iter().map(store::size_of_texts).sum();
            (policies.iter().filter_map(compiled).collect(), size)
        });
        let (compiled, size) = compiling.await.or_internal()?;
        Ok(Self { generation, compiled, size })
    }

    fn number(&self) -> i64 {
        self.generation
    }

    fn weight(&self) -> usize {
        self.size.saturating_mul(COMPILED)
    }
}

impl TenantPolicies {
    /// Those that decide.
    pub fn deciding(&self) -> impl Iterator<Item = &Compiled> {
        self.compiled.iter().filter(|policy| policy.status == Status::Active)
    }

    /// Those that are evaluated too, and decide nothing.
    pub fn shadows(&self) -> impl Iterator<Item = &Compiled> {
        self.compiled.iter().filter(|policy| policy.status == Status::Shadow)
    }

    /// The names of the actions that the deciding policies are about, in order.
    pub fn actions(&self) -> BTreeSet<String> {
        self.deciding().flat_map(Compiled::actions).collect()
    }

    /// The ids of a type that the deciding policies name, in order.
    pub fn ids_of(&self, kind: &str) -> BTreeSet<String> {
        let kind = if kind == "user" { "User" } else { kind };
        self.deciding().flat_map(|policy| policy.ids_of(kind)).collect()
    }
}

/// A document as it can be asked. One that a newer version has written in a newer language permits nothing here; it would be
/// dangerous to go without one that forbids, so that it is replaced by one that forbids everything.
fn compiled(policy: &super::Policy) -> Option<Compiled> {
    match Compiled::of(policy) {
        Ok(compiled) => Some(compiled),
        Err(error) => {
            tracing::error!(error = ?error, policy = %policy.id, "a stored policy cannot be read; it forbids everything");
            let unread = "@id(\"unreadable\") forbid(principal, action, resource);";
            let closed = Compiled::given(unread, None).ok()?;
            Some(closed.standing_for(policy))
        }
    }
}
