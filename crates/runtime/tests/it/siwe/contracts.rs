//! Accounts whose address is that of a contract: the node of the chain is asked, and its trouble refuses no person (ERC-1271).

use serde_json::{Value, json};
use svc_keys::ethereum::personal_hash;
use svc_keys::hex;

use super::node::{Node, Says, magic};
use super::{FAILED, LATE, ON, asked, form, is_refused, message, send, told, with_chain};
use crate::harness::Harness;

const CONTRACT: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const UNAVAILABLE: (u16, &str) = (503, "The signature cannot be checked now");
/// A contract takes what it likes for a signature.
const SIGNATURE: &str = "0xc0ffee";

#[tokio::test]
async fn the_contract_of_an_account_says_whether_a_signature_is_good() {
    let (h, node) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, CONTRACT).await;
    node.agree();
    let mut other = browser.clone();
    let answer = send(&mut browser, &page, SIGNATURE).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    let hash = hex(personal_hash(&message(&page)));
    let data = format!("0x1626ba7e{hash}{:064x}{:064x}c0ffee{}", 64, 3, "0".repeat(58));
    assert_eq!(*node.asked.lock().unwrap(), [json!([{ "to": CONTRACT, "data": data }, "latest"])]);
    assert_eq!(told(&client, &answer).await["amr"], json!(["pop"]));
    is_refused(&send(&mut other, &page, SIGNATURE).await, LATE);
}

/// Multicall3, which makes several calls in one.
const MULTICALL: &str = "0xcA11bde05977b3631167028862bE2a173976CA11";

fn word(number: usize) -> String {
    format!("{number:064x}")
}

/// A signature that brings the call which makes the contract (ERC-6492).
fn undeployed() -> String {
    let (factory, call, signature) = ("11".repeat(20), "abcdef", "c0ffee");
    let padded = |bytes: &str| format!("{}{bytes:0<64}", word(3));
    let places = [word(0x60), word(0xa0)].concat();
    format!("0x{factory:0>64}{places}{}{}{}", padded(call), padded(signature), "6492".repeat(16))
}

/// What Multicall3 answers for two calls: the first has said nothing, and the second this word.
fn both(success: usize, said: &str) -> String {
    let first = [word(1), word(0x40), word(0)].concat();
    let last = [word(success), word(0x40), word(said.len() / 2), said.to_owned()].concat();
    ["0x".to_owned(), word(0x20), word(2), word(0x40), word(0xa0), first, last].concat()
}

#[tokio::test]
async fn a_contract_that_is_not_there_yet_is_made_and_asked_in_one_call() {
    let (h, node) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, CONTRACT).await;
    node.say(Says::At(MULTICALL, both(1, &magic()[2..])));
    let answer = send(&mut browser, &page, &undeployed()).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    let hash = hex(personal_hash(&message(&page)));
    let question = format!("1626ba7e{hash}{}{}c0ffee{}", word(0x40), word(3), "0".repeat(58));
    let made = format!("{:0>64}{}{}{}{:0<64}", "11".repeat(20), word(1), word(0x60), word(3), "abcdef");
    let address = CONTRACT[2..].to_lowercase();
    let asks = [format!("{address:0>64}"), word(0), word(0x60), word(0x84), format!("{question:0<320}")];
    let places = [word(0x20), word(2), word(0x40), word(0xe0)].concat();
    let data = format!("0x82ad56cb{places}{made}{}", asks.concat());
    let expected = [
        json!([{ "to": CONTRACT, "data": format!("0x{question}") }, "latest"]),
        json!([{ "to": MULTICALL, "data": data }, "latest"]),
    ];
    assert_eq!(*node.asked.lock().unwrap(), expected);
    let first = told(&client, &answer).await["sub"].clone();
    // Once it is there, it is asked alone, with what it takes for the signature; and it is the same account.
    node.say(Says::At(CONTRACT, magic()));
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, CONTRACT).await;
    let answer = send(&mut browser, &page, &undeployed()).await;
    assert_eq!((told(&client, &answer).await["sub"].clone(), node.calls()), (first, 3));
}

#[tokio::test]
async fn a_call_that_makes_no_contract_which_agrees_opens_nothing() {
    let (h, node) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, CONTRACT).await;
    for (says, calls) in [
        (Says::At(MULTICALL, both(1, "")), 2),
        (Says::At(MULTICALL, both(0, &magic()[2..])), 2),
        (Says::At(MULTICALL, both(1, &word(1))), 2),
        (Says::At(MULTICALL, magic()), 2),
        (Says::Result("0x".to_owned()), 2),
        // What is there and does not agree is not overruled.
        (Says::At(CONTRACT, format!("0x{}", "f".repeat(64))), 1),
        (Says::At(CONTRACT, both(1, &magic()[2..])), 1),
    ] {
        let before = node.calls();
        node.say(says.clone());
        is_refused(&send(&mut browser, &page, &undeployed()).await, FAILED);
        assert_eq!(node.calls() - before, calls, "{says:?}");
    }
    node.say(Says::At(MULTICALL, both(1, &magic()[2..])));
    assert!(send(&mut browser, &page, &undeployed()).await.is_signed_in());
}

#[tokio::test]
async fn what_a_contract_does_not_agree_to_opens_nothing_and_spends_nothing() {
    let (h, node) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, CONTRACT).await;
    let reverted = |code: i64| Says::Error(json!({ "code": code, "message": "execution reverted: no" }));
    for says in [
        Says::Result("0x".to_owned()),
        Says::Result("0xffffffff".to_owned() + &"0".repeat(56)),
        Says::Result(format!("0x{}1", "0".repeat(63))),
        Says::Result("0x1626ba7e".to_owned()),
        Says::Result(magic() + "00"),
        Says::Result(magic().replace("0x", "")),
        Says::Result("yes".to_owned()),
        reverted(3),
        reverted(-32000),
    ] {
        node.say(says.clone());
        let answer = send(&mut browser, &page, SIGNATURE).await;
        assert!(answer.status == FAILED.0 && answer.body.contains(FAILED.1), "{says:?}: {answer:?}");
    }
    node.agree();
    assert!(send(&mut browser, &page, SIGNATURE).await.is_signed_in());
}

#[tokio::test]
async fn a_node_that_gives_no_usable_answer_refuses_no_one_and_spends_nothing() {
    let (h, node) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, CONTRACT).await;
    let huge = json!({ "jsonrpc": "2.0", "id": 1, "result": magic(), "more": "x".repeat(17 * 1024) });
    for says in [
        Says::Raw(String::new()),
        Says::Raw("garbage".to_owned()),
        Says::Raw("[]".to_owned()),
        Says::Raw(json!({ "result": 1 }).to_string()),
        Says::Raw(huge.to_string()),
        Says::Error(json!({ "code": -32005, "message": "limit exceeded" })),
        Says::Error(Value::Null),
        Says::Nothing,
    ] {
        node.say(says.clone());
        let answer = send(&mut browser, &page, SIGNATURE).await;
        assert!(!answer.begins_session() && answer.status == UNAVAILABLE.0, "{says:?}: {answer:?}");
        assert!(answer.body.contains(UNAVAILABLE.1), "{answer:?}");
        assert!(!answer.body.contains("127.0.0.1") && !answer.body.contains("secret-key"), "{answer:?}");
    }
    node.agree();
    assert!(send(&mut browser, &page, SIGNATURE).await.is_signed_in());
}

#[tokio::test]
async fn a_contract_is_an_account_on_its_own_chain_only() {
    let (main, base) = (Node::serve(1).await, Node::serve(8453).await);
    let chains = json!([
        { "name": "main", "chain_id": 1, "rpc_url": main.url },
        { "name": "base", "chain_id": 8453, "rpc_url": base.url },
    ]);
    let h = Harness::with(&[ON, ("SVC_CHAINS", &chains.to_string())]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    main.agree();
    let mut subjects = Vec::new();
    for id in ["1", "8453", "1"] {
        let mut browser = site.browser();
        let page = form(&mut browser, &client).await;
        assert!(page.body.contains("<select") && page.body.contains(">base<"), "{page:?}");
        let page = browser.submit(&page, &[("address", CONTRACT), ("chain_id", id)]).await;
        assert!(message(&page).contains(&format!("\nChain ID: {id}\n")), "{page:?}");
        if id == "8453" {
            // The other chain has no such contract yet.
            is_refused(&send(&mut browser, &page, SIGNATURE).await, FAILED);
            base.agree();
        }
        let answer = send(&mut browser, &page, SIGNATURE).await;
        assert!(answer.is_signed_in(), "{answer:?}");
        subjects.push(told(&client, &answer).await["sub"].clone());
    }
    assert!(subjects[0] == subjects[2] && subjects[0] != subjects[1], "{subjects:?}");
}

#[tokio::test]
async fn the_node_of_another_chain_is_not_believed() {
    let other = Node::serve(5).await;
    other.agree();
    let chains = json!([{ "name": "main", "chain_id": 1, "rpc_url": other.url }]).to_string();
    let h = Harness::with(&[ON, ("SVC_CHAINS", &chains)]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, CONTRACT).await;
    is_refused(&send(&mut browser, &page, SIGNATURE).await, UNAVAILABLE);
    assert_eq!(other.calls(), 0);
}
