//! A process that is killed under load: what was acknowledged holds, and nothing is worth anything twice (F1, F2, F3, I1, I2).

mod backup_codes;
mod families;
mod grants;
mod mailed;
mod once;

use std::time::Instant;

use svc_db::SystemSql;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::JoinSet;

use self::backup_codes::BackupCode;
use self::grants::{BackchannelRequest, Code, DeviceCode, PushedRequest};
use self::mailed::{MailedCode, ResetLink, SignInLink};
use self::once::spent_once;
use super::{Ledger, rounds};
use crate::process::person::{Ada, SEED};
use crate::process::{PATIENCE, Place, Service, TICK};

const AT_ONCE: usize = 12;

/// What is left of one round and would count in the next: people may ask for no more than some mails and codes in a while, and a mail
/// that the process was sending when it died is sent again.
const LEFT: [&str; 4] = [
    "DELETE FROM coordination_entries",
    "DELETE FROM account_attempts",
    "DELETE FROM deliveries",
    "DELETE FROM links",
];

/// Each finds rows that belong to nothing: a token without its family, a family without its session's owner, a code without its
/// application, a member without a person, a person who belongs nowhere.
const ORPHANS: [&str; 5] = [
    "SELECT count(*) AS n FROM refresh_tokens held WHERE NOT EXISTS \
     (SELECT 1 FROM refresh_families family WHERE (family.tenant_id, family.id) = (held.tenant_id, held.family_id))",
    "SELECT count(*) AS n FROM refresh_families held WHERE NOT EXISTS \
     (SELECT 1 FROM tenant_users owner WHERE (owner.tenant_id, owner.id) = (held.tenant_id, held.tenant_user_id))",
    "SELECT count(*) AS n FROM codes held WHERE NOT EXISTS \
     (SELECT 1 FROM apps app WHERE (app.tenant_id, app.id) = (held.tenant_id, held.app_id))",
    "SELECT count(*) AS n FROM organization_members held WHERE NOT EXISTS \
     (SELECT 1 FROM tenant_users person WHERE (person.tenant_id, person.id) = (held.tenant_id, held.tenant_user_id))",
    "SELECT count(*) AS n FROM accounts held WHERE NOT EXISTS \
     (SELECT 1 FROM tenant_users person WHERE person.account_id = held.id)",
];

/// A process that is killed and started again, and Ada, who asks it.
pub struct Victim {
    place: Place,
    service: Service,
    ada: Ada,
}

/// Says that a request was answered.
type Answered = UnboundedSender<()>;

impl Victim {
    async fn new() -> Self {
        Self::with(&[], SEED).await
    }

    /// With settings, and with what a file declares.
    async fn with(settings: &[(&str, &str)], seed: &str) -> Self {
        let mut place = Place::migrated().await;
        for (name, value) in settings {
            place.set(name, value);
        }
        place.populate(seed).await;
        let service = place.serve().await;
        let ada = place.ada(service.address).await;
        Self { place, service, ada }
    }

    /// Kills the process after so many answers to what has begun, and starts it again; what all that came to.
    async fn dies_after<T: Send + 'static>(
        &mut self,
        answers: usize,
        begin: impl FnOnce(&Ada, &Answered) -> JoinSet<T>,
    ) -> Vec<T> {
        let (sender, mut answered) = mpsc::unbounded_channel();
        let begun = begin(&self.ada, &sender);
        for _ in 0..answers {
            answered.recv().await;
        }
        self.service.kill().await;
        let came = begun.join_all().await;
        self.service = self.place.serve().await;
        came
    }

    /// Begins a round as if long had passed since the one before.
    async fn forget_the_last_round(&self) {
        let mut tx = self.place.database.db.begin_system().await.unwrap();
        for delete in LEFT {
            tx.execute(SystemSql::new(delete), &[]).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    /// What the newest mail to an address has, once it was sent: a process without a relay prints its mails.
    async fn mailed(&self, address: &str, find: impl Fn(&str) -> Option<String>) -> String {
        let (until, to) = (Instant::now() + PATIENCE, format!("  To:      {address}\n"));
        loop {
            let printed = std::fs::read(self.place.folder.path().join("serve.out")).unwrap();
            let printed = String::from_utf8_lossy(&printed);
            // A line stands before and after each mail; what comes behind the last one may not be whole.
            let whole = printed.rsplit_once('─').map(|(whole, _)| whole).unwrap_or_default();
            let mut mails = whole.rsplit('─').filter(|mail| mail.contains(&to));
            if let Some(found) = mails.find_map(&find) {
                return found;
            }
            assert!(Instant::now() < until, "no mail to {address}: {}", self.service.log());
            tokio::time::sleep(TICK).await;
        }
    }

    async fn nothing_is_orphaned(&self) {
        for count in ORPHANS {
            let mut tx = self.place.database.db.read_system().await.unwrap();
            assert_eq!(tx.one(SystemSql::new(count), &[]).await.unwrap().int("n").unwrap(), 0, "{count}");
        }
    }
}

#[tokio::test]
async fn a_code_is_redeemed_once_whenever_the_process_dies() {
    spent_once::<Code>().await;
}

#[tokio::test]
async fn a_device_code_is_redeemed_once_whenever_the_process_dies() {
    spent_once::<DeviceCode>().await;
}

#[tokio::test]
async fn a_pushed_request_yields_one_code_whenever_the_process_dies() {
    spent_once::<PushedRequest>().await;
}

#[tokio::test]
async fn an_approved_backchannel_request_is_redeemed_once_whenever_the_process_dies() {
    spent_once::<BackchannelRequest>().await;
}

#[tokio::test]
async fn a_reset_link_sets_one_password_which_holds_whenever_the_process_dies() {
    spent_once::<ResetLink>().await;
}

#[tokio::test]
async fn a_sign_in_link_begins_one_session_which_goes_on_whenever_the_process_dies() {
    spent_once::<SignInLink>().await;
}

#[tokio::test]
async fn a_mailed_code_begins_one_session_which_goes_on_whenever_the_process_dies() {
    spent_once::<MailedCode>().await;
}

#[tokio::test]
async fn a_backup_code_begins_one_session_which_goes_on_whenever_the_process_dies() {
    spent_once::<BackupCode>().await;
}
