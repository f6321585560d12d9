//! A policy document, read once, and what it says to a question.

use std::collections::{BTreeSet, HashMap, HashSet};

use cedar_policy::{
    AuthorizationError, Authorizer, Decision, Entities, Entity, EntityUid, EvaluationError,
    Policy as Statement, PolicyId as StatementId, PolicySet, Schema,
};
use svc_core::{OrInternal as _, OrganizationId, PolicyId, Result};

use super::answer::{Answer, Determining, Failed, Outcome};
use super::question::CedarQuestion;
use super::{Policy, Status, language, limits};

/// Statements of at most so many operators are evaluated on any stack.
const SHALLOW: usize = 24;
/// The stack for others: each operator is a call, and the calls of an unoptimised build are large.
const STACK: usize = 16 << 20;

/// A document that can be asked.
pub struct Compiled {
    /// Its id and version; nothing for a text that is stored nowhere.
    pub source: Option<(PolicyId, i64)>,
    /// Whether it decides.
    pub status: Status,
    pub(super) organization: Option<OrganizationId>,
    set: PolicySet,
    /// What each of its statements says of itself.
    statements: HashMap<StatementId, Annotations>,
    /// Whether evaluating it may take more of the stack than a thread is sure to have.
    is_deep: bool,
    /// What each action of the schema is in.
    groups: HashMap<EntityUid, HashSet<EntityUid>>,
    /// The actions of the schema.
    actions: BTreeSet<String>,
}

/// The annotations of a statement, read once: Cedar parses the name of an annotation at each access, which takes longer than a
/// decision.
#[derive(Clone)]
struct Annotations {
    /// Its `@id`, or its number in the text.
    name: String,
    reason: Option<String>,
}

impl Compiled {
    /// Reads a stored document, which was held to its schema when it was written.
    pub(super) fn of(policy: &Policy) -> Result<Self> {
        let (text, schema) = (&policy.configuration.text, policy.configuration.schema.as_deref());
        Ok(Self::given(text, schema)?.standing_for(policy))
    }

    /// The same, in the place of a stored document.
    pub(super) fn standing_for(self, policy: &Policy) -> Self {
        let source = Some((policy.id, policy.version));
        Self { source, status: policy.status, organization: policy.organization_id, ..self }
    }

    /// Holds a text that is stored nowhere to its schema, and reads it.
    pub async fn checked(text: String, schema: Option<String>) -> Result<Self> {
        // It takes milliseconds, in which this thread would serve no request.
        let reading = tokio::task::spawn_blocking(move || {
            language::check_here(&text, schema.as_deref())?;
            Self::given(&text, schema.as_deref())
        });
        reading.await.or_internal()?
    }

    /// Reads a text that was held to its schema before.
    pub(super) fn given(text: &str, schema: Option<&str>) -> Result<Self> {
        let schema = schema.map(language::read_schema).transpose().map_err(faulty)?;
        let set = language::parsed(text).map_err(faulty)?;
        let is_deep = limits::check(text, limits::MOST_TEXT).is_ok_and(|operators| operators > SHALLOW);
        let (groups, actions) = schema.as_ref().map(actions_of).unwrap_or_default();
        let statements =
            set.policies().map(|statement| (statement.id().clone(), Annotations::by(statement))).collect();
        let (source, status, organization) = (None, Status::Active, None);
        Ok(Self { source, status, organization, set, statements, is_deep, groups, actions })
    }

    /// The same, deciding in an organization alone.
    #[must_use]
    pub fn within(self, organization: Option<OrganizationId>) -> Self {
        Self { organization, ..self }
    }

    /// How many statements it has.
    pub fn statements(&self) -> usize {
        self.set.num_of_policies()
    }

    /// Whether it has a say in a question.
    pub(super) fn concerns(&self, question: &CedarQuestion) -> bool {
        self.organization.is_none() || self.organization == question.organization
    }

    /// What it says to a question.
    pub(super) fn answer(&self, question: &CedarQuestion) -> Answer {
        let with_groups = self.with_groups(question);
        let entities = with_groups.as_ref().unwrap_or(&question.entities);
        let evaluate = || Authorizer::new().is_authorized(&question.request, &self.set, entities);
        let response =
            if self.is_deep { stacker::maybe_grow(STACK / 2, STACK, evaluate) } else { evaluate() };
        let determining: Vec<_> = response.diagnostics().reason().map(|id| self.statement(id)).collect();
        let is_too_deep = response.diagnostics().errors().any(|error| {
            let AuthorizationError::PolicyEvaluationError(error) = error;
            matches!(error.inner(), EvaluationError::RecursionLimit(_))
        });
        let outcome = match response.decision() {
            // It depends on the thread and not on the question, and could be what forbids.
            _ if is_too_deep => Outcome::Forbidden,
            Decision::Allow => Outcome::Permitted,
            Decision::Deny if determining.is_empty() => Outcome::Nothing,
            Decision::Deny => Outcome::Forbidden,
        };
        let failed = response.diagnostics().errors().map(|error| {
            let AuthorizationError::PolicyEvaluationError(error) = error;
            let message: String = error.inner().to_string().chars().take(300).collect();
            Failed { statement: self.statement(error.policy_id()), error: message }
        });
        Answer { outcome, determining, failed: failed.collect(), refused: None }
    }

    /// The entities together with what the action is in, where the schema says so.
    fn with_groups(&self, question: &CedarQuestion) -> Option<Entities> {
        let groups = self.groups.get(&question.action)?;
        let action = Entity::new_no_attrs(question.action.clone(), groups.clone());
        question.entities.clone().upsert_entities([action], None).ok()
    }

    fn statement(&self, id: &StatementId) -> Determining {
        let (policy_id, version) = self.source.unzip();
        let unnamed = || Annotations { name: number_of(id), reason: None };
        let Annotations { name, reason } = self.statements.get(id).cloned().unwrap_or_else(unnamed);
        Determining { policy_id, version, statement: name, reason }
    }

    /// The names of the actions that it is about.
    pub(super) fn actions(&self) -> BTreeSet<String> {
        let named = self.entities().filter(|uid| uid.type_name().to_string() == "Action");
        let named = named.map(|uid| AsRef::<str>::as_ref(uid.id()).to_owned());
        named.chain(self.actions.iter().cloned()).collect()
    }

    /// The ids that it names of a type.
    pub(super) fn ids_of(&self, kind: &str) -> BTreeSet<String> {
        let named = self.entities().filter(|uid| uid.type_name().to_string() == kind);
        named.map(|uid| AsRef::<str>::as_ref(uid.id()).to_owned()).collect()
    }

    fn entities(&self) -> impl Iterator<Item = EntityUid> {
        self.set.policies().flat_map(Statement::entity_literals)
    }
}

impl Annotations {
    fn by(statement: &Statement) -> Self {
        let annotation = |wanted: &str| {
            let mut all = statement.annotations();
            let said = all.find(|(name, said)| *name == wanted && !said.is_empty());
            said.map(|(_, said)| said.to_owned())
        };
        let name = annotation("id").unwrap_or_else(|| number_of(statement.id()));
        Self { name, reason: annotation("reason") }
    }
}

fn number_of(id: &StatementId) -> String {
    AsRef::<str>::as_ref(id).trim_start_matches("policy").to_owned()
}

/// What policies say together to a question. A policy of another organization has no say.
pub fn judge<'a>(policies: impl IntoIterator<Item = &'a Compiled>, question: &CedarQuestion) -> Answer {
    let mut answer = Answer { refused: question.refused, ..Answer::default() };
    if answer.refused.is_none() {
        for policy in policies.into_iter().filter(|policy| policy.concerns(question)) {
            answer.add(policy.answer(question));
        }
    }
    answer
}

type Actions = (HashMap<EntityUid, HashSet<EntityUid>>, BTreeSet<String>);

fn actions_of(schema: &Schema) -> Actions {
    let Ok(entities) = schema.action_entities() else { return Actions::default() };
    let mut groups = HashMap::new();
    for action in entities.iter() {
        let above: HashSet<_> = entities.ancestors(&action.uid()).into_iter().flatten().cloned().collect();
        if !above.is_empty() {
            groups.insert(action.uid(), above);
        }
    }
    let names = schema.actions().map(|action| AsRef::<str>::as_ref(action.id()).to_owned());
    (groups, names.collect())
}

fn faulty(faults: Vec<language::Fault>) -> svc_core::Error {
    language::refusal("/text", faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_goes_by_its_id_or_its_number_and_gives_its_reason() {
        let text = "@id(\"readers\") @reason(\"They may.\") @note(\"x\") permit(principal, action, resource);\n\
                    @id(\"\") @reason forbid(principal, action, resource) when { context.a };\n\
                    permit(principal, action, resource);";
        let compiled = Compiled::given(text, None).unwrap();
        let said = |id: &str| {
            let Determining { statement, reason, .. } = compiled.statement(&StatementId::new(id));
            (statement, reason)
        };
        assert_eq!(said("policy0"), ("readers".to_owned(), Some("They may.".to_owned())));
        assert_eq!(said("policy1"), ("1".to_owned(), None));
        assert_eq!(said("policy2"), ("2".to_owned(), None));
    }
}
