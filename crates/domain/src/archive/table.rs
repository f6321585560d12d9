//! What an archive has of a table: its columns, how each is written, and the statements that read and write its rows.

use svc_db::SystemSql;

/// A table of the tenant's rows.
pub struct Table {
    /// Its name, which is the name of its part of the archive.
    pub name: &'static str,
    /// The key within the tenant, by which it is read; none where a tenant has one row.
    pub key: &'static [&'static str],
    /// Every column but the tenant's.
    pub columns: &'static [Column],
    /// Reads rows: `$1` is the tenant, the next ones the key of the last row before them, the last one how many.
    pub(super) page: SystemSql,
    /// Writes a row: `$1` is the tenant, the others are its columns.
    pub(super) insert: SystemSql,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What becomes of its values.
    pub of: Of,
}

/// What kind of value a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `TEXT`, a string.
    Text,
    /// `BIGINT`, a number.
    Int,
    /// `BOOLEAN`.
    Flag,
    /// `BYTEA`, base64url.
    Bytes,
}

/// What becomes of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// They travel as they are.
    Plain(Type),
    /// The same; they may be absent.
    Maybe(Type),
    /// They are sealed for a cell whose column is named, and travel sealed under the passphrase of the archive.
    Sealed(&'static str),
    /// The same; they may be absent.
    MaybeSealed(&'static str),
    /// They mean something to the other deployment alone, and start afresh.
    Afresh(Fresh),
}

/// How a value begins that does not travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// At 0.
    Zero,
    /// Absent.
    Absent(Type),
}

pub(super) const TEXT: Of = Of::Plain(Type::Text);
pub(super) const INT: Of = Of::Plain(Type::Int);
pub(super) const FLAG: Of = Of::Plain(Type::Flag);
pub(super) const BYTES: Of = Of::Plain(Type::Bytes);
pub(super) const MAYBE_TEXT: Of = Of::Maybe(Type::Text);
pub(super) const MAYBE_INT: Of = Of::Maybe(Type::Int);
pub(super) const MAYBE_BYTES: Of = Of::Maybe(Type::Bytes);
pub(super) const ZERO: Of = Of::Afresh(Fresh::Zero);
pub(super) const NO_TEXT: Of = Of::Afresh(Fresh::Absent(Type::Text));
pub(super) const NO_INT: Of = Of::Afresh(Fresh::Absent(Type::Int));

impl Of {
    /// What kind of value the column has.
    pub fn kind(self) -> Type {
        match self {
            Self::Plain(kind) | Self::Maybe(kind) | Self::Afresh(Fresh::Absent(kind)) => kind,
            Self::Sealed(_) | Self::MaybeSealed(_) => Type::Bytes,
            Self::Afresh(Fresh::Zero) => Type::Int,
        }
    }

    /// Whether there is always a value.
    pub fn is_required(self) -> bool {
        matches!(self, Self::Plain(_) | Self::Sealed(_) | Self::Afresh(Fresh::Zero))
    }

    /// Whether its values are in an archive.
    pub fn travels(self) -> bool {
        !matches!(self, Self::Afresh(_))
    }
}

impl Table {
    /// The columns whose values are in an archive.
    pub fn travelling(&self) -> impl Iterator<Item = &'static Column> + use<> {
        self.columns.iter().filter(|column| column.of.travels())
    }

    pub(super) fn column(&self, name: &str) -> Option<&'static Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// Declares tables, each with its key and its columns: `"apps" ("id") { "id": TEXT, … }`.
macro_rules! carried {
    ($(#[doc = $about:literal])+ $list:ident: $($table:literal ($($key:literal)*) { $($column:literal: $of:expr,)+ })+) => {
        $(#[doc = $about])+
        pub const $list: &[Table] = &[$(Table {
            name: $table,
            key: &[$($key),*],
            columns: &[$(Column { name: $column, of: $of }),+],
            page: page!($table [$($key)*] $($column)+),
            insert: insert!($table [] [] [$($column)+] [
                "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "$10" "$11" "$12" "$13" "$14" "$15" "$16" "$17" "$18" "$19" "$20" "$21"
                "$22" "$23" "$24" "$25" "$26" "$27" "$28" "$29" "$30"
            ]),
        }),+];
    };
}

/// Reads a page of a table.
macro_rules! page {
    ($table:literal [] $first:literal $($column:literal)*) => {
        system_sql!("SELECT ", $first, $(", ", $column,)* " FROM ", $table, " WHERE tenant_id = $1 LIMIT $2")
    };
    ($table:literal [$a:literal] $first:literal $($column:literal)*) => {
        system_sql!(
            "SELECT ", $first, $(", ", $column,)* " FROM ", $table, " WHERE tenant_id = $1 AND ", $a, " > $2 ORDER BY ", $a,
            " LIMIT $3"
        )
    };
    ($table:literal [$a:literal $b:literal] $first:literal $($column:literal)*) => {
        system_sql!(
            "SELECT ", $first, $(", ", $column,)* " FROM ", $table, " WHERE tenant_id = $1 AND (", $a, ", ", $b,
            ") > ($2, $3) ORDER BY ", $a, ", ", $b, " LIMIT $4"
        )
    };
    ($table:literal [$a:literal $b:literal $c:literal] $first:literal $($column:literal)*) => {
        system_sql!(
            "SELECT ", $first, $(", ", $column,)* " FROM ", $table, " WHERE tenant_id = $1 AND (", $a, ", ", $b, ", ", $c,
            ") > ($2, $3, $4) ORDER BY ", $a, ", ", $b, ", ", $c, " LIMIT $5"
        )
    };
    ($table:literal [$a:literal $b:literal $c:literal $d:literal] $first:literal $($column:literal)*) => {
        system_sql!(
            "SELECT ", $first, $(", ", $column,)* " FROM ", $table, " WHERE tenant_id = $1 AND (", $a, ", ", $b, ", ", $c, ", ",
            $d, ") > ($2, $3, $4, $5) ORDER BY ", $a, ", ", $b, ", ", $c, ", ", $d, " LIMIT $6"
        )
    };
    ($table:literal [$a:literal $b:literal $c:literal $d:literal $e:literal] $first:literal $($column:literal)*) => {
        system_sql!(
            "SELECT ", $first, $(", ", $column,)* " FROM ", $table, " WHERE tenant_id = $1 AND (", $a, ", ", $b, ", ", $c, ", ",
            $d, ", ", $e, ") > ($2, $3, $4, $5, $6) ORDER BY ", $a, ", ", $b, ", ", $c, ", ", $d, ", ", $e, " LIMIT $7"
        )
    };
}

/// Writes a row: each column takes the next placeholder.
macro_rules! insert {
    ($table:literal [$($column:literal)*] [$($place:literal)*] [] [$($unused:literal)*]) => {
        quiet_system_sql!(
            "comes with the tenant, whose import is recorded",
            "INSERT INTO ", $table, " (tenant_id", $(", ", $column,)* ") VALUES ($1", $(", ", $place,)* ")"
        )
    };
    ($table:literal [$($column:literal)*] [$($place:literal)*] [$next:literal $($rest:literal)*] [$free:literal $($others:literal)*]) => {
        insert!($table [$($column)* $next] [$($place)* $free] [$($rest)*] [$($others)*])
    };
}

pub(super) use {carried, insert, page};
