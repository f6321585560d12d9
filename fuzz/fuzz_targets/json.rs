//! The strict JSON reader compared with serde_json: it reads the same, and refuses more only for the reasons that it has.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use svc_core::json::{DEEPEST, object, parse};

fuzz_target!(|bytes: &[u8]| {
    let usual = serde_json::from_slice::<Value>(bytes);
    match (parse(bytes, DEEPEST), usual) {
        (Ok(strict), usual) => {
            assert_eq!(Some(&strict), usual.ok().as_ref());
            let seen = Seen::of(bytes);
            assert!(!seen.nul && seen.deepest <= DEEPEST);
            assert_eq!(seen.members, members(&strict), "no member is there twice");
            assert_eq!(object(bytes, DEEPEST).ok().map(Value::Object), Some(strict).filter(Value::is_object));
        }
        (Err(error), Ok(usual)) => {
            let seen = Seen::of(bytes);
            let repeats = seen.members > members(&usual);
            assert!(seen.nul || seen.deepest > DEEPEST || repeats, "refused without need: {error}");
        }
        (Err(_), Err(_)) => {}
    }
});

/// What a text has in it, counted without reading its values.
#[derive(Default)]
struct Seen {
    members: usize,
    deepest: usize,
    nul: bool,
}

impl Seen {
    /// Looks at text that is JSON.
    fn of(bytes: &[u8]) -> Self {
        let (mut seen, mut depth, mut in_text) = (Self::default(), 0, false);
        let mut rest = bytes;
        while let Some((byte, after)) = rest.split_first() {
            rest = after;
            match (in_text, byte) {
                (true, b'\\') => {
                    seen.nul |= after.starts_with(b"u0000");
                    rest = &after[1..];
                }
                (_, b'"') => in_text = !in_text,
                (false, b':') => seen.members += 1,
                (false, b'[' | b'{') => {
                    depth += 1;
                    seen.deepest = seen.deepest.max(depth);
                }
                (false, b']' | b'}') => depth -= 1,
                _ => {}
            }
        }
        seen
    }
}

fn members(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(members).sum(),
        Value::Object(map) => map.len() + map.values().map(members).sum::<usize>(),
        _ => 0,
    }
}
