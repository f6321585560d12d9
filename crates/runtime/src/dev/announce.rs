//! What `svc-runtime dev` tells when it is ready: a block for people, or one line of JSON for programs.

use std::fmt::Write as _;

use serde_json::json;
use svc_config::Config;

use super::demo::{self, Client};
use super::options::Options;
use super::secrets::Secrets;
use crate::terminal;

/// Tells how to use the deployment.
pub fn print(config: &Config, (secrets, clients): (&Secrets, &[Client]), options: &Options) {
    let issuer = config.oidc.issuer_url.as_str().trim_end_matches('/');
    if options.json {
        terminal::say(&line(issuer, secrets, clients));
    } else {
        terminal::say(&block(issuer, secrets, clients, options));
    }
}

fn line(issuer: &str, secrets: &Secrets, clients: &[Client]) -> String {
    json!({
        "issuer": issuer,
        "tenant": demo::TENANT,
        "admin": { "username": demo::ADMIN, "password": secrets.admin_password },
        "user": { "username": demo::USER, "password": secrets.user_password },
        "clients": clients,
    })
    .to_string()
}

fn block(issuer: &str, secrets: &Secrets, clients: &[Client], options: &Options) -> String {
    let mut text = format!(
        "\n  Ready at {issuer}   (stop with Ctrl-C)\n\n\
         \x20 Try it      {issuer}/dev         sign in, see the verified tokens\n\
         \x20 Inbox       {issuer}/dev/inbox   every mail that was sent\n\
         \x20 API         {issuer}/            interactive documentation\n\
         \x20 Discovery   {issuer}/.well-known/openid-configuration\n\n\
         \x20 People      {:<12} {}\n\
         \x20             {:<12} {}\n\n\
         \x20 Applications\n",
        demo::USER,
        secrets.user_password,
        format!("{} (admin)", demo::ADMIN),
        secrets.admin_password,
    );
    for client in clients {
        let secret = client.secret.as_deref().unwrap_or("(public)");
        let _ = writeln!(text, "    {:<14} {}  {secret}", client.handle, client.id);
    }
    if let Some(web) = clients.iter().find(|client| client.handle == "web") {
        let (id, secret) = (&web.id, web.secret.as_deref().unwrap_or_default());
        let _ = write!(
            text,
            "\n  Next steps\n    curl -u {id}:{secret} \\\n      -d grant_type=client_credentials -d scope=notes:read \\\n      \
             -d resource=https://api.demo.example {issuer}/oauth/token\n    curl {issuer}/.well-known/openid-configuration\n"
        );
    }
    let _ = writeln!(text, "\n  Data is kept in {}; delete it to start anew.", options.data_dir.display());
    text
}
