//! Examples of answers, kept next to the code: the document has one for each.

use serde_json::{Map, Value};
use svc_core::{OrInternal as _, Result};

use super::Description;

impl Description {
    /// The same with examples: a JSON object whose members are named by method, path and status, such as `get /api/v1/apis 200`.
    pub fn with_examples(mut self, examples: &str) -> Result<Self> {
        let examples: Map<String, Value> = serde_json::from_str(examples).or_internal()?;
        for operation in &mut self.operations {
            let name = format!("{} {}", operation.method, operation.path);
            let responses = operation.document["responses"].as_object_mut().into_iter().flatten();
            for (status, response) in responses {
                let Some(example) = examples.get(&format!("{name} {status}")) else { continue };
                let contents =
                    response.get_mut("content").and_then(Value::as_object_mut).into_iter().flatten();
                let of_json = contents.filter(|(media_type, _)| media_type.ends_with("json"));
                of_json.for_each(|(_, content)| content["example"] = example.clone());
            }
        }
        Ok(self)
    }
}
