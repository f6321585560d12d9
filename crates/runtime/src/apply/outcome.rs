//! What applying a file did, or would do: a record for each thing, its changes, and the secrets that were made.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use super::change::Change;

/// What happened to the records of a file, in its order.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Whether nothing was written.
    pub is_rehearsal: bool,
    tenant: String,
    records: Vec<Record>,
    generated: Vec<Generated>,
}

/// One record.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// What happened to it.
    #[serde(rename = "action")]
    pub verb: Verb,
    /// `tenant`, `application` and so on, as the tables of the file are called.
    pub kind: &'static str,
    /// What the file calls it.
    pub name: String,
    /// The `client_id` of an application, the id of a tenant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What differed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// What happened to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// It is new.
    Created,
    /// It was there and differed.
    Updated,
    /// It was as the file says.
    Unchanged,
    /// It is there, and the file does not mention it.
    Unlisted,
    /// It was not mentioned, and so deleted or disabled.
    Pruned,
}

/// A secret that was generated because the file gives none.
#[derive(Clone, Debug, Serialize)]
pub struct Generated {
    /// The slug of its tenant.
    pub tenant: String,
    /// The handle of the application; of another record its kind and its name.
    pub application: String,
    /// The secret itself.
    pub secret: String,
    /// The record for messages.
    #[serde(skip)]
    pub record: String,
}

impl Record {
    /// A record without changes to tell.
    pub fn new(verb: Verb, kind: &'static str, name: impl Into<String>) -> Self {
        Self { verb, kind, name: name.into(), id: None, changes: Vec::new() }
    }
}

impl Outcome {
    /// Nothing yet; `is_rehearsal` where nothing is going to be written.
    pub fn of(is_rehearsal: bool) -> Self {
        Self { is_rehearsal, ..Self::default() }
    }

    /// Begins with a tenant of the file.
    pub(super) fn enter(&mut self, tenant: &str) {
        tenant.clone_into(&mut self.tenant);
    }

    /// Notes what happened to a record. In one that is unchanged nothing differs but the order of what has none.
    pub fn note(&mut self, record: Record) {
        let changes = if record.verb == Verb::Unchanged { Vec::new() } else { record.changes };
        self.records.push(Record { changes, ..record });
    }

    /// Adds what else differed of a record that was noted before in the same tenant.
    pub(super) fn amend(&mut self, kind: &str, name: &str, changes: Vec<Change>) {
        let mut latest_first = self.records.iter_mut().rev();
        let noted = latest_first.find(|record| record.kind == kind && record.name == name);
        if let Some(record) = noted.filter(|record| record.verb != Verb::Created && !changes.is_empty()) {
            record.verb = Verb::Updated;
            record.changes.extend(changes);
        }
    }

    /// Keeps a generated secret for the one time that it is shown.
    pub fn reveal(&mut self, kind: &'static str, name: &str, secret: String) {
        let record = format!("{kind} {name:?}");
        let application = if kind == "application" { name.to_owned() } else { format!("{kind} {name}") };
        self.generated.push(Generated { tenant: self.tenant.clone(), application, secret, record });
    }

    /// Whether everything was as the file says.
    pub fn is_unchanged(&self) -> bool {
        self.records.iter().all(|record| matches!(record.verb, Verb::Unchanged | Verb::Unlisted))
    }

    /// Every record with what happened to it.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The secrets that were made; they are stored as digests only.
    pub fn secrets(&self) -> &[Generated] {
        &self.generated
    }

    /// The same by what they are of: where several tenants have some, each with the slug of its own in front.
    pub fn named_secrets(&self) -> BTreeMap<String, &str> {
        let tenants: BTreeSet<_> = self.generated.iter().map(|made| made.tenant.as_str()).collect();
        let name = |made: &Generated| match tenants.len() {
            1 => made.application.clone(),
            _ => format!("{}/{}", made.tenant, made.application),
        };
        self.generated.iter().map(|made| (name(made), made.secret.as_str())).collect()
    }

    /// The same for programs, without secrets.
    pub fn document(&self) -> Value {
        json!({ "dry_run": self.is_rehearsal, "records": self.records })
    }

    fn count(&self, wanted: Verb) -> usize {
        self.records.iter().filter(|record| record.verb == wanted).count()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.records.iter().try_for_each(|record| write!(f, "{record}"))?;
        let [created, updated, unchanged, unlisted, pruned] =
            [Verb::Created, Verb::Updated, Verb::Unchanged, Verb::Unlisted, Verb::Pruned]
                .map(|verb| self.count(verb));
        write!(f, "{created} created, {updated} updated, {unchanged} unchanged")?;
        if unlisted > 0 {
            write!(f, ", {unlisted} not in the file (--prune removes them)")?;
        }
        if pruned > 0 {
            write!(f, ", {pruned} pruned")?;
        }
        if self.is_rehearsal {
            write!(f, "; this was a dry run, nothing was written")?;
        }
        writeln!(f)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<9} {} {}", self.verb.name(), self.kind, self.name)?;
        match (&self.id, self.kind) {
            (Some(id), "application") => writeln!(f, " (client_id {id})")?,
            (Some(id), _) => writeln!(f, " (id {id})")?,
            (None, _) => writeln!(f)?,
        }
        self.changes.iter().try_for_each(|change| writeln!(f, "            {change}"))
    }
}

impl Verb {
    fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Unlisted => "unlisted",
            Self::Pruned => "pruned",
        }
    }

    /// Updated if anything changed.
    pub fn of_change(changed: bool) -> Self {
        if changed { Self::Updated } else { Self::Unchanged }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_the_same_name_in_two_tenants_are_told_apart() {
        let mut outcome = Outcome::default();
        outcome.enter("acme");
        outcome.reveal("application", "web", "one".to_owned());
        assert_eq!(outcome.named_secrets(), BTreeMap::from([("web".to_owned(), "one")]));
        outcome.enter("globex");
        outcome.reveal("application", "web", "two".to_owned());
        let both = [("acme/web".to_owned(), "one"), ("globex/web".to_owned(), "two")];
        assert_eq!(outcome.named_secrets(), BTreeMap::from(both));
    }
}
