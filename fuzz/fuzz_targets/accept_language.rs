//! The language of a page (RFC 4647 §3.4): whatever a browser sends, it is one that there is.
//!
//! An input is `ui_locales`, a line feed and `Accept-Language`.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use svc_auth::pages::Pages;

static PAGES: LazyLock<Pages> = LazyLock::new(|| Pages::load(None, "en", &[]).unwrap());
static OFFERED: LazyLock<Vec<String>> = LazyLock::new(|| PAGES.locales());

fuzz_target!(|text: &str| {
    let (wanted, accepted) = text.split_once('\n').unwrap_or(("", text));
    let chosen = PAGES.negotiate(Some(wanted), Some(accepted));
    assert!(OFFERED.iter().any(|offered| offered == chosen.as_str()), "{chosen} is not offered");
    assert!(matches!(chosen.dir(), "ltr" | "rtl"));
    // The application's own choice stands above the browser's.
    let first = wanted.split_ascii_whitespace().next();
    if let Some(offered) =
        first.filter(|first| wanted.len() <= 1024 && OFFERED.iter().any(|offered| offered == first))
    {
        assert_eq!(chosen.as_str(), offered);
    }
});
