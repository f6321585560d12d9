//! Rich authorization requests (RFC 9396): from the type that an API describes to the object in the token.

mod api;
mod narrowing;
mod pages;
mod request;

use serde_json::{Value, json};
use svc_domain::apis::{self, AccessTokenTyp, ApiScope, DetailsType};

use crate::harness::client::{Pairs, claims};
use crate::harness::{Answer, Client, Harness, Person, Site};

const BANK: &str = "https://bank.example";
const PAYMENT: &str = "https://types.bank.example/payment";
const ACCOUNTS: &str = "bank.accounts";

/// A bank with two types, an application of its own, one of another owner, and a person.
struct World<'h> {
    site: Site<'h>,
    web: Client<'h>,
    shop: Client<'h>,
    ada: Person,
}

impl<'h> World<'h> {
    async fn new(h: &'h Harness) -> Self {
        Self::at(h.tenant("main").await).await
    }

    async fn at(site: Site<'h>) -> Self {
        bank(&site, BANK).await;
        let web = client(&site, "web", true).await;
        let shop = client(&site, "shop", false).await;
        let ada = site.user("ada").await;
        Self { site, web, shop, ada }
    }

    /// A code for these details of the bank.
    async fn code(&self, client: &Client<'h>, details: &Value) -> crate::harness::Code {
        let details = details.to_string();
        client.code_with(&mut self.site.browser(), &self.ada, &asking(&details)).await
    }

    /// What the token endpoint gives for a code with these details.
    async fn tokens(&self, client: &Client<'h>, details: &Value) -> Value {
        client.exchange(&self.code(client, details).await).await.expect(200).json()
    }
}

/// The parameters of a request about the bank.
fn asking(details: &str) -> [(&'static str, &str); 3] {
    [("resource", BANK), ("scope", "openid offline_access bank:use"), ("authorization_details", details)]
}

async fn client<'h>(site: &Site<'h>, handle: &str, is_first_party: bool) -> Client<'h> {
    site.app_with(handle, |configuration| {
        configuration.first_party = is_first_party;
        configuration.authorization_details_types = vec![PAYMENT.to_owned(), ACCOUNTS.to_owned()];
        configuration.scope = configuration.scope.union(&"bank:use".parse().unwrap());
    })
    .await
}

/// An API that understands both types.
async fn bank(site: &Site<'_>, identifier: &str) {
    let configuration = apis::Configuration {
        name: "Bank".to_owned(),
        scopes: vec![ApiScope {
            name: "bank:use".to_owned(),
            description: "Use the bank".to_owned(),
            roles: Vec::new(),
        }],
        resource_servers: Vec::new(),
        access_token_claims: std::collections::BTreeSet::default(),
        custom_claims: Vec::new(),
        access_token_lifetime_secs: None,
        access_token_typ: AccessTokenTyp::default(),
        authorization_details_types: types(),
    };
    let app = site.harness.app();
    let mut tx = app.db.begin(site.tenant.id).await.unwrap();
    apis::create(&mut tx, &site.harness.operator(), identifier, &configuration).await.unwrap();
    tx.commit().await.unwrap();
}

fn types() -> Vec<DetailsType> {
    serde_json::from_value(json!([payment_type(), accounts_type()])).unwrap()
}

fn payment_type() -> Value {
    json!({
        "type": PAYMENT,
        "schema": {
            "type": "object",
            "properties": {
                "instructedAmount": {
                    "type": "object",
                    "properties": {
                        "amount": { "type": "string", "pattern": "^[0-9]{1,12}\\.[0-9]{2}$" },
                        "currency": { "type": "string", "pattern": "^[A-Z]{3}$" },
                    },
                    "required": ["amount", "currency"],
                    "additionalProperties": false,
                },
                "creditorName": { "type": "string" },
                "locations": true,
            },
            "required": ["instructedAmount", "creditorName"],
            "additionalProperties": false,
        },
        "template": "Pay {instructedAmount.amount} {instructedAmount.currency} to {creditorName}",
    })
}

fn accounts_type() -> Value {
    json!({
        "type": ACCOUNTS,
        "schema": {
            "type": "object",
            "properties": { "actions": { "type": "array", "items": { "type": "string" } } },
        },
        "template": "With your account {iban}: {actions}",
    })
}

fn payment(amount: &str, to: &str) -> Value {
    json!({
        "type": PAYMENT,
        "instructedAmount": { "amount": amount, "currency": "EUR" },
        "creditorName": to,
    })
}

fn account(actions: &[&str]) -> Value {
    json!({ "type": ACCOUNTS, "iban": "DE02", "actions": actions })
}

/// The details that an access token carries.
fn carried(response: &Value) -> Value {
    claims(response["access_token"].as_str().unwrap())["authorization_details"].clone()
}

/// A refresh with these parameters.
async fn refresh(client: &Client<'_>, response: &Value, changes: Pairs<'_>) -> Answer {
    let token = response["refresh_token"].as_str().unwrap();
    client.token(&[("grant_type", "refresh_token"), ("refresh_token", token)], changes).await
}
