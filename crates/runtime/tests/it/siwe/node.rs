//! A node of a chain on this machine: it says what a test wants it to.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use crate::harness::provider::read;

/// What a contract answers to a call.
#[derive(Clone, Debug)]
pub enum Says {
    /// This, as the result.
    Result(String),
    /// This, as the result at the one address; at others there is no contract.
    At(&'static str, String),
    /// This, as the error.
    Error(Value),
    /// This, whatever it is.
    Raw(String),
    /// Nothing: the connection stays open.
    Nothing,
}

/// A node.
pub struct Node {
    pub url: String,
    says: Arc<Mutex<Says>>,
    /// The calls of contracts.
    pub asked: Arc<Mutex<Vec<Value>>>,
}

impl Node {
    /// The node of a chain that has no contracts.
    pub async fn serve(chain: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/secret-key-of-the-operator", listener.local_addr().unwrap());
        let (says, asked) = (Arc::new(Mutex::new(Says::Result("0x".to_owned()))), Arc::default());
        let node = Self { url, says, asked };
        let (says, asked) = (Arc::clone(&node.says), Arc::clone(&node.asked));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (says, asked) = (Arc::clone(&says), Arc::clone(&asked));
                tokio::spawn(async move {
                    let request = read(&mut stream).await;
                    let body = request.split("\r\n\r\n").nth(1).unwrap_or_default();
                    let call: Value = serde_json::from_str(body).unwrap();
                    let said = if call["method"] == "eth_chainId" {
                        Says::Result(format!("0x{chain:x}"))
                    } else {
                        asked.lock().unwrap().push(call["params"].clone());
                        says.lock().unwrap().clone()
                    };
                    let body = match said {
                        Says::At(address, result) => {
                            let is_there = call["params"][0]["to"] == address;
                            let result = if is_there { result } else { "0x".to_owned() };
                            json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string()
                        }
                        Says::Result(result) => {
                            json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string()
                        }
                        Says::Error(error) => {
                            json!({ "jsonrpc": "2.0", "id": 1, "error": error }).to_string()
                        }
                        Says::Raw(body) => body,
                        Says::Nothing => return std::future::pending().await,
                    };
                    let length = body.len();
                    let head =
                        format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
                    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
                });
            }
        });
        node
    }

    /// What contracts answer from now on.
    pub fn say(&self, says: Says) {
        *self.says.lock().unwrap() = says;
    }

    /// From now on each contract takes each signature for its own.
    pub fn agree(&self) {
        self.say(Says::Result(magic()));
    }

    /// How many calls there were.
    pub fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

/// The answer of a contract that takes a signature for its own (ERC-1271).
pub fn magic() -> String {
    format!("0x1626ba7e{}", "0".repeat(56))
}
