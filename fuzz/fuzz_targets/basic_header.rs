//! Basic credentials (RFC 6749 §2.3.1): what is accepted survives being written and read again.
#![no_main]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::fuzz_target;
use svc_http::basic;
use url::form_urlencoded::byte_serialize;

fuzz_target!(|text: &str| {
    read(text);
    // The encoding would hide what is inside from the fuzzer.
    read(&format!("Basic {}", STANDARD.encode(text)));
});

fn read(header: &str) {
    let Some((name, secret)) = basic(header) else { return };
    assert!(header.len() <= 5000 && header[..6].eq_ignore_ascii_case("basic "));
    assert!(!name.contains('\0') && !secret.contains('\0'));
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let credentials = STANDARD.encode(format!("{}:{}", encoded(&name), encoded(&secret)));
    if credentials.len() <= 4096 {
        assert_eq!(basic(&format!("Basic {credentials}")), Some((name, secret)));
    }
}
