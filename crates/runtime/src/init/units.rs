//! Units of systemd: those of the package, with the paths and the user of this deployment.

use std::path::Path;

use super::folder::Folder;
use super::sidecar::Sidecar;
use crate::failure::Failure;

const SERVICE: &str = include_str!("../../../../packaging/systemd/svc.service");
const KMS: &str = include_str!("../../../../packaging/systemd/svc-kms.service");

/// Where the units were written.
pub const FOLDER: &str = "systemd";

/// What stands in the units of the package.
const PROGRAM: &str = "/usr/bin/svc-runtime";
const KMS_PROGRAM: &str = "/usr/bin/svc-kms";
const DIR: &str = "/var/lib/svc";

/// Writes both.
pub fn write(folder: &Folder, sidecar: &Sidecar) -> Result<(), Failure> {
    folder.make(FOLDER)?;
    let own = std::env::current_exe();
    let own = own.map_err(|error| Failure::new(format!("this program cannot be found: {error}")))?;
    let user = folder.owner().unwrap_or_else(|| "svc".to_owned());
    let paths = [(PROGRAM, own), (KMS_PROGRAM, sidecar.program().to_owned()), (DIR, folder.at(""))];
    let paths = paths.map(|(from, to)| (from, to.display().to_string().trim_end_matches('/').to_owned()));
    for (name, text) in [("svc.service", SERVICE), ("svc-kms.service", KMS)] {
        folder.put(&format!("{FOLDER}/{name}"), &adapted(text, &paths, &user))?;
    }
    Ok(())
}

fn adapted(unit: &str, paths: &[(&str, String)], user: &str) -> String {
    let mut text = unit.replace("User=svc\nGroup=svc\n", &format!("User={user}\n"));
    for (from, to) in paths {
        text = text.replace(from, to);
    }
    let is_at_home =
        |path: &str| ["/home", "/root", "/run/user"].iter().any(|home| Path::new(path).starts_with(home));
    if paths.iter().any(|(_, path)| is_at_home(path)) {
        text = text.replace("ProtectHome=yes", "ProtectHome=no");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_names_the_programs_the_directory_and_the_user_of_the_deployment() {
        let paths = [(PROGRAM, "/opt/svc-runtime"), (KMS_PROGRAM, "/opt/svc-kms"), (DIR, "/srv/id")];
        let paths = paths.map(|(from, to)| (from, to.to_owned()));
        for unit in [SERVICE, KMS] {
            let text = adapted(unit, &paths, "ada");
            assert!(text.contains("\nUser=ada\n") && !text.contains("Group="), "{text}");
            for left in ["/usr/bin", "/var/lib"] {
                assert!(!text.contains(left), "{left}: {text}");
            }
            assert!(text.contains("ReadWritePaths=/srv/id\n") && text.contains("ProtectHome=yes"), "{text}");
        }
        let at_home = [(PROGRAM, PROGRAM.to_owned()), (DIR, "/home/ada/svc".to_owned())];
        assert!(adapted(SERVICE, &at_home, "ada").contains("ProtectHome=no"));
    }

    #[test]
    fn a_migration_has_the_time_that_it_takes() {
        assert!(SERVICE.contains("--migrate-only\n") && SERVICE.contains("\nTimeoutStartSec=infinity\n"));
    }
}
