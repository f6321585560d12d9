//! Types of events as JSON Schema (2020-12) with an example, made of their members.

use serde_json::{Map, Value, json};

use crate::events::{Described, Member};
use crate::id::prefix;

impl Described {
    /// The schema of a whole event of this type. A later version may add members.
    pub fn schema(&self) -> Value {
        let members = self.members.iter().map(|member| (member.name.to_owned(), member.schema()));
        let required: Vec<_> =
            self.members.iter().filter(|member| !member.may_be_absent).map(|member| member.name).collect();
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.name,
            "description": self.about.trim(),
            "type": "object",
            "properties": {
                "id": { "type": "string", "pattern": "^evt_[0-9a-z]{26}$" },
                "type": { "const": self.name },
                "api_version": { "const": "v1" },
                "created_at": { "type": "string", "format": "date-time" },
                "tenant_id": { "type": "string", "pattern": "^tnt_[0-9a-z]{26}$" },
                "data": {
                    "type": "object",
                    "properties": members.collect::<Map<_, _>>(),
                    "required": required,
                },
            },
            "required": ["id", "type", "api_version", "created_at", "tenant_id", "data"],
        })
    }

    /// An event of this type.
    pub fn example(&self) -> Value {
        let members = self.members.iter().map(|member| (member.name.to_owned(), member.example()));
        json!({
            "id": example_id("evt"),
            "type": self.name,
            "api_version": "v1",
            "created_at": AT,
            "tenant_id": example_id("tnt"),
            "data": members.collect::<Map<_, _>>(),
        })
    }
}

const AT: &str = "2026-11-22T20:15:00Z";

impl Member {
    /// The name of its type, and whether it may be null.
    fn kind(&self) -> (String, bool) {
        let name = self.type_name.replace(' ', "");
        match name.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')) {
            Some(inner) => (inner.to_owned(), !self.may_be_absent),
            None => (name, false),
        }
    }

    fn schema(&self) -> Value {
        let (kind, may_be_null) = self.kind();
        let mut schema = match (kind.as_str(), prefix(&kind)) {
            ("bool", _) => json!({ "type": "boolean" }),
            ("i64" | "u64" | "u32", _) => json!({ "type": "integer" }),
            ("Vec<String>", _) => json!({ "type": "array", "items": { "type": "string" } }),
            ("Vec<Value>", _) => json!({ "type": "array", "items": { "type": "object" } }),
            ("Value", _) => json!({ "type": "object" }),
            ("Timestamp", _) => json!({ "type": "string", "format": "date-time" }),
            (_, Some(prefix)) => json!({ "type": "string", "pattern": format!("^{prefix}_[0-9a-z]{{26}}$") }),
            _ => json!({ "type": "string" }),
        };
        if let Some(members) = schema.as_object_mut() {
            if may_be_null {
                let present = members.remove("type").unwrap_or_default();
                members.insert("type".to_owned(), json!([present, "null"]));
            }
            members.insert("description".to_owned(), json!(self.about.trim()));
        }
        schema
    }

    fn example(&self) -> Value {
        let (kind, _) = self.kind();
        match (kind.as_str(), prefix(&kind)) {
            ("bool", _) => json!(true),
            ("i64" | "u64" | "u32", _) => json!(1),
            ("Vec<String>", _) if self.name == "amr" => json!(["pwd"]),
            ("Vec<String>", _) => json!(["admin"]),
            ("Vec<Value>", _) => json!([{ "api": "https://api.example", "scopes": ["notes:read"] }]),
            ("Value", _) => json!({}),
            ("Timestamp", _) => json!(AT),
            (_, Some(prefix)) => json!(example_id(prefix)),
            _ => json!(self.example_text()),
        }
    }

    fn example_text(&self) -> &'static str {
        match self.name {
            "sub" => "0f3c1a1e7b5d4c8e",
            "method" => "password",
            "reason" => "credentials",
            "aud" => "https://api.example",
            "scope" => "openid profile",
            "grant_type" => "authorization_code",
            "kid" => "ES256-2026-11",
            "algorithm" => "ES256",
            "slug" => "acme",
            "username" => "ada",
            "key" => "privacy",
            "label" => "2026-12",
            "language" => "en",
            "custom_domain" => "id.acme.example",
            "name" => "Acme",
            "point" => "pre_token",
            "kind" => "passkey",
            _ => "text",
        }
    }
}

fn example_id(prefix: &str) -> String {
    format!("{prefix}_01jcqzv7y0e8kstk6yq6k3a4mf")
}

#[cfg(test)]
mod tests {
    use crate::events::catalogue;

    use super::*;

    #[test]
    fn ids_have_the_pattern_of_their_kind_and_what_may_be_null_says_so() {
        let of = |name: &str| catalogue().find(|event| event.name == name).unwrap();
        let failure = of("auth.login.failure").schema();
        let members = &failure["properties"]["data"]["properties"];
        assert_eq!(members["tenant_user_id"]["pattern"], "^usr_[0-9a-z]{26}$");
        assert_eq!(members["tenant_user_id"]["type"], json!(["string", "null"]));
        let issued = of("auth.token.issued").schema();
        assert_eq!(
            issued["properties"]["data"]["required"],
            json!(["client_id", "sub", "aud", "grant_type"])
        );
    }

    #[test]
    fn every_type_that_names_an_id_has_its_prefix() {
        for member in catalogue().flat_map(|event| event.members) {
            let (kind, _) = member.kind();
            assert_eq!(kind.ends_with("Id"), prefix(&kind).is_some(), "{kind}");
        }
    }
}
