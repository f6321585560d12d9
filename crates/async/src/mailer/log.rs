//! Mail to standard output: one readable block each, for development.

use std::io::Write as _;

use svc_core::{Error, Result};

use super::Letter;

/// Prints the mail.
pub(super) fn print(letter: &Letter<'_>) -> Result<()> {
    std::io::stdout().lock().write_all(block(letter).as_bytes()).map_err(|error| Error::unavailable(error))
}

fn block(letter: &Letter<'_>) -> String {
    const RULE: &str = "────────────────────────────────────────────────────────────";
    let mail = letter.mail;
    let text =
        mail.text.trim_end().lines().fold(String::new(), |text, line| text + "  " + &harmless(line) + "\n");
    let from = mail.sender_name.as_deref();
    let from = from.map(|name| format!("  From:    {}\n", harmless(name))).unwrap_or_default();
    format!(
        "{RULE}\n{from}  To:      {}\n  Subject: {}\n\n{text}{RULE}\n",
        harmless(&mail.to),
        harmless(&mail.subject)
    )
}

/// Without the characters that command a terminal.
fn harmless(line: &str) -> String {
    line.chars().filter(|char| !char.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use svc_core::{MailId, SeededEntropy, Timestamp};
    use svc_domain::delivery::mails::NewMail;

    use super::*;

    #[test]
    fn a_mail_is_a_block_that_cannot_command_the_terminal() {
        let mail = NewMail {
            to: "ada@example.com".to_owned(),
            sender_name: None,
            subject: "Hello\u{1b}[2J".to_owned(),
            text: "Dear Ada,\n\nfollow https://x.example/\u{7}\n".to_owned(),
            html: String::new(),
        };
        let at = Timestamp::from_secs(1);
        let block = block(&Letter { id: MailId::new(at, &SeededEntropy::new(1)), mail: &mail, at });
        let lines: Vec<_> = block.lines().collect();
        assert_eq!(
            lines[1..7],
            [
                "  To:      ada@example.com",
                "  Subject: Hello[2J",
                "",
                "  Dear Ada,",
                "  ",
                "  follow https://x.example/",
            ]
        );
        assert!(!block.chars().any(|char| char.is_control() && char != '\n'));
    }
}
