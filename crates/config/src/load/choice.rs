//! Closed sets of words as enums.

/// Declares a closed set of words as an enum that is a [`Setting`].
macro_rules! choice {
    ($(#[doc = $about:literal])+ $choice:ident {
        $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $choice { $($(#[doc = $doc])+ $variant),+ }

        impl $choice {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word in the configuration.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::load::setting::Setting for $choice {
            fn read(value: &toml::Value) -> Result<Self, String> {
                let given = value.as_str();
                Self::ALL.iter().copied().find(|choice| given == Some(choice.as_str()))
                    .ok_or_else(|| "is not one of the choices".to_owned())
            }

            fn show(&self) -> Option<toml::Value> {
                Some(toml::Value::String(self.as_str().to_owned()))
            }

            fn expects() -> String {
                concat!("one of", $(" \"", $word, "\""),+).to_owned()
            }

            fn sample() -> toml::Value {
                toml::Value::String([$($word),+].into_iter().next().unwrap_or_default().to_owned())
            }
        }
    };
}
pub(crate) use choice;
