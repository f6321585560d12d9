//! Feature switches: what operators switch off for the whole deployment while it runs, and on again.
//!
//! A switch only narrows what the configuration offers. It is no tenant's own: `home`, the tenant of the operators, has its changes in its
//! log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::capability::Capability;
use svc_core::{Cx, Error, Result, TenantRef, Timestamp};
use svc_db::{Held, Row, System, Tx, args, change_system_sql, system_sql};
use utoipa::ToSchema;

use crate::document;
use crate::log::{Action, Log, Meaning, change_across, check_version};

/// What is switched off, as a version of the switches has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    off: BTreeMap<String, SwitchedOff>,
    /// Grows with each change.
    pub version: i64,
}

/// Since when a capability is switched off, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = FeatureSwitchedOff)]
pub struct SwitchedOff {
    /// Since when.
    #[schema(value_type = String, format = "date-time")]
    pub since: Timestamp,
    /// Why, in the operator's words; empty where none were given.
    pub reason: String,
}

/// The longest reason, in characters.
pub const LONGEST_REASON: usize = 500;

impl Switches {
    /// Those of a row that has the columns `switched_off` and `switches_version`. Names that a newer version wrote are none of ours.
    pub(super) fn of_row(row: &Row) -> Result<Self> {
        Ok(Self { off: document::load(row, "switched_off")?, version: row.int("switches_version")? })
    }

    /// Whether a capability is left on.
    pub fn keeps(&self, capability: &Capability) -> bool {
        self.off.is_empty() || !self.off.contains_key(capability.name)
    }

    /// Since when a capability is switched off, and why.
    pub fn off(&self, capability: &Capability) -> Option<&SwitchedOff> {
        self.off.get(capability.name)
    }
}

/// Lets no other transaction switch anything until this one ends: what is written back is all that is switched off.
pub fn hold(tx: &mut Tx<System>) -> Held {
    tx.hold("feature switches")
}

/// The switches.
pub async fn read(tx: &mut Tx<System>) -> Result<Switches> {
    let select = system_sql!("SELECT switched_off, version AS switches_version FROM feature_switches");
    Switches::of_row(&tx.one(select, args![]).await?)
}

/// Switches a capability off, with the reason, or on; returns whether anything changed. All tenants feel it within a second.
pub async fn set(
    tx: &mut Tx<System>,
    cx: &Cx,
    home: TenantRef,
    (present, capability, off): (&Switches, &Capability, Option<&str>),
) -> Result<bool> {
    check(capability, off)?;
    let known = present.off(capability).map(|switched| switched.reason.as_str());
    if known == off {
        return Ok(false);
    }
    let mut wanted = present.off.clone();
    match off {
        Some(reason) => {
            let since = present.off(capability).map_or(cx.now, |switched| switched.since);
            wanted.insert(capability.name.to_owned(), SwitchedOff { since, reason: reason.to_owned() })
        }
        None => wanted.remove(capability.name),
    };
    let update = change_system_sql!(
        "UPDATE feature_switches SET switched_off = $1, updated_at = $2, version = version + 1 WHERE version = $3 \
         RETURNING id"
    );
    let arguments = args![document::store(&wanted)?, cx.now, present.version];
    let meaning = |_: &Row| {
        let facts = json!({ "enabled": off.is_none(), "reason": off });
        Ok((Log::Of(home), Meaning::done(Action::FeatureSwitched, capability.name).with(facts)))
    };
    let changed = change_across(tx, cx, update, arguments, meaning).await?.len();
    check_version(u64::try_from(changed).unwrap_or_default(), "the switches")?;
    Ok(true)
}

fn check(capability: &Capability, off: Option<&str>) -> Result<()> {
    let Some(reason) = off else { return Ok(()) };
    if capability.name == Capability::CONTROL_PLANE.name {
        return Err(Error::conflict(
            "control_plane: no operator could switch it on again; `tenant.default_tenant_slug` decides whether there is one",
        ));
    }
    if capability.name == Capability::PASSWORD.name {
        return Err(Error::conflict(
            "password: operators sign in with one, and could not switch it on again; plans and tenants can go without",
        ));
    }
    if reason.chars().count() > LONGEST_REASON || reason.chars().any(char::is_control) {
        return Err(Error::bad_request(format!(
            "reason: use at most {LONGEST_REASON} characters without control characters"
        )));
    }
    Ok(())
}
