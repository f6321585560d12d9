//! An `svc-kms` whose file a token opens, so that it keeps the signing keys and makes each signature.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::bench::meter::Meter;
use crate::process::{self, Job};
use crate::tools::{self, Need};
use crate::{Result, launch};

/// A running one.
pub struct Sidecar {
    job: Job,
    folder: PathBuf,
}

const PIN: &str = "123456";
const LABEL: &str = "bench";
/// Where Debian has the library.
const MODULE: &str = "/usr/lib/softhsm/libsofthsm2.so";

impl Sidecar {
    /// Builds the program, lets it take over a keyring under a fresh token of `SoftHSM`, and starts it.
    pub fn start(folder: &Path, keyring: &Path) -> Result<Self> {
        tools::ensure(&[Need::SoftHsm])?;
        let build = ["build", "--profile", "dist", "--quiet", "--package", "svc-kms"];
        process::run(launch::cargo_to_ship()?.args(build))?;
        let program = launch::target_dir()?.join("dist/svc-kms");
        fs::create_dir_all(folder.join("tokens"))?;
        let conf = format!("directories.tokendir = {}\n", folder.join("tokens").display());
        fs::write(folder.join("softhsm2.conf"), conf)?;
        let mut tool = Command::new("softhsm2-util");
        tool.args(["--init-token", "--free", "--label", LABEL, "--pin", PIN, "--so-pin", "654321"]);
        process::output(tool.env("SOFTHSM2_CONF", folder.join("softhsm2.conf")))?;
        write_pin(&folder.join("pin"))?;
        let command = |verb: &str| {
            let mut command = Command::new(&program);
            command.arg(verb).env("SVC_KMS_DIR", folder.join("kms"));
            command.env("SVC_KMS_PASSPHRASE_FILE", folder.join("pin"));
            command.env("SVC_KMS_TOKEN", LABEL).env("SVC_KMS_TOKEN_MODULE", MODULE);
            command.env("SOFTHSM2_CONF", folder.join("softhsm2.conf"));
            command
        };
        process::output(command("adopt").arg("--keyring").arg(keyring))?;
        let job = Job::start(command("serve").stdout(Stdio::null()).stderr(Stdio::null()), Signal::TERM)?;
        let started = Instant::now();
        while process::output(&mut command("health")).is_err() {
            process::check_interrupt()?;
            if started.elapsed() > Duration::from_secs(30) {
                return Err("svc-kms does not answer within 30 s".into());
            }
            process::pause(Duration::from_millis(10));
        }
        Ok(Self { job, folder: folder.join("kms") })
    }

    /// What it uses.
    pub fn meter(&self) -> Meter {
        Meter { server: self.job.pid(), database: None }
    }

    /// What tells the service where it is.
    pub fn environment(&self) -> [(&'static str, String); 3] {
        [
            ("SVC_KMS__SOCKET_PATH", "kms.sock"),
            ("SVC_KMS__SERVER_PUBLIC_KEY_PATH", "server.pub"),
            ("SVC_KMS__CLIENT_PRIVATE_KEY_PATH", "client.key"),
        ]
        .map(|(name, file)| (name, self.folder.join(file).display().to_string()))
    }
}

/// Writes the PIN for this user alone, as `svc-kms` demands.
fn write_pin(path: &Path) -> Result<()> {
    let mut file = fs::File::options().write(true).create_new(true).mode(0o600).open(path)?;
    Ok(file.write_all(PIN.as_bytes())?)
}
