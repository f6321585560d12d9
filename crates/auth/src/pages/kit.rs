//! From a page's data to its HTML: templates and catalogues, an operator's before ours.

use std::path::Path;
use std::sync::Arc;

use minijinja::value::{Serde, Value};
use minijinja::{Environment, context};
use serde::Serialize;
use svc_core::Error;
use svc_domain::tenancy::tenants::Tenant;

use super::branding::Branding;
use super::catalogue::Catalogues;
use super::declare::Page;
use super::locale::Locale;
use super::support::ActingFor;
use super::templates;

/// Templates and catalogues, read once at start.
pub struct Pages {
    environments: Vec<Environment<'static>>,
    pub(super) catalogues: Arc<Catalogues>,
}

/// How one request's page looks.
pub struct Look<'a> {
    /// The language.
    pub locale: Locale,
    /// The tenant's look.
    pub branding: &'a Branding,
    /// The nonce of the Content-Security-Policy, for styles and scripts.
    pub nonce: &'a str,
    /// The address of the page, at which it can be had in another language.
    pub address: Option<&'a Address>,
    /// For whom support staff act in this browser.
    pub acting: Option<ActingFor>,
}

/// The address of a page: its path, and its parameters but for the language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Address {
    /// The path.
    pub path: String,
    /// The parameters.
    pub params: Vec<(String, String)>,
}

/// The parameter of a page's address that chooses its language.
pub const LANGUAGE: &str = "lang";

/// A language on offer.
#[derive(Serialize)]
struct Language<'a> {
    tag: &'a str,
    name: &'a str,
    is_current: bool,
}

/// What a template is filled with. Only this is compiled for each page.
pub struct Data(Value);

impl Data {
    /// The data of a page.
    pub fn of<T: Serialize>(page: &T) -> Self {
        Self(Value::from(Serde(page)))
    }

    /// Whether it has a member of this name that is not empty.
    pub fn has(&self, name: &str) -> bool {
        self.0.get_attr(name).is_ok_and(|value| value.is_true())
    }

    /// The seconds until the next attempt, where the page says of too many how many minutes to wait.
    pub fn wait(&self) -> Option<u32> {
        let minutes = self.0.get_attr("error").ok()?.get_attr("count").ok()?;
        u32::try_from(minutes).ok().map(|minutes| minutes.saturating_mul(60))
    }
}

impl Pages {
    /// Reads everything; `*.html` and `*.ftl` files of an operator's directory stand above the embedded ones.
    ///
    /// `supported` empty offers every language that has a catalogue.
    pub fn load(directory: Option<&Path>, default_locale: &str, supported: &[String]) -> Result<Self, Error> {
        let catalogues = Arc::new(Catalogues::load(directory, default_locale, supported)?);
        Ok(Self { environments: templates::load(directory, &catalogues)?, catalogues })
    }

    /// The languages on offer, in canonical BCP 47, for `ui_locales_supported`.
    pub fn locales(&self) -> Vec<String> {
        self.catalogues.locales()
    }

    /// The language for a request; whatever it sends, the result is one of [`Pages::locales`].
    pub fn negotiate(&self, ui_locales: Option<&str>, accept_language: Option<&str>) -> Locale {
        self.catalogues.negotiate((ui_locales, accept_language), None)
    }

    /// The same at a tenant, whose own language comes before that of the deployment where none of these is on offer.
    pub fn negotiate_at(
        &self,
        tenant: &Tenant,
        ui_locales: Option<&str>,
        accept_language: Option<&str>,
    ) -> Locale {
        let usual = tenant.settings.default_locale.as_deref();
        self.catalogues.negotiate((ui_locales, accept_language), usual)
    }

    /// The language of this tag, if it is on offer.
    pub fn locale(&self, tag: &str) -> Option<Locale> {
        self.catalogues.locale(tag)
    }

    /// The page as HTML.
    pub fn render<P: Page>(&self, look: &Look<'_>, page: &P) -> Result<String, Error> {
        self.fill(look, P::TEMPLATE, Data::of(page))
    }

    /// Fills a template, an operator's first and ours where that one fails.
    pub fn fill(&self, look: &Look<'_>, template: &str, Data(page): Data) -> Result<String, Error> {
        let Look { locale, branding, nonce, address, acting } = look;
        let context = context! {
            lang => locale.as_str(),
            dir => locale.dir(),
            nonce => *nonce,
            own => Value::from_object(branding.own().clone()),
            tenant => context! {
                name => branding.name(),
                logo_url => branding.logo_url(),
                monogram => branding.monogram(),
                policy_url => branding.policy_url(),
                tos_url => branding.tos_url(),
                css => Value::from_safe_string(branding.css()),
            },
            address => Value::from(Serde(address)),
            acting => Value::from(Serde(acting)),
            languages => Value::from(Serde(self.languages(locale))),
            page => page,
        };
        let mut failure = Error::internal(format!("there is no template {template}"));
        for environment in &self.environments {
            match environment.get_template(template).and_then(|found| found.render(&context)) {
                Ok(html) => return Ok(html),
                Err(fault) => {
                    let why = format!("{fault:#}");
                    tracing::error!(template, why, "a hosted page cannot be rendered");
                    failure = Error::internal(fault);
                }
            }
        }
        Err(failure)
    }

    /// The languages on offer, each with what it calls itself.
    pub fn languages_on_offer(&self) -> &[(String, String)] {
        self.catalogues.on_offer()
    }

    fn languages(&self, current: &Locale) -> Vec<Language<'_>> {
        let all = self.languages_on_offer().iter();
        all.map(|(tag, name)| Language { is_current: tag == current.as_str(), tag, name }).collect()
    }
}
