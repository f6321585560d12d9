//! The stylesheet, script and icon of the pages, named by the hash of their bytes (RFC 8246); the stylesheet is minified at
//! the first use.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use rust_embed::Embed;
use svc_keys::{base64url, digest};

/// Where [`asset`] is served: the route is `{PREFIX}{name}`.
pub const PREFIX: &str = "/auth/assets/";

/// One static file; it may be cached for ever, because its name changes with its bytes.
#[derive(Clone, Debug)]
pub struct Asset {
    /// The content.
    pub bytes: Cow<'static, [u8]>,
    /// `Content-Type`.
    pub content_type: &'static str,
    /// `ETag`, with its quotes.
    pub etag: String,
}

#[derive(Embed)]
#[folder = "assets/"]
struct Files;

static ASSETS: LazyLock<BTreeMap<String, Asset>> =
    LazyLock::new(|| Files::iter().filter_map(|name| entries(&name)).flatten().collect());
static URLS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let plain =
        |hashed: &str| Some((hashed.get(..hashed.rfind('-')?)?.to_owned(), format!("{PREFIX}{hashed}")));
    ASSETS.keys().filter_map(|hashed| plain(hashed)).collect()
});

/// The file behind a path such as `/auth/assets/style-0123456789ab.css`, with or without the prefix.
pub fn asset(path: &str) -> Option<Asset> {
    ASSETS.get(path.strip_prefix(PREFIX).unwrap_or(path)).cloned()
}

/// The path of the file whose name starts with `stem`: `style`, `svc` or `icon`.
pub fn url(stem: &str) -> Option<&'static str> {
    URLS.get(stem).map(String::as_str)
}

/// `style` as it looks on a light or on a dark screen, whatever the screen is.
pub fn style_url(is_dark: bool) -> &'static str {
    url(if is_dark { "style-dark" } else { "style-light" }).unwrap_or_default()
}

/// Styles, or a document with styles, that look as on a light or on a dark screen.
pub fn in_scheme(text: &str, is_dark: bool) -> String {
    let (scheme, is_met) = if is_dark { ("dark", " all") } else { ("light", " not all") };
    let text = text.replace("(prefers-color-scheme: dark)", is_met);
    let text = text.replace("(prefers-color-scheme:dark)", is_met);
    let settled = format!("color-scheme:{scheme}");
    text.replace("color-scheme: light dark", &settled).replace("color-scheme:light dark", &settled)
}

fn entries(name: &str) -> Option<Vec<(String, Asset)>> {
    let file = Files::get(name)?;
    let (stem, extension) = name.rsplit_once('.')?;
    let text = std::str::from_utf8(&file.data).ok()?;
    match extension {
        "css" => {
            let css = minifier::css::minify(text).ok()?.to_string();
            let schemes = [("light", false), ("dark", true)];
            let mut all = vec![(stem.to_owned(), css.clone())];
            all.extend(
                schemes.map(|(scheme, is_dark)| (format!("{stem}-{scheme}"), in_scheme(&css, is_dark))),
            );
            let css = all.into_iter().map(|(stem, css)| {
                entry(&stem, extension, "text/css; charset=utf-8", css.into_bytes().into())
            });
            css.collect()
        }
        "js" => Some(vec![entry(stem, extension, "text/javascript; charset=utf-8", file.data)?]),
        "svg" => Some(vec![entry(stem, extension, "image/svg+xml", file.data)?]),
        _ => None,
    }
}

fn entry(
    stem: &str,
    extension: &str,
    content_type: &'static str,
    bytes: Cow<'static, [u8]>,
) -> Option<(String, Asset)> {
    let hash: String = base64url(digest(std::str::from_utf8(&bytes).ok()?).0).chars().take(12).collect();
    let hash = hash.replace(['-', '_'], "x");
    let etag = format!("\"{hash}\"");
    Some((format!("{stem}-{hash}.{extension}"), Asset { bytes, content_type, etag }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_asset_has_a_url_that_serves_it() {
        for stem in ["style", "svc", "captcha", "icon"] {
            let url = url(stem).unwrap();
            assert!(!asset(url).unwrap().bytes.is_empty(), "{url}");
        }
    }

    #[test]
    fn the_stylesheet_is_minified_and_says_the_same() {
        let style = asset(url("style").unwrap()).unwrap();
        let text = std::str::from_utf8(&style.bytes).unwrap();
        assert!(!text.contains('\n') && !text.contains("/*"), "{text}");
        for kept in ["calc(var(--radius) - 2px)", "color-mix(in srgb,var(--accent-ink) 8%,var(--surface))"] {
            assert!(text.contains(kept), "{kept}");
        }
    }

    #[test]
    fn only_exact_names_are_served() {
        for path in ["style.css", "/auth/assets/", "/auth/assets/../style.css", "../Cargo.toml", ""] {
            assert!(asset(path).is_none(), "{path}");
        }
    }

    #[test]
    fn nothing_is_loaded_from_outside() {
        for asset in ASSETS.values() {
            let text = std::str::from_utf8(&asset.bytes).unwrap().replace("http://www.w3.org/2000/svg", "");
            for outside in ["http:", "https:", "//cdn", "@import", "url("] {
                assert!(!text.contains(outside), "{outside}");
            }
        }
    }
}
