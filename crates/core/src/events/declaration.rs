//! What an event is, and the declaration of all of them.

use serde_json::Value;

/// An event to emit: its dotted type, and its data without secrets and tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The dotted type.
    pub name: &'static str,
    /// The member `data` of the envelope.
    pub data: Value,
}

/// An event as the catalogue describes it.
pub struct Described {
    /// The dotted type.
    pub name: &'static str,
    /// When it is emitted.
    pub about: &'static str,
    /// The members of its data.
    pub members: &'static [Member],
}

/// A member of an event's data.
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its type in Rust.
    pub type_name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// Whether it is left out where there is nothing to say.
    pub may_be_absent: bool,
}

/// Makes the struct of each event, and a list of them.
macro_rules! events {
    ($catalogue:ident: $($(#[doc = $about:literal])+ $name:literal $payload:ident {
        $($(#[doc = $said:literal])+ $(#[serde($($serde:tt)+)])? $member:ident: $type:ty,)*
    })*) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Debug, Serialize)]
            pub struct $payload {
                $($(#[doc = $said])+ $(#[serde($($serde)+)])? pub $member: $type,)*
            }

            impl From<$payload> for Event {
                fn from(payload: $payload) -> Self {
                    // Members are texts, numbers and lists of them: they always serialize.
                    Self { name: $name, data: serde_json::to_value(payload).unwrap_or_default() }
                }
            }
        )*

        /// Those of this file, in their order.
        pub(super) const $catalogue: &[Described] = &[$(Described {
            name: $name,
            about: concat!($($about),+),
            members: &[$(Member {
                name: stringify!($member),
                type_name: stringify!($type),
                about: concat!($($said),+),
                may_be_absent: !concat!("", $(stringify!($($serde)+))?).is_empty(),
            }),*],
        }),*];
    };
}

pub(super) use events;
