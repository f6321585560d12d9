//! docs/deploy.md, walked: its commands as they stand there, but for the names of this machine.

use std::fs::File;
use std::os::unix::fs::symlink;
use std::process::{Command, Output, Stdio};

use super::super::kms::program;
use super::super::{Service, eventually, mortal};
use super::SetUp;
use crate::workspace::root;

impl SetUp {
    /// A command of the page, for this place: without `sudo` and another user, and with a port that is free.
    fn here(&self, command: &str) -> String {
        let host = format!("localhost:{}", self.port);
        let address = format!("https://{host}");
        let flags = format!("--host localhost --port {}", self.port);
        let dir = self.dir().display().to_string();
        [
            ("sudo --preserve-env=DATABASE_URL ", ""),
            ("sudo -u svc ", ""),
            ("sudo ", ""),
            (" --user svc", ""),
            ("--host id.example.com", &flags),
            ("https://id.example.com", &address),
            ("/var/lib/svc", &dir),
        ]
        .iter()
        .fold(command.to_owned(), |text, (from, to)| text.replace(from, to))
    }

    /// Runs it in a shell that finds the programs where the page has installed them.
    fn walks(&self, command: &str) -> Output {
        let bin = self.folder.path().join("bin");
        if !bin.exists() {
            std::fs::create_dir(&bin).unwrap();
            symlink(env!("CARGO_BIN_EXE_svc-runtime"), bin.join("svc-runtime")).unwrap();
            symlink(program(), bin.join("svc-kms")).unwrap();
        }
        let mut shell = mortal("sh");
        shell.args(["-c", &self.here(command)]).env_clear().stdin(Stdio::null());
        shell.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        if let Some(url) = &self.database_url {
            shell.env("DATABASE_URL", url);
        }
        shell.output().unwrap()
    }
}

/// The line below a heading of the page that holds a text.
fn line(page: &str, heading: &str, text: &str) -> String {
    let (_, below) = page.split_once(&format!("{heading}\n")).unwrap();
    let line = below.lines().find(|line| line.contains(text));
    line.unwrap_or_else(|| panic!("{text} is not below {heading}")).to_owned()
}

#[test]
fn what_its_reader_may_not_see_is_named_in_full_to_commands_with_the_rights_to_it() {
    let page = std::fs::read_to_string(root().join("docs/deploy.md")).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let inside = |line: &&str| line.contains("/var/lib/svc/") && !line.starts_with("export ");
    let commands: Vec<_> = blocks.flat_map(str::lines).filter(inside).collect();
    assert!(commands.len() > 2, "{commands:?}");
    for command in commands {
        assert!(command.starts_with("sudo ") && !command.contains('*'), "{command}");
    }
}

#[tokio::test]
async fn the_commands_that_are_printed_name_each_unit_and_the_user_of_the_service() {
    let set_up = SetUp::new().await;
    let ended = set_up.run(&["--user", "root"]);
    if !ended.status.success() {
        // Only root gives a directory to another user.
        assert!(String::from_utf8_lossy(&ended.stderr).contains("run this as root"), "{ended:?}");
        return;
    }
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    let copies = said.lines().find(|line| line.trim_start().starts_with("cp ")).unwrap();
    let units = set_up.dir().join("systemd").display().to_string();
    let expected = format!("  cp {units}/svc.service {units}/svc-kms.service /etc/systemd/system/");
    assert_eq!(copies, expected);
    assert!(said.contains("\nStart both, as the user root:\n"), "{said}");
}

fn start(command: &str, log: &std::path::Path) -> Service {
    let words: Vec<_> = command.split_whitespace().collect();
    let mut process: Command = mortal(words[0]);
    process.args(&words[1..]).env_clear().stdin(Stdio::null()).stdout(Stdio::null());
    let process = process.stderr(File::create(log).unwrap()).spawn().unwrap();
    Service { process, address: ([127, 0, 0, 1], 1).into(), log: log.to_owned() }
}

#[tokio::test]
async fn the_commands_of_the_page_lead_to_a_deployment_that_answers() {
    let set_up = SetUp::new().await;
    let page = std::fs::read_to_string(root().join("docs/deploy.md")).unwrap();
    let engine = if set_up.database_url.is_some() { "### PostgreSQL" } else { "### SQLite" };
    let made = set_up.walks(&line(&page, engine, "svc-runtime init"));
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(made.status.success() && said.contains("password  "), "{made:?}");

    let commands = said.lines().skip_while(|line| *line != "Start both:").skip(1).take(2);
    let logs = ["kms", "runtime"].map(|name| set_up.dir().with_extension(name));
    let _processes: Vec<_> = commands.zip(&logs).map(|(command, log)| start(command, log)).collect();
    let curl = line(&page, "## 4. Look whether all is well", "curl --cacert").replace("curl ", "curl -sS ");
    let issuer = format!("\"issuer\":\"https://localhost:{}\"", set_up.port);
    eventually("the discovery document", async || {
        String::from_utf8_lossy(&set_up.walks(&curl).stdout).contains(&issuer)
    })
    .await;

    let doctor = set_up.walks(&line(&page, "## 4. Look whether all is well", "svc-runtime doctor"));
    let said = String::from_utf8_lossy(&doctor.stdout);
    // The relay of the page is not there.
    let faults: Vec<_> = said.lines().filter(|line| line.starts_with("FAULT")).collect();
    assert!(faults.len() == 1 && faults[0].contains("mail.example.com:587"), "{said}");
}
