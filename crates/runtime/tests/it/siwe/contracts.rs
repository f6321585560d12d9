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
