//! How the actions of the audit log are declared: each with its name and what it means.

macro_rules! actions {
    ($($(#[doc = $about:literal])+ $action:ident = $name:literal,)*) => {
        /// What was done, or refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Action {
            $($(#[doc = $about])+ $action,)*
        }

        impl Action {
            /// Every action with what it means, in the order of the documentation.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$action, concat!($($about),+))),*];

            /// The dotted name, as it is stored.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$action => $name,)*
                }
            }
        }
    };
}

pub(super) use actions;
