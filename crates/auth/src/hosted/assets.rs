//! Stylesheet and script of the hosted pages, at addresses that change with their content.

use svc_core::Error;
use svc_http::{Path, PlainCx, Problem, Route, Routes, StaticDocument};

use crate::pages::asset;

/// The route of the assets.
pub fn routes() -> Routes {
    let why = "the same bytes for all";
    Routes::new([Route::get("/auth/assets/{name}").deployment(why, serve).undocumented()])
}

async fn serve(_cx: PlainCx, Path(name): Path<String>) -> Result<StaticDocument, Problem> {
    let asset = asset(&name).ok_or_else(|| Error::not_found("there is no such asset"))?;
    Ok(StaticDocument::asset(asset.bytes.into_owned(), asset.content_type))
}
