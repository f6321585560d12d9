//! The TOML layer: flattens a document into dotted keys, each with its line.

use toml::Value;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, Source};
use super::reader::{Given, Layers, Raw};

/// Reads `text`; `path` is how faults name the file. Every mistake of the notation becomes a fault.
pub fn read(path: &str, text: &str, layers: &mut Layers) -> Vec<Fault> {
    let (document, errors) = DeTable::parse_recoverable(text);
    let here = |at: usize| Source::File(path.to_owned(), Some(line(text, at)));
    // The parser's own rendering quotes the line, which may hold a secret: only its message is passed on.
    let faults: Vec<_> = errors
        .iter()
        .map(|error| {
            let fault = Fault::new(path, error.message(), "mend the TOML");
            fault.from(error.span().map_or(Source::File(path.to_owned(), None), |span| here(span.start)))
        })
        .collect();
    if faults.is_empty() {
        flatten("", document.get_ref(), &here, layers);
    }
    faults
}

fn flatten(prefix: &str, table: &DeTable<'_>, here: &dyn Fn(usize) -> Source, layers: &mut Layers) {
    for (key, value) in table {
        let name = key.get_ref();
        let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => flatten(&path, inner, here, layers),
            value => {
                let given = Given { raw: Raw::Toml(plain(value)), source: here(key.span().start) };
                layers.insert(path, given);
            }
        }
    }
}

fn plain(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Value::String(number.to_string()), Value::Integer),
        DeValue::Float(number) => number.as_str().parse().map_or(Value::Float(f64::NAN), Value::Float),
        DeValue::Boolean(flag) => Value::Boolean(*flag),
        DeValue::Datetime(time) => Value::Datetime(*time),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| plain(item.get_ref())).collect()),
        DeValue::Table(table) => Value::Table(
            table.iter().map(|(key, value)| (key.get_ref().to_string(), plain(value.get_ref()))).collect(),
        ),
    }
}

fn line(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_dotted_keys_with_their_lines() {
        let mut layers = Layers::new();
        let text =
            "[server]\nport = 0x50\n\n[server.tls]\ncert_pem_path = \"a\"\n[[chains]]\nname = \"x\"\n[kms]\n";
        assert_eq!(read("svc.toml", text, &mut layers), []);
        let keys: Vec<_> = layers.iter().map(|(key, given)| format!("{key} {}", given.source)).collect();
        assert_eq!(
            keys,
            [
                "chains svc.toml:6",
                "kms svc.toml:8",
                "server.port svc.toml:2",
                "server.tls.cert_pem_path svc.toml:5"
            ]
        );
        assert!(matches!(layers["server.port"].raw, Raw::Toml(Value::Integer(80))));
    }

    #[test]
    fn mistakes_of_the_notation_are_all_told_and_never_quote_the_line() {
        let text = "[captcha]\nsecret_key = \"hunter2\n[server]\nport = \nport = 1 2\n";
        let faults = read("svc.toml", text, &mut Layers::new());
        assert!(faults.len() >= 2, "{faults:?}");
        for fault in faults {
            assert!(fault.to_string().contains("svc.toml:"), "{fault}");
            assert!(!fault.to_string().contains("hunter2"), "{fault}");
        }
    }
}
