//! `/api/v1/imports`: people brought from another system, line by line, in chunks that each count once.

use svc_core::{Error, ImportId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::people::imports::{
    self, Bringing, ChunkOutcome, Configuration, Import, LARGEST_CHUNK, Line, MOST_LINES, PersonLine,
};
use svc_domain::people::several;
use svc_http::{Created, Json, Lines, List, Listing, Path, Problem, TenantCx, Versioned};
use svc_keys::Purpose;

use crate::page::MadeFilter;
use crate::resource::Resource;
use crate::{privileges, sealer, unknown};

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("imports", "Imports")
        .may_read("See how far imports of people are")
        .may_write("Bring people from other systems into this organisation")
        .get("", "List imports", list)
        .post("", "Begin an import", begin)
        .get("{id}", "See how far an import is", read)
        .put_large(
            "{id}/chunks/{number}",
            "Send the next chunk of an import: JSON Lines, at most 200",
            LARGEST_CHUNK,
            take,
        )
}

async fn list(
    caller: TenantCx,
    Listing { filter, page }: Listing<ImportId, MadeFilter>,
) -> Result<Json<List<Import>>, Problem> {
    let place = (page.after, page.fetch());
    let found = imports::list(&mut caller.read().await?, filter.made(), place).await?;
    Ok(Json(caller.page(found, page.limit, |import: &Import| import.id)?))
}

async fn begin(
    caller: TenantCx,
    Json(configuration): Json<Configuration>,
) -> Result<Created<Import>, Problem> {
    let mut tx = caller.begin().await?;
    let import = imports::begin(&mut tx, &caller, configuration).await?;
    tx.commit().await?;
    Ok(Created {
        location: format!("{}/{}", caller.route, import.id),
        version: import.chunks,
        record: import,
    })
}

async fn read(caller: TenantCx, Path(id): Path<ImportId>) -> Result<Versioned<Import>, Problem> {
    let import = find(&mut caller.read().await?, id).await?;
    Ok(Versioned { version: import.chunks, record: import })
}

async fn take(
    caller: TenantCx,
    Path((id, number)): Path<(ImportId, i64)>,
    body: Lines<PersonLine>,
) -> Result<Json<ChunkOutcome>, Problem> {
    let sealer = sealer(&caller).await?;
    let mut tx = caller.begin().await?;
    let import = next(&mut tx, id).await?;
    let chunk = (number, body.digest());
    if let Some(outcome) = imports::find_chunk(&mut tx, &import, chunk).await? {
        return Ok(Json(outcome));
    }
    let accounts = caller.app.services.keyring.sealer(Purpose::Credentials);
    let bringing = Bringing { import: &import, sealer: &sealer, accounts: &accounts };
    let outcome = brought(&caller, &mut tx, bringing, &body).await?;
    if import.configuration.dry_run {
        tx.rollback().await?;
        tx = caller.begin().await?;
        // Another request may have sent the same chunk meanwhile.
        let import = next(&mut tx, id).await?;
        if let Some(outcome) = imports::find_chunk(&mut tx, &import, chunk).await? {
            return Ok(Json(outcome));
        }
    }
    imports::note_chunk(&mut tx, &caller, &import, (chunk.1, &outcome)).await?;
    tx.commit().await?;
    Ok(Json(outcome))
}

/// Brings the lines one by one: whom a line is about, and so whether the caller may do what it says, depends on those before it.
async fn brought(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    bringing: Bringing<'_>,
    body: &Lines<PersonLine>,
) -> Result<ChunkOutcome> {
    if !(1..=MOST_LINES).contains(&body.read().take(MOST_LINES + 1).count()) {
        return Err(Error::bad_request(format!(
            "the request body: send 1 to {MOST_LINES} lines in one chunk"
        )));
    }
    let addresses: Vec<_> = body.read().filter_map(|(_, line)| line.ok()?.address()).collect();
    several::hold_newcomers(tx, &addresses).await?;
    let mut outcome = ChunkOutcome::default();
    for (number, line) in body.read() {
        let line: Line = match line {
            Ok(line) => admit(caller, tx, bringing.import, &line).await.map(|()| line),
            Err(error) => Err(error),
        };
        outcome.append(number, imports::bring(tx, caller, bringing, &[line]).await?);
    }
    Ok(outcome)
}

/// Refuses a line that would give a role which the caller does not hold, or change the claims of one who has such a role.
async fn admit(caller: &TenantCx, tx: &mut Tx<Tenant>, import: &Import, line: &PersonLine) -> Result<()> {
    privileges::for_roles(caller, tx, &line.roles).await?;
    if privileges::may_grant(caller) {
        return Ok(());
    }
    match imports::whose_claims(tx, import, line).await? {
        Some(person) => privileges::for_person(caller, tx, &person).await,
        None => Ok(()),
    }
}

/// The import, for the one request that may take its next chunk.
async fn next(tx: &mut Tx<Tenant>, id: ImportId) -> Result<Import> {
    imports::take_turn(tx);
    find(tx, id).await
}

async fn find(tx: &mut Tx<Tenant>, id: ImportId) -> Result<Import> {
    imports::find(tx, id).await?.ok_or_else(unknown)
}
