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
    let unit = unit.replace("User=svc\nGroup=svc\n", &format!("User={user}\n"));
    let lines: Vec<_> = unit.lines().map(|line| adapted_line(line, paths)).collect();
    let mut text = lines.join("\n") + "\n";
    let is_at_home =
        |path: &str| ["/home", "/root", "/run/user"].iter().any(|home| Path::new(path).starts_with(home));
    if paths.iter().any(|(_, path)| is_at_home(path)) {
        text = text.replace("ProtectHome=yes", "ProtectHome=no");
    }
    text
}

/// A setting with the paths in it, each in the quotes and with the escapes that its kind of value is read with (systemd.syntax(7),
/// systemd.service(5)).
fn adapted_line(line: &str, paths: &[(&str, String)]) -> String {
    let setting = line.split_once('=').filter(|_| !line.starts_with('#'));
    let Some((key, value)) = setting else { return line.to_owned() };
    let value = match key {
        "ExecStart" | "ExecStartPre" => {
            let words = value.split(' ').enumerate();
            // The program itself is taken as it stands: variables are in its arguments.
            let adapted = words.map(|(at, word)| match moved(word, paths) {
                Some(path) if at > 0 => quoted(&path.replace('$', "$$")),
                Some(path) => quoted(&path),
                None => word.to_owned(),
            });
            adapted.collect::<Vec<_>>().join(" ")
        }
        "ReadWritePaths" => moved(value, paths).map_or_else(|| value.to_owned(), |path| quoted(&path)),
        // The rest of the line is one value, spaces included.
        _ => moved(value, paths).map_or_else(|| value.to_owned(), |path| path.replace('%', "%%")),
    };
    format!("{key}={value}")
}

/// Where a path of the package is in this deployment.
fn moved(path: &str, paths: &[(&str, String)]) -> Option<String> {
    paths.iter().find_map(|(from, to)| {
        let rest = path.strip_prefix(from)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
    })
}

/// A word of a list.
fn quoted(word: &str) -> String {
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
    if word.contains([' ', '\t', '"', '\'', '\\']) { format!("\"{escaped}\"") } else { escaped }
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
    fn a_path_with_spaces_and_signs_of_systemd_is_one_path_in_every_setting() {
        let (own, dir) = ("/opt/my $svc/svc-runtime", "/srv/my 100% \"$id\"");
        let paths = [(PROGRAM, own), (KMS_PROGRAM, "/var/lib/svc/bin/svc-kms"), (DIR, dir)];
        let paths = paths.map(|(from, to)| (from, to.to_owned()));
        let [service, kms] = [SERVICE, KMS].map(|unit| adapted(unit, &paths, "ada"));
        for line in [
            r#"ExecStart="/opt/my $svc/svc-runtime" --config "/srv/my 100%% \"$$id\"/svc.toml""#,
            r#"ConditionPathExists=/srv/my 100%% "$id"/svc.toml"#,
            r#"WorkingDirectory=/srv/my 100%% "$id""#,
            r#"ReadWritePaths="/srv/my 100%% \"$id\"""#,
        ] {
            assert!(service.lines().any(|found| found == line), "{line}\n{service}");
        }
        let serves = r#"ExecStart=/var/lib/svc/bin/svc-kms serve --dir "/srv/my 100%% \"$$id\"/kms" --passphrase-file "#;
        assert!(kms.lines().any(|found| found.starts_with(serves)), "{kms}");
    }

    #[test]
    fn the_service_takes_more_connections_than_a_program_may_usually_open_files() {
        let limit = SERVICE.lines().find_map(|line| line.strip_prefix("LimitNOFILE=")).unwrap();
        assert!(limit.parse::<u32>().unwrap() > 10_000, "{limit}");
    }

    #[test]
    fn threads_that_hash_may_lower_their_priority() {
        let filters = SERVICE.lines().filter_map(|line| line.strip_prefix("SystemCallFilter="));
        // Each adds to what is allowed, or takes from it: `@resources` has the call, too.
        assert_eq!(
            filters.collect::<Vec<_>>(),
            ["@system-service", "~@privileged @resources", "setpriority"]
        );
    }

    #[test]
    fn a_program_that_hangs_is_started_again() {
        for unit in [SERVICE, KMS] {
            for line in ["Type=notify", "WatchdogSignal=SIGKILL", "Restart=on-failure"] {
                assert!(unit.lines().any(|found| found == line), "{line}: {unit}");
            }
            let patience = unit.lines().find_map(|line| line.strip_prefix("WatchdogSec=")).unwrap();
            assert!(patience.parse::<u32>().unwrap() >= 30, "{patience}");
        }
    }

    #[test]
    fn a_migration_has_the_time_that_it_takes() {
        assert!(SERVICE.contains("--migrate-only\n") && SERVICE.contains("\nTimeoutStartSec=infinity\n"));
    }
}
