//! `/api/v1/scim-schemas`: extensions of the schema of people, which directories of organizations may use (RFC 7643 §3.3).

use serde::Deserialize;
use svc_core::{Cx, Error, Result, ScimSchemaId, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::lists::Order;
use svc_domain::people::tenant_users;
use svc_domain::scim::schemas::{self, DeclaredAttribute, SchemaContent, ScimSchema, Under};
use svc_http::TenantCx;
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;
use crate::scim::declared;

/// People of one look at what was said before the declaration.
const BATCH: u32 = 500;
/// Most people whose values a declaration takes over.
const MOST_ADOPTED: usize = 1000;

/// A new schema.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({
    "urn": "urn:example:params:scim:schemas:hr:2.0:User", "name": "hr", "description": "What personnel says",
    "attributes": [{ "name": "badge", "type": "string", "uniqueness": "server" }, { "name": "level", "type": "integer" }]
})))]
pub(crate) struct NewScimSchema {
    /// Its id in SCIM: a URN in a namespace of your own, which does not change.
    #[schema(min_length = 5, max_length = 200)]
    urn: String,
    /// What it is called, also in `public_metadata` of the people who have it: a letter, then letters, digits, `-` and `_`.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    /// What it is for.
    #[serde(default)]
    #[schema(max_length = 500)]
    description: String,
    /// Its attributes.
    #[schema(min_items = 1, max_items = 100)]
    attributes: Vec<DeclaredAttribute>,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only the one of this URN; the case of ASCII letters does not count.
    #[param(nullable = false)]
    urn: Option<String>,
    /// Only those whose name begins with this text, in the order of names; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by name.
    #[param(inline, nullable = false)]
    sort: Option<Order>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("scim-schemas", "SCIM schemas")
        .may_read("See which attributes of its own the tenant lets directories say")
        .may_write("Choose which attributes of its own the tenant lets directories say")
        .crud::<ScimSchema>()
}

impl Record for ScimSchema {
    const ONE: &'static str = "a SCIM schema";
    const MANY: &'static str = "SCIM schemas";

    type Stored = Self;
    type Id = ScimSchemaId;
    type Filter = Filter;
    type New = NewScimSchema;
    type Created = Self;
    type Change = SchemaContent;

    fn head(schema: &Self) -> (ScimSchemaId, i64) {
        (schema.id, schema.version)
    }

    fn present(schema: &Self) -> SchemaContent {
        schema.content.clone()
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(schema: &Self) -> Vec<&str> {
        vec![&schema.content.name]
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<ScimSchemaId>,
    ) -> Result<Vec<Self>> {
        let mut all = schemas::all(tx).await?;
        all.retain(|schema| filter.urn.as_ref().is_none_or(|urn| urn.eq_ignore_ascii_case(&schema.urn)));
        Ok(page.among(all, |schema| (schema.id, Self::names(schema))))
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: ScimSchemaId) -> Result<Option<Self>> {
        schemas::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewScimSchema) -> Result<(Self, Self)> {
        let NewScimSchema { urn, name, description, attributes } = new;
        let content = SchemaContent { name, description, attributes };
        let made = declare_scim_schema(tx, caller, &urn, content).await?;
        Ok((made.clone(), made))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        schema: Self,
        wanted: SchemaContent,
    ) -> Result<()> {
        schemas::update(tx, caller, &schema, &wanted).await
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, schema: Self) -> Result<()> {
        schemas::delete(tx, caller, &schema).await
    }
}

/// Declares a schema, with what directories have said under its URN already. `conflict` where that does not fit.
pub async fn declare_scim_schema(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    urn: &str,
    content: SchemaContent,
) -> Result<ScimSchema> {
    let made = schemas::create(tx, cx, urn, content).await?;
    adopt(cx, tx, &made).await?;
    Ok(made)
}

async fn adopt(cx: &Cx, tx: &mut Tx<Tenant>, schema: &ScimSchema) -> Result<()> {
    let (mut cursor, mut adopted) = (None, 0);
    loop {
        let (found, next) = schemas::stored_under(tx, &schema.urn, (cursor, BATCH)).await?;
        adopted += found.len();
        if adopted > MOST_ADOPTED {
            return Err(Error::conflict(format!(
                "urn: more than {MOST_ADOPTED} people have values under it; have their directories remove them first"
            )));
        }
        for said in found {
            take_over(cx, tx, schema, said).await?;
        }
        match next {
            Some(_) => cursor = next,
            None => return Ok(()),
        }
    }
}

async fn take_over(
    cx: &Cx,
    tx: &mut Tx<Tenant>,
    schema: &ScimSchema,
    Under { organization, user, values }: Under,
) -> Result<()> {
    let values = declared::adopted(schema, values).map_err(|error| misfit(user, &error))?;
    if values.stored.is_empty() {
        return Ok(());
    }
    schemas::set(tx, (organization, user), &values).await.map_err(|error| misfit(user, &error))?;
    let Some(person) = tenant_users::find(tx, user).await?.filter(|_| !values.shown.is_empty()) else {
        return Ok(());
    };
    let mut metadata = person.metadata.clone();
    metadata.public.insert(values.name, values.shown.into());
    tenant_users::set_metadata(tx, cx, user, (&person.metadata, &metadata)).await.map(|_| ())
}

/// What a directory has said does not fit: the declaration is refused, and names the person.
fn misfit(user: TenantUserId, error: &Error) -> Error {
    Error::conflict(format!(
        "attributes: what the directory has said of {user} does not fit: {}",
        error.detail()
    ))
}
