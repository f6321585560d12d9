//! What the tests of codes that are sent to people share: guesses at them, and what a page says to those.

use futures_util::future::join_all;

use crate::harness::{Answer, Browser};

/// Types the same code in every browser at once.
pub async fn at_once(browsers: &mut [Browser<'_>], (page, code): (&Answer, &str)) -> Vec<Answer> {
    join_all(browsers.iter_mut().map(|browser| async move { browser.submit(page, &[("code", code)]).await }))
        .await
}

/// The code that a mail brings, on a line of its own.
pub fn digits_in(text: &str) -> Option<String> {
    let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|letter| letter.is_ascii_digit());
    text.lines().find(is_code).map(str::to_owned)
}

/// Another code than this one.
pub fn wrong(code: &str) -> String {
    let number: u32 = code.parse().unwrap();
    format!("{:06}", (number + 1) % 1_000_000)
}

/// The code does not count, or is not judged any more.
#[track_caller]
pub fn refused(answer: &Answer) {
    assert!(!answer.begins_session(), "{answer:?}");
    assert!(answer.status == 429 || answer.body.contains("That code is wrong"), "{answer:?}");
}
