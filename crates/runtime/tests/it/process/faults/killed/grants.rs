//! What applications redeem for tokens or for a code: authorization codes, device codes, pushed and backchannel requests.

use super::once::{Came, Once, Refused};
use super::{AT_ONCE, Victim};
use crate::harness::Answer;
use crate::process::person::{Ada, SEED, form};

/// An application that asks people on their own devices.
const DESK: &str = r#"
[[tenant.application]]
client_id = "app_01m7yepz0rer5tmyyvy97e2x3k"
handle = "desk"
name = "Desk"
type = "web"
first_party = true
redirect_uris = ["https://desk.example/callback"]
grant_types = ["authorization_code", "urn:openid:params:grant-type:ciba"]
token_endpoint_auth_method = "client_secret_post"
scope = "openid"
secret = "a-secret-of-the-front-desk"
"#;
const CREDENTIALS: [(&str, &str); 2] =
    [("client_id", "app_01m7yepz0rer5tmyyvy97e2x3k"), ("client_secret", "a-secret-of-the-front-desk")];

/// Whether tokens were given.
fn granted(answer: &Answer) -> Result<(), Refused> {
    assert!([200, 400].contains(&answer.status), "{answer:?}");
    if answer.status == 200 { Ok(()) } else { Err(Refused) }
}

/// An authorization code.
#[derive(Clone)]
pub struct Code(String);

impl Once for Code {
    const FAULT: &'static str = "The process is killed while codes are redeemed";
    const TWICE: &'static str = "codes that were worth something twice";
    const ROUNDS: usize = 10;

    type Gain = ();

    async fn issue(victim: &mut Victim, _: usize) -> Vec<Self> {
        let mut codes = Vec::new();
        for _ in 0..AT_ONCE {
            codes.push(Self(victim.ada.code().await));
        }
        codes
    }

    async fn spend(self, ada: Ada) -> Came<()> {
        Some(granted(&ada.exchange(&self.0).await?))
    }
}

/// The code of a device that a person has allowed.
#[derive(Clone)]
pub struct DeviceCode(String);

impl Once for DeviceCode {
    const FAULT: &'static str = "The process is killed while devices fetch their tokens";
    const TWICE: &'static str = "codes that were worth something twice";
    const ROUNDS: usize = 5;

    type Gain = ();

    fn seed() -> String {
        let both = "\"refresh_token\", \"urn:ietf:params:oauth:grant-type:device_code\"]";
        SEED.replace("\"refresh_token\"]", both)
    }

    async fn issue(victim: &mut Victim, _: usize) -> Vec<Self> {
        let mut codes = Vec::new();
        for _ in 0..AT_ONCE {
            codes.push(Self(victim.ada.device_code().await));
        }
        codes
    }

    async fn spend(self, ada: Ada) -> Came<()> {
        Some(granted(&ada.poll(&self.0).await?))
    }
}

/// The address of a request that was pushed.
#[derive(Clone)]
pub struct PushedRequest(String);

impl Once for PushedRequest {
    const FAULT: &'static str = "The process is killed while pushed requests are redeemed";
    const TWICE: &'static str = "requests that were worth something twice";
    const ROUNDS: usize = 5;

    type Gain = ();

    async fn issue(victim: &mut Victim, _: usize) -> Vec<Self> {
        let mut addresses = Vec::new();
        for _ in 0..AT_ONCE {
            addresses.push(Self(victim.ada.pushed().await));
        }
        addresses
    }

    async fn spend(self, mut ada: Ada) -> Came<()> {
        let answer = ada.get(&self.0).await?;
        assert!([303, 400].contains(&answer.status), "{answer:?}");
        Some(if answer.is_signed_in() { Ok(()) } else { Err(Refused) })
    }
}

/// The `auth_req_id` of a request that its person has allowed.
#[derive(Clone)]
pub struct BackchannelRequest(String);

impl Once for BackchannelRequest {
    const FAULT: &'static str = "The process is killed while backchannel requests are redeemed";
    const TWICE: &'static str = "requests that were worth something twice";

    type Gain = ();

    fn seed() -> String {
        [SEED, DESK].concat()
    }

    async fn issue(victim: &mut Victim, _: usize) -> Vec<Self> {
        let mut requests = Vec::new();
        for _ in 0..AT_ONCE {
            let fields = [&CREDENTIALS[..], &[("scope", "openid"), ("login_hint", "ada")]].concat();
            let asked =
                form(victim.ada.address, "/bc-authorize", &[], &fields).await.unwrap().expect(200).json();
            let inbox = victim.ada.get("/auth/approvals").await.unwrap().expect(200);
            let _ = victim.ada.submit(&inbox, &[("decision", "allow")]).await.expect(200);
            requests.push(Self(asked["auth_req_id"].as_str().unwrap().to_owned()));
        }
        requests
    }

    async fn spend(self, ada: Ada) -> Came<()> {
        let request = [("grant_type", "urn:openid:params:grant-type:ciba"), ("auth_req_id", self.0.as_str())];
        let fields = [&CREDENTIALS[..], &request].concat();
        Some(granted(&form(ada.address, "/oauth/token", &[], &fields).await?))
    }
}
