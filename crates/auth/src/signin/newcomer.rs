//! A person whom a provider knows and no account: they become one, or say by its own credential which account is theirs. An
//! address alone links nothing.

use std::sync::Arc;

use svc_core::{Class, Cx, Error, Result, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Account, Email, NewAccount};
use svc_domain::people::changes;
use svc_domain::people::credentials::Owner;
use svc_domain::people::credentials::identities;
use svc_domain::people::guests::{self, Given};
use svc_domain::people::tenant_users::Person;
use svc_http::{Response, StatusCode};

use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::methods::{Method, Proof};
use super::pre_registration::Registration;
use super::social::{Linking, UserClaims};
use super::{offers, pre_registration, session, sso};
use crate::hosted::mail;
use crate::pages::{Changed, Locale, MessageKey, Topic};

impl SignIn<'_> {
    /// Goes on with a person whom only the provider knows.
    pub async fn stranger(self, method: &'static Method, claims: UserClaims) -> Result<Response> {
        if self.way.recovers() {
            return self.again(MessageKey::SocialUnknown);
        }
        if claims.identity.chain_account().is_some() && self.progress.account().is_none() {
            return Box::pin(self.holder(method, claims)).await;
        }
        let guest = session::guest(self.visit()).await?;
        let Some(app) = self.way.registers(guest.as_ref()).await? else {
            return self.again(MessageKey::SocialUnknown);
        };
        if self.progress.account().is_some() {
            return self.again(MessageKey::SocialUnknown);
        }
        let is_errand = matches!(self.way, Way::Errand(..));
        if is_errand && claims.email.is_none() {
            return self.again(MessageKey::SocialUnknown);
        }
        let Some(email) = &claims.email else {
            let hint = claims.hint.clone();
            return self.linking(claims, None, (MessageKey::SocialNotLinked, hint));
        };
        let host = &self.visit().host;
        let (demanded, present) = {
            let mut tx = host.read().await?;
            let demanded = sso::demanded_of(host, &mut tx, Some(email.as_str())).await?;
            (demanded, accounts::find_by_email(&mut tx, email).await?)
        };
        if let Some(connection) = demanded {
            let typed = email.as_str().to_owned();
            return SignIn::new(self.way).offering(&connection, Some(&typed)).await;
        }
        if present.is_some() && is_errand {
            return self.again(MessageKey::SocialUnknown);
        }
        if present.is_some() {
            let typed = email.as_str().to_owned();
            return self.linking(claims, Some(typed.clone()), (MessageKey::SocialKnownAddress, Some(typed)));
        }
        if let Some((error, status)) = self.way.refusal(&app, email).await? {
            return self.refused(error, status);
        }
        Box::pin(self.register(method, (&claims, Some(email)), guest)).await
    }

    /// Makes the account of a person whom the provider has proven, and goes on with that proof.
    pub(super) async fn register(
        self,
        method: &'static Method,
        newcomer: (&UserClaims, Option<&Email>),
        guest: Option<Person>,
    ) -> Result<Response> {
        let visit = self.visit();
        let mut tx = visit.host.begin().await?;
        let (claims, email) = newcomer;
        match registered(&mut tx, visit.cx(), (claims, email, visit.chosen()), guest).await {
            Ok(account) => {
                tx.commit().await?;
                let seen_at = claims.seen_at;
                self.proven(method, &Proof { seen_at, ..Proof::of(account) }).await
            }
            // Another tab, or another person with the address, was faster.
            Err(error) if error.class() == Class::Conflict => {
                tx.rollback().await?;
                self.again(MessageKey::SignInAgain)
            }
            Err(error) => Err(error),
        }
    }

    /// The sign-in page, on which the person shows which account is theirs.
    pub(super) fn linking(
        mut self,
        claims: UserClaims,
        email: Option<String>,
        (notice, username): (MessageKey, Option<String>),
    ) -> Result<Response> {
        if let Way::Flow(journey) = &mut self.way {
            journey.flow.linking = Some(Linking { identity: claims.identity, email });
        }
        let attempt = Attempt { notice: Some(notice), username: username.as_deref(), ..Attempt::default() };
        SignIn::new(self.way).page(&attempt)
    }

    pub(super) fn again(self, error: MessageKey) -> Result<Response> {
        self.refused(error, StatusCode::OK)
    }

    pub(super) fn refused(self, error: MessageKey, status: StatusCode) -> Result<Response> {
        SignIn::new(self.way).page(&Attempt { error: Some(error), status, ..Attempt::default() })
    }
}

impl Way<'_> {
    /// Binds the identity that waited for its account. A guest gets none: the next person may keep what the guest has.
    pub async fn link(&mut self, tx: &mut Tx<Tenant>, person: &Person) -> Result<()> {
        let Self::Flow(journey) = self else { return Ok(()) };
        if person.is_guest() {
            return Ok(());
        }
        let Some(Linking { identity, email }) = journey.flow.linking.take() else { return Ok(()) };
        let is_meant = email.is_none_or(|email| is_at(person, &email));
        if !is_meant || identities::find(tx, &identity).await?.is_some() {
            return Ok(());
        }
        match identities::link(tx, journey.visit.cx(), Owner::from(person), &identity).await {
            Ok(()) => {
                accounts::must_be_as_read(tx, person.account_id, person.credentials_changed_at).await?;
                let topic = Topic::CredentialAdded(Changed::of_identity(&identity));
                mail::tell_owner_of(journey.visit, tx, person.account_id, topic).await
            }
            Err(error) if error.class() == Class::Conflict => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The application at which a person who is not known registers: the one that asked, or on the way to a page of our own the one by
    /// which the guest of the session came.
    async fn registers(&self, guest: Option<&Person>) -> Result<Option<Arc<App>>> {
        match (self, guest) {
            (Self::Flow(journey), _) => Ok(Some(Arc::clone(&journey.app))),
            (Self::Errand(visit, _), Some(guest)) => pre_registration::app_of_guest(&visit.host, guest).await,
            (Self::Errand(..), None) => Ok(None),
        }
    }

    /// Why the person cannot register now.
    async fn refusal(&self, app: &App, email: &Email) -> Result<Option<(MessageKey, StatusCode)>> {
        let visit = self.visit();
        if !offers::sign_up(&visit.host) {
            return Ok(Some((MessageKey::SocialNoAccount, StatusCode::OK)));
        }
        if let Some(error) = mail::too_many(visit, "register").await {
            return Ok(Some((error, StatusCode::TOO_MANY_REQUESTS)));
        }
        let registration = match self {
            Self::Flow(journey) => Registration::from(&**journey),
            Self::Errand(..) => {
                Registration { app, scope: &Scope::default(), audience: &visit.host.tenant.issuer }
            }
        };
        pre_registration::refusal(&visit.host, registration, email).await
    }
}

/// Whether the person has proven this address.
fn is_at(person: &Person, email: &str) -> bool {
    let key = |text: &str| Email::parse(text).ok().map(|email| email.key());
    let own = person.email.as_deref().filter(|_| person.email_verified).and_then(key);
    own.is_some() && own == key(email)
}

/// Makes the account, its identity and its membership; of a guest, the account that the guest has. `conflict` where the guest is none
/// any more.
async fn registered(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (claims, email, chosen): (&UserClaims, Option<&Email>, Option<&Locale>),
    guest: Option<Person>,
) -> Result<Account> {
    let (name, locale) = (claims.name.clone(), chosen.map(ToString::to_string));
    let person = if let (Some(guest), Some(email)) = (guest, email) {
        let cx = cx.acting_as(guest.actor());
        let given = Given { email, name, locale, password: None };
        if !guests::keep(tx, &cx, &guest, given).await? {
            return Err(Error::conflict("the guest is none any more"));
        }
        guest
    } else {
        let profile = Profile { name, locale, ..Profile::default() };
        let email_verified = email.is_some();
        let new = NewAccount { email: email.cloned(), email_verified, password: None, profile };
        let id = accounts::create(tx, cx, &new).await?;
        changes::join(tx, cx, id).await?
    };
    identities::link(tx, cx, Owner::from(&person), &claims.identity).await?;
    let account = accounts::find(tx, person.account_id).await?;
    account.ok_or_else(|| Error::internal("an account vanished in its own transaction"))
}
