//! What may stand in a page: text and links that make themselves harmless when they are written.
//!
//! ```
//! use svc_auth::pages::{ForgotSent, RegisterSent};
//! let sent = RegisterSent { email: "ada@example.com".into(), ..RegisterSent::default() };
//! ```
//! ```compile_fail
//! use svc_auth::pages::{ForgotSent, RegisterSent};
//! let sent = RegisterSent { email: String::from("ada@example.com"), ..RegisterSent::default() };
//! ```

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use svc_core::text::{is_shown, neutral};
use svc_domain::apis::{Part, Sentence};

use super::declare::Shown;
use super::text::{clean, is_image_url, is_local, is_return_address, is_web_url};

/// Longest line that a page shows, in characters. Forms bring lines back, so that the longest address fits in whole (RFC 5321 §4.5.3.1).
const LONGEST_LINE: usize = 320;
/// Longest name of an application or a person that a page shows, in characters.
const LONGEST_NAME: usize = 80;
/// Longest part of a sentence about authorization details, in characters: more than one is ever stored with.
const LONGEST_PART: usize = 600;

/// Longest block of code that a page shows, in characters.
const LONGEST_BLOCK: usize = 65_536;

/// Declares a value that is written by its function.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident => $write:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $name(String);

        impl Shown for $name {}

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&String> for $name {
            fn from(text: &String) -> Self {
                Self(text.clone())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let write: fn(&str) -> Result<Option<String>, &'static str> = $write;
                write(&self.0).map_err(S::Error::custom)?.serialize(to)
            }
        }
    )*};
}

values! {
    /// A line of text.
    Line => |text| Ok(Some(clean(text, LONGEST_LINE)));
    /// A name, which stands inside sentences and headings.
    Name => |text| Ok(Some(clean(text, LONGEST_NAME)));
    /// A paragraph, or a long value.
    Paragraph => |text| Ok(Some(clean(text, 4 * LONGEST_LINE)));
    /// A piece of a paragraph, which keeps the space around it.
    Piece => |text| Ok(Some(neutral(text, 4 * LONGEST_LINE)));
    /// Text that keeps its lines.
    Block => |text| {
        Ok(Some(text.chars().filter(|&c| c == '\n' || is_shown(c)).take(LONGEST_BLOCK).collect()))
    };
    /// What a form brings back byte for byte: sealed state, and the answer to an application. Templates escape it.
    Verbatim => |text| Ok(Some(text.to_owned()));
    /// A link or form target that we made; one that leaves the web is a fault of ours.
    Link => |url| {
        if is_local(url) || is_web_url(url) { Ok(Some(url.to_owned())) } else { Err("not a web address") }
    };
    /// The address of an application to which an answer goes, proven to be registered; it may be a native application's.
    ReturnAddress => |url| {
        if is_return_address(url) { Ok(Some(url.to_owned())) } else { Err("not an address to return to") }
    };
    /// A link that a tenant or an application gave; anything but a web address is left out.
    ForeignLink => |url| Ok(Some(url).filter(|url| is_web_url(url)).map(str::to_owned));
    /// A picture that a tenant or an application gave; anything but the address of a picture is left out.
    Image => |url| Ok(Some(url).filter(|url| is_image_url(url)).map(str::to_owned));
}

impl Line {
    /// The text as it was given, for another form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Sentences in parts; a part keeps the space around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sentences(pub Vec<Sentence>);

impl Shown for Sentences {}

impl Serialize for Sentences {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let part = |part: &Part| Part { text: neutral(&part.text, LONGEST_PART), is_value: part.is_value };
        to.collect_seq(self.0.iter().map(|Sentence(parts)| Sentence(parts.iter().map(part).collect())))
    }
}
