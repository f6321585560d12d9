//! Second factors that applications and organizations demand, where people could have none.

use svc_core::{AppId, Error, OrganizationId, Result};
use svc_db::{Tenant, Tx};

use super::{Demand, SignInRules, list};
use crate::apps::{self, Configuration};
use crate::claims::ways::Ways;
use crate::tenancy::tenants::{Levels, out_of_reach};

/// As many records are read at once.
const PAGE: u32 = 200;

/// Refuses an application that demands one, unless providers alone lead to it: behind their word an app for codes is enough.
pub fn check_app(levels: Levels<'_>, wanted: &Configuration) -> Result<()> {
    if levels.leave_no_second_factor() && is_of_app(wanted) {
        return Err(Error::invalid_client_metadata(out_of_reach("second_factor_required")));
    }
    Ok(())
}

/// Refuses the rules of an organization that demand one.
pub fn check_rules(levels: Levels<'_>, wanted: &SignInRules) -> Result<()> {
    if levels.leave_no_second_factor() && is_of_rules(wanted) {
        return Err(Error::bad_request(out_of_reach("sign_in.second_factor")));
    }
    Ok(())
}

/// Refuses levels of a tenant in which an application or an organization demands one.
pub async fn check_all(tx: &mut Tx<Tenant>, levels: Levels<'_>) -> Result<()> {
    if !levels.leave_no_second_factor() {
        return Ok(());
    }
    for mut rest in [List::Apps(None), List::Organizations(None)] {
        while let Some(next) = rest.check_page(tx).await? {
            rest = next;
        }
    }
    Ok(())
}

/// Records that may demand one, behind the last that was read.
enum List {
    Apps(Option<AppId>),
    Organizations(Option<OrganizationId>),
}

impl List {
    /// Refuses one of the next records that demands one, and returns what is left of the list.
    async fn check_page(self, tx: &mut Tx<Tenant>) -> Result<Option<Self>> {
        let (demanding, rest) = match self {
            Self::Apps(cursor) => {
                let page = apps::list(tx, (cursor, PAGE)).await?;
                let found = page.iter().find(|app| is_of_app(&app.configuration));
                let rest = page.last().map(|app| Self::Apps(Some(app.id)));
                (found.map(|app| refused("application", &app.handle)), rest)
            }
            Self::Organizations(cursor) => {
                let page = list(tx, (cursor, PAGE)).await?;
                let found = page.iter().find(|organization| is_of_rules(&organization.sign_in));
                let rest = page.last().map(|organization| Self::Organizations(Some(organization.id)));
                (found.map(|organization| refused("organization", &organization.slug)), rest)
            }
        };
        demanding.map_or(Ok(rest), Err)
    }
}

fn is_of_app(configuration: &Configuration) -> bool {
    let ways = configuration.sign_in_methods.as_ref();
    configuration.second_factor_required && !ways.is_some_and(Ways::are_of_providers)
}

fn is_of_rules(rules: &SignInRules) -> bool {
    let is_of_providers = rules.sso == Demand::Required || rules.methods.are_of_providers();
    rules.second_factor == Demand::Required && !is_of_providers
}

fn refused(what: &str, name: &str) -> Error {
    Error::bad_request(format!(
        "disabled_capabilities: the {what} {name:?} demands a second factor, which a passkey alone is behind a mailed code or link; keep \
         \"passkeys\" or \"password\" on, or let it demand none"
    ))
}
