//! Error messages of SCIM (RFC 7644 §3.12).

use serde::Serialize;
use svc_core::Error;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    schemas: [&'static str; 1],
    /// A string, as the standard has it.
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    scim_type: Option<&'static str>,
    detail: &'a str,
}

/// The document of an error, as answers have it by itself or among the outcomes of many operations.
pub fn scim_error(error: &Error) -> impl Serialize + '_ {
    Document {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: error.class().status().to_string(),
        scim_type: error.word(),
        detail: error.detail(),
    }
}

/// The same as a body.
pub(super) fn document(error: &Error) -> Vec<u8> {
    serde_json::to_vec(&scim_error(error)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_the_members_of_the_standard() {
        let error = Error::bad_request("filter: expected an attribute").called("invalidFilter");
        assert_eq!(
            String::from_utf8(document(&error)).unwrap(),
            r#"{"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"status":"400","scimType":"invalidFilter","detail":"filter: expected an attribute"}"#
        );
    }
}
