//! Every answer that a test receives is one that the OpenAPI document promises: its status, its media type, its members.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Registry, ValidationError, Validator};
use serde_json::{Value, json};
use svc_runtime::compose;

use super::{Answer, examples};

/// The document, in which no object has members that are not named.
struct Published {
    document: Value,
    /// The document once more, for the references of all judges: a copy for each of them would take gigabytes.
    registry: Registry<'static>,
    /// By the text of the schema, which many operations share.
    judges: Mutex<BTreeMap<String, Arc<Validator>>>,
}

/// What references to the document begin with.
const DOCUMENT: &str = "urn:svc:openapi";

static PUBLISHED: LazyLock<Published> = LazyLock::new(|| {
    let mut document = compose::description().unwrap().at("https://id.example.com", |_| true);
    close(&mut document["components"]["schemas"]);
    let registry = Registry::new().add(DOCUMENT, document.clone()).unwrap().prepare().unwrap();
    Published { document, registry, judges: Mutex::default() }
});

/// Holds an answer against the document; what is no operation of it (pages, assets) passes, and an answer of chosen members may lack
/// the others.
#[track_caller]
pub fn check(method: &str, path: &str, query: &str, answer: &Answer) {
    let published = &*PUBLISHED;
    let method = method.to_ascii_lowercase();
    let Some(declared) = published.path(path) else { return };
    let responses = &published.document["paths"][&declared][&method]["responses"];
    if responses.is_null() {
        return;
    }
    let asked = format!("{method} {declared}");
    let status = answer.status.to_string();
    assert!(!responses[&status].is_null() || answer.status >= 400, "{asked}: {status} is not documented");
    let response = if responses[&status].is_null() { &responses["default"] } else { &responses[&status] };
    let content = &published.resolved(response)["content"];
    let media_type = answer.header("content-type").split(';').next().unwrap();
    if content.is_null() {
        assert!(answer.body.is_empty(), "{asked}: {status} has a document: {answer:?}");
        return;
    }
    // A browser that asks for a page gets one instead of an error document.
    if answer.status >= 400 && media_type == "text/html" {
        return;
    }
    let schema = &content[media_type]["schema"];
    assert!(!schema.is_null(), "{asked}: {status} is not documented as {media_type:?}: {answer:?}");
    if media_type.ends_with("json") {
        let judge = published.judge(schema);
        let document = answer.json();
        let is_chosen = answer.status == 200 && query.split('&').any(|pair| pair.starts_with("fields="));
        let counts = |fault: &ValidationError<'_>| !(is_chosen && is_lack(fault));
        let faults: Vec<_> = judge
            .iter_errors(&document)
            .filter(counts)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{asked}: {status} is not as documented: {faults:#?} in {document}");
        if answer.status < 300 && !is_chosen {
            examples::offer(&format!("{asked} {status}"), &document, |example| judge.is_valid(example));
        }
    }
}

/// Whether the schema of an answer accepts a document that names no other members.
pub fn accepts(schema: &Value, document: &Value) -> bool {
    PUBLISHED.judge(schema).is_valid(document)
}

impl Published {
    /// The documented path that an address is of; a literal one before one with parameters.
    fn path(&self, address: &str) -> Option<String> {
        let address: Vec<_> = address.split('?').next().unwrap().split('/').collect();
        let fits = |path: &&String| {
            let steps: Vec<_> = path.split('/').collect();
            steps.len() == address.len()
                && steps.iter().zip(&address).all(|(step, sent)| step == sent || step.starts_with('{'))
        };
        let paths = self.document["paths"].as_object().unwrap().keys();
        paths.filter(fits).min_by_key(|path| path.matches('{').count()).cloned()
    }

    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        let reference = value["$ref"].as_str().map(|reference| reference.trim_start_matches('#'));
        reference.map_or(value, |pointer| self.document.pointer(pointer).unwrap())
    }

    fn judge(&self, schema: &Value) -> Arc<Validator> {
        let text = schema.to_string().replace("\"#/", &format!("\"{DOCUMENT}#/"));
        let mut judges = self.judges.lock().unwrap();
        if let Some(judge) = judges.get(&text) {
            return Arc::clone(judge);
        }
        let schema = serde_json::from_str(&text).unwrap();
        let options = jsonschema::options().offline().with_registry(&self.registry);
        let judge = Arc::new(options.build(&schema).unwrap());
        judges.insert(text, Arc::clone(&judge));
        judge
    }
}

/// Whether a member is missing, or none of several alternatives fits, as when a member of each is missing.
fn is_lack(fault: &ValidationError<'_>) -> bool {
    use ValidationErrorKind::{AnyOf, OneOfNotValid, Required};
    matches!(fault.kind(), Required { .. } | AnyOf { .. } | OneOfNotValid { .. })
}

/// Refuses members that are not named, unless the schema says what others may be.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members
                .get("properties")
                .is_some_and(|named| named.as_object().is_some_and(|named| !named.is_empty()))
                && !members.contains_key("additionalProperties")
            {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
            members.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
