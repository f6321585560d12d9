//! A value that stands sealed in a column: it opens in the row, column and table that it was sealed for, and nowhere else.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use svc_core::{Cx, OrInternal as _, Result};
use zeroize::Zeroizing;

use super::Sealer;
use crate::encoding::{base64url, from_base64url};

/// A `T`, sealed.
pub struct Sealed<T> {
    bytes: Vec<u8>,
    of: PhantomData<fn() -> T>,
}

/// Where a sealed value stands.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
    /// The tenant whose row it is.
    pub tenant: &'a str,
    /// The row's key within its tenant.
    pub record: &'a str,
}

impl Cell<'_> {
    fn context(&self) -> [&str; 4] {
        [self.table, self.column, self.tenant, self.record]
    }
}

impl<T: Serialize + DeserializeOwned> Sealed<T> {
    /// Seals a value for its cell.
    pub fn new(value: &T, cell: &Cell<'_>, sealer: &Sealer, cx: &Cx) -> Result<Self> {
        let plain = Zeroizing::new(serde_json::to_vec(value).or_internal()?);
        Ok(Self::from_column(sealer.seal(&cell.context(), &plain, cx)?))
    }

    /// What a column holds.
    pub fn from_column(bytes: Vec<u8>) -> Self {
        Self { bytes, of: PhantomData }
    }

    /// What to store.
    pub fn into_column(self) -> Vec<u8> {
        self.bytes
    }

    /// The value; a fault where it stands in another cell, or the keyring is another deployment's.
    pub fn open(&self, cell: &Cell<'_>, sealer: &Sealer) -> Result<T> {
        let plain = Zeroizing::new(sealer.open_own(&cell.context(), &self.bytes)?);
        serde_json::from_slice(&plain).or_internal()
    }
}

impl<T> Clone for Sealed<T> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), of: PhantomData }
    }
}

/// As a member of a document: base64url.
impl<T> Serialize for Sealed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&base64url(&self.bytes))
    }
}

impl<'de, T> Deserialize<'de> for Sealed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = from_base64url(&text).ok_or_else(|| D::Error::custom("a sealed value is base64url"))?;
        Ok(Self { bytes, of: PhantomData })
    }
}

impl<T> fmt::Debug for Sealed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[sealed]")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Purpose;
    use super::super::tests::{NOW, cx, keyring};
    use super::*;

    const CELL: Cell<'_> = Cell { table: "mails", column: "content", tenant: "ten_1", record: "mail_1" };

    #[test]
    fn a_value_opens_in_its_own_cell_only() {
        let sealer = keyring(1).sealer(Purpose::Messages);
        let made = Sealed::new(&"secret".to_owned(), &CELL, &sealer, &cx(NOW)).unwrap();
        let stored = Sealed::<String>::from_column(made.into_column());
        assert_eq!(stored.open(&CELL, &sealer).unwrap(), "secret");
        for other in [
            Cell { table: "links", ..CELL },
            Cell { column: "subject", ..CELL },
            Cell { tenant: "ten_2", ..CELL },
            Cell { record: "mail_2", ..CELL },
        ] {
            assert!(stored.open(&other, &sealer).is_err(), "{other:?}");
        }
        assert_eq!(format!("{stored:?}"), "[sealed]");
        let document = serde_json::to_string(&stored).unwrap();
        let loaded: Sealed<String> = serde_json::from_str(&document).unwrap();
        assert_eq!(loaded.open(&CELL, &sealer).unwrap(), "secret");
        assert!(serde_json::from_str::<Sealed<String>>("\"not base64url!\"").is_err());
    }
}
