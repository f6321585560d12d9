//! Hooks: receivers of a tenant that are asked before something happens, and may refuse it or add to it.
//!
//! They are asked while no transaction is open (`docs/adr/0040-hooks-are-called-outside-transactions.md`).

mod answer;
mod directory;
mod input;
mod modules;
mod program;
mod programs;
mod secret;
mod store;

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Error, HookId, HookModuleId, Result, Seconds, Secret, Timestamp};
use svc_keys::keyring::Sealed;
use utoipa::ToSchema;

pub use self::answer::{Added, Answer, MOST_ANSWER, Verdict, read};
pub use self::directory::{Hooks, TenantHooks};
pub use self::input::{AboutApplication, AboutOrganization, AboutSignIn, Input, Subject};
pub use self::modules::{
    HookModule, NewModule, create as create_module, delete as delete_module, find as find_module,
    list as list_modules,
};
pub use self::program::{Bounds, Program};
pub use self::programs::Programs;
pub use self::secret::{holds as holds_secret, replace as replace_secret, rotate, secrets};
pub(crate) use self::store::{all, forget_application};
pub use self::store::{create, delete, find, list, note_test, update};

/// The least time between two tests of a hook: a test is no means to send requests to strangers.
pub const TEST_INTERVAL: Seconds = Seconds(10);

/// A receiver that is asked before something happens.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hook {
    /// Its id.
    #[schema(value_type = String)]
    pub id: HookId,
    /// What the tenant decides of it.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Until when calls are signed with the former secret too; null where there is none.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub former_secret_expires_at: Option<Timestamp>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// What signs its calls.
    #[serde(skip)]
    secret: Sealed<String>,
    #[serde(skip)]
    former_secret: Option<Sealed<String>>,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// The configuration of a hook: members that are left out take their defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HookUpdate, examples(json!({ "point": "pre_token", "url": "https://receiver.example/hooks/pre-token", "on_failure": "allow", "order": 10 })))]
pub struct Configuration {
    /// The point at which it is called.
    pub point: Point,
    /// The kind of receiver that answers.
    #[serde(default)]
    pub kind: Kind,
    /// For the kind `http`, the address to which calls are posted: https, on a public host.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub url: Option<String>,
    /// For the kind `wasm`, the module that answers.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub module_id: Option<HookModuleId>,
    /// Hooks of a point are called from the lowest number to the highest; of two with the same number the older one is first.
    #[serde(default)]
    #[schema(maximum = 1000)]
    pub order: u32,
    /// Whether it is called.
    #[serde(default = "active")]
    #[schema(default = true)]
    pub is_active: bool,
    /// What happens where it gives no valid answer in time.
    pub on_failure: OnFailure,
    /// The applications for which it is called; empty for every one.
    #[serde(default)]
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub application_ids: Vec<AppId>,
    /// Milliseconds that one call may take; at most, and by default, those of the configuration.
    #[serde(default)]
    #[schema(minimum = 100, maximum = 10000)]
    pub timeout_millis: Option<u32>,
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answerer<'a> {
    /// The receiver at this address.
    Address(&'a str),
    /// This module.
    Module(HookModuleId),
}

impl Configuration {
    /// Who answers; an error where that does not follow from `kind`.
    pub fn answerer(&self) -> Result<Answerer<'_>> {
        match (self.kind, &self.url, self.module_id) {
            (Kind::Http, Some(url), None) => Ok(Answerer::Address(url)),
            (Kind::Wasm, None, Some(module)) => Ok(Answerer::Module(module)),
            (Kind::Http, None, _) => Err(Error::bad_request("url: a hook of kind http needs an address")),
            (Kind::Http, Some(_), Some(_)) => {
                Err(Error::bad_request("module_id: a hook of kind http has none; leave it out"))
            }
            (Kind::Wasm, _, None) => Err(Error::bad_request("module_id: a hook of kind wasm needs a module")),
            (Kind::Wasm, Some(_), _) => {
                Err(Error::bad_request("url: a hook of kind wasm has none; leave it out"))
            }
        }
    }
}

fn active() -> bool {
    true
}

/// The point at which a hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HookPoint)]
pub enum Point {
    /// Before a person who registers is sent the link that proves the address.
    PreRegistration,
    /// After the first proof of a sign-in, before anything else is asked for and before a session begins.
    PostFirstFactor,
    /// Before tokens are issued.
    PreToken,
}

impl Point {
    /// Every point.
    pub const ALL: &'static [Self] = &[Self::PreRegistration, Self::PostFirstFactor, Self::PreToken];

    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::PreRegistration => "pre_registration",
            Self::PostFirstFactor => "post_first_factor",
            Self::PreToken => "pre_token",
        }
    }

    /// The type of its calls, which is signed.
    pub fn event(self) -> &'static str {
        match self {
            Self::PreRegistration => "hook.pre_registration",
            Self::PostFirstFactor => "hook.post_first_factor",
            Self::PreToken => "hook.pre_token",
        }
    }

    /// Whether an answer may add claims.
    pub fn takes_claims(self) -> bool {
        matches!(self, Self::PreToken)
    }

    /// Whether an answer may ask for a second factor.
    pub fn asks_for_factors(self) -> bool {
        matches!(self, Self::PostFirstFactor)
    }
}

/// The kind of receiver that answers a hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HookKind)]
pub enum Kind {
    /// By a signed request to its address.
    #[default]
    Http,
    /// By a run of its module, in the service itself.
    Wasm,
}

/// What happens where a hook gives no valid answer in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HookFailure)]
pub enum OnFailure {
    /// As if it had allowed.
    Allow,
    /// As if it had refused.
    Deny,
}

/// A hook to make.
pub struct New<'a> {
    /// What the tenant decides.
    pub configuration: &'a Configuration,
    /// The secret, where the caller brings one.
    pub secret: Option<&'a Secret>,
    /// Most hooks of the tenant.
    pub most: u32,
}
