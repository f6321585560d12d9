//! `svc-runtime export TENANT --people FILE`: the people of a tenant as JSON Lines that `svc-runtime import users` takes, streamed into a
//! new file that its owner alone may read.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use serde_json::json;
use svc_config::Config;
use svc_core::{Cx, TenantId};
use svc_db::Db;
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::exports;
use svc_domain::tenancy::tenants;
use svc_keys::{Purpose, Sealer};

use crate::failure::Failure;
use crate::{apply, database, keyring, terminal};

/// People of one transaction.
const PIECE: u32 = 100;

/// What was written.
#[derive(Debug, PartialEq, Eq)]
pub struct Written {
    /// How many people.
    pub people: u64,
    /// The apps for one-time codes that are not in the file, because their secrets do not open.
    pub unopened: Vec<String>,
}

/// Writes the people of a tenant of the configured database, and says how many. With `has_secrets` hashes of passwords and secrets
/// of apps are in the file; it fails in the end where one of these does not open.
pub async fn run(config: &Config, slug: &str, (file, has_secrets): (&Path, bool)) -> Result<(), Failure> {
    let db = database::open_for_command(config).await?;
    let tenant = tenants::find_by_slug(&mut db.read_system().await?, slug).await?;
    let tenant = tenant.ok_or_else(|| Failure::new(format!("there is no tenant {slug:?}")))?;
    let sealer = if has_secrets {
        let custody = keyring::open(config, &db, keyring::may_create(config)).await?;
        Some(custody.keyring().sealer(Purpose::Credentials))
    } else {
        None
    };
    let written = write(&db, &apply::operator_cx(), tenant, (file, sealer.as_ref())).await;
    db.close().await;
    let written = written?;
    terminal::say(&format!("{} people in {}", written.people, file.display()));
    written.complete()
}

impl Written {
    /// Fails where something is not in the file.
    pub fn complete(&self) -> Result<(), Failure> {
        if self.unopened.is_empty() {
            return Ok(());
        }
        let apps = match self.unopened.len() {
            1 => "1 app".to_owned(),
            count => format!("{count} apps"),
        };
        Err(Failure::new(format!(
            "the file is without {apps} for one-time codes, whose secrets do not open: {}; these people need another second factor",
            self.unopened.join(", ")
        )))
    }
}

/// Writes them, and records that they were taken out; all of the people are in the file, or there is none.
pub async fn write(
    db: &Db,
    cx: &Cx,
    tenant: TenantId,
    (path, secrets): (&Path, Option<&Sealer>),
) -> Result<Written, Failure> {
    let file = created(path)?;
    let written = fill(file, (db, cx, tenant), (path, secrets)).await;
    if written.is_err() {
        // A part would pass for the whole, and keep the next run from the name.
        let _ = std::fs::remove_file(path);
    }
    written
}

async fn fill(
    mut file: BufWriter<File>,
    (db, cx, tenant): (&Db, &Cx, TenantId),
    (path, secrets): (&Path, Option<&Sealer>),
) -> Result<Written, Failure> {
    let unwritable = |error: std::io::Error| Failure::new(format!("--people {}: {error}", path.display()));
    let mut tx = db.begin(tenant).await?;
    let meaning = Meaning::done(Action::PeopleExported, "").with(json!({ "secrets": secrets.is_some() }));
    record(&mut tx, cx, meaning);
    tx.commit().await?;
    let (mut cursor, mut written) = (None, Written { people: 0, unopened: Vec::new() });
    loop {
        let mut tx = db.read(tenant).await?;
        let (people, next) = exports::page(&mut tx, cx, (cursor, PIECE), secrets).await?;
        drop(tx);
        for person in people {
            serde_json::to_writer(&mut file, &person).map_err(|error| unwritable(error.into()))?;
            file.write_all(b"\n").map_err(unwritable)?;
            written.people += 1;
            written.unopened.extend(person.unopened);
        }
        cursor = next;
        if cursor.is_none() {
            file.flush().map_err(unwritable)?;
            return Ok(written);
        }
    }
}

/// A file that was not there; one that exists is not touched.
fn created(path: &Path) -> Result<BufWriter<File>, Failure> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let file = made.map_err(|error| Failure::new(format!("--people {}: {error}", path.display())))?;
    Ok(BufWriter::new(file))
}
