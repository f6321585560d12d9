//! Guardians: people of the tenant whom a member trusts to confirm their identity when they cannot sign in any more.
//!
//! A guardian is invited by address and accepts with an account that has proven it. As many as the person has chosen confirm a
//! case together; after a time of waiting, the browser that asked chooses a new password.

mod answers;
mod browsers;
mod cases;
mod invitations;
mod list;
mod opening;
mod rules;

use svc_core::{Cx, Result, TenantUserId};
use svc_db::{Tenant, Tx, args, quiet_sql};

pub use self::answers::{Answered, confirm, has_answered, refuse};
pub use self::browsers::{Browser, MOST_BROWSERS, NewBrowser};
pub use self::cases::{Case, Stage, cancel, case, finish, history, of_browser, open_case, stage};
pub use self::invitations::{Invited, accept, give_up, invite, remove, remove_since};
pub use self::list::{Guardian, find, guarded_by, of_person};
pub use self::opening::{Opened, Terms, open, open_in_vain};
pub use self::rules::{Rules, rules, set_rules};
use crate::delivery::mails::{self, LostGuardian};
use crate::people::tenant_users::Person;

/// Most guardians of one person, with those who are invited.
pub const MOST: u32 = 10;
/// Fewest guardians who can recover an account together.
pub const FEWEST: u32 = 2;

/// What guardians and owners read of each other.
pub fn called(person: &Person) -> Option<&str> {
    person.profile.name.as_deref().or(person.email.as_deref())
}

/// Removes everything of a person whose membership has ended or whose account was handed over, also where they were a guardian: those
/// whom they guarded read of it by mail.
pub(crate) async fn forget(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    let cases = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM recovery_cases WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    let rules = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM guardian_rules WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    let guardians = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM guardians WHERE tenant_id = $1 AND (tenant_user_id = $2 OR guardian_id = $2) \
         RETURNING tenant_user_id"
    );
    for delete in [cases, rules] {
        tx.execute(delete, args![person.id]).await?;
    }
    for row in tx.all(guardians, args![person.id]).await? {
        let owner: TenantUserId = row.parse("tenant_user_id")?;
        if owner != person.id {
            let guardian = called(person).unwrap_or_default().to_owned();
            mails::tell_of_lost_guardian(tx, cx, LostGuardian { owner, guardian })?;
        }
    }
    Ok(())
}

/// What is held while something of a person's recovery changes, so that what was counted stays true.
fn held(person: TenantUserId) -> String {
    format!("guardians of {person}")
}
