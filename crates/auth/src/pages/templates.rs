//! The templates: the embedded ones, and above them those of an operator's directory.

use std::path::Path;
use std::sync::Arc;

use minijinja::value::{Kwargs, Value};
use minijinja::{
    AutoEscape, Environment, ErrorKind, HtmlEscape, Output, State, UndefinedBehavior, escape_formatter,
};
use qrcode::QrCode;
use qrcode::render::svg;
use rust_embed::Embed;
use svc_core::Error;

use super::catalogue::{self, Catalogues};
use super::durations::Rest;
use super::own::Own;
use super::{assets, folder, text};

#[derive(Embed)]
#[folder = "templates/"]
struct Files;

/// Longest value inside a translated sentence, in characters.
const LONGEST_VALUE: usize = 320;

/// The variable in which a render finds its language.
const LANGUAGE: &str = "lang";
/// The variable in which it finds the texts that stand above the catalogues.
const OWN: &str = "own";

/// The environments to try in turn: the operator's, if any, then ours.
///
/// Ours stays behind it, so that a mistake in a template is logged and does not lock everybody out.
pub(super) fn load(
    directory: Option<&Path>,
    catalogues: &Arc<Catalogues>,
) -> Result<Vec<Environment<'static>>, Error> {
    let own = embedded();
    let mut environments = Vec::new();
    if let Some(directory) = directory {
        let replaced = folder::files(directory, "html")?;
        environments.push(environment(own.iter().cloned().chain(replaced), catalogues)?);
    }
    environments.push(environment(own.into_iter(), catalogues)?);
    Ok(environments)
}

/// The embedded templates by name, for tests that read them.
#[cfg(test)]
pub(super) fn sources() -> Vec<(String, String)> {
    embedded()
}

fn embedded() -> Vec<(String, String)> {
    let source = |name: &str| Files::get(name).map(|file| String::from_utf8_lossy(&file.data).into_owned());
    Files::iter().filter_map(|name| Some((name.to_string(), source(&name)?))).collect()
}

fn environment(
    templates: impl Iterator<Item = (String, String)>,
    catalogues: &Arc<Catalogues>,
) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    for (name, source) in templates {
        environment
            .add_template_owned(name.clone(), source)
            .map_err(|fault| Error::internal(format!("the template {name} is not valid: {fault:#}")))?;
    }
    // Debug output would bring the values of a page, and so its state, into the log.
    environment.set_debug(false);
    environment.set_formatter(escape);
    let catalogues = Arc::clone(catalogues);
    environment.add_function("t", move |state: &State<'_, '_>, id: &str, args: Kwargs| {
        translate(&catalogues, state, id, &args)
    });
    environment.add_function("asset", |stem: &str| {
        assets::url(stem)
            .ok_or_else(|| minijinja::Error::new(ErrorKind::InvalidOperation, format!("no asset {stem}")))
    });
    environment.add_function("qr", picture);
    environment.add_filter("moment", moment);
    environment.add_filter("dated", dated);
    Ok(environment)
}

/// `qr(text)`: a QR code that stands in the page, so that no other address learns the text.
fn picture(text: &str) -> Result<Value, minijinja::Error> {
    let code = QrCode::new(text)
        .map_err(|_| minijinja::Error::new(ErrorKind::InvalidOperation, "too long for a QR code"))?;
    let svg = code.render::<svg::Color<'_>>().min_dimensions(200, 200).build();
    // What stands before the element belongs to a file of its own.
    let at = svg.find("<svg").unwrap_or_default();
    Ok(Value::from_safe_string(svg[at..].to_owned()))
}

/// `time|moment`: a time of RFC 3339 for people whose browser runs no script, to the minute: `2027-01-15 08:00 UTC`.
fn moment(time: &str) -> String {
    let of_minute = |(day, clock): (&str, &str)| Some(format!("{day} {} UTC", clock.get(..5)?));
    time.split_once('T').and_then(of_minute).unwrap_or_else(|| time.to_owned())
}

/// `text|dated(day)`: a text with its day in an element `time`, which the script shows in the language of the page.
fn dated(text: &str, day: &str) -> Value {
    let (text, day) = (HtmlEscape(text).to_string(), HtmlEscape(day).to_string());
    let element = format!("<time dir=\"auto\" datetime=\"{day}\">{day}</time>");
    Value::from_safe_string(if day.is_empty() { text } else { text.replacen(&day, &element, 1) })
}

/// Escapes what HTML text and quoted attributes need, and leaves slashes alone so that links stay readable.
fn escape(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), minijinja::Error> {
    let Some(text) = value.as_str().filter(|_| !value.is_safe() && *state.auto_escape() == AutoEscape::Html)
    else {
        return escape_formatter(out, state, value);
    };
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        let (plain, special) = rest.split_at(at);
        let mut special = special.chars();
        out.write_str(plain)?;
        out.write_str(match special.next() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('"') => "&quot;",
            _ => "&#39;",
        })?;
        rest = special.as_str();
    }
    Ok(out.write_str(rest)?)
}

/// `t("id", name=value)`: a message in the page's language. One that names a duration gets it from the minutes in `count`.
fn translate(
    catalogues: &Catalogues,
    state: &State<'_, '_>,
    id: &str,
    args: &Kwargs,
) -> Result<String, minijinja::Error> {
    let failed = |why: String| minijinja::Error::new(ErrorKind::InvalidOperation, why);
    let language = state.lookup(LANGUAGE).unwrap_or_default();
    let (mut values, mut minutes) = (fluent_bundle::FluentArgs::new(), None);
    for name in args.args() {
        let value: Value = args.get(name)?;
        let value = match i64::try_from(value.clone()) {
            Ok(number) => {
                minutes = minutes.or((name == "count").then_some(number));
                number.into()
            }
            Err(_) => catalogue::value(text::clean(&value.to_string(), LONGEST_VALUE)),
        };
        values.set(name.to_owned(), value);
    }
    let names_duration = catalogues.values().get(id).is_some_and(|named| named.contains("duration"));
    if let Some(minutes) = minutes.filter(|_| names_duration) {
        let duration = catalogues.duration(language.as_str().unwrap_or_default(), (minutes, Rest::Counted));
        values.set("duration", duration.map_err(|error| failed(format!("{error:?}")))?);
    }
    let own = state.lookup(OWN).unwrap_or_default();
    let (language, nothing) = (language.as_str().unwrap_or_default(), Own::default());
    let own = own.downcast_object_ref::<Own>().unwrap_or(&nothing);
    catalogues.say((own, language), id, &values).map_err(|error| failed(format!("{error:?}")))
}

#[cfg(test)]
mod tests {
    use super::{dated, moment};

    #[test]
    fn a_moment_is_told_to_the_minute() {
        assert_eq!(moment("2027-01-15T08:00:59.123456Z"), "2027-01-15 08:00 UTC");
        assert_eq!(moment("2027-01-15"), "2027-01-15");
    }

    #[test]
    fn a_day_within_a_text_is_marked_as_one_and_the_rest_stays_text() {
        let day = "<time dir=\"auto\" datetime=\"2027-01-15\">2027-01-15</time>";
        let marked = dated("<b> until 2027-01-15, 2027-01-15", "2027-01-15");
        assert_eq!(marked.as_str(), Some(format!("&lt;b&gt; until {day}, 2027-01-15").as_str()));
        assert!(marked.is_safe());
        assert!(!dated("on \"><b>", "\"><b>").to_string().contains("\"><b>"));
        assert_eq!(dated("never", "").as_str(), Some("never"));
    }
}
