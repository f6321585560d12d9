//! Which values people have of declared attributes: by them values are unique, and a change that would break one is refused.

use serde_json::{Map, Number, Value};
use svc_core::{Class, Digest, Error, OrganizationId, Result, ScimSchemaId, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};
use svc_keys::digest;

use super::{AttributeType, DeclaredPart, Returned, SchemaContent, ScimSchema, Uniqueness};

/// What a person has of one schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The schema.
    pub schema: ScimSchemaId,
    /// The version of the schema that they were read by.
    pub version: i64,
    /// The id of the schema in SCIM.
    pub urn: String,
    /// Under what the values stand in the public metadata of the person.
    pub name: String,
    /// The values, as they are compared; empty where the person does not have the extension.
    pub stored: Vec<StoredValue>,
    /// The values that may be shown.
    pub shown: Map<String, Value>,
}

/// A value of an attribute, as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredValue {
    /// The attribute, or `attribute.part`, in lower case; empty for the extension itself.
    pub attribute: String,
    /// What the value is compared by.
    pub digest: Digest,
    /// Among whom it is unique.
    pub uniqueness: Uniqueness,
}

/// By what a value is compared.
pub fn digest_of(of: &DeclaredPart, value: &Value) -> Digest {
    match value {
        Value::String(text) if of.kind == AttributeType::DateTime => {
            let time: Option<Timestamp> = serde_json::from_value(value.clone()).ok();
            digest(&time.map_or_else(|| text.clone(), |time| time.to_string()))
        }
        Value::String(text) => digest(&of.folded(text)),
        Value::Number(number) => digest(&plain(number)),
        other => digest(&other.to_string()),
    }
}

/// A number as it is written without need: 5 and 5.0 are one.
fn plain(number: &Number) -> String {
    number
        .as_i64()
        .map(|whole| whole.to_string())
        .or_else(|| Some(number.as_f64()?.to_string()))
        .unwrap_or_default()
}

/// Keeps the schema as it is until the transaction ends. `conflict` where it has changed since it was read.
pub async fn hold(tx: &mut Tx<Tenant>, (schema, version): (ScimSchemaId, i64)) -> Result<()> {
    let hold = quiet_sql!(
        "holds a row",
        "UPDATE scim_schemas SET version = version WHERE tenant_id = $1 AND id = $2 AND version = $3"
    );
    if tx.execute(hold, args![schema, version]).await? == 0 {
        return Err(Error::conflict("the SCIM schema has changed meanwhile; send the request again"));
    }
    Ok(())
}

/// Makes a person's values of a schema these. `conflict` where another person has one that is unique.
pub async fn set(
    tx: &mut Tx<Tenant>,
    (organization, user): (OrganizationId, TenantUserId),
    values: &Values,
) -> Result<()> {
    hold(tx, (values.schema, values.version)).await?;
    let forget = quiet_sql!(
        "goes with the person, whose change is recorded",
        "DELETE FROM scim_user_values WHERE tenant_id = $1 AND organization_id = $2 AND user_id = $3 AND schema_id = $4"
    );
    tx.later(forget, args![organization, user, values.schema]);
    for value in &values.stored {
        let insert = quiet_sql!(
            "goes with the person, whose change is recorded",
            "INSERT INTO scim_user_values (tenant_id, schema_id, attribute_key, value_digest, organization_id, user_id, unique_within) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (tenant_id, schema_id, attribute_key, value_digest, organization_id, user_id) DO NOTHING"
        );
        let within = match value.uniqueness {
            Uniqueness::None => None,
            Uniqueness::Server => Some(organization.to_string()),
            Uniqueness::Global => Some(String::new()),
        };
        let is_unique = within.is_some();
        let arguments = args![values.schema, &value.attribute, value.digest, organization, user, within];
        if is_unique {
            tx.execute(insert, arguments)
                .await
                .map_err(|error| taken(error, &values.urn, &value.attribute))?;
        } else {
            tx.later(insert, arguments);
        }
    }
    Ok(())
}

fn taken(error: Error, urn: &str, attribute: &str) -> Error {
    if error.class() != Class::Conflict {
        return error;
    }
    error.if_taken(&format!("{urn}:{attribute}: another person has this value")).called("uniqueness")
}

/// How many people have a value of an attribute; of the extension where the attribute is empty.
pub async fn people_with(tx: &mut Tx<Tenant>, schema: ScimSchemaId, attribute: &str) -> Result<i64> {
    let count = sql!(
        "SELECT COUNT(DISTINCT user_id) AS people FROM scim_user_values \
         WHERE tenant_id = $1 AND schema_id = $2 AND attribute_key = $3"
    );
    tx.one(count, args![schema, attribute]).await?.int("people")
}

/// Refuses to change what people have values of.
pub(super) fn check_unused(people: i64, what: &str) -> Result<()> {
    if people > 0 {
        return Err(Error::conflict(format!(
            "{what}: {people} people have values of it; have their directories remove them first"
        )));
    }
    Ok(())
}

/// Refuses a change of a schema that would break a value, and makes values unique that now are.
pub(super) async fn fit(tx: &mut Tx<Tenant>, present: &ScimSchema, wanted: &SchemaContent) -> Result<()> {
    let people = people_with(tx, present.id, "").await?;
    if people == 0 {
        return Ok(());
    }
    if present.content.name != wanted.name {
        check_unused(people, "name")?;
    }
    let (before, after) = (flat(&present.content), flat(wanted));
    for (place, old) in &before {
        match after.iter().find(|(other, _)| other == place) {
            Some((_, new)) => fit_attribute(tx, present.id, (place, people), (old, new)).await?,
            None => check_unused(people_with(tx, present.id, place).await?, place)?,
        }
    }
    for (place, new) in after.iter().filter(|(place, _)| before.iter().all(|(other, _)| other != place)) {
        if new.required {
            check_required(tx, present.id, (place, people)).await?;
        }
    }
    Ok(())
}

/// The attributes and their parts, by what their values are stored under.
fn flat(content: &SchemaContent) -> Vec<(String, DeclaredPart)> {
    let mut all = Vec::new();
    for attribute in &content.attributes {
        let name = attribute.name.to_ascii_lowercase();
        let parts = attribute.sub_attributes.iter();
        let parts = parts.map(|part| (format!("{name}.{}", part.name.to_ascii_lowercase()), part.clone()));
        all.extend(parts);
        all.push((name, attribute.itself()));
    }
    all
}

async fn fit_attribute(
    tx: &mut Tx<Tenant>,
    schema: ScimSchemaId,
    (place, people): (&str, i64),
    (old, new): (&DeclaredPart, &DeclaredPart),
) -> Result<()> {
    let shape = |of: &DeclaredPart| {
        (of.name.clone(), of.kind, of.multi_valued, of.case_exact, of.returned == Returned::Never)
    };
    if shape(old) != shape(new) {
        check_unused(people_with(tx, schema, place).await?, place)?;
    }
    if new.required && !old.required {
        check_required(tx, schema, (place, people)).await?;
    }
    if !new.canonical_values.is_empty() && new.canonical_values != old.canonical_values {
        check_canonical(tx, schema, (place, new)).await?;
    }
    if new.uniqueness != old.uniqueness {
        make_unique(tx, schema, (place, new.uniqueness)).await?;
    }
    Ok(())
}

/// Refuses to require what people who have the extension lack. Whether each value of an attribute has a part is not known here.
async fn check_required(
    tx: &mut Tx<Tenant>,
    schema: ScimSchemaId,
    (place, people): (&str, i64),
) -> Result<()> {
    if let Some((attribute, _)) = place.split_once('.') {
        return check_unused(people_with(tx, schema, attribute).await?, &format!("{place}.required"));
    }
    let lacking = people - people_with(tx, schema, place).await?;
    if lacking > 0 {
        return Err(Error::conflict(format!(
            "{place}.required: {lacking} people with the extension lack it"
        )));
    }
    Ok(())
}

async fn check_canonical(
    tx: &mut Tx<Tenant>,
    schema: ScimSchemaId,
    (place, new): (&str, &DeclaredPart),
) -> Result<()> {
    let select = sql!(
        "SELECT DISTINCT value_digest FROM scim_user_values WHERE tenant_id = $1 AND schema_id = $2 AND attribute_key = $3 LIMIT $4"
    );
    let allowed: Vec<_> =
        new.canonical_values.iter().map(|value| digest_of(new, &Value::from(value.as_str()))).collect();
    let most = i64::try_from(allowed.len()).unwrap_or(i64::MAX).saturating_add(1);
    for row in tx.all(select, args![schema, place, most]).await? {
        if !allowed.contains(&row.digest("value_digest")?) {
            return Err(Error::conflict(format!(
                "{place}.canonical_values: people have other values; have their directories change them first"
            )));
        }
    }
    Ok(())
}

async fn make_unique(
    tx: &mut Tx<Tenant>,
    schema: ScimSchemaId,
    (place, uniqueness): (&str, Uniqueness),
) -> Result<()> {
    let update = quiet_sql!(
        "goes with the schema, whose change is recorded",
        "UPDATE scim_user_values SET unique_within = CASE $4 WHEN 'server' THEN organization_id WHEN 'global' THEN '' END \
         WHERE tenant_id = $1 AND schema_id = $2 AND attribute_key = $3"
    );
    let word = match uniqueness {
        Uniqueness::None => "none",
        Uniqueness::Server => "server",
        Uniqueness::Global => "global",
    };
    let twice = format!("{place}.uniqueness: several people have the same value");
    tx.execute(update, args![schema, place, word]).await.map_err(|error| error.if_taken(&twice)).map(|_| ())
}
