//! Reading a policy: its text, the schema that it is held to, and where exactly either is wrong.

use std::str::FromStr as _;

use cedar_policy::{PolicySet, Schema, ValidationMode, Validator};
use miette::Diagnostic;
use svc_core::{Error, Flaw, OrInternal as _, Place, Result};

use super::limits;

/// Most faults that are reported at once.
const MOST_FAULTS: usize = 20;

/// What texts without a schema are held to: names may be anything, and types are checked as far as they are known.
const OPEN: &str = r#"{ "": { "entityTypes": {}, "actions": {} } }"#;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// What was expected, or what to do.
    pub message: String,
    /// Where, if the language says so.
    pub place: Option<Place>,
}

impl Fault {
    /// A fault at a byte of a text.
    pub fn at(text: &str, offset: usize, message: String) -> Self {
        Self { message, place: Some(place(text, offset)) }
    }
}

/// Where a byte of a text is, for people: lines and columns from 1, columns in characters.
fn place(text: &str, offset: usize) -> Place {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Place {
        line: number(before.matches('\n').count() + 1),
        column: number(before.get(line_start..).unwrap_or_default().chars().count() + 1),
        offset: number(offset),
    }
}

/// Refuses a text, or a schema, that is not what it should be; the error names each fault with its place.
pub async fn check(text: &str, schema: Option<&str>) -> Result<()> {
    let (text, schema) = (text.to_owned(), schema.map(str::to_owned));
    // It takes milliseconds, in which this thread would serve no request.
    let checked = tokio::task::spawn_blocking(move || check_here(&text, schema.as_deref()));
    checked.await.or_internal()?
}

pub(super) fn check_here(text: &str, schema: Option<&str>) -> Result<()> {
    let schema = schema.map(read_schema).transpose().map_err(|faults| refusal("/schema", faults))?;
    read(text, schema.as_ref()).map(drop).map_err(|faults| refusal("/text", faults))
}

pub(super) fn refusal(pointer: &str, faults: Vec<Fault>) -> Error {
    let member = pointer.trim_start_matches('/');
    let flaw = |Fault { message, place }: Fault| {
        let detail = match &place {
            Some(place) => format!("{member}: line {}, column {}: {message}", place.line, place.column),
            None => format!("{member}: {message}"),
        };
        Flaw { pointer: pointer.to_owned(), detail, place }
    };
    Error::flawed(faults.into_iter().map(flaw).collect())
}

/// Reads a text and holds it to a schema, or to what is known without one.
pub(super) fn read(text: &str, schema: Option<&Schema>) -> Result<PolicySet, Vec<Fault>> {
    let set = parsed(text)?;
    let (schema, mode) = match schema {
        Some(schema) => (schema.clone(), ValidationMode::Strict),
        None => (open()?, ValidationMode::Partial),
    };
    let outcome = Validator::new(schema).validate(&set, mode);
    let faults: Vec<_> =
        outcome.validation_errors().take(MOST_FAULTS).map(|error| fault(text, error)).collect();
    if faults.is_empty() { Ok(set) } else { Err(faults) }
}

/// Reads a text without holding it to anything.
pub(super) fn parsed(text: &str) -> Result<PolicySet, Vec<Fault>> {
    limits::check(text, limits::MOST_TEXT).map_err(|fault| vec![fault])?;
    let set = PolicySet::from_str(text).map_err(|errors| {
        errors.iter().take(MOST_FAULTS).map(|error| fault(text, error)).collect::<Vec<_>>()
    })?;
    if set.templates().next().is_some() {
        let message = "this is a slot; name who and what it is about".to_owned();
        return Err(vec![Fault::at(text, limits::first_slot(text).unwrap_or_default(), message)]);
    }
    if set.is_empty() {
        return Err(vec![Fault::at(
            text,
            0,
            "write at least one statement, `permit(…)` or `forbid(…)`".to_owned(),
        )]);
    }
    Ok(set)
}

/// Reads a schema.
pub(super) fn read_schema(text: &str) -> Result<Schema, Vec<Fault>> {
    limits::check(text, limits::MOST_SCHEMA).map_err(|fault| vec![fault])?;
    match Schema::from_cedarschema_str(text) {
        Ok((schema, _)) => Ok(schema),
        Err(error) => Err(vec![fault(text, &error)]),
    }
}

fn open() -> Result<Schema, Vec<Fault>> {
    Schema::from_json_str(OPEN).map_err(|error| vec![Fault { message: error.to_string(), place: None }])
}

/// What a library's error says, and where.
fn fault(text: &str, error: &impl Diagnostic) -> Fault {
    let label = error.labels().and_then(|mut labels| labels.next());
    let help = error.help().map(|help| format!(" ({help})")).unwrap_or_default();
    let expected = label.as_ref().and_then(|label| label.label()).map(|label| format!("; {label}"));
    let mut message = format!("{error}{}{help}", expected.unwrap_or_default());
    if let Some((end, _)) = message.char_indices().nth(500) {
        message.truncate(end);
        message.push('…');
    }
    Fault { message, place: label.map(|label| place(text, label.offset())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str, schema: Option<&str>) -> Vec<(String, Option<Place>)> {
        let error = check_here(text, schema).unwrap_err();
        error.flaws().iter().map(|flaw| (flaw.detail.clone(), flaw.place)).collect()
    }

    #[test]
    fn a_fault_of_syntax_has_its_place() {
        let found = faults("permit(principal, action, resource);\n  forbid(principal,, action);", None);
        assert_eq!(found[0].1, Some(Place { line: 2, column: 20, offset: 56 }));
        assert!(found[0].0.starts_with("text: line 2, column 20: "), "{found:?}");
    }

    #[test]
    fn columns_count_characters_and_offsets_count_bytes() {
        let text = "// für\npermit(principal, action, resource) when { \"ü\" ++ 1 };";
        let place = faults(text, None)[0].1.unwrap();
        assert_eq!((place.line, text.as_bytes()[place.offset as usize]), (2, b'+'));
        assert_eq!(place.offset as usize, "// für\n".len() + place.column as usize);
    }

    #[test]
    fn without_a_schema_other_types_and_members_may_be_anything_and_faults_of_type_are_found() {
        let fine = "permit(principal is User, action == Action::\"read\", resource is document) \
                    when { principal in Group::\"Editors\" && resource.owner == principal.id && context.acr == \"aal2\" };";
        check_here(fine, None).unwrap();
        for bad in [
            "permit(principal, action, resource) when { 1 + \"a\" == 2 };",
            "permit(principal, action, resource) when { ip(\"300.1.1.1\").isLoopback() };",
            "permit(principal, action, resource) when { \"a\" };",
        ] {
            let error = check_here(bad, None).expect_err(bad);
            assert!(error.flaws().iter().all(|flaw| flaw.place.is_some()), "{error:?}");
        }
    }

    #[test]
    fn with_a_schema_every_name_has_to_be_in_it() {
        let schema = "entity User = { level: Long }; entity document; action read appliesTo { principal: [User], resource: [document] };";
        check_here(
            "permit(principal, action == Action::\"read\", resource) when { principal.level > 1 };",
            Some(schema),
        )
        .unwrap();
        let found = faults(
            "permit(principal, action == Action::\"read\", resource) when { principal.levle > 1 };",
            Some(schema),
        );
        assert!(found[0].0.contains("levle") && found[0].1.is_some_and(|place| place.line == 1), "{found:?}");
        let found = faults("permit(principal, action, resource);", Some("entity User = ;"));
        assert!(found[0].0.starts_with("schema: line 1"), "{found:?}");
    }

    #[test]
    fn templates_and_empty_texts_are_refused() {
        let template = "// ?\npermit(principal == ?principal, action, resource);";
        let found = faults(template, None);
        assert_eq!(found[0].0, "text: line 2, column 21: this is a slot; name who and what it is about");
        assert!(faults("// nothing\n", None)[0].0.contains("at least one statement"));
    }
}
