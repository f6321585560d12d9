//! An entry as the chain hashes it: its fields as texts, each with its length before it, so that no two entries have the same bytes.

use svc_core::{Error, Result};
use svc_db::Row;
use svc_keys::sha256;

use super::Head;

/// SHA-256 of the hash before and an entry.
pub type ChainHash = [u8; 32];

/// What the first entry follows.
pub const BEGINNING: ChainHash = [0; 32];

/// The first field: how the others are to be read.
const FORM: &str = "svc-audit-v1";

/// An entry with all that its hash covers but the position.
pub(super) struct Chained {
    pub tenant: String,
    pub id: String,
    at: String,
    rest: [String; 8],
}

impl Chained {
    pub fn read(row: &Row) -> Result<Self> {
        let fields =
            ["actor_kind", "actor_id", "action", "target", "outcome", "request_id", "client_ip", "detail"];
        let mut rest: [String; 8] = Default::default();
        for (text, field) in rest.iter_mut().zip(fields) {
            *text = row.text(field)?;
        }
        let (tenant, id) = (row.text("tenant_id")?, row.text("id")?);
        Ok(Self { tenant, id, at: row.time("at")?.to_string(), rest })
    }

    /// `<length>:<text>` of each field, the length in bytes (docs/how-to/audit-log.md).
    fn bytes(&self, position: i64) -> Vec<u8> {
        let position = position.to_string();
        let first = [FORM, &self.tenant, &position, &self.id, &self.at];
        let fields = first.into_iter().chain(self.rest.iter().map(String::as_str));
        let mut bytes = Vec::with_capacity(512);
        for field in fields {
            bytes.extend_from_slice(field.len().to_string().as_bytes());
            bytes.push(b':');
            bytes.extend_from_slice(field.as_bytes());
        }
        bytes
    }
}

impl Head {
    /// The place of the entry that comes next.
    pub(super) fn followed_by(self, entry: &Chained) -> Self {
        let position = self.position + 1;
        let bytes = [&self.hash[..], &entry.bytes(position)].concat();
        Self { position, hash: sha256(&bytes) }
    }
}

/// A hash as it is stored.
pub(super) fn hash(row: &Row, column: &str) -> Result<ChainHash> {
    let bytes = row.bytes(column)?;
    bytes.try_into().map_err(|_| Error::internal(format!("{column} is no hash")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(target: &str, request_id: &str) -> Chained {
        let text = |text: &str| text.to_owned();
        let rest =
            ["user", "ada", "role.created", target, "success", request_id, "192.0.2.1", "{}"].map(text);
        Chained { tenant: text("tnt_1"), id: text("aud_1"), at: text("2026-01-01T00:00:00Z"), rest }
    }

    #[test]
    fn the_bytes_of_an_entry_are_those_of_the_documentation() {
        let expected = "12:svc-audit-v15:tnt_11:75:aud_120:2026-01-01T00:00:00Z4:user3:ada12:role.created3:r\u{f6}7:success\
                        3:req9:192.0.2.12:{}";
        assert_eq!(String::from_utf8(entry("r\u{f6}", "req").bytes(7)).unwrap(), expected);
    }

    #[test]
    fn what_stands_in_one_field_is_not_the_same_in_another() {
        assert_ne!(entry("ab", "c").bytes(1), entry("a", "bc").bytes(1));
        assert_ne!(entry("a", "").bytes(1), entry("", "a").bytes(1));
    }

    #[test]
    fn a_hash_depends_on_the_one_before_it_and_on_the_position() {
        let first = Head::BEGINNING.followed_by(&entry("a", "b"));
        let second = first.followed_by(&entry("a", "b"));
        assert_eq!((first.position, second.position), (1, 2));
        assert_ne!(first.hash, second.hash);
        let elsewhere = Head { position: 1, hash: BEGINNING }.followed_by(&entry("a", "b"));
        assert_ne!(first.hash, elsewhere.hash);
    }
}
