//! A tenant as one file: written at one deployment, brought into another.

mod everything;
mod files;
mod hostile;
mod people;
mod secrets;
mod whole;

use std::io::Cursor;

use serde_json::Value;
use svc_core::SeededEntropy;
use svc_domain::archive::{Checked, Imported};
use svc_http::App;
use svc_runtime::Failure;
use svc_runtime::archive::{Here, ImportOptions, bring, write};

use crate::harness::{HOST, Harness, START, Site};
use crate::isolation::OFFERED;

pub const PASSPHRASE: &str = "a passphrase that travels apart";

/// Another deployment, with other keys, whose tenant has nothing yet.
async fn elsewhere() -> Harness {
    let custody = svc_testkit::keyring(&SeededEntropy::new(4711), START);
    let there = Harness::over(custody.into(), OFFERED).await;
    there.advance(60);
    there
}

/// The archive of a tenant.
async fn archive(site: &Site<'_>) -> Vec<u8> {
    written(site, (Some(PASSPHRASE), false)).await
}

async fn written(site: &Site<'_>, chosen: (Option<&str>, bool)) -> Vec<u8> {
    let app = site.harness.app();
    let tenant = app.services.tenants.by_id(site.tenant.id).await.unwrap();
    let mut bytes = Vec::new();
    let about = (&*tenant, &site.harness.operator());
    write(&app.db, &app.services.custody, about, chosen, &mut bytes).await.unwrap();
    bytes
}

fn options(slug: Option<&str>) -> ImportOptions {
    ImportOptions {
        file: "archive".into(),
        slug: slug.map(str::to_owned),
        passphrase_file: None,
        suspended: false,
        dry_run: false,
        json: false,
    }
}

async fn brought(
    there: &Harness,
    bytes: &[u8],
    options: &ImportOptions,
    passphrase: Option<&str>,
) -> Result<(Checked, Imported), Failure> {
    let app = there.app();
    bring(here(app), &there.operator(), options, passphrase, || Ok(Cursor::new(bytes.to_vec()))).await
}

/// The deployment of a process.
fn here(app: &App) -> Here<'_> {
    Here { config: &app.config, db: &app.db, custody: &app.services.custody, clock: &*app.clock }
}

/// The tenant of an archive, at its new place.
async fn moved<'h>(there: &'h Harness, bytes: &[u8]) -> Site<'h> {
    let (checked, imported) = brought(there, bytes, &options(None), Some(PASSPHRASE)).await.unwrap();
    let tenant = there.app().services.tenants.by_id(imported.id).await.unwrap();
    let slug = checked.tenant.slug;
    let host = if slug == "main" { HOST.to_owned() } else { format!("{slug}.{HOST}") };
    Site { harness: there, tenant, host }
}

/// The lines of an archive.
fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows of a part, each with the names of its columns.
fn part(bytes: &[u8], name: &str) -> Vec<Value> {
    let lines = lines(bytes);
    let begin = lines.iter().position(|line| line["part"] == name);
    let begin = begin.unwrap_or_else(|| panic!("there is no part {name}"));
    let columns = lines[begin]["columns"].as_array().unwrap().clone();
    let rows = lines[begin + 1..].iter().take_while(|line| line.is_array());
    let named = |row: &Value| {
        let values = row.as_array().unwrap().iter().cloned();
        columns.iter().map(|column| column.as_str().unwrap().to_owned()).zip(values).collect()
    };
    rows.map(named).collect()
}
