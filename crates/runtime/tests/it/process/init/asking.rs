//! What is asked for on a terminal.

use std::io::{Read, Write as _};
use std::process::Stdio;

use super::super::mortal;
use super::SetUp;

/// What has been read until a text stands in it, or everything there is.
fn read_until(source: &mut impl Read, text: &str) -> String {
    let mut read = Vec::new();
    let mut piece = [0; 256];
    loop {
        let said = String::from_utf8_lossy(&read).into_owned();
        // A terminal that is closed cannot be read.
        let count = if said.contains(text) { 0 } else { source.read(&mut piece).unwrap_or(0) };
        if count == 0 {
            return said;
        }
        read.extend_from_slice(&piece[..count]);
    }
}

#[tokio::test]
async fn ctrl_c_at_a_question_whose_answer_is_hidden_leaves_a_terminal_that_shows_what_is_typed() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let set_up = SetUp::new().await;
    let (program, dir) = (env!("CARGO_BIN_EXE_svc-runtime"), set_up.dir());
    let asks = format!("{program} init --dir {} --host localhost --port {}", dir.display(), set_up.port);
    let mut script = mortal("script");
    // The shell outlives the signal, which every process of the terminal gets.
    script.args(["-qec", &format!("trap : INT; {asks}; echo ended with $?; stty -a"), "/dev/null"]);
    script.env("SHELL", "/bin/sh").env_remove("DATABASE_URL").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut terminal = script.spawn().unwrap();
    let (mut typed, mut shown) = (terminal.stdin.take().unwrap(), terminal.stdout.take().unwrap());
    let asked = read_until(&mut shown, "(not shown as you type)");
    assert!(asked.contains("(not shown as you type)"), "{asked}");
    typed.write_all(b"\x03").unwrap();
    let rest = read_until(&mut shown, "no such text");
    terminal.wait().unwrap();
    assert!(rest.contains("ended with 130") && rest.contains(" echo ") && !rest.contains("-echo "), "{rest}");
    assert!(!dir.exists());
}
