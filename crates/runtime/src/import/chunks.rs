//! The way of a file into the database: it is read by a thread of its own, a chunk is a transaction, and a chunk that was taken
//! before is passed over.

use svc_core::{Clock, Cx, Digest, TenantId};
use svc_db::Db;
use svc_domain::people::imports::{self, Bringing, ChunkOutcome, Configuration, Import, Line, MOST_LINES};
use svc_domain::people::several;
use svc_keys::{Sealer, sha256};
use tokio::sync::mpsc;

use super::systems::Extra;
use super::{Options, file};
use crate::failure::Failure;

/// Where people are brought.
pub struct Target<'a> {
    /// The database, its schema current.
    pub db: &'a Db,
    /// The tenant.
    pub tenant: TenantId,
    /// Seals what is kept for the tenant.
    pub sealer: &'a Sealer,
    /// Seals the secrets of accounts.
    pub accounts: &'a Sealer,
    /// The call, performed by an operator.
    pub cx: &'a Cx,
    /// Says when a chunk is written.
    pub clock: &'a dyn Clock,
}

/// A record of the file, and the digest of its text.
pub(super) struct Read {
    pub digest: [u8; 32],
    pub line: Line,
}

#[derive(Default)]
struct Chunk {
    digests: Vec<u8>,
    lines: Vec<Line>,
}

/// Brings the people of a file; `tell` is called with progress and with each record that was refused.
pub async fn bring(
    target: &Target<'_>,
    options: &Options,
    tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Import, Failure> {
    let extra = Extra::read(options)?;
    file::check(&options.file)?;
    let mut import = begun(target, options).await?;
    let (sender, mut records) = mpsc::channel(MOST_LINES);
    let (system, file) = (options.from, options.file.clone());
    let reader = tokio::task::spawn_blocking(move || {
        system.read(&file, &extra, &mut |read| sender.blocking_send(read).is_ok())
    });
    let (mut chunk, mut number) = (Chunk::default(), 1);
    let id = import.id;
    let cut_off = |failure: Failure| failure.during(&format!("go on with --resume {id}"));
    while let Some(record) = records.recv().await {
        chunk.add(record);
        if chunk.lines.len() == MOST_LINES {
            let full = (number, std::mem::take(&mut chunk));
            import = take(target, &import, full, tell).await.map_err(cut_off)?;
            number += 1;
        }
    }
    let read = reader.await.map_err(|error| Failure::new(format!("reading the file failed: {error}")))?;
    // The rest of a file that could not be read to its end is another chunk when the whole file is there.
    read.map_err(|failure| failure.during(&format!("import {id}")))?;
    if !chunk.lines.is_empty() {
        import = take(target, &import, (number, chunk), tell).await.map_err(cut_off)?;
    }
    Ok(import)
}

async fn begun(target: &Target<'_>, options: &Options) -> Result<Import, Failure> {
    let mut tx = target.db.begin(target.tenant).await?;
    if let Some(id) = options.resume {
        let found = imports::find(&mut tx, id).await?;
        return found.ok_or_else(|| Failure::new(format!("the tenant has no import {id}")));
    }
    let configuration = Configuration {
        source: options.from.name().to_owned(),
        on_conflict: options.on_conflict.into(),
        dry_run: options.dry_run,
    };
    let import = imports::begin(&mut tx, target.cx, configuration).await?;
    tx.commit().await?;
    Ok(import)
}

/// Takes a chunk, unless it was taken before. Returns the import as it is then.
async fn take(
    target: &Target<'_>,
    import: &Import,
    (number, chunk): (i64, Chunk),
    tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Import, Failure> {
    let digest = Digest(sha256(&chunk.digests));
    let mut tx = target.db.begin(target.tenant).await?;
    imports::take_turn(&mut tx);
    let unknown = || Failure::new("the import vanished");
    let import = imports::find(&mut tx, import.id).await?.ok_or_else(unknown)?;
    if imports::find_chunk(&mut tx, &import, (number, digest)).await?.is_some() {
        return Ok(import);
    }
    // Processes look for what was changed of late, and the chunks of a file may take hours.
    let cx = &target.cx.at(target.clock.now());
    let bringing = Bringing { import: &import, sealer: target.sealer, accounts: target.accounts };
    let addresses: Vec<_> = chunk.lines.iter().filter_map(|line| line.as_ref().ok()?.address()).collect();
    several::hold_newcomers(&mut tx, &addresses).await?;
    let outcome = imports::bring(&mut tx, cx, bringing, &chunk.lines).await?;
    if import.configuration.dry_run {
        tx.rollback().await?;
        tx = target.db.begin(target.tenant).await?;
    }
    imports::note_chunk(&mut tx, cx, &import, (digest, &outcome)).await?;
    let import = imports::find(&mut tx, import.id).await?.ok_or_else(unknown)?;
    tx.commit().await?;
    report(&import, &outcome, tell);
    Ok(import)
}

fn report(import: &Import, outcome: &ChunkOutcome, tell: &mut (dyn FnMut(&str) + Send)) {
    let before = import.counts.lines.saturating_sub(outcome.counts.lines);
    for failure in &outcome.failures {
        for fault in &failure.errors {
            let field = fault.field.as_deref().map(|field| format!("{field}: ")).unwrap_or_default();
            tell(&format!("record {}: {field}{}", before + failure.line, fault.detail));
        }
    }
    tell(&format!("{}: {} people so far, {} failed", import.id, import.counts.lines, import.counts.failed));
}

impl Chunk {
    fn add(&mut self, Read { digest, line }: Read) {
        self.digests.extend_from_slice(&digest);
        self.lines.push(line);
    }
}
