//! What a tenant's applications and directories ask of the management side: decisions of policies, and people by SCIM.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::flows::{Worker, check, member};
use super::form;
use super::http::{Call, Reply};
use super::workload::Workload;
use crate::Result;

const USERS: &str = "/scim/v2/Users";
const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

impl Worker {
    /// Gets the token that `workload` is measured with, and makes the person that is changed.
    pub(super) async fn prepare_management(&mut self, workload: Workload) -> Result<()> {
        let target = self.target.clone();
        let admin = target.admin.as_ref().ok_or("there is no application that administers")?;
        // What asks for decisions has the scope for it alone.
        let mut fields = vec![("grant_type", "client_credentials")];
        if workload == Workload::Decision {
            fields.push(("scope", "access:evaluate"));
        }
        let form = form::encode(fields);
        let tokens = self.post(&target.paths.token, admin, form).await?;
        self.token = bearer(member(&tokens, "access_token")?);
        if workload == Workload::Decision {
            return Ok(());
        }
        let found = self.ask("/api/v1/organizations?slug=bench", None).await?.json(StatusCode::OK)?;
        let organization = found.pointer("/data/0/id").and_then(Value::as_str).ok_or("no organization")?;
        let name = format!("Connection {}", self.place);
        self.delete_tokens(organization, &name).await?;
        let body = json!({ "organization_id": organization, "name": name });
        let made =
            self.ask("/api/v1/scim-tokens", Some((Method::POST, body))).await?.json(StatusCode::CREATED)?;
        self.token = bearer(member(&made, "token")?);
        // No other connection and no earlier run has it.
        self.record = member(&made, "id")?.to_lowercase();
        if workload == Workload::ScimPatch {
            self.record = self.provision().await?;
        }
        Ok(())
    }

    /// Deletes the tokens that earlier runs have made for this connection: an organization may have twenty.
    async fn delete_tokens(&mut self, organization: &str, name: &str) -> Result<()> {
        let path = format!("/api/v1/scim-tokens?organization_id={organization}&limit=200");
        let tokens = self.ask(&path, None).await?.json(StatusCode::OK)?;
        let all = tokens.get("data").and_then(Value::as_array).into_iter().flatten();
        for token in all.filter(|token| token.get("name").and_then(Value::as_str) == Some(name)) {
            let path = format!("/api/v1/scim-tokens/{}", member(token, "id")?);
            self.ask(&path, Some((Method::DELETE, Value::Null))).await?.expect(StatusCode::NO_CONTENT)?;
        }
        Ok(())
    }

    /// May the person read the document? They may.
    pub(super) async fn decide(&mut self) -> Result<()> {
        let body = json!({
            "subject": { "type": "service", "id": "bench" },
            "action": { "name": "read" },
            "resource": { "type": "document", "id": "42" },
            "context": { "acr": "aal2", "network": "192.0.2.7" },
        });
        let answer = self.ask("/access/v1/evaluation", Some((Method::POST, body))).await?;
        let answer = answer.json(StatusCode::OK)?;
        check(answer.get("decision") == Some(&Value::Bool(true)), "the policy did not permit it")
    }

    /// Another person, whom the directory provisions; gives their id.
    pub(super) async fn provision(&mut self) -> Result<String> {
        self.turn += 1;
        let name = format!("{}-{}", self.record, self.turn);
        let body = json!({
            "schemas": [USER],
            "userName": name,
            "externalId": name,
            "name": { "givenName": "Ada", "familyName": "Lovelace" },
            "emails": [{ "value": format!("{name}@directory.example"), "type": "work", "primary": true }],
            "active": true,
        });
        let made = self.ask(USERS, Some((Method::POST, body))).await?.json(StatusCode::CREATED)?;
        Ok(member(&made, "id")?.to_owned())
    }

    /// Another name for the person of this connection.
    pub(super) async fn rename(&mut self) -> Result<()> {
        self.turn += 1;
        let (path, name) = (format!("{USERS}/{}", self.record), format!("Ada {}", self.turn));
        let operation = json!({ "op": "replace", "path": "displayName", "value": name });
        let body = json!({ "schemas": [PATCH], "Operations": [operation] });
        let changed = self.ask(&path, Some((Method::PATCH, body))).await?.json(StatusCode::OK)?;
        check(member(&changed, "displayName")? == name, "the person has another name")
    }

    async fn ask(&mut self, path: &str, json: Option<(Method, Value)>) -> Result<Reply> {
        let authorization = self.token.clone();
        self.http.send(&Call { path, json, authorization: Some(&authorization), ..Call::default() }).await
    }
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}
