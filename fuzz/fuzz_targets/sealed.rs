//! What browsers carry for us (sign-in flows, cursors, nonces): it opens as it was sealed, or not at all.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use svc_core::{Actor, Cx, SeededEntropy};
use svc_fuzz::NOW;
use svc_keys::{Keyring, Purpose, base64url, from_base64url};

static KEYRING: LazyLock<Keyring> = LazyLock::new(|| Keyring::ephemeral(&SeededEntropy::new(7), NOW));

fuzz_target!(|bytes: &[u8]| {
    let forms = KEYRING.sealer(Purpose::Forms);
    assert_eq!(forms.open(&["context"], bytes), None, "it was never sealed");
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Some(sealed) = from_base64url(text)
    {
        assert_eq!(base64url(&sealed), text, "no two texts mean the same");
        assert_eq!(forms.open(&["context"], &sealed), None, "it was never sealed");
    }

    let mut sealed = forms.seal(&["context"], bytes, &cx()).expect("everything can be sealed");
    assert_eq!(forms.open(&["context"], &sealed).as_deref(), Some(bytes));
    assert_eq!(forms.open(&["another"], &sealed), None);
    assert_eq!(KEYRING.sealer(Purpose::Cursors).open(&["context"], &sealed), None);
    let at = bytes.iter().fold(0, |sum, byte| (sum * 31 + usize::from(*byte)) & 0xffff) % sealed.len();
    assert_eq!(forms.open(&["context"], &sealed[..at]), None);
    sealed[at] ^= 1 << (at % 8);
    assert_eq!(forms.open(&["context"], &sealed), None);
});

fn cx() -> Cx {
    let entropy = Arc::new(SeededEntropy::new(1));
    Cx { now: NOW, entropy, actor: Actor::System("fuzz"), request_id: "fuzz".to_owned(), client_ip: None }
}
