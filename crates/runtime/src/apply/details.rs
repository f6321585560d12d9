//! Schemas of authorization details in a file: tables, or texts in JSON where TOML cannot hold them.

use serde_json::{Map, Value};
use svc_domain::apis::Configuration;
use toml::Spanned;
use toml::de::DeValue;

use super::reader::{Place, Reader};

/// A schema for each type of an API, where the file has a text of it.
pub(super) type Schemas = Vec<Option<Map<String, Value>>>;

/// Takes the schemas that are texts out of the table of an API.
pub(super) fn taken(reader: &mut Reader<'_>, place: &mut Place<'_>) -> Schemas {
    let types = place.table.get_mut("authorization_details_types").map(Spanned::get_mut);
    let Some(DeValue::Array(types)) = types else { return Vec::new() };
    let schemas = types.iter_mut().map(|of| match of.get_mut() {
        DeValue::Table(of) => reader.json((of, &place.name), "schema"),
        _ => None,
    });
    schemas.collect()
}

/// Gives the types of the API that was read the schemas that were taken out of its table.
pub(super) fn put_back(configuration: &mut Configuration, schemas: Schemas) {
    for (of, schema) in configuration.authorization_details_types.iter_mut().zip(schemas) {
        if let Some(schema) = schema {
            of.schema = schema.into();
        }
    }
}
