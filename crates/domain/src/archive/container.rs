//! The container: one JSON document a line. A heading, then parts, each with its columns, its rows and a digest, then the manifest
//! of all parts, and the proof of heading and manifest. docs/reference/archive.md describes it.

use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use svc_core::{Error, Result, TenantRef, Timestamp};
use svc_keys::passphrase::Stretching;
use svc_keys::{Sha256, hex};

use super::key::ArchiveKey;

/// The version of the container.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heading {
    /// The version of the container.
    pub svc_tenant_archive: u32,
    /// The schema of the deployment that wrote it: its latest migration.
    pub schema: i64,
    /// The archive.
    pub id: String,
    /// When it was written.
    pub exported_at: Timestamp,
    /// Whose it is.
    pub tenant: Origin,
    /// Whether secrets are in it that the service has to read: without them what needs them is left out.
    pub has_secrets: bool,
    /// How the passphrase becomes its key; absent where there is none.
    pub passphrase: Option<Stretching>,
}

/// The tenant where it was.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// Its id, which it keeps.
    pub id: TenantRef,
    /// Its host label.
    pub slug: String,
    /// Its issuer.
    pub issuer: String,
}

/// A part, as the manifest has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The table.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
    /// SHA-256 of its lines, from the one that begins it to its last row, in hexadecimal.
    pub sha256: String,
}

/// Writes an archive, line by line.
pub struct Writer<W> {
    out: W,
    heading: Vec<u8>,
    parts: Vec<Part>,
    open: Option<(String, u64, Sha256)>,
}

impl<W: Write> Writer<W> {
    /// Writes the heading.
    pub fn new(mut out: W, heading: &Heading) -> Result<Self> {
        let heading = line(&json!(heading))?;
        put(&mut out, &heading)?;
        Ok(Self { out, heading, parts: Vec::new(), open: None })
    }

    /// Begins a part.
    pub fn begin(&mut self, name: &str, columns: &[&str]) -> Result<()> {
        let begun = line(&json!({ "part": name, "columns": columns }))?;
        put(&mut self.out, &begun)?;
        let mut digest = Sha256::default();
        digest.update(&begun);
        self.open = Some((name.to_owned(), 0, digest));
        Ok(())
    }

    /// Writes a row of the part.
    pub fn row(&mut self, values: &[Json]) -> Result<()> {
        let row = line(&json!(values))?;
        put(&mut self.out, &row)?;
        let (_, rows, digest) = self.open.as_mut().ok_or_else(|| Error::internal("a row of no part"))?;
        *rows += 1;
        digest.update(&row);
        Ok(())
    }

    /// How many rows the part has so far.
    pub fn rows(&self) -> u64 {
        self.open.as_ref().map_or(0, |(_, rows, _)| *rows)
    }

    /// Ends the part; returns how many rows it has.
    pub fn end(&mut self) -> Result<u64> {
        let (name, rows, digest) = self.open.take().ok_or_else(|| Error::internal("an end of no part"))?;
        let part = Part { name, rows, sha256: hex(digest.finish()) };
        put(&mut self.out, &line(&json!({ "end": &part }))?)?;
        self.parts.push(part);
        Ok(rows)
    }

    /// Writes the manifest and its proof; returns the parts and the digest of the archive.
    pub fn finish(mut self, key: Option<&ArchiveKey>) -> Result<(Vec<Part>, String)> {
        let manifest = line(&json!({ "manifest": { "parts": &self.parts } }))?;
        let message = [self.heading, manifest.clone()].concat();
        put(&mut self.out, &manifest)?;
        put(&mut self.out, &line(&json!({ "proof": key.map(|key| hex(key.proof(&message))) }))?)?;
        self.out.flush().map_err(|error| Error::unavailable(error))?;
        Ok((self.parts, hex(svc_keys::sha256(&message))))
    }
}

fn line(document: &Json) -> Result<Vec<u8>> {
    let mut line = document.to_string().into_bytes();
    line.push(b'\n');
    if line.len() > super::LONGEST_LINE {
        return Err(Error::bad_request("a row of the tenant is longer than a line of an archive may be"));
    }
    Ok(line)
}

fn put(out: &mut impl Write, line: &[u8]) -> Result<()> {
    out.write_all(line).map_err(|error| Error::unavailable(error))
}
