//! A sign-in under way: where it leads, what was proven so far, and the method that is in its second step. The pages carry
//! it sealed.

use svc_core::{Error, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::claims::assurance::Level;
use svc_domain::federation::connectors;
use svc_domain::federation::sso::{self as records, Connection};
use svc_domain::people::accounts;
use svc_domain::people::fields;
use svc_domain::people::sessions::Session;
use svc_http::{HostCx, IntoResponse, RECENT_SIGN_IN, Response, see_other};

use super::attempt::Attempt;
use super::carried::{Aim, Ceremony, Pending};
use super::demand;
use super::errand::Errand;
use super::floors::{floor, strict_floor};
use super::held::Held;
use super::journey::{Journey, Next};
use super::methods::{self, ListedFor, Method, Needs};
use super::offers;
use super::progress::{Factor, Progress};
use super::sso;
use crate::authorize::{Assurance, PromptValue};
use crate::hosted::paths::{FORGOT, SIGN_IN};
use crate::hosted::{Visit, captcha, trusted};
use crate::pages::{Form, MessageKey, MethodPart, SignIn as SignInForm};

/// How old a sign-in at a provider may be that is to count as recent for a while.
const WITH_TIME_LEFT: Seconds = Seconds(RECENT_SIGN_IN.0 / 3);

/// Where a sign-in leads, with the parties to it.
pub enum Way<'a> {
    /// To the application that asked for it.
    Flow(Box<Journey<'a>>),
    /// To a page of our own.
    Errand(&'a Visit, Errand),
}

/// A sign-in under way, opened.
pub struct SignIn<'a> {
    /// Where it leads.
    pub way: Way<'a>,
    /// What was proven so far.
    pub progress: Progress,
    /// The method in its second step.
    pub pending: Option<Pending>,
    /// What the person has to prove themselves with; nothing before the first proof.
    pub held: Held,
}

impl<'a> SignIn<'a> {
    /// Opens what a form or a redirect brought back.
    pub async fn open(visit: &'a mut Visit, text: Option<&str>) -> Result<Self> {
        let ceremony = visit.open(text)?;
        Self::of(visit, ceremony).await
    }

    /// Goes on with what a page has carried.
    pub async fn of(visit: &'a mut Visit, ceremony: Ceremony) -> Result<Self> {
        let Ceremony { aim, progress, pending } = ceremony;
        let way = match aim {
            Aim::Flow(flow) => {
                visit.speak(flow.request.ui_locales.as_deref())?;
                Way::Flow(Box::new(Journey::of(visit, *flow).await?))
            }
            Aim::Errand(errand) => {
                visit.speak(errand.ui_locales())?;
                errand.dress(visit).await?;
                Way::Errand(visit, errand)
            }
        };
        let mut signin = Self { way, progress, pending, held: Held::default() };
        // A way back from elsewhere is no form, but may write to the account's owner all the same.
        let host = &signin.visit().host;
        host.app.services.sealers.prepare(host.tenant.id, &host.cx).await;
        if let Some(account) = signin.progress.account() {
            let visit = signin.visit();
            let mut tx = visit.host.read().await?;
            let account = accounts::find(&mut tx, account).await?;
            if let Some(account) = account {
                let whose = (account.id, account.password.is_some());
                signin.held = Held::read(&mut tx, visit, whose, &signin.progress).await?;
                // The person may have taken the trust back since.
                let is_trusted = signin.progress.is_trusted() && signin.held.trusts_browser;
                signin.progress = signin.progress.trusting(is_trusted);
            }
        }
        Ok(signin)
    }

    /// A sign-in of which nothing is proven yet.
    pub fn new(way: Way<'a>) -> Self {
        Self { way, progress: Progress::default(), pending: None, held: Held::default() }
    }

    /// A sign-in that adds to what a live session has proven.
    pub async fn step_up(way: Way<'a>, session: &Session) -> Result<Self> {
        let (visit, person) = (way.visit(), &session.person);
        let whose = (person.account_id, person.password.is_some());
        let mut tx = visit.host.read().await?;
        let vouched = sso::behind(&mut tx, session.id).await?;
        let connector = connectors::of_session(&mut tx, session.id).await?;
        let progress = Progress::of_session(session).vouched_by(vouched).by_connector(connector);
        let held = Held::read(&mut tx, visit, whose, &progress).await?;
        Ok(Self { way, progress, pending: None, held })
    }

    /// The connection of the provider that has vouched for a session of one factor, where it shows second factors, counts where the
    /// sign-in leads, and the person has none here.
    pub async fn may_show_more(&self, session: &Session) -> Result<Option<Connection>> {
        let reached = Level::of(&session.authentication.acr);
        let lacks_second = reached < Some(Level::Aal2) && !self.held.has_second_factor();
        let method = &methods::sso::METHOD;
        let leads_there = lacks_second && (method.is_offered)(&self.visit().host) && self.way.accepts(method);
        let Some(vouched) = self.progress.vouched().filter(|_| leads_there) else { return Ok(None) };
        let found = records::find_by_id(&mut self.visit().host.read().await?, vouched.connection).await?;
        Ok(found.filter(|connection| connection.configuration.shows_second_factors()))
    }

    /// The page that leads back to the provider which has vouched: it shows more there.
    pub async fn showing_more(mut self, connection: &Connection, typed: Option<&str>) -> Result<Response> {
        if let Way::Flow(journey) = &mut self.way {
            // What the person's roles demand is not known of the next who signs in.
            journey.flow.second_factor |= self.held.floor >= Some(Level::Aal2);
        }
        let attempt =
            Attempt { username: typed, notice: Some(MessageKey::OneMoreStep), ..Attempt::default() };
        Box::pin(Self::new(self.way).leading_to(connection, false, &attempt)).await
    }

    /// The page that leads to the provider of an organization, which demands it.
    pub async fn offering(self, connection: &Connection, typed: Option<&str>) -> Result<Response> {
        let attempt = Attempt { username: typed, ..Attempt::default() };
        Box::pin(self.leading_to(connection, true, &attempt)).await
    }

    async fn leading_to(
        mut self,
        connection: &Connection,
        is_alone: bool,
        attempt: &Attempt<'_>,
    ) -> Result<Response> {
        let typed = attempt.username;
        self.visit().dress(Some(&connection.organization_id.to_string())).await?;
        if !self.accepts(&methods::sso::METHOD) {
            return self.not_accepted(typed);
        }
        let (shown, memory) =
            (methods::sso::shown(connection, is_alone), methods::sso::memory(connection, typed));
        self.pending = Some(Pending {
            method: methods::sso::METHOD.id.to_owned(),
            shown: Some(shown),
            memory,
            return_path: None,
        });
        self.page(attempt)
    }

    /// The browser.
    pub fn visit(&self) -> &'a Visit {
        self.way.visit()
    }

    /// What the browser carries on.
    pub fn seal(&self) -> Result<String> {
        self.visit().seal(&self.carried())
    }

    /// The same before it is sealed.
    pub fn carried(&self) -> Ceremony {
        let aim = match &self.way {
            Way::Flow(journey) => Aim::Flow(Box::new(journey.flow.clone())),
            Way::Errand(_, errand) => Aim::Errand(errand.clone()),
        };
        Ceremony { aim, progress: self.progress.clone(), pending: self.pending.clone() }
    }

    /// The methods that can still add what is missing; none where nothing is.
    pub fn missing(&self) -> Vec<&'static Method> {
        let host = &self.visit().host;
        if self.way.recovers() {
            return self.missing_to_recover();
        }
        if self.progress.account().is_none() {
            return self.firsts().filter(|method| self.accepts(method)).collect();
        }
        if self.progress.level() >= self.needed() {
            let is_spared = self.progress.is_trusted();
            return if is_spared { Vec::new() } else { self.held.behind_first(host, &self.progress) };
        }
        self.held.methods(host, &self.progress, true)
    }

    /// The methods with which a sign-in can begin, accepted or not.
    fn firsts(&self) -> impl Iterator<Item = &'static Method> {
        let is_able = |method: &&'static Method| {
            method.is_first && (method.needs != Needs::NoAccount || self.way.takes_guests())
        };
        methods::offered(&self.visit().host).filter(is_able)
    }

    /// Whether a method counts where the sign-in leads: as its first step, since second factors are asked for by strength alone.
    pub fn accepts(&self, method: &Method) -> bool {
        self.progress.account().is_some() || self.way.accepts(method)
    }

    /// The page for a first step that does not count where the sign-in leads.
    pub fn not_accepted(mut self, username: Option<&str>) -> Result<Response> {
        self.pending = None;
        self.page(&Attempt { username, error: Some(MessageKey::WayNotAccepted), ..Attempt::default() })
    }

    /// Whether this method can add what is missing: a form may name another one than its page has offered. A person who is signed
    /// in adds the way to sign in that they have begun with.
    pub fn allows(&self, method: &Method) -> bool {
        let is_begun = self.pending.as_ref().is_some_and(|pending| pending.method == method.id);
        (is_begun && self.is_linking()) || self.missing().iter().any(|missing| missing.id == method.id)
    }

    /// What to say where the person can prove no more, and what was sent to them, what a hook has seen, or what application or
    /// organization demand, is not enough.
    pub fn falls_short(&self) -> Option<MessageKey> {
        let message = match self.progress.first()? {
            Factor::Mailbox if !self.held.has_password() && offers::recovery(&self.visit().host) => {
                MessageKey::MailCodeNeedsPassword
            }
            Factor::Mailbox => MessageKey::MailCodeNotEnough,
            Factor::Possession => MessageKey::TextCodeNotEnough,
            Factor::Key => MessageKey::SiweNotEnough,
            Factor::Federated if !self.held.may_set_up => MessageKey::ProviderNotEnough,
            _ if self.progress.owes_factor() || self.lacks_what_is_demanded() => {
                MessageKey::SecondFactorOutOfReach
            }
            _ => return None,
        };
        let is_short = self.progress.level() < self.needed() && self.missing().is_empty();
        is_short.then_some(message)
    }

    /// Whether application or organization demand more than was proven: they do so also where second factors are switched off, and
    /// people set none up.
    fn lacks_what_is_demanded(&self) -> bool {
        let demanded = strict_floor(&self.visit().host, self.way.app()).max(self.way.floor());
        self.progress.level() < demanded
    }

    fn needed(&self) -> Option<Level> {
        let asks = (self.way.asks(), self.way.floor());
        demand::needed(&self.visit().host, asks, (&self.progress, &self.held))
    }

    /// The sign-in page with the parts of the methods that can add what is missing, or of the one in its second step.
    pub fn page(&self, attempt: &Attempt<'_>) -> Result<Response> {
        let page = self.form(attempt)?;
        match &self.way {
            Way::Flow(journey) => journey.sign_in_form(attempt.status, page),
            Way::Errand(visit, errand) => {
                visit.page_as(attempt.status, &on_errand(visit, errand, page)?, None)
            }
        }
    }

    fn form(&self, attempt: &Attempt<'_>) -> Result<SignInForm> {
        let flow = self.seal()?;
        let pending = self.pending.as_ref().filter(|pending| pending.shown.is_some());
        let methods = match pending {
            Some(pending) => vec![methods::chosen(&self.visit().host, Some(&pending.method))?],
            None => self.missing(),
        };
        let aim = if self.way.recovers() { ListedFor::Recovery } else { ListedFor::SignIn };
        let mut methods = parts(&self.visit().host, methods.into_iter(), aim);
        if let Some(pending) = pending {
            for part in &mut methods {
                part.shown.clone_from(&pending.shown);
            }
        }
        let lacked_work = attempt.error.is_some_and(MessageKey::is_of_captcha);
        let captcha =
            if lacked_work || self.asks_where_to_send() { captcha::widget(self.visit()) } else { None };
        Ok(SignInForm {
            form: Form::new(SIGN_IN, flow).with(attempt.error).asking(captcha),
            username: attempt.username.unwrap_or_default().into(),
            phone: attempt.phone.unwrap_or_default().into(),
            tried: attempt.method,
            notice: attempt.notice,
            methods,
            is_second: self.progress.account().is_some() && !self.is_linking(),
            is_linking: self.is_linking(),
            is_narrowed: pending.is_none() && self.firsts().any(|method| !self.accepts(method)),
            trust_days: self.trust_days(),
            ..SignInForm::default()
        })
    }
}

/// The page of a sign-in that leads to one of our own.
fn on_errand(visit: &Visit, errand: &Errand, page: SignInForm) -> Result<SignInForm> {
    let purpose = Some(errand.purpose());
    if let Errand::Recovery(flow) = errand {
        let forgot_url = match flow {
            Some(flow) => format!("{FORGOT}?flow={}", visit.seal(&**flow)?),
            None => FORGOT.to_owned(),
        };
        return Ok(SignInForm { forgot_url: Some(forgot_url.into()), purpose, is_recovery: true, ..page });
    }
    let forgot_path = offers::recovery(&visit.host).then_some(FORGOT);
    let forgot_url = forgot_path.or_else(|| offers::only_guardians(&visit.host)).map(Into::into);
    let switch_url = page.is_second.then(|| errand.switch_url(visit).map(Into::into)).transpose()?;
    Ok(SignInForm { purpose, forgot_url, switch_url, ..page })
}

impl SignIn<'_> {
    /// Whether the person is signed in and adds a way to sign in, rather than proving more.
    pub fn is_linking(&self) -> bool {
        self.pending
            .as_ref()
            .is_some_and(|pending| pending.memory.get("links").is_some_and(|id| !id.is_null()))
    }

    /// The same while they are at another site: no form of ours is left to repeat.
    pub fn is_linking_elsewhere(&self) -> bool {
        self.is_linking() && self.pending.as_ref().is_some_and(|pending| pending.shown.is_none())
    }

    /// Whether the page asks for the address or number to which a message goes: the browser works before one is sent.
    fn asks_where_to_send(&self) -> bool {
        let shown = self.pending.as_ref().and_then(|pending| pending.shown.as_ref());
        self.progress.account().is_none()
            && shown.and_then(|shown| shown.get("to")).is_some_and(serde_json::Value::is_null)
    }

    /// How old the sign-in at a provider may be; nothing where that does not matter.
    pub fn max_age(&self) -> Option<Seconds> {
        // A person who adds an identity is signed in here already.
        if self.is_linking() { None } else { self.way.max_age() }
    }

    /// Whether two factors are wanted where the sign-in leads, as far as that is known before the person is.
    pub fn wants_second_factor(&self) -> bool {
        let (asked, app) = self.way.asks();
        let asked = asked.and_then(|asked| asked.aim(Some(Level::Aal2)));
        let host = &self.visit().host;
        floor(host).max(strict_floor(host, app)).max(self.way.floor()).max(asked) >= Some(Level::Aal2)
    }

    /// For how many days the person can have this browser trusted; none where that is not offered, or not yet.
    fn trust_days(&self) -> Option<u32> {
        let days = trusted::days(self.visit());
        // Trust stands for a second factor of a strong sign-in.
        let is_of_use = self.progress.account().is_some() && self.progress.level() < self.needed();
        Some(days).filter(|days| *days > 0 && is_of_use && !self.way.recovers())
    }
}

/// The parts of methods that have not begun.
pub fn parts(
    host: &HostCx,
    methods: impl Iterator<Item = &'static Method>,
    aim: ListedFor,
) -> Vec<MethodPart> {
    let part = |method: &Method| {
        let shown = match method.lists {
            Some(lists) => Some(lists(host, aim)?),
            None => None,
        };
        Some(MethodPart { id: method.id, partial: method.partial, shown })
    };
    methods.filter_map(part).collect()
}

impl<'a> Way<'a> {
    /// The browser.
    pub fn visit(&self) -> &'a Visit {
        match self {
            Self::Flow(journey) => journey.visit,
            Self::Errand(visit, _) => visit,
        }
    }

    /// The application, if it is an application's sign-in.
    pub fn app(&self) -> Option<&App> {
        match self {
            Self::Flow(journey) => Some(&journey.app),
            Self::Errand(..) => None,
        }
    }

    /// The strength that the application asks for, and the application, if it is an application's sign-in.
    fn asks(&self) -> (Option<&Assurance>, Option<&App>) {
        match self {
            Self::Flow(journey) => (Some(&journey.flow.request.assurance), Some(&journey.app)),
            Self::Errand(..) => (None, None),
        }
    }

    /// Whether a sign-in that leads there may begin with a method.
    fn accepts(&self, method: &Method) -> bool {
        match self {
            Self::Flow(journey) => journey.accepts.takes(&journey.visit.host, method),
            Self::Errand(_, Errand::Demanded(demanded)) => demanded.takes(method.id),
            Self::Errand(..) => true,
        }
    }

    /// Whether it leads to a new password, and so to no session.
    pub fn recovers(&self) -> bool {
        matches!(self, Self::Errand(_, Errand::Recovery(_)))
    }

    /// Whether the person can go on as a guest.
    fn takes_guests(&self) -> bool {
        match self {
            Self::Flow(journey) => journey.takes_guests(),
            Self::Errand(..) => false,
        }
    }

    /// The strength that the organization demands; on the way back to a request that waits for approval, also its application.
    fn floor(&self) -> Option<Level> {
        let is_demanded = match self {
            Self::Flow(journey) => journey.flow.second_factor,
            Self::Errand(_, errand) => *errand == Errand::SecondFactor,
        };
        is_demanded.then_some(Level::Aal2)
    }

    /// How old the sign-in at a provider may be: as application and organization want it. Who has a session and signs in on the way to
    /// a section of the account has signed in too long ago to change it; some of the time that a sign-in counts there has to be left.
    /// A new password is chosen by no older sign-in.
    fn max_age(&self) -> Option<Seconds> {
        match self {
            Self::Flow(journey) => {
                let request = &journey.flow.request;
                let asked = if request.prompt.has(PromptValue::Login) { Some(0) } else { request.max_age };
                asked.into_iter().chain(journey.accepts.longest()).min().map(Seconds)
            }
            Self::Errand(visit, Errand::Account(section)) => {
                (!section.is_empty() && visit.has_session()).then_some(WITH_TIME_LEFT)
            }
            Self::Errand(_, Errand::Recovery(_)) => Some(WITH_TIME_LEFT),
            Self::Errand(_, Errand::Demanded(demanded)) => demanded.max_age.map(Seconds),
            Self::Errand(..) => None,
        }
    }

    /// Takes the session that has begun as far as the way leads in this transaction.
    pub async fn advance(&mut self, tx: &mut Tx<Tenant>, session: &Session) -> Result<Option<Next>> {
        match self {
            Self::Flow(journey) => {
                let now = journey.visit.cx().now;
                if !session.person.is_guest() && journey.intake.counts_sign_ins(&session.person) {
                    fields::count_sign_in(tx, session.person.id);
                }
                journey.flow = journey.flow.clone().signed_in((session.id, session.person.id), now);
                journey.advance(tx, Some(session), None).await.map(Some)
            }
            Self::Errand(..) => Ok(None),
        }
    }

    /// What comes after the sign-in, as a response.
    pub async fn show(&self, next: Option<Next>, session: &Session) -> Result<Response> {
        match (self, next) {
            (Self::Flow(journey), Some(next)) => journey.show(next, Some(session)).await,
            (Self::Flow(_), None) => Err(Error::internal("a flow was not taken on")),
            (Self::Errand(_, errand), _) => Ok(see_other(&errand.url()).into_response()),
        }
    }
}
