//! A draft of branding and texts, as the form of the preview has it.

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_core::{Error, Result};
use svc_domain::organizations::Look;
use svc_domain::tenancy::branding;
use svc_domain::tenancy::texts::Texts;
use svc_http::Params;

use crate::hosted::Visit;
use crate::pages::{Branding, Drawn, Form, Locale, Own, Pages, Preview, PreviewChoice, fonts, samples};

/// A draft, and how it is to be shown.
pub struct Draft {
    /// The page or mail.
    pub sample: &'static str,
    /// Its language.
    pub locale: Locale,
    /// Whether it is shown as on a dark screen.
    pub is_dark: bool,
    is_phone: bool,
    organization: String,
    typed: Typed,
    /// The look, or what is wrong with it.
    pub branding: Result<Branding>,
}

/// What was typed, as it was.
#[derive(Default)]
struct Typed {
    accent: String,
    logo_uri: String,
    policy_uri: String,
    tos_uri: String,
    radius: String,
    font: String,
    sender_name: String,
    texts: String,
}

impl Draft {
    /// The draft with what is saved.
    pub async fn saved(visit: &Visit, organization: Option<&str>) -> Result<Self> {
        let organization = organization.unwrap_or_default().trim().to_owned();
        let look = look(visit, &organization).await?;
        let (tenant, locale) = (&visit.host.tenant, visit.locale.clone());
        let (saved, texts) = match &look {
            Ok(Some(look)) => (look.branding.clone(), &look.texts),
            _ => (tenant.settings.branding(), &tenant.texts),
        };
        let typed = Typed::of(&saved, texts, locale.as_str());
        let branding = look.and_then(|look| Branding::of(tenant, look.as_deref()));
        let sample = samples().next().unwrap_or_default();
        Ok(Self { sample, locale, is_dark: false, is_phone: false, organization, typed, branding })
    }

    /// The draft that a form brings.
    pub async fn typed(visit: &Visit, form: &Params) -> Result<Self> {
        let text = |name: &str| form.one(name).unwrap_or_default().trim().to_owned();
        let typed = Typed {
            accent: text("accent"),
            logo_uri: text("logo_uri"),
            policy_uri: text("policy_uri"),
            tos_uri: text("tos_uri"),
            radius: text("radius"),
            font: text("font"),
            sender_name: text("sender_name"),
            texts: text("texts"),
        };
        let organization = text("organization");
        let locale = form.one("locale").and_then(|tag| visit.pages().ok()?.locale(tag));
        let locale = locale.unwrap_or_else(|| visit.locale.clone());
        let look = look(visit, &organization).await?;
        let branding = look.and_then(|look| made(visit, &typed, (&locale, look.as_deref())));
        let sample = samples().find(|name| form.one("sample") == Some(*name));
        Ok(Self {
            sample: sample.or_else(|| samples().next()).unwrap_or_default(),
            locale,
            is_dark: form.one("scheme") == Some("dark"),
            is_phone: form.one("width") == Some("phone"),
            organization,
            typed,
            branding,
        })
    }

    /// The page with the draft, and with what it looks like.
    pub fn page(self, pages: &Pages, (form, account): (Form, &str), drawn: Option<Drawn>) -> Preview {
        let choice = |value: &str, name: String, chosen: &str| PreviewChoice {
            value: value.into(),
            name: name.into(),
            is_chosen: value == chosen,
        };
        let plain = |name: &'static str, chosen: &str| choice(name, name.to_owned(), chosen);
        let locales = pages.languages_on_offer().iter();
        let (html, subject) = drawn.map(|drawn| (drawn.html, drawn.subject)).unzip();
        let Typed { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name, texts } = self.typed;
        Preview {
            form,
            account: account.into(),
            samples: samples().map(|name| plain(name, self.sample)).collect(),
            locales: locales.map(|(tag, name)| choice(tag, name.clone(), self.locale.as_str())).collect(),
            fonts: fonts().map(|name| plain(name, &font)).collect(),
            is_dark: self.is_dark,
            is_phone: self.is_phone,
            organization: self.organization.into(),
            accent: accent.into(),
            logo_uri: logo_uri.into(),
            policy_uri: policy_uri.into(),
            tos_uri: tos_uri.into(),
            radius: radius.into(),
            sender_name: sender_name.into(),
            texts: texts.into(),
            fault: self.branding.err().map(|error| error.detail().into()),
            subject: subject.flatten().map(Into::into),
            frame: html.map(Into::into),
        }
    }
}

impl Typed {
    fn of(saved: &branding::Branding, texts: &Texts, language: &str) -> Self {
        let saved = saved.clone();
        let lines =
            texts.0.get(language).into_iter().flatten().map(|(key, text)| format!("{key} = {text}\n"));
        Self {
            accent: saved.accent.unwrap_or_default(),
            logo_uri: saved.logo_uri.unwrap_or_default(),
            policy_uri: saved.policy_uri.unwrap_or_default(),
            tos_uri: saved.tos_uri.unwrap_or_default(),
            radius: saved.radius.map(|radius| radius.to_string()).unwrap_or_default(),
            font: saved.font.unwrap_or_default(),
            sender_name: saved.sender_name.unwrap_or_default(),
            texts: lines.collect(),
        }
    }

    fn branding(&self) -> Result<branding::Branding> {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let radius = some(&self.radius).map(|text| text.parse());
        let radius = radius.transpose().map_err(|_| Error::bad_request("radius: use 0 to 24 pixels"))?;
        let branding = branding::Branding {
            accent: some(&self.accent),
            logo_uri: some(&self.logo_uri),
            policy_uri: some(&self.policy_uri),
            tos_uri: some(&self.tos_uri),
            radius,
            font: some(&self.font),
            sender_name: some(&self.sender_name),
        };
        branding.check()?;
        Ok(branding)
    }

    /// One text a line: the key, an equals sign, the text.
    fn texts(&self, language: &str) -> Result<Texts> {
        let mut found = BTreeMap::new();
        for line in self.texts.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (key, text) = line
                .split_once('=')
                .ok_or_else(|| Error::bad_request("texts: write each line as `key = text`"))?;
            found.insert(key.trim().to_owned(), text.trim().to_owned());
        }
        Ok(Texts(BTreeMap::from([(language.to_owned(), found)])))
    }
}

/// The organization that is named; nothing where none is.
async fn look(visit: &Visit, named: &str) -> Result<Result<Option<Arc<Look>>>> {
    if named.is_empty() {
        return Ok(Ok(None));
    }
    let found = visit.host.app.services.looks.named(visit.host.tenant.id, named).await?;
    let unknown = || Error::bad_request("organization: no active organization is called so");
    Ok(found.map(Some).ok_or_else(unknown))
}

/// The draft above what is saved of the texts, and, for an organization, of its tenant's look.
fn made(visit: &Visit, typed: &Typed, (locale, look): (&Locale, Option<&Look>)) -> Result<Branding> {
    let tenant = &visit.host.tenant;
    let (chosen, texts) = (typed.branding()?, typed.texts(locale.as_str())?);
    texts.check()?;
    visit.pages()?.check(&texts)?;
    let above = if look.is_some() { tenant.settings.branding() } else { branding::Branding::default() };
    let saved = look.map(|look| Arc::clone(&look.texts)).into_iter().chain([Arc::clone(&tenant.texts)]);
    let own = Own::new([Arc::new(texts)].into_iter().chain(saved));
    Branding::made(&tenant.name, chosen.over(above), own)
}
