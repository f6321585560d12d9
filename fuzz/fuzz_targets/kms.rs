//! What comes through the socket of `svc-kms`: it reads as messages, which are written as they were read, or not at all.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use svc_keys::kms::{Call, Frame, LONGEST, Reply, read, write};
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));

fuzz_target!(|bytes: &[u8]| {
    RUNTIME.block_on(async {
        let mut from = bytes;
        while let Ok(Some(Call(number, request))) = read(&mut from).await {
            let mut wire = Vec::new();
            let frame = Frame::new(&Call(number, request)).expect("what was read is short enough");
            write(&mut wire, &frame).await.expect("memory takes everything");
            assert!(wire.len() <= LONGEST + 4);
            let again: Option<Call> = read(&mut &wire[..]).await.expect("what was written reads");
            assert_eq!(again.map(|Call(same, _)| same), Some(number));
        }
        let mut from = bytes;
        while let Ok(Some(Reply(..))) = read(&mut from).await {}
    });
});
