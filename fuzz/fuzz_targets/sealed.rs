//! What browsers carry for us (sign-in flows, cursors, nonces): it opens as it was sealed, or not at all.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use svc_core::SeededEntropy;
use svc_keys::{SealingKey, base64url, from_base64url};

static KEY: LazyLock<SealingKey> = LazyLock::new(|| SealingKey::from_bytes([7; 32]));

fuzz_target!(|bytes: &[u8]| {
    assert_eq!(KEY.open(b"context", bytes), None, "nobody has sealed it");
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Some(sealed) = from_base64url(text)
    {
        assert_eq!(base64url(&sealed), text, "no two texts mean the same");
        assert_eq!(KEY.open(b"context", &sealed), None, "nobody has sealed it");
    }

    let mut sealed = KEY.seal(b"context", bytes, &SeededEntropy::new(1)).expect("everything can be sealed");
    assert_eq!(KEY.open(b"context", &sealed).as_deref(), Some(bytes));
    assert_eq!(KEY.open(b"another", &sealed), None);
    assert_eq!(KEY.derive("purpose").open(b"context", &sealed), None);
    let at = bytes.iter().fold(0, |sum, byte| sum * 31 + usize::from(*byte) & 0xffff) % sealed.len();
    assert_eq!(KEY.open(b"context", &sealed[..at]), None);
    sealed[at] ^= 1 << (at % 8);
    assert_eq!(KEY.open(b"context", &sealed), None);
});
