//! What may stand in a page or a mail: display text made harmless, and links that can only lead to the web.

pub(super) use svc_core::text::clean;
use url::Url;

/// Longest name that a mail shows, in characters.
const LONGEST_MAIL_NAME: usize = 80;

/// A name for a mail, in which no mail program finds a link.
///
/// An attacker can register with another person's address and a name such as `evil.example/win`.
pub(super) fn mail_name(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut after_dot = false;
    for c in name.chars() {
        let c = if is_link_part(c) { ' ' } else { c };
        if after_dot && !c.is_whitespace() {
            plain.push(' ');
        }
        after_dot = is_dot(c);
        plain.push(c);
    }
    clean(&plain.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST_MAIL_NAME)
}

/// Whether `url` is an absolute web address, the only kind that an application may make us link to.
pub(super) fn is_web_url(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "https" | "http") && url.has_host())
}

/// Whether `url` may be the return address of an application: on the web, or of a scheme that no browser runs as a program.
pub(super) fn is_return_address(url: &str) -> bool {
    let runs = |scheme: &str| ["javascript", "data", "vbscript", "blob", "file", "about"].contains(&scheme);
    Url::parse(url).is_ok_and(|url| !runs(url.scheme()))
}

/// Whether `url` is a path of ours: `//host` and `/\host` leave the origin.
pub(super) fn is_local(url: &str) -> bool {
    let mut chars = url.chars();
    chars.next() == Some('/')
        && !matches!(chars.next(), Some('/' | '\\'))
        && !url.contains(|c: char| c.is_control())
}

/// Whether `url` may be the picture of a page.
pub(super) fn is_image_url(url: &str) -> bool {
    is_local(url) || (is_web_url(url) && url.starts_with("https:")) || is_image_data(url)
}

fn is_image_data(url: &str) -> bool {
    ["png", "jpeg", "webp", "gif", "svg+xml"]
        .iter()
        .any(|kind| url.strip_prefix("data:image/").is_some_and(|rest| rest.starts_with(kind)))
}

fn is_dot(c: char) -> bool {
    matches!(c, '.' | '。' | '．' | '｡' | '․')
}

fn is_link_part(c: char) -> bool {
    matches!(
        c,
        ':' | '/' | '\\' | '@' | '<' | '>' | '[' | ']' | '(' | ')' | '?' | '&' | '=' | '#' | '%' | '"'
    ) || matches!(c, '：' | '／' | '＠' | '∕' | '⁄' | '＜' | '＞')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_mail_cannot_be_read_as_a_link() {
        assert_eq!(mail_name("Win at https://evil.example/x?y"), "Win at https evil. example x y");
        assert_eq!(mail_name("www.evil.example\r\nBcc: a@b.c"), "www. evil. example Bcc a b. c");
        assert_eq!(mail_name("evil。example"), "evil。 example");
        assert_eq!(mail_name("J. R. O’Neil"), "J. R. O’Neil");
        assert!(mail_name(&"x".repeat(10_000)).chars().count() <= LONGEST_MAIL_NAME + 1);
    }

    #[test]
    fn only_the_web_is_linked() {
        for good in ["https://acme.example/terms", "http://localhost:3000/"] {
            assert!(is_web_url(good), "{good}");
        }
        for bad in
            ["javascript:alert(1)", "data:text/html,x", "//evil.example", "mailto:a@b", "", "vbscript:x"]
        {
            assert!(!is_web_url(bad), "{bad}");
        }
        for bad in ["//evil.example", "/\\evil.example", "x", "", "/a\nb"] {
            assert!(!is_local(bad), "{bad}");
        }
        for bad in ["javascript:alert(1)", " JavaScript:x", "data:text/html,x", "/a", ""] {
            assert!(!is_return_address(bad), "{bad}");
        }
        assert!(is_return_address("com.example.app:/cb") && is_return_address("https://app.example/cb"));
        assert!(!is_image_url("data:text/html,x") && !is_image_url("http://acme.example/logo.png"));
    }
}
