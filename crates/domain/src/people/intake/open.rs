//! What a person has not accepted or answered yet, and what becomes of it when they do.

use serde_json::Value;
use svc_core::{Cx, OrganizationId, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx};

use super::{Asking, Intake};
use crate::people::fields::{self, Asks, Field, WhenAsked};
use crate::people::tenant_users::{self, Person};
use crate::people::terms::{self, Acceptance, Given, Terms, TermsContent};

/// So long after joining a person is asked for what is asked at sign-up and not required.
const NEW: Seconds = Seconds(3600);
const DAY: Seconds = Seconds(24 * 3600);

/// What a person has accepted, and how often they have been asked.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// What they accepted, the latest last.
    pub accepted: Vec<Acceptance>,
    /// How often they have been asked.
    pub asks: Asks,
}

/// How much a person owes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owed {
    /// Nothing.
    #[default]
    Nothing,
    /// What they may put off.
    Optional,
    /// What they cannot go on without.
    Required,
}

/// What a person is asked for now.
#[derive(Debug)]
pub struct Open<'a> {
    /// Versions that they have not accepted.
    pub terms: Vec<&'a Terms>,
    /// Fields that they have not answered.
    pub fields: Vec<&'a Field>,
    /// How much of it must be.
    pub owed: Owed,
}

/// What a person has accepted and answered.
#[derive(Debug, Default)]
pub struct Answers<'a> {
    /// The versions that they accept.
    pub accepted: Vec<&'a Terms>,
    /// The answers, by field.
    pub values: Vec<(&'a Field, Option<Value>)>,
    /// Whether they leave out what they might have answered.
    pub puts_off: bool,
}

impl Intake {
    /// What has to be known of a person to say what they owe; reads only what bears on it.
    pub async fn standing(&self, tx: &mut Tx<Tenant>, person: &Person) -> Result<Standing> {
        let mut standing = Standing::default();
        if !self.terms.is_empty() {
            standing.accepted = terms::accepted(tx, person.id).await?;
        }
        if self.may_ask(person) {
            standing.asks = fields::asks(tx, person.id).await?;
        }
        Ok(standing)
    }

    /// Whether sign-ins of this person are counted: something is asked for later, and they have not answered it.
    pub fn counts_sign_ins(&self, person: &Person) -> bool {
        let is_later = |field: &&Field| field.content.asked == WhenAsked::Later;
        self.fields.iter().filter(is_later).any(|field| !field.is_answered(&person.metadata))
    }

    /// Whether it matters how often the person was asked.
    fn may_ask(&self, person: &Person) -> bool {
        let matters = |field: &&Field| field.content.asked == WhenAsked::Later || !field.content.required;
        self.fields.iter().filter(matters).any(|field| !field.is_answered(&person.metadata))
    }

    /// What a person is asked for there and then.
    pub fn open(&self, (person, standing): (&Person, &Standing), asking: Asking<'_>) -> Open<'_> {
        let Asking { organizations, now, .. } = asking;
        let terms: Vec<_> = self
            .current(organizations, now)
            .into_iter()
            .filter(|terms| !self.has_accepted(terms, &standing.accepted, (organizations, now)))
            .collect();
        let asked = self.fields.iter().filter(|field| field.is_asked(asking));
        let fields: Vec<_> = asked.filter(|field| is_due(field, person, standing.asks, now)).collect();
        // A document that need not be accepted is shown with what is asked for, and brings no user to a page by itself.
        let of_terms = terms.iter().filter(|terms| terms.content.required).map(|_| Owed::Required);
        let of_fields =
            fields.iter().map(|field| if field.content.required { Owed::Required } else { Owed::Optional });
        let owed = of_terms.chain(of_fields).max().unwrap_or_default();
        Open { terms, fields, owed }
    }

    /// What a newcomer is asked for.
    pub fn at_sign_up(&self, asking: Asking<'_>) -> Open<'_> {
        let is_asked = |field: &&Field| field.is_asked(asking) && field.content.asked == WhenAsked::AtSignUp;
        let terms = self.current(asking.organizations, asking.now);
        let fields: Vec<_> = self.fields.iter().filter(is_asked).collect();
        let must = terms.iter().any(|terms| terms.content.required)
            || fields.iter().any(|field| field.content.required);
        let owed = if must {
            Owed::Required
        } else if terms.is_empty() && fields.is_empty() {
            Owed::Nothing
        } else {
            Owed::Optional
        };
        Open { terms, fields, owed }
    }

    /// Whether a person has accepted a version, or an earlier one after which none has to be accepted again. One for the people of other
    /// organizations is none of these.
    pub fn has_accepted(
        &self,
        newest: &Terms,
        accepted: &[Acceptance],
        (organizations, now): (&[OrganizationId], Timestamp),
    ) -> bool {
        let TermsContent { key, organization_ids, .. } = &newest.content;
        let there: Vec<_> =
            organization_ids.iter().copied().filter(|id| organizations.contains(id)).collect();
        // What was accepted by a version that is deleted meanwhile stays accepted where that counted.
        let is_of_there = |acceptance: &&Acceptance| {
            let version = self.terms.iter().find(|terms| terms.id == acceptance.terms_id);
            let shown = &acceptance.shown;
            shown.key == *key && version.map_or_else(|| shown.was_for(&there), |terms| terms.is_for(&there))
        };
        let times = accepted.iter().filter(is_of_there).map(|acceptance| acceptance.shown.effective_at);
        let Some(last) = times.max() else { return false };
        let is_owed = |terms: &Terms| {
            let content = &terms.content;
            content.key == *key
                && terms.is_for(&there)
                && content.effective_at > last
                && content.effective_at <= now
                && content.accept_again_from.is_some_and(|from| from <= now)
        };
        !self.terms.iter().any(is_owed)
    }
}

fn is_new(person: &Person, now: Timestamp) -> bool {
    person.created_at + NEW > now
}

/// Whether a person is asked for a field now.
fn is_due(field: &Field, person: &Person, asks: Asks, now: Timestamp) -> bool {
    if field.is_answered(&person.metadata) {
        return false;
    }
    let content = &field.content;
    let has_come_often = asks.sign_ins >= i64::from(content.after_sign_ins);
    let wait = Seconds(DAY.0 * i64::from(content.again_after_days));
    let is_put_off = asks.put_off_at.is_some_and(|at| at + wait > now);
    match (content.asked, content.required) {
        (WhenAsked::AtSignUp, true) => true,
        (WhenAsked::AtSignUp, false) => is_new(person, now) && asks.put_off_at.is_none(),
        (WhenAsked::Later, true) => has_come_often,
        (WhenAsked::Later, false) => has_come_often && !is_put_off,
    }
}

/// Keeps what a person accepts and answers. What is left empty stays as it is.
pub async fn keep(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (answers, given): (&Answers<'_>, Given<'_>),
) -> Result<()> {
    for terms in &answers.accepted {
        terms::accept(tx, cx, (person.id, terms), given).await?;
    }
    let mut metadata = person.metadata.clone();
    for (field, value) in answers.values.iter().filter(|(_, value)| value.is_some()) {
        field.put(&mut metadata, value.clone());
    }
    tenant_users::set_metadata(tx, cx, person.id, (&person.metadata, &metadata)).await?;
    if answers.puts_off {
        fields::put_off(tx, person.id, cx.now);
    }
    Ok(())
}
