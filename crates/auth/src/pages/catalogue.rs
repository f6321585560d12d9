//! Message catalogues in Fluent: the embedded ones, operators' additions, and the English text behind both.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use rust_embed::Embed;
use svc_core::Error;
use unic_langid::LanguageIdentifier;

use super::locale::{self, Locale};
use super::own::Own;

#[derive(Embed)]
#[folder = "locales/"]
struct Files;

type Bundle = FluentBundle<FluentResource>;

/// The language that has every message.
const COMPLETE: &str = "en";

/// The names of the values of each message, by its key.
type Values = BTreeMap<String, BTreeSet<String>>;

/// The catalogues of the program itself.
struct Embedded {
    bundles: BTreeMap<String, Arc<Bundle>>,
    values: Values,
}

/// Every message in every language that this deployment offers.
pub(super) struct Catalogues {
    bundles: BTreeMap<String, Arc<Bundle>>,
    supported: Vec<LanguageIdentifier>,
    default: LanguageIdentifier,
    /// The tag of each language, and what it calls itself.
    on_offer: Vec<(String, String)>,
    values: &'static Values,
}

impl Embedded {
    /// Reads them once for all services of a process: it is much work, and depends on no configuration.
    fn known() -> Result<&'static Self, Error> {
        static KNOWN: OnceLock<Embedded> = OnceLock::new();
        if let Some(known) = KNOWN.get() {
            return Ok(known);
        }
        let read = Self::read()?;
        Ok(KNOWN.get_or_init(|| read))
    }

    fn read() -> Result<Self, Error> {
        let (mut bundles, mut named) = (BTreeMap::new(), BTreeMap::new());
        for name in Files::iter() {
            let (tag, bytes) = (stem(&name), Files::get(&name).map(|file| file.data).unwrap_or_default());
            let source = String::from_utf8_lossy(&bytes);
            if tag == COMPLETE {
                named = values(&source);
            }
            bundles.insert(tag.to_owned(), bundle(tag, &source)?);
        }
        Ok(Self { bundles, values: named })
    }
}

impl Catalogues {
    /// Reads the catalogues; `supported` empty offers every language that has one.
    pub(super) fn load(directory: Option<&Path>, default: &str, supported: &[String]) -> Result<Self, Error> {
        let embedded = Embedded::known()?;
        let mut bundles = embedded.bundles.clone();
        for (tag, source) in directory.map_or_else(|| Ok(Vec::new()), additions)? {
            bundles.insert(format!("{tag}+"), bundle(&tag, &source)?);
        }
        let tags: Vec<&str> = match supported {
            [] => bundles.keys().map(|key| key.trim_end_matches('+')).collect(),
            some => some.iter().map(String::as_str).collect(),
        };
        let mut supported = tags.into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        supported.dedup();
        let default = parse(default)?;
        if !supported.contains(&default) {
            supported.push(default.clone());
        }
        let mut catalogues =
            Self { bundles, supported, default, on_offer: Vec::new(), values: &embedded.values };
        catalogues.supported.iter().try_for_each(|id| catalogues.require(id))?;
        let tags = catalogues.locales().into_iter();
        catalogues.on_offer = tags.map(|tag| (tag.clone(), catalogues.own_name(&tag))).collect();
        Ok(catalogues)
    }

    pub(super) fn locales(&self) -> Vec<String> {
        self.supported.iter().map(ToString::to_string).collect()
    }

    /// The language of this tag, if it is on offer.
    pub(super) fn locale(&self, tag: &str) -> Option<Locale> {
        self.supported.iter().find(|id| id.to_string() == tag).map(Locale::new)
    }

    /// The languages on offer, each with what it calls itself.
    pub(super) fn on_offer(&self) -> &[(String, String)] {
        &self.on_offer
    }

    /// What a language calls itself; its tag where its own catalogue does not say.
    fn own_name(&self, tag: &str) -> String {
        let own = chain(tag).take_while(|key| !is_foreign(key, tag)).filter_map(|key| self.bundles.get(&key));
        own.into_iter()
            .find_map(|bundle| message(bundle, "language-name", &FluentArgs::new()))
            .unwrap_or_else(|| tag.to_owned())
    }

    /// The best language for what is asked and accepted, or else the nearest one to `usual`, or else the default.
    pub(super) fn negotiate(
        &self,
        (ui_locales, accept_language): (Option<&str>, Option<&str>),
        usual: Option<&str>,
    ) -> Locale {
        let chosen = locale::negotiate(&self.supported, ui_locales, accept_language);
        let chosen = chosen.or_else(|| locale::negotiate(&self.supported, usual, None));
        Locale::new(chosen.as_ref().unwrap_or(&self.default))
    }

    /// A message as a tenant or an organization words it, or else as the catalogues do.
    pub(super) fn say(
        &self,
        (own, language): (&Own, &str),
        id: &str,
        args: &FluentArgs<'_>,
    ) -> Result<String, Error> {
        own.text(language, id, args).map_or_else(|| self.text(language, id, args), Ok)
    }

    /// The names of the values of each message.
    pub(super) fn values(&self) -> &Values {
        self.values
    }

    /// A message; an operator's wording that lacks it or misuses its values gives way to ours.
    pub(super) fn text(&self, language: &str, id: &str, args: &FluentArgs<'_>) -> Result<String, Error> {
        chain(language)
            .filter_map(|key| self.bundles.get(&key))
            .find_map(|bundle| message(bundle, id, args))
            .ok_or_else(|| Error::internal(format!("no message {id:?} in {language:?}")))
    }

    fn require(&self, id: &LanguageIdentifier) -> Result<(), Error> {
        let own = chain(&id.to_string()).any(|key| {
            self.bundles.contains_key(&key)
                && locale::parse(key.trim_end_matches('+')).is_some_and(|k| k.language == id.language)
        });
        if own {
            Ok(())
        } else {
            Err(Error::internal(format!("there is no message catalogue for the language {id}")))
        }
    }
}

/// Values of a message, so that a right-to-left name does not reorder a left-to-right sentence.
pub(super) fn value(text: String) -> FluentValue<'static> {
    let is_rtl =
        |c: char| matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}');
    if text.contains(is_rtl) { format!("\u{2068}{text}\u{2069}").into() } else { text.into() }
}

/// Where a message is looked for, for example `de-AT+`, `de-AT`, `de+`, `de`, `en+`, `en`.
fn chain(tag: &str) -> impl Iterator<Item = String> {
    locale::with_parents(tag).chain([COMPLETE]).flat_map(|tag| [format!("{tag}+"), tag.to_owned()])
}

/// Whether a key of a [`chain`] is of another language than the tag.
fn is_foreign(key: &str, tag: &str) -> bool {
    !locale::is_same_language(key.trim_end_matches('+'), tag)
}

fn message(bundle: &Bundle, id: &str, args: &FluentArgs<'_>) -> Option<String> {
    let mut errors = Vec::new();
    let pattern = bundle.get_message(id)?.value()?;
    let text = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
    if !errors.is_empty() {
        tracing::warn!(message = id, ?errors, "a message of a catalogue cannot be formatted");
    }
    errors.is_empty().then_some(text)
}

fn bundle(tag: &str, source: &str) -> Result<Arc<Bundle>, Error> {
    let faulty = |what: String| Error::internal(format!("the message catalogue {tag}.ftl {what}"));
    let resource = FluentResource::try_new(source.to_owned()).map_err(|(_, errors)| {
        faulty(format!(
            "is not Fluent: {}",
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        ))
    })?;
    let id = parse(tag)?;
    // An address or a number would reorder a right-to-left sentence; in the others only what `value` marks would.
    let is_isolating = locale::is_right_to_left(&id);
    let mut bundle = Bundle::new_concurrent(vec![id]);
    bundle.set_use_isolating(is_isolating);
    bundle.add_resource(resource).map_err(|_| faulty("has a message twice".to_owned()))?;
    Ok(Arc::new(bundle))
}

/// The values that each message of a catalogue names.
fn values(source: &str) -> Values {
    let mut values = Values::new();
    let mut id = String::new();
    for line in source.lines() {
        if let Some((start, _)) = line.split_once(" =")
            && line.starts_with(|c: char| c.is_ascii_lowercase())
        {
            start.clone_into(&mut id);
        }
        let named = line.split("{ $").skip(1).filter_map(|rest| rest.split(' ').next());
        values.entry(id.clone()).or_default().extend(named.map(str::to_owned));
    }
    values.remove("");
    values
}

/// The `*.ftl` files of an operator's directory.
fn additions(directory: &Path) -> Result<Vec<(String, String)>, Error> {
    super::folder::files(directory, "ftl")
        .map(|files| files.into_iter().map(|(name, source)| (stem(&name).to_owned(), source)).collect())
}

fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn parse(tag: &str) -> Result<LanguageIdentifier, Error> {
    locale::parse(tag).ok_or_else(|| Error::internal(format!("{tag:?} is not a BCP 47 language tag")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids that a catalogue defines.
    fn ids(source: &str) -> BTreeSet<String> {
        let id = |line: &str| Some(line.split_once(" =")?.0.to_owned());
        let starts = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase());
        source.lines().filter(starts).filter_map(id).collect()
    }

    /// The ids that the templates and the code ask for.
    fn wanted() -> BTreeSet<String> {
        let mut wanted: BTreeSet<String> = super::super::messages::ids().collect();
        wanted.extend(super::super::mail::ids());
        let texts = super::super::TextTopic::ALL.iter();
        wanted.extend(texts.map(|topic| topic.id().to_owned()));
        wanted.insert("language-name".to_owned());
        wanted.insert(super::super::text_message::RECOVERY_NOTICE.to_owned());
        wanted.insert(super::super::text_message::PASSWORD_NOTICE.to_owned());
        for (_, source) in super::super::templates::sources() {
            for call in source.replace("asset(\"", "").split("t(\"").skip(1) {
                wanted.insert(call.split('"').next().unwrap().to_owned());
            }
        }
        wanted
    }

    #[test]
    fn every_catalogue_has_every_message_and_nothing_else() {
        let wanted = wanted();
        assert!(wanted.len() > 80, "{wanted:?}");
        for name in Files::iter() {
            let bytes = Files::get(&name).unwrap().data;
            let have = ids(std::str::from_utf8(&bytes).unwrap());
            let missing: Vec<_> = wanted.difference(&have).collect();
            let extra: Vec<_> = have.difference(&wanted).collect();
            assert!(missing.is_empty() && extra.is_empty(), "{name}: missing {missing:?}, extra {extra:?}");
        }
    }

    #[test]
    fn a_message_names_the_same_values_in_every_language() {
        let source = |name: &str| String::from_utf8(Files::get(name).unwrap().data.into_owned()).unwrap();
        let english = values(&source("en.ftl"));
        for name in Files::iter() {
            for (id, named) in values(&source(&name)) {
                assert_eq!(Some(&named), english.get(&id), "{id} of {name}");
            }
        }
    }

    /// Of the messages that have forms for numbers, those that have one for none, and the others.
    fn with_and_without_zero(source: &str) -> [BTreeSet<String>; 2] {
        let (mut id, mut with, mut all) = (String::new(), BTreeSet::new(), BTreeSet::new());
        for line in source.lines() {
            if let Some((start, _)) = line.split_once(" =")
                && line.starts_with(|c: char| c.is_ascii_lowercase())
            {
                start.clone_into(&mut id);
            }
            if line.ends_with("->") {
                all.insert(id.clone());
            }
            if ["[0]", "[zero]"].iter().any(|zero| line.trim_start().starts_with(zero)) {
                with.insert(id.clone());
            }
        }
        let without = &all - &with;
        [with, without]
    }

    #[test]
    fn none_is_said_in_every_language_where_it_is_said_in_english() {
        let source = |name: &str| String::from_utf8(Files::get(name).unwrap().data.into_owned()).unwrap();
        let [english, _] = with_and_without_zero(&source("en.ftl"));
        assert!(english.contains("deletion-text"), "{english:?}");
        for name in Files::iter() {
            let [_, without] = with_and_without_zero(&source(&name));
            let missing: Vec<_> = english.intersection(&without).collect();
            assert!(missing.is_empty(), "{name}: {missing:?}");
        }
    }

    #[test]
    fn a_catalogue_has_one_word_for_a_thing() {
        // Other words for what the same catalogue calls something else.
        for (name, others) in [
            ("de.ftl", &[" du ", " Dein", "Login ", "verlangt haben", "Verwaltung von"][..]),
            ("fr.ftl", &["vous sans doute", "comptes liés", "relié"][..]),
            ("es.ftl", &["bastantes"][..]),
            ("ja.ftl", &["サインイン", "ブラウザー", "ほかの", "だれ"][..]),
            ("pt.ftl", &["carácter", " de si.", " lhe ", "Ecrã", "apagad", "logótipo"][..]),
        ] {
            let source = String::from_utf8(Files::get(name).unwrap().data.into_owned()).unwrap();
            for other in others {
                assert!(!source.contains(other), "{name}: {other}");
            }
        }
    }

    #[test]
    fn no_line_of_french_begins_with_a_mark_that_follows_a_space() {
        let source = String::from_utf8(Files::get("fr.ftl").unwrap().data.into_owned()).unwrap();
        for line in source.lines().filter(|line| !line.starts_with('#')) {
            let said = line.split_once(" = ").map_or(line, |(_, said)| said);
            for breaks in [" :", " ;", " !", " ?", " »", "« "] {
                assert!(!said.contains(breaks), "a line can break at {breaks:?} of: {line}");
            }
        }
    }

    #[test]
    fn a_region_uses_its_language_s_catalogue_and_unknown_languages_are_refused_at_start() {
        let catalogues = Catalogues::load(None, "de-AT", &["en-gb".to_owned()]).unwrap();
        assert_eq!(catalogues.locales(), ["en-GB", "de-AT"]);
        let locale = catalogues.negotiate((None, Some("it")), None);
        assert_eq!(
            catalogues.text(locale.as_str(), "signin-submit", &FluentArgs::new()).unwrap(),
            "Anmelden"
        );
        assert!(Catalogues::load(None, "tlh", &[]).is_err());
        assert!(Catalogues::load(None, "en", &["../../etc/passwd".to_owned()]).is_err());
    }

    #[test]
    fn operators_add_languages_and_reword_ours() {
        let directory = std::env::temp_dir().join(format!("svc-locales-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("he.ftl"), "signin-submit = כניסה\n").unwrap();
        std::fs::write(directory.join("en.ftl"), "signin-submit = Go\nsignin-to = broken { $nothing }\n")
            .unwrap();
        let catalogues = Catalogues::load(Some(&directory), "en", &[]).unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        let text = |tag: &str, id: &str| {
            let args = FluentArgs::from_iter([("app", value("Shop".to_owned()))]);
            catalogues.text(catalogues.negotiate((Some(tag), None), None).as_str(), id, &args).unwrap()
        };
        assert_eq!(text("he", "signin-submit"), "כניסה");
        assert_eq!(text("en", "signin-submit"), "Go");
        assert_eq!(text("he", "signin-to"), "to continue to Shop");
    }
}
