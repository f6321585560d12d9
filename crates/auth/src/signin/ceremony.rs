//! A sign-in under way: where it leads, what was proven so far, and the method that is in its second step. The pages carry
//! it sealed.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{AppId, Error, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::people::sessions::Session;
use svc_http::{IntoResponse, Response, see_other};

use super::attempt::Attempt;
use super::errand::Errand;
use super::flow::Flow;
use super::journey::{Journey, Next};
use super::methods::{self, Method};
use super::offers;
use super::progress::Progress;
use crate::authorize::Assurance;
use crate::hosted::paths::{BEGIN, FORGOT, SIGN_IN};
use crate::hosted::{Carried, Visit, captcha, with_query};
use crate::pages::{Form, MethodPart, SignIn as SignInForm};

/// What the browser carries from one step of a sign-in to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ceremony {
    /// Where it leads.
    pub aim: Aim,
    /// What was proven so far.
    #[serde(default)]
    pub progress: Progress,
    /// The method that has begun and not ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
}

/// Where a sign-in leads: back to an application, or to a page of our own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// To the application that asked for it.
    Flow(Box<Flow>),
    /// To a page of our own.
    Errand(Errand),
}

/// A method in its second step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// The method.
    pub method: String,
    /// What its part of the page shows; `None` while the person is elsewhere.
    pub shown: Option<Value>,
    /// What its end needs to know.
    pub memory: Value,
}

impl Carried for Ceremony {
    const LABEL: &'static str = "sign-in ceremony";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        match &self.aim {
            Aim::Flow(flow) => flow.expires_at(now, login),
            Aim::Errand(errand) => errand.expires_at(now, login),
        }
    }

    fn app(&self) -> Option<AppId> {
        match &self.aim {
            Aim::Flow(flow) => flow.app(),
            Aim::Errand(errand) => errand.app(),
        }
    }
}

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
}

impl<'a> SignIn<'a> {
    /// Opens what a form or a redirect brought back.
    pub async fn open(visit: &'a mut Visit, text: Option<&str>) -> Result<Self> {
        let Ceremony { aim, progress, pending } = visit.open(text)?;
        let way = match aim {
            Aim::Flow(flow) => {
                visit.speak(flow.request.ui_locales.as_deref())?;
                Way::Flow(Box::new(Journey::of(visit, *flow).await?))
            }
            Aim::Errand(errand) => Way::Errand(visit, errand),
        };
        Ok(Self { way, progress, pending })
    }

    /// A sign-in of which nothing is proven yet.
    pub fn new(way: Way<'a>) -> Self {
        Self { way, progress: Progress::default(), pending: None }
    }

    /// The browser.
    pub fn visit(&self) -> &'a Visit {
        self.way.visit()
    }

    /// What the browser carries on.
    pub fn seal(&self) -> Result<String> {
        let aim = match &self.way {
            Way::Flow(journey) => Aim::Flow(Box::new(journey.flow.clone())),
            Way::Errand(_, errand) => Aim::Errand(errand.clone()),
        };
        self.visit().seal(&Ceremony { aim, progress: self.progress.clone(), pending: self.pending.clone() })
    }

    /// The methods that can still add what is missing; none where nothing is.
    pub fn missing(&self) -> Vec<&'static Method> {
        let host = &self.visit().host;
        let best = methods::strongest(host);
        let aim = self.way.assurance().and_then(|assurance| assurance.aim(best));
        let is_enough = aim.is_none_or(|level| self.progress.level() >= Some(level));
        if self.progress.account().is_some() && is_enough {
            return Vec::new();
        }
        methods::offered(host).filter(|method| !self.progress.has(method.factor)).collect()
    }

    /// The sign-in page with the parts of the methods that can add what is missing, or of the one in its second step.
    pub fn page(&self, attempt: &Attempt<'_>) -> Result<Response> {
        let flow = self.seal()?;
        let pending = self.pending.as_ref().filter(|pending| pending.shown.is_some());
        let methods = match pending {
            Some(pending) => vec![methods::chosen(&self.visit().host, Some(&pending.method))?],
            None => self.missing(),
        };
        let begin_url = |method: &Method| with_query(BEGIN, [("flow", flow.as_str()), ("method", method.id)]);
        let parts = methods.into_iter().map(|method| MethodPart {
            id: method.id,
            partial: method.partial,
            begin_url: method.begin.map(|_| begin_url(method).into()),
            shown: pending.and_then(|pending| pending.shown.clone()),
        });
        let methods = parts.collect();
        let captcha = attempt.error.filter(|error| error.is_of_captcha());
        let captcha = captcha.and_then(|_| captcha::widget(self.visit()));
        let page = SignInForm {
            form: Form::new(SIGN_IN, flow).with(attempt.error).asking(captcha),
            username: attempt.username.unwrap_or_default().into(),
            notice: attempt.notice,
            methods,
            ..SignInForm::default()
        };
        match &self.way {
            Way::Flow(journey) => journey.sign_in_form(attempt.status, page),
            Way::Errand(visit, errand) => {
                let forgot_url = offers::recovery(&visit.host).then(|| FORGOT.into());
                let page = SignInForm { forgot_url, purpose: Some(errand.purpose()), ..page };
                visit.page_as(attempt.status, &page, None)
            }
        }
    }
}

impl<'a> Way<'a> {
    /// The browser.
    pub fn visit(&self) -> &'a Visit {
        match self {
            Self::Flow(journey) => journey.visit,
            Self::Errand(visit, _) => visit,
        }
    }

    /// The strength that the application asks for, if it is an application's sign-in.
    fn assurance(&self) -> Option<&Assurance> {
        match self {
            Self::Flow(journey) => Some(&journey.flow.request.assurance),
            Self::Errand(..) => None,
        }
    }

    /// Takes the session that has begun as far as the way leads in this transaction.
    pub async fn advance(&mut self, tx: &mut Tx<Tenant>, session: &Session) -> Result<Option<Next>> {
        match self {
            Self::Flow(journey) => {
                let now = journey.visit.cx().now;
                journey.flow = journey.flow.clone().signed_in(session.id, now);
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
