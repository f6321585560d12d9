//! Accounts whose address is that of a contract: it says itself whether a signature is good (ERC-1271), to the node of its chain that
//! the operator has named (JSON-RPC 2.0, EIP-1474).

use serde_json::{Value, json};
use svc_config::Chain;
use svc_core::{Error, OrInternal as _, Result, Seconds, Secret};
use svc_http::{Bytes, HeaderMap, HeaderValue, HostCx, Limits, StatusCode, header};
use svc_keys::ethereum::Address;
use svc_keys::hex;

use super::undeployed::{MULTICALL, Wrapped, is_agreed};
use super::words::{MAGIC, WORD, is_magic, word};

/// What one answer may cost.
const LIMITS: Limits = Limits { time: Seconds(5), bytes: 16 * 1024 };
/// The codes of an execution that was reverted: of Geth and most others, and of Nethermind, which says "VM execution error".
const REVERTED: [i64; 2] = [3, -32015];
/// What messages say where the contract failed by itself: by `revert`, or by the `assert` of older compilers.
const FAILED: [&str; 2] = ["revert", "invalid opcode"];
/// What is answered where there is no contract.
const NOTHING: &str = "0x";

/// Whether the contract at an address takes the signature for its own, or would where the signature brings the call that makes the
/// contract. An error where the node gives no answer that counts.
pub async fn accepts(
    host: &HostCx,
    (id, chain): (u64, &Chain),
    (address, hash): (Address, &[u8; 32]),
    signature: &[u8],
) -> Result<bool> {
    let node = chain.rpc_url.as_ref().map(Secret::expose).unwrap_or_default();
    let known = call(host, node, "eth_chainId", json!([])).await?;
    let is_same = matches!(&known, Answer::Result(number) if quantity(number) == Some(id));
    if !is_same {
        return Err(Error::internal("the node of a chain is one of another chain"));
    }
    let wrapped = Wrapped::read(signature);
    let question = question(hash, wrapped.as_ref().map_or(signature, |wrapped| wrapped.signature));
    let Answer::Result(said) = ask(host, node, (&address.to_string(), &question)).await? else {
        return Ok(false);
    };
    // What is there answers for itself.
    let Some(wrapped) = wrapped.filter(|_| said == NOTHING) else { return Ok(is_magic(&said)) };
    let both = wrapped.deployed_and_asked(address, &question);
    Ok(match ask(host, node, (MULTICALL, &both)).await? {
        Answer::Result(said) => is_agreed(&said),
        Answer::Reverted => false,
    })
}

/// Has a contract answer, without anything that would stay.
async fn ask(host: &HostCx, node: &str, (to, data): (&str, &str)) -> Result<Answer> {
    call(host, node, "eth_call", json!([{ "to": to, "data": data }, "latest"])).await
}

/// What a node answers.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Result(String),
    /// The contract has none.
    Reverted,
}

async fn call(host: &HostCx, node: &str, method: &str, params: Value) -> Result<Answer> {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let body = Bytes::from(serde_json::to_vec(&body).or_internal()?);
    let json = HeaderValue::from_static("application/json");
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, json.clone()), (header::ACCEPT, json)]);
    let fetched = host.app.outbound_configured.post(node, headers, body, LIMITS).await?;
    if fetched.status != StatusCode::OK {
        return Err(Error::internal(format!("the node of a chain answered {}", fetched.status)));
    }
    read(&fetched.body)
}

fn read(body: &[u8]) -> Result<Answer> {
    let answer: Value = serde_json::from_slice(body).or_internal()?;
    if let Some(result) = answer.get("result").and_then(Value::as_str) {
        return Ok(Answer::Result(result.to_owned()));
    }
    let error = answer.get("error");
    let code = error.and_then(|error| error.get("code")).and_then(Value::as_i64);
    let message = error.and_then(|error| error.get("message")).and_then(Value::as_str);
    let is_failure = |text: &str| FAILED.iter().any(|word| text.contains(word));
    if code.is_some_and(|code| REVERTED.contains(&code)) || message.is_some_and(is_failure) {
        return Ok(Answer::Reverted);
    }
    Err(Error::internal(format!("the node of a chain has no answer: error {code:?}")))
}

/// The call of `isValidSignature` in the binary interface of contracts.
fn question(hash: &[u8; 32], signature: &[u8]) -> String {
    let padded = signature.len().next_multiple_of(WORD) * 2;
    let (begin, length, bytes) = (word(2 * WORD), word(signature.len()), hex(signature));
    format!("0x{MAGIC}{}{begin}{length}{bytes:0<padded$}", hex(hash))
}

fn quantity(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_the_words_of_the_binary_interface() {
        let asked = question(&[0xab; 32], &[0xcd; 65]);
        let expected = [
            "0x1626ba7e",
            &"ab".repeat(32),
            &format!("{}40", "0".repeat(62)),
            &format!("{}41", "0".repeat(62)),
            &"cd".repeat(65),
            &"00".repeat(31),
        ];
        assert_eq!(asked, expected.concat());
        let empty = question(&[0; 32], &[]);
        assert_eq!(empty.len(), 2 + 8 + 3 * 64);
    }

    #[test]
    fn what_reverts_is_a_no_and_what_fails_is_no_answer() {
        let read = |text: &str| read(text.as_bytes());
        assert_eq!(read(r#"{"result":"0x1"}"#).unwrap(), Answer::Result("0x1".into()));
        for text in [
            r#"{"error":{"code":3,"message":"execution reverted","data":"0x"}}"#,
            r#"{"error":{"code":-32000,"message":"execution reverted"}}"#,
            r#"{"error":{"code":-32015,"message":"VM execution error.","data":"Reverted 0x"}}"#,
            r#"{"error":{"code":-32000,"message":"invalid opcode: INVALID"}}"#,
        ] {
            assert_eq!(read(text).unwrap(), Answer::Reverted, "{text}");
        }
        for text in ["", "{}", "[]", r#"{"result":1}"#, r#"{"error":{"code":-32005,"message":"limit"}}"#] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_hexadecimal() {
        assert_eq!((quantity("0x2105"), quantity("0x"), quantity("8453")), (Some(8453), None, None));
        assert_eq!((quantity("0x+1"), quantity("0x10000000000000000")), (None, None));
    }
}
