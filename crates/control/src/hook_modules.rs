//! `/api/v1/hook-modules`: WebAssembly modules that answer as hooks, in the service itself.

use serde::Deserialize;
use svc_core::{Error, HookModuleId, Result};
use svc_domain::hooks::{self, HookModule, NewModule};
use svc_http::{Created, IfMatch, Json, List, Listing, NoContent, Path, Problem, TenantCx, Versioned};
use svc_keys::from_base64;
use utoipa::ToSchema;

use crate::page::{NameFilter, Page, Position};
use crate::resource::Resource;
use crate::{record, unknown};

/// Most bytes of a module.
const MOST: usize = 1 << 20;
/// Most bytes of the body that has one.
const BODY: usize = MOST / 3 * 4 + 4096;
/// A module never changes.
const VERSION: i64 = 1;

/// A module to upload.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Members only", "module": "AGFzbQEAAAABDAJgAX8Bf2ACf38BfgMDAgABBQMBAAIHHgMGbWVtb3J5AgAIYWxsb2NhdGUAAAZkZWNpZGUAAQoTAgYAQYCABAsKAEKTgICAgIABCwsaAQBBgAgLE3sidmVyZGljdCI6ImFsbG93In0=" })))]
struct NewHookModule {
    /// What people call it, and files of `apply` name it by: no other module of the tenant has it.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The WebAssembly in base64, at most 1 MiB of it. It imports nothing; it exports `memory`, `allocate` and `decide`.
    #[schema(content_encoding = "base64", max_length = 1_398_104)]
    module: String,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("hook-modules", "Hooks")
        .named("hooks")
        .get("", "List the modules that hooks can name", list)
        .post_large("", "Upload a module that hooks can name", BODY, create)
        .get("{id}", "Read a module", read)
        .delete("{id}", "Delete a module that no hook names", delete)
}

async fn list(
    caller: TenantCx,
    Listing { filter, page }: Listing<Position<HookModuleId>, NameFilter>,
) -> Result<Json<List<HookModule>>, Problem> {
    let page = Page::of(page, filter.search.as_deref(), filter.sort)?;
    let all = hooks::list_modules(&mut caller.read().await?, Page::whole()).await?;
    let found = page.among(all, |module| (module.id, vec![module.name.as_str()]));
    let position = |module: &HookModule| page.position(module.id, &[&module.name]);
    Ok(Json(caller.page(found, page.limit(), position)?))
}

async fn create(caller: TenantCx, Json(new): Json<NewHookModule>) -> Result<Created<HookModule>, Problem> {
    let most = caller.app.config.hooks.max_modules;
    if most == 0 {
        return Err(Error::forbidden(
            "this deployment does not run modules of tenants; use a hook of kind `http`",
        )
        .into());
    }
    let bytes = from_base64(&new.module).ok_or_else(|| Error::bad_request("module: use base64"))?;
    if bytes.len() > MOST {
        return Err(Error::bad_request(format!("module: use at most {MOST} bytes")).into());
    }
    let mut tx = caller.begin().await?;
    let record = hooks::create_module(&mut tx, &caller, NewModule { name: &new.name, bytes, most }).await?;
    tx.commit().await?;
    Ok(Created { location: format!("{}/{}", caller.route, record.id), version: VERSION, record })
}

async fn read(caller: TenantCx, Path(id): Path<HookModuleId>) -> Result<Versioned<HookModule>, Problem> {
    let record = hooks::find_module(&mut caller.read().await?, id).await?.ok_or_else(unknown)?;
    Ok(Versioned { version: VERSION, record })
}

async fn delete(
    caller: TenantCx,
    Path(id): Path<HookModuleId>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = record::begin(&caller, &id).await?;
    hooks::delete_module(&mut tx, &caller, id).await?;
    if_match.check(held, VERSION)?;
    tx.commit().await?;
    Ok(NoContent)
}
