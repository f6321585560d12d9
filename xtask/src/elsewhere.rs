//! A second instance of the service, at which people have accounts of their own: the provider of the first one.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::server::{Server, Setting};
use crate::{Result, launch};

/// The first instance's registration there.
const CLIENT_ID: &str = "app_01m7yepz0rer5tmyyvy97e2x3j";
const CLIENT_SECRET: &str = "kPq3Vh0sT8wYz5LmNcRb7uXe2JdGfAi4";
/// A person who has an account there and nowhere else.
const ADDRESS: &str = "hedy.lamarr@example.com";
const PASSWORD: &str = "frequency-hopping-1942";

/// A provider that runs.
pub struct Elsewhere {
    server: Server,
    _folder: TempDir,
    issuer: String,
}

impl Elsewhere {
    /// Starts it for an instance that will listen on a port. Its host has another name than that one's: cookies know no ports.
    pub fn start(program: &Path, port: u16) -> Result<Self> {
        let folder = launch::passing_folder("svc-elsewhere-")?;
        let own = launch::free_port()?;
        let issuer = format!("http://127.0.0.1:{own}");
        let seed = folder.path().join("elsewhere.toml");
        fs::write(&seed, people_and_clients(port))?;
        let setting = Setting {
            program,
            data_dir: folder.path(),
            database_url: None,
            seed: Some(&seed),
            environment: &[
                ("SVC_OIDC__ISSUER_URL", &issuer),
                ("SVC_SERVER__BASE_DOMAIN", "127.0.0.1"),
                // Pages that the first instance cannot show: its people would get mails at every sign-in, and its bare
                // address has the reference.
                ("SVC_ADAPTIVE_MFA__ENABLED", "true"),
                ("SVC_OPENAPI__ENABLED", "false"),
            ],
        };
        Ok(Self { server: Server::start_at(&setting, own)?, _folder: folder, issuer })
    }

    /// What the first instance is configured with about it.
    pub fn providers(&self) -> String {
        json!([{
            "id": "elsewhere", "display_name": "Elsewhere", "issuer_url": self.issuer, "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET, "trusted_email": true,
        }])
        .to_string()
    }

    /// Who can sign in there, and the line that it printed, for the tests.
    pub fn known(&self) -> String {
        json!({ "username": ADDRESS, "password": PASSWORD, "dev": self.server.ready }).to_string()
    }
}

fn people_and_clients(port: u16) -> String {
    format!(
        "[[tenant]]\nslug = \"demo\"\nname = \"Elsewhere\"\n\n\
         [[tenant.application]]\nhandle = \"first\"\nclient_id = \"{CLIENT_ID}\"\nname = \"The first instance\"\n\
         first_party = true\nsecret = \"{CLIENT_SECRET}\"\n\
         redirect_uris = [\"http://localhost:{port}/auth/return/elsewhere\"]\n\
         grant_types = [\"authorization_code\"]\nscope = \"openid profile email\"\n\n\
         [[tenant.user]]\nemail = \"{ADDRESS}\"\nemail_verified = true\nclaims = {{ name = \"Hedy Lamarr\" }}\n\
         initial_password = \"{PASSWORD}\"\n"
    )
}
