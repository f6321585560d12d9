//! Accounts whose contract is not there yet: the signature brings the call that makes it (ERC-6492). One call of `aggregate3` has the node
//! make it and ask it, and nothing of both stays.
//!
//! The call is whatever the person likes, made by a contract that has no rights of its own (Multicall3). At an address that has no contract
//! it can only make the one to which the address belongs (EIP-1014); where there is one, nothing is called before it is asked.

use svc_keys::ethereum::Address;
use svc_keys::{from_hex, hex};

use super::words::{WORD, is_magic, word};

/// Multicall3, which has the same address on almost every chain.
pub(super) const MULTICALL: &str = "0xcA11bde05977b3631167028862bE2a173976CA11";
/// The selector of `aggregate3((address,bool,bytes)[])`.
const AGGREGATE: &str = "82ad56cb";
/// What such a signature ends with, twice.
const MARK: [u8; 16] = 0x6492_6492_6492_6492_6492_6492_6492_6492_u128.to_be_bytes();

/// A signature with the call that makes the contract.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrapped<'a> {
    factory: &'a [u8],
    call: &'a [u8],
    /// What the contract takes for the signature.
    pub(super) signature: &'a [u8],
}

impl<'a> Wrapped<'a> {
    /// Reads one, if it is one.
    pub(super) fn read(signature: &'a [u8]) -> Option<Self> {
        let body = signature.strip_suffix(&MARK)?.strip_suffix(&MARK)?;
        let factory = body.get(..WORD)?.strip_prefix(&[0_u8; 12])?;
        Some(Self { factory, call: bytes(body, 1)?, signature: bytes(body, 2)? })
    }

    /// The call that makes the contract at an address and then asks it this question.
    pub(super) fn deployed_and_asked(&self, address: Address, question: &str) -> String {
        let question = question.strip_prefix("0x").unwrap_or(question);
        // A contract that another has made meanwhile cannot be made again, and can be asked.
        let made = call(&hex(self.factory), true, &hex(self.call));
        let asked = call(&hex(address.as_bytes()), false, question);
        let (begin, count) = (word(WORD), word(2));
        let (first, second) = (word(2 * WORD), word(2 * WORD + made.len() / 2));
        format!("0x{AGGREGATE}{begin}{count}{first}{second}{made}{asked}")
    }
}

/// Whether the last of the two answers of `aggregate3` is the magic word.
pub(super) fn is_agreed(result: &str) -> bool {
    last_of(result).is_some_and(|said| is_magic(&format!("0x{said}")))
}

/// The last answer, if it is that of a success.
fn last_of(result: &str) -> Option<String> {
    let all = from_hex(result.strip_prefix("0x")?)?;
    let answers = all.get(2 * WORD..)?;
    let last = answers.get(number(answers, WORD)?..)?;
    let said = bytes(last, 1)?;
    (number(last, 0)? == 1).then(|| hex(said))
}

/// One call among several.
fn call(target: &str, may_fail: bool, data: &str) -> String {
    let length = data.len() / 2;
    let padded = length.next_multiple_of(WORD) * 2;
    let (may_fail, begin, length) = (word(may_fail.into()), word(3 * WORD), word(length));
    format!("{target:0>64}{may_fail}{begin}{length}{data:0<padded$}")
}

/// The bytes of which the word of this number says where they begin.
fn bytes(body: &[u8], nth: usize) -> Option<&[u8]> {
    let begin = number(body, nth * WORD)?;
    let length = number(body, begin)?;
    body.get(begin.checked_add(WORD)?..)?.get(..length)
}

/// The number that begins there, if it could be that of a byte.
fn number(body: &[u8], at: usize) -> Option<usize> {
    let word = body.get(at..)?.get(..WORD)?;
    let low = word.strip_prefix(&[0_u8; WORD - 4])?;
    usize::try_from(u32::from_be_bytes(low.try_into().ok()?)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(call: &[u8], signature: &[u8]) -> Vec<u8> {
        let padded = |bytes: &[u8]| {
            let width = bytes.len().next_multiple_of(WORD) * 2;
            format!("{}{:0<width$}", word(bytes.len()), hex(bytes))
        };
        let (call, signature) = (padded(call), padded(signature));
        let places = [word(3 * WORD), word(3 * WORD + call.len() / 2)].concat();
        from_hex(&format!("{:0>64}{places}{call}{signature}{}", "11".repeat(20), "6492".repeat(16))).unwrap()
    }

    #[test]
    fn a_signature_with_the_call_that_makes_its_contract_is_read() {
        for (call, signature) in [(&b"make it"[..], &[0xcd; 65][..]), (&[7; 32], b""), (b"", b"\x01")] {
            let text = wrapped(call, signature);
            assert_eq!(Wrapped::read(&text), Some(Wrapped { factory: &[0x11; 20], call, signature }));
        }
    }

    #[test]
    fn what_is_cut_or_leads_elsewhere_is_no_such_signature() {
        let text = wrapped(b"make it", &[0xcd; 65]);
        for length in 0..text.len() {
            assert_eq!(Wrapped::read(&text[..length]), None, "{length}");
        }
        assert_eq!(Wrapped::read(&[MARK, MARK].concat()), None);
        // The upper bytes of the factory, and of each place and length.
        for at in [0, 11, 32, 63, 64, 95, 96, 160] {
            let mut changed = text.clone();
            changed[at] = 0xff;
            assert_eq!(Wrapped::read(&changed), None, "{at}");
        }
    }

    #[test]
    fn only_the_last_answer_counts_and_only_as_a_success() {
        let magic = format!("1626ba7e{}", "0".repeat(56));
        let answers = |first: &str, success: usize, last: &str| {
            let one = |success: usize, said: &str| {
                format!("{}{}{}{said}", word(success), word(2 * WORD), word(said.len() / 2))
            };
            let (first, last) = (one(1, first), one(success, last));
            let places = [word(2 * WORD), word(2 * WORD + first.len() / 2)].concat();
            format!("0x{}{}{places}{first}{last}", word(WORD), word(2))
        };
        assert!(is_agreed(&answers("", 1, &magic)) && is_agreed(&answers(&magic, 1, &magic)));
        for no in [
            answers("", 0, &magic),
            answers(&magic, 1, ""),
            answers(&magic, 1, &word(1)),
            answers("", 1, &format!("{magic}{magic}")),
            "0x".to_owned(),
            format!("0x{magic}"),
            answers("", 1, &magic).replace("0x", ""),
        ] {
            assert!(!is_agreed(&no), "{no}");
        }
    }
}
