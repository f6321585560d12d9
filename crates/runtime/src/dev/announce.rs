//! What `svc-runtime dev` prints when it is ready: a block for people, or one line of JSON for programs.

use std::fmt::Write as _;

use serde_json::json;
use svc_config::Config;
use svc_core::TenantId;

use super::demo::{self, Client};
use super::options::Options;
use super::secrets::Secrets;
use crate::terminal;

/// What is printed.
pub struct Known<'a> {
    /// The id of the demo tenant, the `tenant_id` of its access tokens.
    pub tenant: TenantId,
    /// The people's passwords.
    pub secrets: &'a Secrets,
    /// The applications.
    pub clients: &'a [Client],
}

/// Prints how to use the deployment.
pub fn print(config: &Config, known: &Known<'_>, options: &Options) {
    let issuer = config.oidc.issuer_url.as_str().trim_end_matches('/');
    if options.json {
        terminal::say(&line(issuer, known));
    } else {
        terminal::say(&block(issuer, known, options));
    }
}

fn line(issuer: &str, known: &Known<'_>) -> String {
    json!({
        "issuer": issuer,
        "tenant": demo::TENANT,
        "tenant_id": known.tenant.to_string(),
        "admin": { "username": demo::ADMIN, "password": known.secrets.admin_password },
        "user": { "username": demo::USER, "password": known.secrets.user_password },
        "clients": known.clients,
    })
    .to_string()
}

fn block(issuer: &str, known: &Known<'_>, options: &Options) -> String {
    let mut text = format!(
        "\n  Ready at {issuer}   (stop with Ctrl-C)\n\n\
         \x20 Try it      {issuer}/dev         sign in, see the verified tokens\n\
         \x20 Inbox       {issuer}/dev/inbox   every mail that was sent\n\
         \x20 API         {issuer}/            interactive documentation\n\
         \x20 Discovery   {issuer}/.well-known/openid-configuration\n\n\
         \x20 Tenant      {:<14} {}\n\n\
         \x20 People      {:<14} {}\n\
         \x20             {:<14} {}\n\n\
         \x20 Applications\n",
        demo::TENANT,
        known.tenant,
        demo::USER,
        known.secrets.user_password,
        format!("{} (admin)", demo::ADMIN),
        known.secrets.admin_password,
    );
    for client in known.clients {
        let is_public = client.token_endpoint_auth_method == "none";
        let unknown = if is_public { "(public)" } else { "(its secret was shown when it was made)" };
        let secret = client.secret.as_deref().unwrap_or(unknown);
        let _ = writeln!(text, "    {:<14} {}  {secret}", client.handle, client.id);
        for address in &client.redirect_uris {
            let _ = writeln!(text, "    {:<14} {address}", "");
        }
    }
    let client = |handle: &str| known.clients.iter().find(|client| client.handle == handle);
    let _ = write!(text, "\n  Next steps\n    curl {issuer}/.well-known/openid-configuration\n");
    if let Some(web) = client("web") {
        let _ = write!(
            text,
            "\n    # a token for the demo API\n    {} \\\n      -d scope=notes:read -d resource=https://api.demo.example\n",
            token_request(issuer, web)
        );
    }
    if let Some(admin) = client("admin-cli") {
        let _ = write!(
            text,
            "\n    # an application of your own\n    TOKEN=$({} -d scope=applications:write | sed 's/.*\"access_token\":\"\\([^\"]*\\)\".*/\\1/')\n    \
             curl {issuer}/api/v1/applications -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\\n      \
             -d '{{\"name\": \"My application\", \"type\": \"spa\", \"token_endpoint_auth_method\": \"none\", \
             \"redirect_uris\": [\"http://localhost:5173/callback\"]}}'\n",
            token_request(issuer, admin)
        );
    }
    let _ = writeln!(text, "\n  Data is kept in {}; delete it to start over.", options.data_dir.display());
    text
}

fn token_request(issuer: &str, client: &Client) -> String {
    let secret = client.secret.as_deref().unwrap_or_default();
    format!("curl -s -u {}:{secret} {issuer}/oauth/token -d grant_type=client_credentials", client.id)
}
