//! Redirect URIs: what may be registered, and when two are the same (RFC 6749 §3.1.2, RFC 8252 §7).

use url::Url;

use super::words::Kind;
use crate::web_uri::is_loopback;

/// Refuses what must not be redirected to: fragments, scripts, data, plain http outside loopback. `private_schemes` need
/// no dot.
pub(super) fn check(uri: &str, kind: Kind, private_schemes: &[String]) -> Result<(), &'static str> {
    let refused = |why| Err(why);
    if uri.len() > 2000 || !uri.bytes().all(|byte| byte.is_ascii_graphic()) || uri.contains('\\') {
        return refused("use at most 2000 printable ASCII characters without spaces or backslashes");
    }
    if uri.contains('*') {
        return refused(
            "addresses are compared character for character and * stands for nothing else; register each address",
        );
    }
    let Ok(url) = Url::parse(uri) else { return refused("give an absolute URI") };
    if uri.contains('#') {
        return refused("a fragment is not allowed");
    }
    // The parser passes over an empty user name and over missing slashes; a browser would take `https:host` for a path.
    let authority = authority(uri, url.scheme());
    if authority.is_some_and(|authority| authority.contains('@')) {
        return refused("a user name in the authority is not allowed");
    }
    match url.scheme() {
        "https" | "http" if authority.is_none_or(str::is_empty) => {
            refused("write the host after two slashes")
        }
        "https" => Ok(()),
        "http" if is_loopback(&url) => Ok(()),
        "http" => refused("use https; http is for loopback addresses only"),
        // A private-use scheme is a reversed domain name of the application's owner (RFC 8252 §7.1).
        scheme if kind == Kind::Native && scheme.contains('.') => Ok(()),
        scheme if kind == Kind::Native && private_schemes.iter().any(|known| known == scheme) => Ok(()),
        _ => refused("use https, or for native applications a scheme such as com.example.app"),
    }
}

/// What stands between the two slashes and the path.
fn authority<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    uri.get(scheme.len()..)?.strip_prefix("://")?.split(['/', '?']).next()
}

/// Whether both are the same loopback URI but for the port. `localhost` counts too: many programs register no other
/// name, and it leads nowhere else than the literal addresses.
pub(super) fn is_same_loopback(registered: &str, requested: &str) -> bool {
    let split = |uri: &str| {
        let rest = uri.strip_prefix("http://")?;
        let host = ["127.0.0.1", "[::1]", "localhost"].into_iter().find(|host| rest.starts_with(host))?;
        let rest = rest.get(host.len()..)?;
        let tail = match rest.strip_prefix(':') {
            Some(port_on) => port_on.trim_start_matches(|c: char| c.is_ascii_digit()),
            None => rest,
        };
        (tail.is_empty() || tail.starts_with('/') || tail.starts_with('?')).then(|| (host, tail.to_owned()))
    };
    let has_valid_port = Url::parse(requested).is_ok();
    has_valid_port && split(registered).is_some_and(|registered| split(requested) == Some(registered))
}

/// The host that an address belongs to; this machine has one, however it is written.
pub(super) fn sector_host(uri: &str) -> Option<String> {
    let url = Url::parse(uri).ok()?;
    if is_loopback(&url) {
        return Some("localhost".to_owned());
    }
    Some(url.host_str().filter(|host| !host.is_empty()).unwrap_or(url.scheme()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(uri: &str, kind: Kind) -> Result<(), &'static str> {
        check(uri, kind, &["cursor".to_owned()])
    }

    #[test]
    fn a_private_scheme_without_a_dot_is_for_native_applications_where_the_deployment_names_it() {
        assert!(checked("cursor://anysphere.cursor-mcp/oauth/callback", Kind::Native).is_ok());
        assert!(checked("cursor://anysphere.cursor-mcp/oauth/callback", Kind::Web).is_err());
        assert!(checked("vscode://vscode.github/cb", Kind::Native).is_err());
    }

    #[test]
    fn a_wildcard_is_refused_with_what_to_do_instead() {
        let error = checked("https://*.preview.example/cb", Kind::Web).unwrap_err();
        assert!(error.contains("register each address"), "{error}");
    }

    #[test]
    fn what_could_run_or_leak_is_never_registered() {
        let bad = [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "https://a.example/#x",
            "https://good@evil.example/",
            "https://@evil.example/",
            "https://:@evil.example/",
            "com.example.app://@evil.example/",
            "https:a.example/cb",
            "https:/a.example/cb",
            "https:///a.example/cb",
            "http:127.0.0.1/cb",
            "http://a.example/",
            "/relative",
            "https://a.example/ x",
            "https:\\\\a.example",
            "myapp:/x",
            "https://a.exämple/",
        ];
        for uri in bad {
            assert!(checked(uri, Kind::Web).is_err(), "{uri}");
            assert!(checked(uri, Kind::Native).is_err(), "{uri}");
        }
        for uri in [
            "https://a.example/cb?x=1",
            "http://localhost:3000/cb",
            "http://127.0.0.1/cb",
            "http://[::1]:9/cb",
        ] {
            assert!(checked(uri, Kind::Web).is_ok(), "{uri}");
        }
        assert!(checked("com.example.app:/cb", Kind::Native).is_ok());
    }

    #[test]
    fn a_loopback_matches_on_any_port_and_nothing_else_does() {
        assert!(is_same_loopback("http://127.0.0.1/cb", "http://127.0.0.1:5123/cb"));
        assert!(is_same_loopback("http://[::1]:1/cb", "http://[::1]:2/cb"));
        assert!(is_same_loopback("http://localhost/cb", "http://localhost:5123/cb"));
        assert!(!is_same_loopback("http://localhost/cb", "http://localhost.evil.example/cb"));
        for other in [
            "http://localhost:5123/cb",
            "http://127.0.0.1:5123/cb/",
            "http://127.0.0.1:5123/CB",
            "http://127.0.0.1:1@evil/cb",
            "https://127.0.0.1/cb",
            "http://127.0.0.1.evil/cb",
            "http://127.0.0.1:99999/cb",
            "http://127.0.0.10/cb",
        ] {
            assert!(!is_same_loopback("http://127.0.0.1/cb", other), "{other}");
        }
    }
}
