//! Declares a section once: its struct, its defaults, its ranges and its documentation come from the same
//! lines.

use super::reader::Reader;

/// A table of the configuration.
pub trait Section: Sized {
    /// Reads the table at `path`.
    fn read(reader: &mut Reader, path: &str) -> Self;
}

impl<T: Section> Section for Vec<T> {
    fn read(reader: &mut Reader, path: &str) -> Self {
        reader.tables(path, T::read)
    }
}

/// Declares a section. Each key is `/// doc`, `name: Type = default, range;`; tables inside it come last. What this version
/// does not implement says so: `#[mark(Unused)]` on a key, or on the section for all its keys.
macro_rules! section {
    ($(#[doc = $about:literal])+ $(#[mark($all:ident)])? $section:ident {
        $($(#[doc = $doc:literal])+ $(#[mark($mark:ident)])? $key:ident: $type:ty = $default:expr $(, $range:expr)?;)*
        $(tables { $($(#[doc = $table_doc:literal])+ $table:ident: $table_type:ty;)+ })?
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        pub struct $section {
            $($(#[doc = $doc])+ pub $key: $type,)*
            $($($(#[doc = $table_doc])+ pub $table: $table_type,)+)?
        }

        impl $crate::load::section::Section for $section {
            fn read(reader: &mut $crate::load::reader::Reader, path: &str) -> Self {
                let mark = None $(.or(Some($crate::load::reader::Mark::$all)))?;
                reader.section(path, concat!($($about, "\n"),+), mark);
                Self {
                    $($key: reader.key(
                        $crate::load::reader::Spec {
                            path: format!("{path}.{}", stringify!($key)),
                            doc: concat!($($doc, "\n"),+),
                            range: None $(.or(Some($range)))?,
                            mark: None $(.or(Some($crate::load::reader::Mark::$mark)))?,
                        },
                        $default,
                    ),)*
                    $($($table: $crate::load::section::Section::read(
                        reader,
                        &format!("{path}.{}", stringify!($table)),
                    ),)+)?
                }
            }
        }

        impl Default for $section {
            fn default() -> Self {
                <Self as $crate::load::section::Section>::read(&mut Default::default(), "")
            }
        }
    };
}
pub(crate) use section;
