//! How far an import is, and what it answered: a chunk that comes again is answered from here and changes nothing.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::events::ImportBegun;
use svc_core::{Cx, Digest, Error, ImportId, Result, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use utoipa::ToSchema;

use crate::document;
use crate::lists::{self, ByCreation};
use crate::log::{Action, Meaning, change};

/// What happens to a person who is a member already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnConflict {
    /// The line is passed over.
    #[default]
    Skip,
    /// The member gets the roles and what is kept of the line; of an account that the tenant manages the claims too.
    Update,
    /// The line is refused.
    Fail,
}

/// What is chosen of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ImportConfiguration, examples(json!({ "source": "auth0", "on_conflict": "skip" })))]
pub struct Configuration {
    /// The other system: lower-case letters, digits and hyphens. Ids of people are its own.
    #[schema(min_length = 1, max_length = 64)]
    pub source: String,
    /// What happens to people who are members already.
    #[serde(default)]
    pub on_conflict: OnConflict,
    /// Whether lines are only judged: nothing is changed.
    #[serde(default)]
    pub dry_run: bool,
}

/// An import.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Import {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ImportId,
    /// What was chosen.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// How many chunks were taken; the next one has the number after it.
    pub chunks: i64,
    /// The results of their lines.
    pub counts: Counts,
    /// When it was begun.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When its last chunk was taken.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
}

/// The results of lines, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = ImportCounts)]
pub struct Counts {
    /// Lines in all.
    pub lines: u64,
    /// New people.
    pub created: u64,
    /// Members who were changed.
    pub updated: u64,
    /// Accounts of the deployment that became members with their owner's next sign-in.
    pub linked: u64,
    /// Lines that changed nothing.
    pub skipped: u64,
    /// Lines that were refused.
    pub failed: u64,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A new person.
    Created(TenantUserId),
    /// A member was changed.
    Updated(TenantUserId),
    /// An account became a member once its owner signs in.
    Linked(TenantUserId),
    /// Nothing changed.
    Skipped,
}

/// The result of a chunk.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = ImportChunk)]
pub struct ChunkOutcome {
    /// The results of its lines.
    pub counts: Counts,
    /// The lines that were refused.
    pub failures: Vec<Failure>,
}

/// A line that was refused.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportFailure)]
pub struct Failure {
    /// Its number in the chunk, from 1; empty lines are counted, too.
    pub line: u64,
    /// What is wrong with it.
    pub errors: Vec<Fault>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportFault)]
pub struct Fault {
    /// The member that is at fault; null where it is the line as a whole.
    pub field: Option<String>,
    /// What is wrong, without its value.
    pub detail: String,
}

impl Fault {
    /// What an error says of a line: its details begin with the member.
    pub fn every(error: &Error) -> Vec<Self> {
        let details: Vec<&str> = if error.flaws().is_empty() {
            vec![error.detail()]
        } else {
            error.flaws().iter().map(|flaw| flaw.detail.as_str()).collect()
        };
        details.into_iter().map(Self::of).collect()
    }

    fn of(detail: &str) -> Self {
        let is_member = |name: &str| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || b"_.[]0123456789".contains(&byte))
        };
        match detail.split_once(": ").filter(|(name, _)| is_member(name)) {
            Some((field, detail)) => Self { field: Some(field.to_owned()), detail: detail.to_owned() },
            None => Self { field: None, detail: detail.to_owned() },
        }
    }
}

impl ChunkOutcome {
    /// Counts a line.
    pub fn note(&mut self, outcome: Result<Outcome, Vec<Fault>>) {
        let counts = &mut self.counts;
        counts.lines += 1;
        let count = match &outcome {
            Ok(Outcome::Created(_)) => &mut counts.created,
            Ok(Outcome::Updated(_)) => &mut counts.updated,
            Ok(Outcome::Linked(_)) => &mut counts.linked,
            Ok(Outcome::Skipped) => &mut counts.skipped,
            Err(_) => &mut counts.failed,
        };
        *count += 1;
        if let Err(errors) = outcome {
            self.failures.push(Failure { line: counts.lines, errors });
        }
    }

    /// Adds what became of the line of this number.
    pub fn append(&mut self, number: u64, later: Self) {
        let named = later.failures.into_iter().map(|failure| Failure { line: number, ..failure });
        self.failures.extend(named);
        self.counts = self.counts.plus(later.counts);
    }
}

impl Counts {
    fn plus(self, more: Self) -> Self {
        Self {
            lines: self.lines + more.lines,
            created: self.created + more.created,
            updated: self.updated + more.updated,
            linked: self.linked + more.linked,
            skipped: self.skipped + more.skipped,
            failed: self.failed + more.failed,
        }
    }
}

/// Reads imports; the argument says which.
macro_rules! imports_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, configuration, counts, chunks, created_at, updated_at FROM imports WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Begins an import.
pub async fn begin(tx: &mut Tx<Tenant>, cx: &Cx, configuration: Configuration) -> Result<Import> {
    let source = &configuration.source;
    let is_word =
        source.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !(1..=64).contains(&source.len()) || !is_word {
        return Err(Error::bad_request("source: use 1 to 64 lower-case letters, digits and hyphens"));
    }
    let (id, counts): (ImportId, _) = (cx.id(), Counts::default());
    let insert = change_sql!(
        "INSERT INTO imports (tenant_id, id, configuration, counts, chunks, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, 0, $5, $5)"
    );
    let meaning = Meaning::done(Action::ImportBegun, id)
        .with(json!(configuration))
        .telling(ImportBegun { import_id: id, source: configuration.source.clone() });
    let arguments = args![id, document::store(&configuration)?, document::store(&counts)?, cx.now];
    change(tx, cx, insert, arguments, meaning).await?;
    Ok(Import { id, configuration, chunks: 0, counts, created_at: cx.now, updated_at: cx.now })
}

/// One import.
pub async fn find(tx: &mut Tx<Tenant>, id: ImportId) -> Result<Option<Import>> {
    let select = imports_sql!("id = $2");
    Ok(tx.optional(select, args![id]).await?.as_ref().map(import).transpose()?.flatten())
}

/// A page of the imports that were begun in a time, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    made: ByCreation,
    (cursor, limit): (Option<ImportId>, u32),
) -> Result<Vec<Import>> {
    let oldest = imports_sql!("id > $2 AND id < $3 ORDER BY id LIMIT $4");
    let newest = imports_sql!("id > $2 AND id < $3 ORDER BY id DESC LIMIT $4");
    lists::made(tx, (oldest, newest), made, (cursor, limit), import).await
}

/// Lets no other transaction take a chunk of imports until this one ends: two chunks may name the same person.
pub fn take_turn(tx: &mut Tx<Tenant>) {
    tx.hold("imports");
}

/// What was answered to a chunk that was taken before. `conflict` where that one had other lines, or where another one is next.
pub async fn find_chunk(
    tx: &mut Tx<Tenant>,
    import: &Import,
    (number, digest): (i64, Digest),
) -> Result<Option<ChunkOutcome>> {
    let select = sql!(
        "SELECT digest, outcome FROM import_chunks WHERE tenant_id = $1 AND import_id = $2 AND number = $3"
    );
    let Some(row) = tx.optional(select, args![import.id, number]).await? else {
        let next = import.chunks + 1;
        return if number == next { Ok(None) } else { Err(Error::conflict(format!("chunk {next} is next"))) };
    };
    if row.bytes("digest")? != digest.0 {
        return Err(Error::conflict(format!("chunk {number} was taken with other lines")));
    }
    document::load(&row, "outcome").map(Some)
}

/// Notes what became of the next chunk.
pub async fn note_chunk(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    import: &Import,
    (digest, outcome): (Digest, &ChunkOutcome),
) -> Result<()> {
    let number = import.chunks + 1;
    let insert = quiet_sql!(
        "goes with the memberships, whose change is recorded",
        "INSERT INTO import_chunks (tenant_id, import_id, number, digest, outcome) VALUES ($1, $2, $3, $4, $5)"
    );
    tx.execute(insert, args![import.id, number, digest, document::store(outcome)?]).await?;
    let update = quiet_sql!(
        "goes with the memberships, whose change is recorded",
        "UPDATE imports SET chunks = $3, counts = $4, updated_at = $5 WHERE tenant_id = $1 AND id = $2"
    );
    let counts = import.counts.plus(outcome.counts);
    tx.execute(update, args![import.id, number, document::store(&counts)?, cx.now]).await.map(|_| ())
}

/// The import of a row, or nothing where a newer version has begun it with a choice that this one does not know.
fn import(row: &Row) -> Result<Option<Import>> {
    let Some(configuration) = document::known_whole(row, "configuration")? else { return Ok(None) };
    Ok(Some(Import {
        id: row.parse("id")?,
        configuration,
        chunks: row.int("chunks")?,
        counts: document::load(row, "counts")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    }))
}
