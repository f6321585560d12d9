//! Reads an archive line by line, and believes nothing of it before its digest was seen: what is read before is held back by the
//! transaction that it is written in.

use std::io::{BufRead, Read as _};

use serde::Deserialize;
use serde_json::Value as Json;
use svc_core::{Error, Result};
use svc_keys::{Sha256, constant_time_eq, hex};

use super::LONGEST_LINE;
use super::container::{FORMAT, Heading, Part};
use super::key::ArchiveKey;

/// What comes next.
pub enum Next {
    /// A part begins.
    Part {
        /// The table.
        name: String,
        /// The columns of its rows.
        columns: Vec<String>,
    },
    /// A row of the part.
    Row(Vec<Json>),
    /// The part ended, and its digest is right.
    End,
    /// The archive ended, and its manifest is right.
    Over {
        /// The digest of the archive.
        digest: String,
    },
}

/// Reads an archive.
pub struct Reader<R> {
    from: R,
    heading: Heading,
    written_heading: Vec<u8>,
    line: u64,
    open: Option<(String, usize, u64, Sha256)>,
    parts: Vec<Part>,
    has_ended: bool,
}

/// Any line but the first one and rows.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Line {
    Begin { part: String, columns: Vec<String> },
    End { end: Part },
    Manifest { manifest: Manifest },
    Proof { proof: Option<String> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    parts: Vec<Part>,
}

impl<R: BufRead> Reader<R> {
    /// Reads the heading; one of a newer container is refused.
    pub fn open(mut from: R) -> Result<Self> {
        let written_heading = next_line(&mut from, 1)?;
        let found: Json = serde_json::from_slice(&written_heading).unwrap_or_default();
        match found.get("svc_tenant_archive").and_then(Json::as_u64) {
            Some(version) if version == u64::from(FORMAT) => {}
            Some(version) => {
                return Err(Error::bad_request(format!(
                    "the archive has version {version}, and this program reads version {FORMAT}; use the program of the version \
                     that wrote it, or a newer one"
                )));
            }
            None => return Err(Error::bad_request("the file is not an archive of a tenant")),
        }
        let heading = serde_json::from_value(found)
            .map_err(|error| Error::bad_request(format!("line 1: the heading cannot be read: {error}")))?;
        Ok(Self { from, heading, written_heading, line: 1, open: None, parts: Vec::new(), has_ended: false })
    }

    /// Its first line.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// What comes next. The end needs the key, where the archive has a passphrase.
    pub fn next(&mut self, key: Option<&ArchiveKey>) -> Result<Next> {
        if std::mem::take(&mut self.has_ended) {
            return Ok(Next::End);
        }
        let written = self.take()?;
        if written.first() == Some(&b'[') {
            return self.row(&written);
        }
        match self.read(&written)? {
            Line::Begin { part, columns } => {
                if self.open.is_some() || self.parts.iter().any(|known| known.name == part) {
                    return Err(self.wrong("a part begins that may not begin here"));
                }
                let mut digest = Sha256::default();
                digest.update(&written);
                self.open = Some((part.clone(), columns.len(), 0, digest));
                Ok(Next::Part { name: part, columns })
            }
            Line::End { end } => {
                let Some((name, _, rows, digest)) = self.open.take() else {
                    return Err(self.wrong("a part ends that has not begun"));
                };
                let found = Part { name, rows, sha256: hex(digest.finish()) };
                if found != end {
                    return Err(self.wrong(&format!("{} is not as it was written", found.name)));
                }
                self.parts.push(found);
                Ok(Next::End)
            }
            Line::Manifest { manifest } if self.open.is_none() => self.end(&manifest, &written, key),
            Line::Manifest { .. } | Line::Proof { .. } => Err(self.wrong("a line that may not stand here")),
        }
    }

    /// Says once more that the part has ended.
    pub(super) fn put_back_end(&mut self) {
        self.has_ended = true;
    }

    fn row(&mut self, written: &[u8]) -> Result<Next> {
        let Ok(values) = serde_json::from_slice::<Vec<Json>>(written) else {
            return Err(self.wrong("a row that cannot be read"));
        };
        match &mut self.open {
            Some((_, columns, rows, digest)) if *columns == values.len() => {
                *rows += 1;
                digest.update(written);
                Ok(Next::Row(values))
            }
            _ => Err(self.wrong("a row with other columns than its part")),
        }
    }

    fn end(&mut self, manifest: &Manifest, written: &[u8], key: Option<&ArchiveKey>) -> Result<Next> {
        if manifest.parts != self.parts {
            return Err(self.wrong("the manifest names other parts than there are"));
        }
        let proof = self.take()?;
        let Line::Proof { proof } = self.read(&proof)? else {
            return Err(self.wrong("the proof is missing"));
        };
        let message = [&self.written_heading[..], written].concat();
        let expected = key.map(|key| hex(key.proof(&message)));
        let is_right = match (&expected, &proof) {
            (Some(expected), Some(proof)) => constant_time_eq(expected.as_bytes(), proof.as_bytes()),
            (None, None) => self.heading.passphrase.is_none(),
            _ => false,
        };
        if !is_right {
            return Err(Error::bad_request(
                "the passphrase is another than the one that the archive was written with, or the archive was changed",
            ));
        }
        let rest = self.from.fill_buf().map_err(|error| Error::unavailable(error))?;
        if !rest.is_empty() {
            return Err(self.wrong("something follows the end of the archive"));
        }
        Ok(Next::Over { digest: hex(svc_keys::sha256(&message)) })
    }

    fn take(&mut self) -> Result<Vec<u8>> {
        self.line += 1;
        next_line(&mut self.from, self.line)
    }

    fn read(&self, written: &[u8]) -> Result<Line> {
        serde_json::from_slice(written).map_err(|_| self.wrong("a line that cannot be read"))
    }

    fn wrong(&self, what: &str) -> Error {
        Error::bad_request(format!("line {}: {what}: the archive was changed", self.line))
    }
}

/// A whole line, within what a line may have.
fn next_line(from: &mut impl BufRead, number: u64) -> Result<Vec<u8>> {
    let mut line = Vec::new();
    let most = u64::try_from(LONGEST_LINE).unwrap_or(u64::MAX);
    from.take(most).read_until(b'\n', &mut line).map_err(|error| Error::unavailable(error))?;
    match line.last() {
        Some(b'\n') => Ok(line),
        _ if line.len() >= LONGEST_LINE => {
            Err(Error::bad_request(format!("line {number} is longer than a line of an archive may be")))
        }
        _ => Err(Error::bad_request(format!("line {number}: the archive is cut off"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use svc_core::{SeededEntropy, Timestamp};
    use svc_keys::passphrase::Stretching;

    use super::super::container::{Origin, Writer};
    use super::*;

    fn written() -> (Vec<u8>, ArchiveKey) {
        let stretching = Stretching::fresh(&SeededEntropy::new(1));
        let key = ArchiveKey::new(&stretching, "a passphrase of some length", "archive").unwrap();
        let heading = Heading {
            svc_tenant_archive: FORMAT,
            schema: 1,
            id: "archive".to_owned(),
            exported_at: Timestamp::from_secs(1_800_000_000),
            tenant: Origin {
                id: "tnt_00000000000000000000000000".parse().unwrap(),
                slug: "acme".to_owned(),
                issuer: "https://acme.id.test".to_owned(),
            },
            has_secrets: true,
            passphrase: Some(stretching),
        };
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &heading).unwrap();
        for part in ["apps", "apis"] {
            writer.begin(part, &["id", "handle"]).unwrap();
            writer.row(&[json!("1"), json!("shop")]).unwrap();
            writer.end().unwrap();
        }
        writer.finish(Some(&key)).unwrap();
        (bytes, key)
    }

    fn read(bytes: &[u8], key: Option<&ArchiveKey>) -> Result<u32> {
        let mut reader = Reader::open(bytes)?;
        let mut rows = 0;
        loop {
            match reader.next(key)? {
                Next::Row(_) => rows += 1,
                Next::Part { .. } | Next::End => {}
                Next::Over { .. } => return Ok(rows),
            }
        }
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let (bytes, key) = written();
        assert_eq!(read(&bytes, Some(&key)).unwrap(), 2);
        assert!(read(&bytes, None).is_err(), "without its passphrase");
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 7);
            assert!(read(&changed, Some(&key)).is_err(), "byte {at}: {}", String::from_utf8_lossy(&changed));
            assert!(read(&bytes[..at], Some(&key)).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn lines_stand_where_they_may_stand() {
        let (bytes, key) = written();
        let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        for from in 1..lines.len() {
            for to in 1..lines.len() {
                let mut moved = lines.clone();
                let line = moved.remove(from);
                moved.insert(to, line);
                let is_same = moved == lines;
                assert_eq!(read(&moved.concat(), Some(&key)).is_ok(), is_same, "{from} to {to}");
            }
            let twice = [&lines[..=from], &lines[from..]].concat().concat();
            assert!(read(&twice, Some(&key)).is_err(), "{from} twice");
        }
    }
}
