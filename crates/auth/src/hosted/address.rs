//! Addresses with parameters of ours in their query (RFC 3986 §3.4).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What RFC 3986 §2.3 leaves as it is; a space becomes `%20`, which every decoder understands.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Appends parameters to an address of an application, which may have a query of its own.
pub fn with_query<'a>(address: &str, fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut url = address.to_owned();
    for (name, value) in fields {
        let separator = match url.find('?') {
            None => "?",
            Some(_) if url.ends_with(['?', '&']) => "",
            Some(_) => "&",
        };
        url.push_str(separator);
        url.extend(utf8_percent_encode(name, ESCAPED));
        url.push('=');
        url.extend(utf8_percent_encode(value, ESCAPED));
    }
    url
}
