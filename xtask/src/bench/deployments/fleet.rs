//! The servers: four alike, one whose role row-level security does not bind, one that speaks HTTP/2 over TLS, and one whose tokens
//! `svc-kms` signs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crate::bench::key::Key;
use crate::bench::meter::Meter;
use crate::bench::seed;
use crate::bench::subject::{DATABASE, ENVIRONMENT};
use crate::bench::target::Target;
use crate::bench::wire;
use crate::postgres::Postgres;
use crate::server::{Server, Setting};
use crate::tools::{self, Need};
use crate::{Result, process};

use super::sidecar::Sidecar;

/// Runtimes that are alike.
const ALIKE: usize = 4;
/// May do what the owner of the tables may, and is not bound by row-level security.
const UNBOUND: &str = "CREATE ROLE svc_unbound LOGIN BYPASSRLS PASSWORD 'svc' IN ROLE svc";

/// One running server.
pub struct Node {
    /// How it is driven.
    pub target: Arc<Target>,
    server: Server,
    database: u32,
    /// Where its tokens are signed, if not by itself.
    sidecar: Option<Sidecar>,
}

/// All of them, on one database.
pub struct Fleet {
    alike: Vec<Node>,
    unbound: Node,
    secured: Node,
    signed_elsewhere: Node,
}

impl Node {
    /// What it uses, with the database or without: several servers share one, which counts once.
    pub fn meter(&self, with_database: bool) -> Meter {
        Meter { server: self.server.pid(), database: with_database.then_some(self.database) }
    }

    /// What the process uses that signs for it.
    pub fn meter_of_sidecar(&self) -> Option<Meter> {
        self.sidecar.as_ref().map(Sidecar::meter)
    }
}

impl Fleet {
    /// Starts them.
    pub fn start(program: &Path, folder: &Path, postgres: &Postgres, key: &Arc<Key>) -> Result<Self> {
        postgres.sql(UNBOUND)?;
        let url = postgres.url(DATABASE);
        let setting = Setting {
            program,
            data_dir: folder,
            database_url: Some(&url),
            seed: None,
            environment: &ENVIRONMENT,
        };
        drop(Server::start(&setting)?);
        let seed = seed::write(folder, key)?;
        drop(Server::start(&Setting { seed: Some(&seed), ..setting })?);
        let start = |name: &str, setting: &Setting| plain(name, setting, postgres, key);
        let numbers = 1..=ALIKE;
        let alike =
            numbers.map(|number| start(&format!("runtime {number}"), &setting)).collect::<Result<_>>()?;
        let unbound = url.replacen("svc:svc@", "svc_unbound:svc@", 1);
        let unbound = start("unbound runtime", &Setting { database_url: Some(&unbound), ..setting })?;
        let secured = secured(&setting, postgres, key)?;
        let signed_elsewhere = signed_elsewhere(&setting, postgres, key)?;
        Ok(Self { alike, unbound, secured, signed_elsewhere })
    }

    /// What is compared: the first is what the others are held against.
    pub fn deployments(&self) -> Vec<(&'static str, Vec<&Node>)> {
        let alike = |count: usize| self.alike.iter().take(count).collect();
        vec![
            ("one runtime", alike(1)),
            ("two runtimes", alike(2)),
            ("four runtimes", alike(ALIKE)),
            ("one, without row-level security", vec![&self.unbound]),
            ("one, HTTP/2 over TLS", vec![&self.secured]),
            ("one, svc-kms signs", vec![&self.signed_elsewhere]),
        ]
    }

    /// The one whose memory is looked at.
    pub fn first(&self) -> Result<&Node> {
        self.alike.first().ok_or_else(|| "there is no runtime".into())
    }

    /// The one that speaks TLS.
    pub fn secured(&self) -> &Node {
        &self.secured
    }
}

fn plain(name: &str, setting: &Setting, postgres: &Postgres, key: &Arc<Key>) -> Result<Node> {
    let mut server = Server::start(setting)?;
    seed::add_to(&mut server.ready, server.port)?;
    let target = Arc::new(Target::new(name, server.port, &server.ready, key)?);
    Ok(Node { target, server, database: postgres.pid(), sidecar: None })
}

/// What the benchmark knows of the deployment it asks in the clear; then the server is started again with a certificate.
fn secured(setting: &Setting, postgres: &Postgres, key: &Arc<Key>) -> Result<Node> {
    let (certificate, private_key) = certificate(setting.data_dir)?;
    let (certificate_path, key_path) = (certificate.to_string_lossy(), private_key.to_string_lossy());
    let mut environment = setting.environment.to_vec();
    environment.extend([
        ("SVC_SERVER__TRANSPORT", "tls_h2_only"),
        ("SVC_SERVER__TLS__CERT_PEM_PATH", &*certificate_path),
        ("SVC_SERVER__TLS__KEY_PEM_PATH", &*key_path),
        ("SVC_OIDC__ISSUER_URL", "https://localhost"),
    ]);
    let known = plain("", setting, postgres, key)?;
    let target = Arc::into_inner(known.target).ok_or("the target is in use")?;
    drop(known.server);
    let server = Server::start(&Setting { environment: &environment, ..*setting })?;
    let target = target.secured("runtime with TLS", server.port, wire::trusting(&certificate)?);
    Ok(Node { target: Arc::new(target), server, database: postgres.pid(), sidecar: None })
}

/// Over an `svc-kms` that took over the keyring of the others, and lets no signing key out.
fn signed_elsewhere(setting: &Setting, postgres: &Postgres, key: &Arc<Key>) -> Result<Node> {
    let (folder, keyring) = (setting.data_dir.join("sidecar"), setting.data_dir.join("keyring.json"));
    let sidecar = Sidecar::start(&folder, &keyring)?;
    let kms = sidecar.environment();
    let mut environment = setting.environment.to_vec();
    environment.extend(kms.iter().map(|(name, value)| (*name, value.as_str())));
    let node =
        plain("runtime over svc-kms", &Setting { environment: &environment, ..*setting }, postgres, key)?;
    Ok(Node { sidecar: Some(sidecar), ..node })
}

/// A certificate of `localhost` and its key.
fn certificate(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    tools::ensure(&[Need::TlsClients])?;
    let (certificate, key) = (folder.join("server.pem"), folder.join("server.key"));
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
    openssl.args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]);
    openssl.args(["-addext", "basicConstraints=critical,CA:FALSE", "-out"]).arg(&certificate);
    process::output(openssl.arg("-keyout").arg(&key))?;
    Ok((certificate, key))
}
