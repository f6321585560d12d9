//! Codes on paper that stand in for a second factor.

use svc_core::{AccountId, CredentialId, Timestamp};
use svc_db::{SystemSql, args};
use svc_domain::people::credentials::{backup_codes, lookup_of};
use svc_keys::SystemEntropy;

use super::mailed::{PASSWORD, entered, goes_on, people};
use super::once::{Came, Once};
use super::{AT_ONCE, Victim};
use crate::harness::browser::Form;
use crate::process::person::Ada;

const FORGET: &str = "DELETE FROM account_credentials WHERE account_id = $1";
const KEEP: &str = "INSERT INTO account_credentials (id, account_id, kind, lookup, name, document, mark, created_at) \
     VALUES ($1, $2, $3, $4, 'Kept', '{}', 0, 0)";

/// The one code of a person who has an app too.
#[derive(Clone)]
pub struct BackupCode {
    username: String,
    code: String,
}

impl Once for BackupCode {
    const FAULT: &'static str = "The process is killed while backup codes are used";
    const TWICE: &'static str = "codes that were worth something twice";

    type Gain = Ada;

    fn seed() -> String {
        people()
    }

    async fn issue(victim: &mut Victim, round: usize) -> Vec<Self> {
        let mut codes = Vec::new();
        let mut tx = victim.place.database.db.begin_system().await.unwrap();
        for number in 0..AT_ONCE {
            let (username, code) = (format!("person{number}"), format!("code-{round:04}-{number:04}"));
            let select = SystemSql::new("SELECT account_id FROM tenant_users WHERE username = $1");
            let row = tx.one(select, args![&username]).await.unwrap();
            let account: AccountId = row.parse("account_id").unwrap();
            tx.execute(SystemSql::new(FORGET), args![account]).await.unwrap();
            let lookup = lookup_of(backup_codes::digest_of(account, &code));
            for (kind, lookup) in [("totp", None), ("backup_code", Some(lookup))] {
                let id = CredentialId::new(Timestamp::from_secs(1), &SystemEntropy);
                tx.execute(SystemSql::new(KEEP), args![id, account, kind, lookup]).await.unwrap();
            }
            codes.push(Self { username, code });
        }
        tx.commit().await.unwrap();
        codes
    }

    async fn spend(self, ada: Ada) -> Came<Ada> {
        let mut browser = ada.stranger();
        let page = browser.enter(&self.username, PASSWORD).await?.expect(200);
        let hidden = Form::of(&page).hidden;
        let (_, flow) = hidden.iter().find(|(name, _)| name == "flow").unwrap();
        let fields = [("flow", flow.as_str()), ("method", "backup_code"), ("code", self.code.as_str())];
        let answer = browser.post("/auth/sign-in", &fields).await?;
        let answer = browser.settled(answer).await?;
        Some(entered(&answer, browser))
    }

    async fn holds(gain: Ada, _: &Victim) {
        goes_on(gain).await;
    }
}
