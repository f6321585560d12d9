//! The commands on the sealed file.

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, chown};

use crate::place::{Place, mode, refused};

#[test]
fn init_makes_what_both_sides_need_for_their_owner_alone_and_says_what_to_do() {
    let place = Place::empty();
    let said = place.does(&["init"]);
    assert_eq!(mode(&place.dir()), 0o700);
    for name in ["keys.sealed", "client.key", "server.pub"] {
        assert_eq!(mode(&place.file(name)), 0o600, "{name}");
    }
    assert_eq!(mode(&place.path("passphrase")), 0o600);
    for word in
        ["svc-kms serve", "[kms]", "socket_path = ", "server.pub\"", "client.key\"", "A passphrase was made"]
    {
        assert!(said.contains(word), "{word}: {said}");
    }
    let start = format!(
        "  svc-kms serve --dir {} --passphrase-file {}\n",
        place.dir().display(),
        place.path("passphrase").display()
    );
    assert!(said.contains(&start), "{start}: {said}");
    let again = place.refuses(&["init"]);
    assert!(again.contains("keys.sealed exists already, and stays as it is"), "{again}");
}

#[test]
fn what_init_prints_holds_in_every_directory() {
    let place = Place::empty();
    let mut init = place.command(&["init", "--dir", "kms", "--passphrase-file", "passphrase"]);
    let output = init.current_dir(place.path("")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let socket = format!("socket_path = \"{}\"", place.file("kms.sock").display());
    let passphrase = format!(" --passphrase-file {}\n", place.path("passphrase").display());
    assert!(said.contains(&socket) && said.contains(&passphrase), "{said}");
}

#[test]
fn verify_shows_what_a_file_holds_and_none_of_its_keys() {
    let place = Place::made();
    let said = place.does(&["verify"]);
    assert!(said.contains("version 1") && said.contains("secrets: none"), "{said}");
    let sealed = fs::read_to_string(place.file("keys.sealed")).unwrap();
    assert!(!sealed.contains("PRIVATE") && !sealed.contains("seals_from"), "{sealed}");
}

#[test]
fn a_result_that_the_disk_does_not_hold_is_a_failure() {
    let place = Place::made();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let complaint = refused(&place.command(&["verify"]).stdout(full).output().unwrap());
    assert!(complaint.contains("standard output: the result could not be written"), "{complaint}");
}

#[test]
fn a_file_opens_with_its_passphrase_unchanged_and_unreadable_for_others() {
    let place = Place::made();
    let (file, passphrase) = (place.file("keys.sealed"), place.path("passphrase"));
    let (kept, word) = (fs::read_to_string(&file).unwrap(), fs::read_to_string(&passphrase).unwrap());
    fs::write(&passphrase, "another passphrase of some length").unwrap();
    assert!(place.refuses(&["verify"]).contains("the passphrase is not the one that it was sealed with"));
    fs::write(&passphrase, "short").unwrap();
    assert!(place.refuses(&["verify"]).contains("must have 16 characters or more"));
    fs::remove_file(&passphrase).unwrap();
    assert!(place.refuses(&["verify"]).contains("there is no passphrase at"));
    fs::write(&passphrase, word).unwrap();
    let refused = place.refuses(&["verify"]);
    assert!(refused.contains("other users may read it (mode 644); run `chmod 600` on it"), "{refused}");
    fs::set_permissions(&passphrase, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let at = kept.find("\"sealed\": \"").unwrap() + 40;
    let other = if kept.as_bytes()[at] == b'A' { "B" } else { "A" };
    fs::write(&file, format!("{}{other}{}", &kept[..at], &kept[at + 1..])).unwrap();
    assert!(place.refuses(&["verify"]).contains("or the file was changed"));
    fs::write(&file, kept).unwrap();
    place.does(&["verify"]);
}

#[test]
fn without_a_file_or_something_that_opens_it_nothing_starts() {
    let place = Place::empty();
    fs::write(place.path("passphrase"), "a passphrase of some length").unwrap();
    fs::set_permissions(place.path("passphrase"), std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .unwrap();
    let said = place.refuses(&["serve"]);
    assert!(said.contains("keys.sealed; `svc-kms init` makes one for a new deployment"), "{said}");
    assert!(said.contains("`svc-kms restore FILE` puts back"), "{said}");
    let mut none = place.command(&["serve"]);
    let none = refused(&none.env_remove("SVC_KMS_PASSPHRASE_FILE").output().unwrap());
    assert!(none.contains("--passphrase-file FILE, or --credential NAME under systemd"), "{none}");
}

#[test]
fn a_credential_of_systemd_opens_the_file() {
    let place = Place::made();
    let credentials = place.path("credentials");
    fs::create_dir(&credentials).unwrap();
    fs::copy(place.path("passphrase"), credentials.join("svc-kms")).unwrap();
    let by_credential = |folder: bool| {
        let mut command = place.command(&["verify", "--credential", "svc-kms"]);
        command.env_remove("SVC_KMS_PASSPHRASE_FILE");
        if folder {
            command.env("CREDENTIALS_DIRECTORY", &credentials);
        }
        command.output().unwrap()
    };
    assert!(by_credential(true).status.success());
    assert!(refused(&by_credential(false)).contains("works in a unit of systemd"));
}

#[test]
fn a_secret_is_provisioned_from_a_file_or_standard_input_and_shown_by_its_name_alone() {
    use std::io::Write as _;
    use std::process::Stdio;
    let place = Place::made();
    fs::write(place.path("secret"), "canary-one\r\n").unwrap();
    let file = place.path("secret");
    let said = place.does(&["provision", "captcha.secret_key", "--from-file", file.to_str().unwrap()]);
    assert!(said.starts_with("Provisioned captcha.secret_key.") && !said.contains("canary"), "{said}");
    let mut command = place.command(&["provision", "email.smtp.password"]);
    let mut running = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(b"canary-two").unwrap();
    assert!(running.wait().unwrap().success());
    let said = place.does(&["verify"]);
    assert!(
        said.contains("secrets: captcha.secret_key, email.smtp.password") && !said.contains("canary"),
        "{said}"
    );
    assert!(!fs::read_to_string(place.file("keys.sealed")).unwrap().contains("canary"));
    place.does(&["provision", "captcha.secret_key", "--remove"]);
    assert!(place.does(&["verify"]).contains("secrets: email.smtp.password"));
    assert!(place.refuses(&["provision", "captcha.secret_key", "--remove"]).contains("there is no secret"));
    assert!(place.refuses(&["provision", "Captcha!"]).contains("is not a name of a secret"));
    assert!(place.refuses(&["provision", "redis.url"]).contains("standard input holds no secret"));
}

#[test]
fn a_value_that_fits_into_no_message_to_the_service_is_refused() {
    let place = Place::made();
    let file = place.path("secret");
    let provision = ["provision", "captcha.secret_key", "--from-file", file.to_str().unwrap()];
    fs::write(&file, "s".repeat(32 * 1024 + 1)).unwrap();
    let refused = place.refuses(&provision);
    assert!(refused.contains("holds 32769 bytes; a secret has 32768 at most"), "{refused}");
    fs::write(&file, "s".repeat(32 * 1024)).unwrap();
    place.does(&provision);
}

#[test]
fn a_name_that_no_secret_has_is_refused_with_those_that_are_known_and_held_where_a_flag_says_so() {
    let place = Place::made();
    fs::write(place.path("secret"), "canary").unwrap();
    let file = place.path("secret");
    let file = file.to_str().unwrap();
    for (name, hint) in [
        ("email.smtp.pasword", "did you mean email.smtp.password?"),
        ("chain.1.rpc_url", "did you mean chains.1.rpc_url?"),
        ("nope.key", "choose from server.metrics_bearer_token, database.url, "),
    ] {
        let refused = place.refuses(&["provision", name, "--from-file", file]);
        let what = format!("{name} is no secret of the configuration, and `--any-name` holds it");
        assert!(refused.contains(&what) && refused.contains(hint), "{refused}");
    }
    assert!(place.does(&["verify"]).contains("secrets: none"));
    for name in ["email.smtp.password", "chains.1.rpc_url"] {
        place.does(&["provision", name, "--from-file", file]);
    }
    place.does(&["provision", "nope.key", "--any-name", "--from-file", file]);
    let held = place.does(&["verify"]);
    assert!(held.contains("secrets: chains.1.rpc_url, email.smtp.password, nope.key"), "{held}");
    place.does(&["provision", "nope.key", "--remove"]);
    assert!(!place.does(&["verify"]).contains("nope.key"));
}

#[test]
fn a_copy_opens_elsewhere_with_the_same_passphrase() {
    let (place, other) = (Place::made(), Place::empty());
    let copy = other.path("copy");
    let copy = copy.to_str().unwrap();
    place.does(&["backup", copy]);
    assert_eq!(mode(std::path::Path::new(copy)), 0o600);
    assert!(place.refuses(&["backup", copy]).contains("exists already; name a new file"));
    let nowhere = place.refuses(&["backup", "no-such-folder/copy"]);
    assert!(nowhere.contains("no-such-folder/copy cannot be written: "), "{nowhere}");
    assert!(other.refuses(&["restore", copy]).contains("there is no passphrase at"));
    fs::copy(place.path("passphrase"), other.path("passphrase")).unwrap();
    let absent = other.refuses(&["restore", "no-such-copy"]);
    assert!(absent.contains("no-such-copy cannot be read: there is no such file"), "{absent}");
    other.does(&["restore", copy]);
    for name in ["client.key", "server.pub", "keys.sealed"] {
        assert_eq!(fs::read(place.file(name)).unwrap(), fs::read(other.file(name)).unwrap(), "{name}");
    }
    let present = other.refuses(&["restore", copy]);
    assert!(present.contains("exists already, and stays as it is; `--replace` replaces it"), "{present}");
    place.does(&["rotate", "--seals-after", "0"]);
    fs::remove_file(copy).unwrap();
    place.does(&["backup", copy]);
    other.does(&["restore", copy, "--replace"]);
    assert!(other.does(&["verify"]).contains("version 2"));
}

#[test]
fn a_file_that_a_copy_replaces_is_kept_for_its_owner_and_can_be_restored() {
    let place = Place::made();
    let (file, copy) = (place.file("keys.sealed"), place.path("copy"));
    let copy = copy.to_str().unwrap();
    place.does(&["backup", copy]);
    place.does(&["rotate", "--seals-after", "0"]);
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
    let newer = fs::read(&file).unwrap();
    let said = place.does(&["restore", copy, "--replace"]);
    assert!(!place.does(&["verify"]).contains("version 2"));
    let names = fs::read_dir(place.dir()).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<_> =
        names.filter(|path| path.to_str().unwrap().contains("keys.sealed.replaced-2")).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!((fs::read(&kept[0]).unwrap(), mode(&kept[0])), (newer, 0o600));
    assert!(said.contains(&format!("is kept as {};", kept[0].display())), "{said}");
    place.does(&["restore", kept[0].to_str().unwrap(), "--replace"]);
    assert!(place.does(&["verify"]).contains("version 2"));
    assert!(kept[0].exists());
}

#[test]
fn a_file_that_is_sealed_for_another_passphrase_opens_with_that_alone_and_holds_the_same() {
    let place = Place::made();
    fs::write(place.path("secret"), "canary").unwrap();
    place.does(&["provision", "captcha.secret_key", "--from-file", place.path("secret").to_str().unwrap()]);
    let (before, next) = (place.does(&["verify"]), place.path("next"));
    let next = next.to_str().unwrap();
    let missing = place.refuses(&["reseal", "--to-credential", "svc-kms"]);
    assert!(missing.contains("works in a unit of systemd"), "{missing}");
    let said = place.does(&["reseal", "--to-passphrase-file", next]);
    assert!(
        said.contains("A passphrase was made") && said.contains(&format!("--passphrase-file {next}\n")),
        "{said}"
    );
    let refused = place.refuses(&["verify"]);
    assert!(refused.contains("the passphrase is not the one that it was sealed with"), "{refused}");
    assert_eq!(place.does(&["verify", "--passphrase-file", next]), before);
    let again = place.refuses(&["reseal", "--to-passphrase-file", place.path("other").to_str().unwrap()]);
    assert!(again.contains("the passphrase is not the one") && !place.path("other").exists(), "{again}");
}

#[test]
fn what_root_restores_belongs_to_the_user_of_the_folder() {
    let (place, other) = (Place::made(), Place::empty());
    fs::DirBuilder::new().mode(0o700).create(other.dir()).unwrap();
    if chown(other.dir(), Some(65_534), Some(65_534)).is_err() {
        return; // Only root gives files away.
    }
    fs::copy(place.path("passphrase"), other.path("passphrase")).unwrap();
    let copy = other.path("copy");
    place.does(&["backup", copy.to_str().unwrap()]);
    other.does(&["restore", copy.to_str().unwrap()]);
    for name in ["client.key", "server.pub", "keys.sealed"] {
        assert_eq!(other.file(name).metadata().unwrap().uid(), 65_534, "{name}");
    }
}

#[test]
fn rotating_adds_a_version_that_seals_when_its_time_has_come() {
    let place = Place::made();
    let said = place.does(&["rotate"]);
    assert!(
        said.contains("version 2") && said.contains("version 1") && said.matches("(seals)").count() == 1,
        "{said}"
    );
    let early = place.refuses(&["rotate"]);
    assert!(early.contains("version 2 seals only from"), "{early}");
}

#[test]
fn adopting_a_keyring_keeps_its_versions() {
    let place = Place::empty();
    let keyring = place.path("keyring.json");
    assert!(
        place.refuses(&["adopt", "--keyring", keyring.to_str().unwrap()]).contains("there is no keyring at")
    );
    let versions = svc_keys::Versions::first(&svc_keys::SystemEntropy, svc_core::Timestamp::from_secs(1));
    svc_keys::keyring::file::create(&keyring, &versions).unwrap();
    let said = place.does(&["adopt", "--keyring", keyring.to_str().unwrap()]);
    assert!(said.contains("It opens what the keyring has sealed."), "{said}");
    assert!(place.does(&["verify"]).contains(&versions.fingerprints()[0].digest));
    assert!(keyring.exists(), "it is left for the processes that still use it");
}
