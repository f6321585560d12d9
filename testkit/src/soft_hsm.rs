//! A PKCS #11 token of `SoftHSM`, which stands for the hardware: its keys do not leave it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A token in a folder of its own.
pub struct SoftHsm {
    folder: PathBuf,
    module: PathBuf,
}

impl SoftHsm {
    /// The PIN of its user.
    pub const PIN: &'static str = "123456";
    /// Its label.
    pub const LABEL: &'static str = "svc";

    /// Makes one in a folder that does not exist yet.
    pub fn new(folder: &Path) -> Self {
        let found = ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/softhsm/libsofthsm2.so"];
        let module = found.iter().map(PathBuf::from).find(|path| path.exists());
        let module = module.unwrap_or_else(|| panic!("SoftHSM 2: apt-get install softhsm2"));
        let hsm = Self { folder: folder.to_owned(), module };
        let tokens = hsm.folder.join("tokens");
        fs::create_dir_all(&tokens).unwrap();
        let text = format!("directories.tokendir = {}\nobjectstore.backend = file\n", tokens.display());
        fs::write(hsm.settings(), text).unwrap();
        let mut tool = Command::new("softhsm2-util");
        tool.args([
            "--init-token",
            "--free",
            "--label",
            Self::LABEL,
            "--pin",
            Self::PIN,
            "--so-pin",
            "654321",
        ]);
        let made = tool.env("SOFTHSM2_CONF", hsm.settings()).stdin(Stdio::null()).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        hsm
    }

    /// Lets `svc-kms` find it, by this label.
    pub fn open(&self, command: &mut Command, label: &str) {
        command.env("SOFTHSM2_CONF", self.settings());
        command.env("SVC_KMS_TOKEN", label).env("SVC_KMS_TOKEN_MODULE", &self.module);
    }

    /// Lets `svc-kms reseal` seal a file for it.
    pub fn seal_for(&self, command: &mut Command) {
        command.env("SOFTHSM2_CONF", self.settings());
        command.args(["--to-token", Self::LABEL, "--to-token-module"]).arg(&self.module);
    }

    fn settings(&self) -> PathBuf {
        self.folder.join("softhsm2.conf")
    }
}
