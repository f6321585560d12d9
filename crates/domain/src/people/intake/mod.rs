//! What the people of a tenant are asked for, terms and fields, in memory.

pub mod for_whom;
mod open;
pub mod texts;

use svc_core::{AppId, Cx, OrganizationId, Result, Timestamp};
use svc_db::{SystemSql, Tenant, Tx, args, quiet_sql, sql, system_sql};

pub use self::open::{Answers, Open, Owed, Standing, keep};
use super::fields::{self, Field};
use super::terms::{self, Terms};
use crate::generations::{Generation, Generations};
use crate::memory;

/// Most bytes in memory.
const BYTES: u64 = 16 << 20;

/// Finds what a tenant asks its people for; answers from memory.
pub type Intakes = Generations<Intake>;

/// What a tenant asks its people for.
#[derive(Debug, Default)]
pub struct Intake {
    /// Rises with every change of any of it.
    generation: i64,
    /// Every version of every document, by document and then by time.
    terms: Vec<Terms>,
    /// The fields that are asked for, in their order.
    fields: Vec<Field>,
}

impl Generation for Intake {
    const BYTES: u64 = BYTES;
    const CHANGED: SystemSql =
        system_sql!("SELECT tenant_id, generation FROM intake_sets WHERE updated_at >= $1");

    async fn read(tx: &mut Tx<Tenant>) -> Result<Self> {
        let generation = sql!("SELECT generation FROM intake_sets WHERE tenant_id = $1");
        let calls = [tx.call(generation, args![]), terms::every(tx), fields::every(tx)];
        let [generation, terms, fields] = tx.batch(calls).await?;
        let generation = generation.first().map_or(Ok(0), |row| row.int("generation"))?;
        let (mut terms, mut fields) = (terms::records(&terms)?, fields::records(&fields)?);
        terms.sort_by_key(|terms| (terms.content.key.clone(), terms.content.effective_at));
        fields.retain(|field| field.content.enabled);
        fields.sort_by_key(|field| (field.content.order, field.id));
        Ok(Self { generation, terms, fields })
    }

    fn number(&self) -> i64 {
        self.generation
    }

    fn weight(&self) -> usize {
        memory::weight(&self.terms) + memory::weight(&self.fields)
    }
}

/// Where people are asked, and when.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// The application on the way to which they are.
    pub application: Option<AppId>,
    /// The organizations whose people they are there.
    pub organizations: &'a [OrganizationId],
    /// When.
    pub now: Timestamp,
}

impl Intake {
    /// Whether people are asked for nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.fields.is_empty()
    }

    /// Whether there are documents to accept.
    pub fn has_terms(&self) -> bool {
        !self.terms.is_empty()
    }

    /// Whether there are fields to fill in.
    pub fn has_fields(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Whether something is asked of the people of organizations alone.
    pub fn is_of_organizations(&self) -> bool {
        self.terms.iter().any(|terms| !terms.content.organization_ids.is_empty())
            || self.fields.iter().any(|field| !field.content.organization_ids.is_empty())
    }

    /// The fields that are asked for, in their order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Of each document the newest version that is in effect for the people of these organizations, by the name of the document.
    pub fn current(&self, organizations: &[OrganizationId], now: Timestamp) -> Vec<&Terms> {
        let mut current: Vec<&Terms> = Vec::new();
        let counts = |terms: &&Terms| terms.content.effective_at <= now && terms.is_for(organizations);
        for terms in self.terms.iter().filter(counts) {
            match current.last_mut() {
                Some(last) if last.content.key == terms.content.key => *last = terms,
                _ => current.push(terms),
            }
        }
        current
    }
}

/// Lets every node know that the tenant asks for something else.
pub(super) fn touch(tx: &mut Tx<Tenant>, cx: &Cx) {
    let upsert = quiet_sql!(
        "goes with the record, whose change is recorded",
        "INSERT INTO intake_sets (tenant_id, generation, updated_at) VALUES ($1, 1, $2) ON CONFLICT (tenant_id) \
         DO UPDATE SET generation = intake_sets.generation + 1, updated_at = excluded.updated_at"
    );
    tx.later(upsert, args![cx.now]);
}
