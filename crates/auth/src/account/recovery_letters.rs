//! What the owner of an account reads of a recovery by guardians, by mail and on the phone, with the way to cancel it; and what
//! guardians read.

use serde::{Deserialize, Serialize};
use svc_core::capability::Capability;
use svc_core::{AccountId, Result, Seconds, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::people::guardians::{self, Guardian, called};
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::phones::{self, PhoneNumber};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::HostCx;
use svc_keys::{digest, token};

use super::written::Sender;
use crate::hosted::paths::{ACCOUNT, CANCEL_RECOVERY, GUARDING, OWN_GUARDIANS};
use crate::hosted::texts;
use crate::pages::{Mail, Pages, Topic};

/// How long a text message is worth sending.
const TEXT_LIFETIME: Seconds = Seconds(24 * 3600);

/// Most mails of one case within an hour that only tell of what a guardian has said.
const MOST_AN_HOUR: i64 = 10;

/// What the link of a mail cancels.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Cancelled {
    /// Whose recovery.
    pub person: TenantUserId,
    /// Which one.
    pub case: svc_core::RecoveryCaseId,
}

/// How long a case waits for guardians, and then for the new password.
pub fn lifetime(host: &HostCx) -> Seconds {
    Seconds::from_days(host.app.config.user_self_service.social_recovery_lifetime_days)
}

/// The number of an account, if messages are sent here.
pub async fn number(host: &HostCx, account: AccountId) -> Result<Option<PhoneNumber>> {
    if !host.offers(&Capability::SMS) || texts::must_be_sealable(host).is_err() {
        return Ok(None);
    }
    phones::of_account(&mut host.read().await?, account).await
}

/// The owner of an account, and the ways to reach them.
pub struct Owner<'a> {
    host: &'a HostCx,
    person: &'a Person,
    /// The proven number, if messages are sent here.
    phone: Option<PhoneNumber>,
}

impl<'a> Owner<'a> {
    /// The owner, whose mail alone is used.
    pub fn quietly(host: &'a HostCx, person: &'a Person) -> Self {
        Self { host, person, phone: None }
    }

    /// The owner with every way. What strangers use up of the messages to a number is not what these are counted by.
    pub async fn told(host: &'a HostCx, person: &'a Person) -> Result<Self> {
        Ok(Self { host, person, phone: number(host, person.account_id).await? })
    }

    /// Tells of the open case, with a link that cancels it; `about` is a guardian. Of the same case not more often than an owner
    /// reads: guardians change their minds.
    pub async fn tell(&self, tx: &mut Tx<Tenant>, (topic, about): (Topic, Option<&str>)) -> Result<()> {
        let cx = &self.host.cx;
        let Some(case) = guardians::open_case(tx, cx, self.person.id).await? else { return Ok(()) };
        let secret = token(&*cx.entropy);
        let payload = Cancelled { person: self.person.id, case: case.id };
        let (kind, account) = (LinkKind::CancelRecovery, Some(self.person.account_id));
        let life = lifetime(self.host);
        let whole = Seconds(life.0 + case.wait.0);
        let new = NewLink { digest: digest(&secret), kind, account, payload: &payload, lifetime: whole };
        let lately = links::made_lately(tx, cx, &new).await?;
        let is_turn = matches!(topic, Topic::RecoveryOpened | Topic::RecoveryReached);
        if lately >= MOST_AN_HOUR && !is_turn {
            return Ok(());
        }
        links::create(tx, cx, new).await?;
        let url = Sender::from(self.host).link(CANCEL_RECOVERY, &secret);
        let time = if topic == Topic::RecoveryReached { case.wait } else { life };
        self.write(tx, (topic, about), (&url, Some(time)))?;
        if lately < i64::from(self.host.app.config.sms.max_per_hour) { self.text(tx) } else { Ok(()) }
    }

    /// Tells that the account was recovered.
    pub fn tell_of_end(&self, tx: &mut Tx<Tenant>) -> Result<()> {
        let url = format!("{}{ACCOUNT}", self.host.origin());
        self.write(tx, (Topic::Recovered, None), (&url, None))?;
        self.text(tx)
    }

    /// Tells of a guardian who came or went.
    pub fn tell_of_guardian(&self, tx: &mut Tx<Tenant>, (topic, about): (Topic, &str)) -> Result<()> {
        let url = format!("{}{OWN_GUARDIANS}", self.host.origin());
        self.write(tx, (topic, Some(about)), (&url, None))
    }

    /// Asks guardians, each in their own language, to call the owner first and then to confirm.
    pub async fn ask(&self, tx: &mut Tx<Tenant>, told: &[Guardian]) -> Result<()> {
        let url = format!("{}{GUARDING}", self.host.origin());
        for guardian in told.iter().filter_map(|guardian| guardian.guardian) {
            let Some(guardian) = tenant_users::find(tx, guardian).await? else { continue };
            let Some(to) = guardian.email.as_deref() else { continue };
            let (topic, name) = (Topic::RecoveryAsked, guardian.profile.name.as_deref());
            let mail =
                Mail { topic, name, organization: called(self.person), url: &url, code: None, time: None };
            Sender::from(self.host).queue_to(tx, (to, guardian.profile.locale.as_deref()), &mail)?;
        }
        Ok(())
    }

    fn write(
        &self,
        tx: &mut Tx<Tenant>,
        (topic, about): (Topic, Option<&str>),
        (url, time): (&str, Option<Seconds>),
    ) -> Result<()> {
        let Some(to) = self.person.email.as_deref() else { return Ok(()) };
        let name = self.person.profile.name.as_deref();
        let mail = Mail { topic, name, organization: about, url, code: None, time };
        Sender::from(self.host).queue_to(tx, (to, self.person.profile.locale.as_deref()), &mail)
    }

    /// The same on the phone in one line, which leads nowhere.
    fn text(&self, tx: &mut Tx<Tenant>) -> Result<()> {
        let Some(number) = &self.phone else { return Ok(()) };
        let pages = self.host.app.part::<Pages>()?;
        let own = self.person.profile.locale.as_deref();
        let locale = pages.negotiate_at(&self.host.tenant, own, None);
        let body = pages.text_of_recovery(&locale, &self.host.tenant.name)?;
        texts::queue(self.host, tx, (number, body), self.host.cx.now + TEXT_LIFETIME)
    }
}
