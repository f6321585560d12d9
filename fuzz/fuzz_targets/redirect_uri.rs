//! Redirect URIs compared with the WHATWG's parser: what may be registered has no disguise, and what matches a registered
//! one leads to the same place (RFC 6749 §3.1.2, RFC 8252 §7.3).
//!
//! An input is the registered URI, a line feed and the requested one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_core::SeededEntropy;
use svc_domain::apps::{App, Configuration, Kind, Rules};
use svc_fuzz::NOW;
use url::Url;

fuzz_target!(|text: &str| {
    let (registered, requested) = text.split_once('\n').unwrap_or((text, text));
    let rules = Rules::default();
    for kind in [Kind::Web, Kind::Native] {
        let app = app(kind, registered);
        if rules.check_redirect_uris(&app.configuration).is_err() {
            continue;
        }
        let place = undisguised(registered);
        assert!(app.owns_redirect_uri(registered));
        if app.owns_redirect_uri(requested) {
            let other = undisguised(requested);
            assert_eq!(without_port(&place), without_port(&other));
            assert!(place.port() == other.port() || (kind == Kind::Native && is_loopback(&place)));
        }
    }
});

/// The address, which cannot be read in two ways.
fn undisguised(uri: &str) -> Url {
    let url = Url::parse(uri).expect("an accepted URI is absolute");
    let authority =
        uri[url.scheme().len()..].strip_prefix("://").and_then(|rest| rest.split(['/', '?']).next());
    assert!(!authority.is_some_and(|authority| authority.contains('@')), "{uri}");
    assert!(url.username().is_empty() && url.password().is_none(), "{uri}");
    assert!(!uri.contains(['\\', '#', ' ', '\0']) && url.fragment().is_none(), "{uri}");
    let is_web = matches!(url.scheme(), "http" | "https");
    assert!(url.scheme() == "https" || is_loopback(&url) || url.scheme().contains('.'), "{uri}");
    assert!(!is_web || url.has_host(), "{uri}");
    // A browser reads a `Location` in the light of the address that sent it.
    for base in ["https://issuer.example/oauth/authorize", "http://localhost:8080/oauth/authorize"] {
        assert_eq!(Url::parse(base).and_then(|base| base.join(uri)).as_ref(), Ok(&url), "{uri}");
    }
    url
}

fn without_port(url: &Url) -> Url {
    let mut url = url.clone();
    let _ = url.set_port(None);
    url
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    url.scheme() == "http"
        && (host.starts_with("127.")
            || host == "[::1]"
            || host == "localhost"
            || host.ends_with(".localhost"))
}

fn app(kind: Kind, redirect_uri: &str) -> App {
    App {
        id: svc_core::Id::new(NOW, &SeededEntropy::new(1)),
        handle: "app".to_owned(),
        enabled: true,
        secret_digest: None,
        former_secret: None,
        configuration: Configuration {
            kind,
            redirect_uris: vec![redirect_uri.to_owned()],
            ..Configuration::default()
        },
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}
