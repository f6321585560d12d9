//! Forms and queries: what is accepted reads as the WHATWG's reader reads it, has each name once, and survives being
//! written and read again.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use svc_http::Params;
use url::form_urlencoded::{Serializer, parse};

fuzz_target!(|bytes: &[u8]| {
    let Ok(params) = Params::parse_form(bytes) else { return };
    let pairs: Vec<(&str, &str)> = params.iter().collect();
    let usual: Vec<_> = parse(bytes).collect();
    assert_eq!(pairs, usual.iter().map(|(name, value)| (&**name, &**value)).collect::<Vec<_>>());

    let names: HashSet<&str> = pairs.iter().map(|(name, _)| *name).collect();
    assert!(names.len() == pairs.len() && pairs.len() <= 100);
    assert!(!pairs.iter().any(|(name, value)| name.contains('\0') || value.contains('\0')));
    for (name, value) in &pairs {
        assert!(params.has(name));
        assert_eq!(params.one(name), Some(*value).filter(|value| !value.is_empty()));
    }

    let written = Serializer::new(String::new()).extend_pairs(&pairs).finish();
    assert_eq!(Params::parse(&written).expect("what we write can be read"), params);
});
