//! A name server on this machine, which has the TXT records that a test publishes.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use hickory_resolver::proto::op::{Message, ResponseCode};
use hickory_resolver::proto::rr::rdata::TXT;
use hickory_resolver::proto::rr::{RData, Record};
use serde_json::{Value, json};
use tokio::net::UdpSocket;

use super::Harness;

/// TXT records by name; a name with no text at all fails.
type Zone = Arc<Mutex<BTreeMap<String, Vec<String>>>>;

/// A name server, as a deployment has it configured.
pub struct Names {
    address: SocketAddr,
    zone: Zone,
}

impl Names {
    pub async fn serve() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let (address, zone) = (socket.local_addr().unwrap(), Zone::default());
        let known = Arc::clone(&zone);
        tokio::spawn(async move {
            let mut buffer = [0; 1500];
            while let Ok((length, peer)) = socket.recv_from(&mut buffer).await {
                let reply = reply(&buffer[..length], &known);
                socket.send_to(&reply, peer).await.unwrap();
            }
        });
        Self { address, zone }
    }

    /// A service that asks it.
    pub async fn harness(&self, settings: &[(&str, &str)]) -> Harness {
        let servers = json!([self.address.to_string()]).to_string();
        let settings: Vec<_> =
            [("SVC_VERIFIED_DOMAINS__RESOLVERS", servers.as_str())].iter().chain(settings).copied().collect();
        Harness::with(&settings).await
    }

    /// The texts of a name; none of them where the name server fails.
    pub fn set(&self, name: &str, texts: &[&str]) {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        self.zone.lock().unwrap().insert(name.to_owned(), texts);
    }

    /// Publishes what a claim asks for.
    pub fn publish(&self, claim: &Value) {
        self.set(
            claim["record_name"].as_str().unwrap(),
            &["v=spf1 -all", claim["record_value"].as_str().unwrap()],
        );
    }
}

fn reply(request: &[u8], zone: &Zone) -> Vec<u8> {
    let request = Message::from_vec(request).unwrap();
    let name = request.queries[0].name().clone();
    let mut response = request.into_response();
    let asked = name.to_ascii().to_lowercase();
    match zone.lock().unwrap().get(asked.trim_end_matches('.')) {
        Some(texts) if texts.is_empty() => response.metadata.response_code = ResponseCode::ServFail,
        Some(texts) => {
            for text in texts {
                // A long text comes in parts.
                let (first, second) = text.split_at(text.len() / 2);
                let data = RData::TXT(TXT::new(vec![first.to_owned(), second.to_owned()]));
                response.add_answer(Record::from_rdata(name.clone(), 300, data));
            }
        }
        None => response.metadata.response_code = ResponseCode::NXDomain,
    }
    response.to_vec().unwrap()
}
