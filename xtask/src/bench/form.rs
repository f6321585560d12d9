//! Form encoding, and the little reading of a page that a scripted person needs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Name and value pairs as `application/x-www-form-urlencoded`.
pub fn encode<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let pairs = pairs.into_iter().map(|(name, value)| {
        format!("{}={}", utf8_percent_encode(name, UNRESERVED), utf8_percent_encode(value, UNRESERVED))
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// A parameter of a URL's query.
pub fn query_value(url: &str, name: &str) -> Option<String> {
    let (_, query) = url.split_once('?')?;
    let query = query.split('#').next()?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    Some(percent_decode_str(&value.replace('+', " ")).decode_utf8_lossy().into_owned())
}

/// The form of a page: where it goes and what it carries hidden.
pub struct PageForm {
    /// The `action` of the form, when it has one.
    pub action: Option<String>,
    /// The hidden inputs.
    pub hidden: Vec<(String, String)>,
    /// Whether it asks for a password.
    pub asks_password: bool,
}

impl PageForm {
    /// The first form of a page that is posted.
    pub fn find(page: &str) -> Option<Self> {
        let forms = page.split("<form").skip(1).map(|rest| rest.split("</form").next().unwrap_or(rest));
        forms.map(Self::read).find(|(method, _)| method.eq_ignore_ascii_case("post")).map(|(_, form)| form)
    }

    fn read(text: &str) -> (String, Self) {
        let head = text.split('>').next().unwrap_or_default();
        let inputs = text.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap_or(rest));
        let inputs: Vec<&str> = inputs.collect();
        let hidden = inputs.iter().filter(|input| attribute(input, "type").as_deref() == Some("hidden"));
        let hidden = hidden.filter_map(|input| {
            Some((attribute(input, "name")?, attribute(input, "value").unwrap_or_default()))
        });
        let form = Self {
            action: attribute(head, "action"),
            hidden: hidden.collect(),
            asks_password: inputs.iter().any(|input| attribute(input, "name").as_deref() == Some("password")),
        };
        (attribute(head, "method").unwrap_or_default(), form)
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}="))?;
    let quote = rest.chars().next()?;
    let value = match quote {
        '"' | '\'' => rest.get(1..)?.split(quote).next()?,
        _ => rest.split_whitespace().next()?,
    };
    Some(unescape(value))
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let Some((entity, tail)) = after.split_once(';').filter(|(entity, _)| entity.len() < 8) else {
            plain.push('&');
            rest = after;
            continue;
        };
        plain.push(character(entity).unwrap_or('\u{fffd}'));
        rest = tail;
    }
    plain + rest
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = entity.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_gives_its_action_and_hidden_fields_unescaped() {
        let page = r#"<form method="get" action="/search"></form><form method="post" action="/a?b=1&amp;c=2">
            <input type="hidden" name="flow" value="x&#x2f;y"><input name="password" type=password></form>"#;
        let form = PageForm::find(page).unwrap();
        assert_eq!(form.action.as_deref(), Some("/a?b=1&c=2"));
        assert_eq!(form.hidden, [("flow".to_owned(), "x/y".to_owned())]);
        assert!(form.asks_password);
    }

    #[test]
    fn a_query_value_is_decoded() {
        assert_eq!(query_value("http://x/cb?code=a%2Bb&state=s+t#f", "code").as_deref(), Some("a+b"));
        assert_eq!(query_value("http://x/cb?code=a&state=s+t#f", "state").as_deref(), Some("s t"));
        assert_eq!(query_value("http://x/cb", "code"), None);
    }

    #[test]
    fn pairs_are_encoded() {
        assert_eq!(encode([("scope", "openid profile"), ("a", "b&c")]), "scope=openid%20profile&a=b%26c");
    }
}
