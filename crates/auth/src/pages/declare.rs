//! How a page declares its data: a struct of values that make themselves harmless, and the name of its template.

use serde::Serialize;

/// A value that may stand in a page: it makes itself harmless when it is written. `String` is none.
pub trait Shown: Serialize {}

impl Shown for bool {}
impl Shown for u32 {}
impl Shown for i64 {}
/// Ids of our own, such as those of messages.
impl Shown for &'static str {}
/// What the second step of a sign-in method shows, such as a challenge; templates escape it.
impl Shown for serde_json::Value {}
impl<T: Shown> Shown for Option<T> {}
impl<T: Shown> Shown for Vec<T> {}

/// The data of a page, with the template that shows it.
pub trait Page: Shown {
    /// The template's file name, by which operators replace it.
    const TEMPLATE: &'static str;
}

/// Declares structs whose every field is [`Shown`]; `for "sign_in"` makes a struct the data of `sign_in.html`.
macro_rules! page {
    ($($(#[$doc:meta])* pub struct $name:ident $(for $template:literal)? {
        $($(#[$about:meta])* pub $field:ident: $type:ty,)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, serde::Serialize)]
        pub struct $name { $($(#[$about])* pub $field: $type,)* }

        impl $crate::pages::declare::Shown for $name {}

        const _: () = {
            const fn shown<T: $crate::pages::declare::Shown>() {}
            $(shown::<$type>();)*
        };

        $(impl $crate::pages::declare::Page for $name {
            const TEMPLATE: &'static str = concat!($template, ".html");
        })?
    )*};
}
pub(super) use page;
