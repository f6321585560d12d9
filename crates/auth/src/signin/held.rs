//! The credentials that a person has, and which methods can still add to what they have proven.

use svc_core::{AccountId, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::people::changes;
use svc_domain::people::credentials::passkeys::{Passkey, Use};
use svc_domain::people::credentials::{self, Credential, Kind};
use svc_domain::people::tenant_users;
use svc_http::HostCx;

use super::floors::floor_of_roles;
use super::methods::{self, Method, Needs, passkey};
use super::offers;
use super::progress::{Factor, Progress, reached};
use crate::hosted::{Visit, trusted};

/// The credentials of the person whose sign-in is under way; of a stranger nothing is known.
#[derive(Clone, Debug, Default)]
pub struct Held {
    password: Password,
    kinds: Vec<Kind>,
    /// What the passkeys that can be used here are for.
    uses: Vec<Use>,
    /// Whether this browser is one that the person trusts.
    pub trusts_browser: bool,
    /// The strength that the roles of the person demand.
    pub floor: Option<Level>,
    /// Whether what was proven is enough, and recent enough, to give the account another credential.
    pub may_set_up: bool,
}

/// The password of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Password {
    /// There is none.
    #[default]
    Nothing,
    /// One that they have.
    Present,
    /// One that another person has set, which they have to replace.
    Given,
}

impl Held {
    /// Reads what the account has, for a person who has proven `progress`.
    pub async fn read(
        tx: &mut Tx<Tenant>,
        visit: &Visit,
        (account, has_password): (AccountId, bool),
        progress: &Progress,
    ) -> Result<Self> {
        let (all, is_given) = credentials::with_password_of(tx, account).await?;
        let password = match (has_password, is_given) {
            (false, _) => Password::Nothing,
            (true, false) => Password::Present,
            (true, true) => Password::Given,
        };
        let trusts_browser = trusted::is_known(visit, &all);
        let keys = keys(visit, &all);
        let uses = keys.iter().map(|key| key.purpose).collect();
        let others = live(&all, visit.cx().now).filter(|kind| *kind != Kind::Passkey);
        let kinds = others.chain((!keys.is_empty()).then_some(Kind::Passkey)).collect();
        let may_set_up = progress.is_recent(visit.cx().now)
            && changes::may_change_credentials(tx, account, &progress.amr()).await?;
        let floor = floor(tx, visit, account).await?;
        Ok(Self { password, kinds, uses, trusts_browser, floor, may_set_up })
    }

    /// Whether the person has a password, counted here or not.
    pub fn has_password(&self) -> bool {
        self.password != Password::Nothing
    }

    /// Whether the password is one that the person has to replace.
    pub fn has_given_password(&self) -> bool {
        self.password == Password::Given
    }

    /// Whether the person has set up a second factor, and so wants to be asked for it.
    pub fn has_second_factor(&self) -> bool {
        self.kinds.contains(&Kind::Totp) || self.uses.contains(&Use::SecurityKey)
    }

    /// The methods that can add to what was proven: what the person has, and where they have no second factor and `sets_up`, setting
    /// one up.
    pub fn methods(&self, host: &HostCx, progress: &Progress, sets_up: bool) -> Vec<&'static Method> {
        let held = methods::offered(host).filter(|method| self.allows(method));
        let able = self.adding(&held.collect::<Vec<_>>(), progress);
        if able.iter().any(|method| !is_elsewhere(method)) || !sets_up || !self.may_set_up {
            return able;
        }
        if self.owes_second(progress) {
            // Nothing is set up before the person has proven what they have, and nothing is asked for that leads nowhere.
            let behind = self.behind_first(host, progress).into_iter();
            return able.into_iter().chain(behind.filter(|_| self.leads_on(host, progress))).collect();
        }
        let is_able = |method: &&Method| self.allows(method) || self.may_be_set_up(method, (host, progress));
        let more = self.adding(&methods::offered(host).filter(is_able).collect::<Vec<_>>(), progress);
        let is_set_up = |method: &&'static Method| method.needs == Needs::NoSecondFactor;
        // A passkey that is held would have been able by itself; what sets one up comes with what it goes together with.
        if more.iter().any(is_set_up) { more } else { able }
    }

    /// Whether the person has a second factor and has not proven one behind the first proof.
    fn owes_second(&self, progress: &Progress) -> bool {
        let is_one = |factor| matches!(factor, Factor::Possession | Factor::UnlockedKey);
        self.has_second_factor() && !progress.factors().skip(1).any(is_one)
    }

    /// Whether a sign-in could become stronger by all that the person has here or can set up, taken together. Who has an account
    /// elsewhere begins there.
    fn leads_on(&self, host: &HostCx, progress: &Progress) -> bool {
        let is_open = |method: &&Method| {
            method.needs == Needs::NoSecondFactor || (self.allows(method) && !is_elsewhere(method))
        };
        let more = methods::offered(host).filter(is_open).map(|method| self.factor_of(method));
        reached(progress.factors().chain(more)) > progress.level()
    }

    /// Whether a person can set a method up now. What is enough by itself stands in for the password and the second factor as well, so
    /// a person who has them proves them first.
    fn may_be_set_up(&self, method: &Method, (host, progress): (&HostCx, &Progress)) -> bool {
        let is_enough_alone = reached([method.factor]) > Some(Level::Aal1);
        let has_said_it =
            |factor| matches!(factor, Factor::Knowledge | Factor::Federated | Factor::FederatedTwice);
        let owes_password =
            self.has_password() && offers::password(host) && !progress.factors().any(has_said_it);
        let is_early = is_enough_alone && (owes_password || self.owes_second(progress));
        method.needs == Needs::NoSecondFactor && !is_early
    }

    /// What the person has set up and is asked for behind a mailed code, a texted one, a wallet or a key that was only touched, where
    /// they have no password: it makes that sign-in no stronger, because these are none of two factors, but the person wants to be asked.
    pub fn behind_first(&self, host: &HostCx, progress: &Progress) -> Vec<&'static Method> {
        let first = progress.first();
        let is_one = matches!(first, Some(Factor::Mailbox | Factor::Possession | Factor::Key));
        let is_behind_password = self.has_password() && offers::password(host);
        if is_behind_password || !is_one || !self.owes_second(progress) {
            return Vec::new();
        }
        let used = progress.amr();
        let is_used = |method: &&Method| {
            first == Some(Factor::Possession)
                && method.amr.iter().all(|value| used.iter().any(|own| own == value))
        };
        self.other_factors(host, None).into_iter().filter(|method| !is_used(method)).collect()
    }

    /// The methods of a credential that the person has, besides the one of this id.
    pub fn other_factors(&self, host: &HostCx, but: Option<&str>) -> Vec<&'static Method> {
        let is_held = |method: &&Method| match method.needs {
            Needs::Credential(kind) => self.kinds.contains(&kind),
            _ => false,
        };
        methods::offered(host).filter(is_held).filter(|method| Some(method.id) != but).collect()
    }

    /// The strength that the person can reach with what they have.
    pub fn best(&self, host: &HostCx, progress: &Progress) -> Option<Level> {
        let own = self.methods(host, progress, false).into_iter().filter(|method| !is_elsewhere(method));
        let more = own.map(|method| self.factor_of(method));
        reached(progress.factors().chain(more))
    }

    /// What a method is sure to prove for this person: a security key may have nothing to be unlocked with.
    fn factor_of(&self, method: &Method) -> Factor {
        let is_touched =
            method.needs == Needs::Credential(Kind::Passkey) && !self.uses.contains(&Use::Passkey);
        if is_touched { Factor::Possession } else { method.factor }
    }

    /// The methods that add to what was proven. Where none does by itself, as after a mailed code, those without which all of them
    /// together would not.
    fn adding(&self, able: &[&'static Method], progress: &Progress) -> Vec<&'static Method> {
        let with = |more: &mut dyn Iterator<Item = Factor>| reached(progress.factors().chain(more));
        let alone: Vec<_> = able
            .iter()
            .copied()
            .filter(|method| with(&mut [self.factor_of(method)].into_iter()) > progress.level())
            .collect();
        // What a person must have for it is what they can be asked for together.
        let able: Vec<_> = able.iter().copied().filter(|method| method.needs != Needs::Nothing).collect();
        let all = with(&mut able.iter().map(|method| self.factor_of(method)));
        if !alone.is_empty() || all <= progress.level() {
            return alone;
        }
        let is_needed = |method: &&Method| {
            let own = self.factor_of(method);
            let others = able.iter().map(|other| self.factor_of(other)).filter(|factor| *factor != own);
            with(&mut others.into_iter()) < all
        };
        able.iter().copied().filter(is_needed).collect()
    }

    fn allows(&self, method: &Method) -> bool {
        match method.needs {
            Needs::Nothing => true,
            Needs::Password => self.has_password(),
            Needs::Credential(kind) => self.kinds.contains(&kind),
            Needs::NoProof | Needs::NoSecondFactor | Needs::NoAccount => false,
        }
    }
}

/// Whether a method is the word of a provider: whether the person has an account there is not known before they come from there.
fn is_elsewhere(method: &Method) -> bool {
    method.needs == Needs::Nothing && matches!(method.factor, Factor::Federated | Factor::FederatedTwice)
}

/// What the roles of the account's membership demand.
async fn floor(tx: &mut Tx<Tenant>, visit: &Visit, account: AccountId) -> Result<Option<Level>> {
    if visit.host.tenant.settings.second_factor_roles.is_empty() {
        return Ok(None);
    }
    let person = tenant_users::find_by_account(tx, account).await?;
    Ok(person.and_then(|person| floor_of_roles(&visit.host, &person)))
}

fn live(all: &[Credential], now: Timestamp) -> impl Iterator<Item = Kind> {
    all.iter().filter(move |credential| credential.is_live(now)).filter_map(|credential| credential.kind)
}

/// The passkeys and security keys that work at this host.
fn keys(visit: &Visit, all: &[Credential]) -> Vec<Passkey> {
    let Some(party) = passkey::relying_party(&visit.host) else { return Vec::new() };
    let keys = all.iter().filter(|credential| credential.kind == Some(Kind::Passkey));
    keys.filter_map(|credential| credential.document().ok()).filter(|key| party.knows(key)).collect()
}
