//! What applying a file did: one line for each record, and the secrets that were made, which are shown once.

use std::fmt;

/// What happened to the records of a file, in its order.
#[derive(Debug, Default)]
pub struct Outcome {
    lines: Vec<(Verb, String)>,
    generated: Vec<Generated>,
}

/// What happened to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// It is new.
    Created,
    /// It was there and differed.
    Updated,
    /// It was as the file says.
    Unchanged,
}

/// A secret that was generated because the file gives none.
#[derive(Debug)]
struct Generated {
    application: String,
    secret: String,
}

impl Outcome {
    /// Notes what happened to a record.
    pub fn note(&mut self, verb: Verb, what: impl Into<String>) {
        self.lines.push((verb, what.into()));
    }

    /// Keeps a generated secret for the one time that it is shown.
    pub fn reveal(&mut self, application: &str, secret: String) {
        self.generated.push(Generated { application: application.to_owned(), secret });
    }

    /// Whether everything was as the file says.
    pub fn is_unchanged(&self) -> bool {
        self.lines.iter().all(|(verb, _)| *verb == Verb::Unchanged)
    }

    /// Every record with what happened to it.
    pub fn lines(&self) -> impl Iterator<Item = (Verb, &str)> {
        self.lines.iter().map(|(verb, what)| (*verb, what.as_str()))
    }

    fn count(&self, wanted: Verb) -> usize {
        self.lines.iter().filter(|(verb, _)| *verb == wanted).count()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (verb, what) in &self.lines {
            writeln!(f, "{:<9} {what}", verb.name())?;
        }
        let [created, updated, unchanged] =
            [Verb::Created, Verb::Updated, Verb::Unchanged].map(|verb| self.count(verb));
        writeln!(f, "{created} created, {updated} updated, {unchanged} unchanged")?;
        if !self.generated.is_empty() {
            writeln!(f, "\nGenerated client secrets; they are not stored and not shown again:")?;
        }
        for Generated { application, secret } in &self.generated {
            writeln!(f, "  {application}: {secret}")?;
        }
        Ok(())
    }
}

impl Verb {
    fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
        }
    }

    /// Updated if anything changed.
    pub fn of_change(changed: bool) -> Self {
        if changed { Self::Updated } else { Self::Unchanged }
    }
}
