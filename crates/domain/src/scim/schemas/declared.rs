//! What a declaration says: a URN, a name, and attributes with the characteristics of RFC 7643 §7.

use serde::{Deserialize, Serialize};
use svc_core::{ScimSchemaId, Timestamp};
use utoipa::ToSchema;

/// The type of a value (RFC 7643 §2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ScimAttributeType)]
pub enum AttributeType {
    /// A text.
    #[default]
    String,
    /// True or false.
    Boolean,
    /// A number.
    Decimal,
    /// A whole number.
    Integer,
    /// A time.
    DateTime,
    /// A URI.
    Reference,
    /// Bytes in base64.
    Binary,
    /// Several named values.
    Complex,
}

/// Who may give a value (RFC 7643 §7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ScimMutability)]
pub enum Mutability {
    /// No directory: what one sends is passed over.
    ReadOnly,
    /// A directory, at any time.
    #[default]
    ReadWrite,
    /// A directory, once.
    Immutable,
    /// A directory, at any time; it is never read.
    WriteOnly,
}

/// When an answer has the attribute (RFC 7643 §7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ScimReturned)]
pub enum Returned {
    /// Whatever is asked for.
    Always,
    /// Never.
    Never,
    /// Unless other attributes are asked for.
    #[default]
    Default,
    /// When it is asked for by name.
    Request,
}

/// Among whom a value is unique (RFC 7643 §7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ScimUniqueness)]
pub enum Uniqueness {
    /// It is not.
    #[default]
    None,
    /// Among the people of one directory.
    Server,
    /// Among the people of all directories of the tenant.
    Global,
}

/// The characteristics that attributes and their parts have alike.
macro_rules! declared {
    ($(#[$about:meta])* $name:ident { $($further:tt)* }) => {
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        $(#[$about])*
        pub struct $name {
            /// Its name: a letter, then letters, digits, `-`, `_` and `$`.
            #[schema(min_length = 1, max_length = 100)]
            pub name: String,
            /// What it means.
            #[serde(default)]
            #[schema(max_length = 500)]
            pub description: String,
            /// `string` unless given.
            #[serde(default, rename = "type")]
            pub kind: AttributeType,
            /// Whether it has several values.
            #[serde(default)]
            pub multi_valued: bool,
            /// Whether a person who has the extension must have it.
            #[serde(default)]
            pub required: bool,
            /// Whether case counts when texts are compared.
            #[serde(default)]
            pub case_exact: bool,
            /// `readWrite` unless given.
            #[serde(default)]
            pub mutability: Mutability,
            /// `default` unless given; `never` for what is `writeOnly`.
            #[serde(default)]
            pub returned: Returned,
            /// `none` unless given.
            #[serde(default)]
            pub uniqueness: Uniqueness,
            /// The only texts that it may be; any where none is given.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            #[schema(max_items = 100)]
            pub canonical_values: Vec<String>,
            /// To what a reference leads: `external`, `uri` or types of resources.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            #[schema(max_items = 10)]
            pub reference_types: Vec<String>,
            $($further)*
        }
    };
}

declared! {
    /// A part of an attribute of type `complex`.
    #[schema(as = ScimSubAttribute)]
    DeclaredPart {}
}

declared! {
    /// An attribute.
    #[schema(as = ScimAttribute)]
    DeclaredAttribute {
        /// The parts of an attribute of type `complex`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schema(max_items = 50)]
        pub sub_attributes: Vec<DeclaredPart>,
    }
}

impl DeclaredAttribute {
    /// The attribute without its parts.
    pub fn itself(&self) -> DeclaredPart {
        let Self { name, description, canonical_values, reference_types, .. } = self.clone();
        DeclaredPart {
            name,
            description,
            kind: self.kind,
            multi_valued: self.multi_valued,
            required: self.required,
            case_exact: self.case_exact,
            mutability: self.mutability,
            returned: self.returned,
            uniqueness: self.uniqueness,
            canonical_values,
            reference_types,
        }
    }
}

/// What a tenant chooses of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ScimSchemaUpdate, examples(json!({
    "name": "hr", "description": "What personnel says",
    "attributes": [{ "name": "badge", "type": "string", "uniqueness": "server" }, { "name": "level", "type": "integer" }]
})))]
pub struct SchemaContent {
    /// What it is called, also in `public_metadata` of the people who have it: a letter, then letters, digits, `-` and `_`.
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// What it is for.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub description: String,
    /// Its attributes.
    #[schema(min_items = 1, max_items = 100)]
    pub attributes: Vec<DeclaredAttribute>,
}

/// A schema that a tenant has declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScimSchema {
    /// Its id in this API.
    #[schema(value_type = String)]
    pub id: ScimSchemaId,
    /// Its id in SCIM, which does not change.
    pub urn: String,
    /// What it says.
    #[serde(flatten)]
    pub content: SchemaContent,
    /// When it was declared.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// Rises with every change.
    #[serde(skip)]
    pub version: i64,
}
