//! `svc-kms` as `[kms]` names it, and what to do when it cannot be used.

use std::path::Path;
use std::time::Duration;

use svc_config::{Config, Fault, Kms, held_as};
use svc_core::Secret;
use svc_keys::kms::{Settings, Sidecar, Trouble};

use crate::database;

/// How long a starting process waits between two looks for the socket.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How to reach it, where it is configured.
pub fn settings(kms: &Kms) -> Option<Settings> {
    Some(Settings {
        socket: kms.socket_path.clone()?,
        server_public_key: kms.server_public_key_path.clone()?,
        client_private_key: kms.client_private_key_path.clone()?,
    })
}

/// Waits until it can be reached, for as long as `kms.start_timeout_secs` says: both processes may be started at once.
pub async fn awaited(config: &Config) {
    let Some(settings) = settings(&config.kms) else { return };
    let reached = async {
        while let Err(Trouble::Unreachable(..)) = Sidecar::connect(settings.clone()).await {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    // What is wrong after that, the checks of the start report.
    let _ = tokio::time::timeout(database::span(config.kms.start_timeout_secs), reached).await;
}

/// What keeps it from being used now.
pub async fn fault(kms: &Kms) -> Option<Fault> {
    let settings = settings(kms)?;
    let trouble = Sidecar::connect(settings.clone()).await.err()?;
    Some(told(&trouble, &settings))
}

/// The secrets of the configuration that it holds; `None` where it cannot be reached, which the checks of the start report. What it was
/// asked and did not answer is a fault: the secret may be there all the same.
pub async fn provisioned(config: &Config) -> Result<Option<Vec<(String, Secret)>>, Fault> {
    let Some(settings) = settings(&config.kms) else { return Ok(None) };
    let Ok(sidecar) = Sidecar::connect(settings.clone()).await else { return Ok(None) };
    let sidecar = &sidecar;
    let ask = |name: String| async move { sidecar.secret(&name).await };
    let held = held(&config.absent_secrets(), ask).await;
    held.map(Some).map_err(|trouble| told(&trouble, &settings))
}

/// The secrets that are held, of those that are asked for one by one.
async fn held<Answer>(keys: &[&str], ask: impl Fn(String) -> Answer) -> Result<Vec<(String, Secret)>, Trouble>
where
    Answer: Future<Output = Result<Option<Secret>, Trouble>>,
{
    let mut held = Vec::new();
    for key in keys {
        if let Some(secret) = ask(held_as(key)).await? {
            held.push(((*key).to_owned(), secret));
        }
    }
    Ok(held)
}

/// What is wrong, and how to mend it.
pub fn told(trouble: &Trouble, settings: &Settings) -> Fault {
    let (key, fix) = remedy(trouble, settings);
    Fault::new(key, trouble.to_string(), fix)
}

/// The key to mend, and how.
fn remedy(trouble: &Trouble, settings: &Settings) -> (&'static str, String) {
    let is_server_key = |path: &Path| path == settings.server_public_key;
    match trouble {
        Trouble::Unreachable(..) => ("kms", format!("start it before svc-runtime: `{}`", serving(settings))),
        Trouble::KeyFile(path, _) if is_server_key(path) => {
            ("kms.server_public_key_path", "name the server.pub that `svc-kms init` wrote".to_owned())
        }
        Trouble::KeyFile(..) => {
            ("kms.client_private_key_path", "name the client.key that `svc-kms init` wrote".to_owned())
        }
        Trouble::ServerKey(_) => (
            "kms.server_public_key_path",
            "name the server.pub that belongs to the keys.sealed of the running svc-kms".to_owned(),
        ),
        Trouble::ClientKey(_) => (
            "kms.client_private_key_path",
            "name the client.key that belongs to the keys.sealed of the running svc-kms".to_owned(),
        ),
        Trouble::Refused(_) => ("kms", "run svc-kms and svc-runtime of the same version".to_owned()),
    }
}

/// The command that starts it. The configuration says neither where its file is nor what opens it: both are looked for where
/// `svc-runtime init` and `svc-kms init` put them.
fn serving(settings: &Settings) -> String {
    let socket = &settings.socket;
    let dir = settings.server_public_key.parent().filter(|dir| dir.join("keys.sealed").exists());
    let Some(dir) = dir else {
        return format!("svc-kms serve --dir DIR --socket {} --passphrase-file FILE", socket.display());
    };
    let elsewhere = (*socket != dir.join("kms.sock")).then(|| format!(" --socket {}", socket.display()));
    let passphrase = format!("{}.passphrase", dir.display());
    let passphrase = if Path::new(&passphrase).exists() { passphrase.as_str() } else { "FILE" };
    format!(
        "svc-kms serve --dir {}{} --passphrase-file {passphrase}",
        dir.display(),
        elsewhere.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    #[tokio::test]
    async fn a_secret_that_was_not_answered_for_is_not_one_that_is_not_held() {
        let keys = ["captcha.secret_key", "redis.url"];
        let is_redis = |name: &str| name == held_as("redis.url");
        let has_one = |name: String| ready(Ok(is_redis(&name).then(|| Secret::new("redis://cache"))));
        let found = held(&keys, has_one).await.unwrap();
        let found: Vec<_> = found.iter().map(|(key, secret)| (key.as_str(), secret.expose())).collect();
        assert_eq!(found, [("redis.url", "redis://cache")]);
        let closing = || Err(Trouble::Refused("it is closing".to_owned()));
        let fails = |name: String| ready(if is_redis(&name) { closing() } else { Ok(None) });
        assert!(matches!(held(&keys, fails).await, Err(Trouble::Refused(_))));
    }

    #[test]
    fn the_command_that_starts_it_says_what_can_be_found() {
        let folder = tempfile::tempdir().unwrap();
        let [dir, passphrase, other] =
            ["kms", "kms.passphrase", "other.sock"].map(|name| folder.path().join(name));
        let told = |socket: &Path| {
            serving(&Settings {
                socket: socket.to_owned(),
                server_public_key: dir.join("server.pub"),
                client_private_key: dir.join("client.key"),
            })
        };
        let socket = dir.join("kms.sock");
        let shown = [&dir, &passphrase, &other, &socket].map(|path| path.display().to_string());
        let [shown_dir, shown_passphrase, shown_other, shown_socket] = shown;
        assert_eq!(
            told(&socket),
            format!("svc-kms serve --dir DIR --socket {shown_socket} --passphrase-file FILE")
        );
        std::fs::create_dir(&dir).unwrap();
        std::fs::write(dir.join("keys.sealed"), "").unwrap();
        assert_eq!(told(&socket), format!("svc-kms serve --dir {shown_dir} --passphrase-file FILE"));
        std::fs::write(&passphrase, "").unwrap();
        assert_eq!(
            told(&other),
            format!(
                "svc-kms serve --dir {shown_dir} --socket {shown_other} --passphrase-file {shown_passphrase}"
            )
        );
    }
}
