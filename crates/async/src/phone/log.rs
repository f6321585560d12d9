//! Text messages to a sink, whole: a line of JSON each, for development.

use std::fs::{File, OpenOptions, metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde_json::json;
use svc_config::Sink;
use svc_core::{Error, OrInternal as _, Result, TextId, Timestamp};
use svc_domain::delivery::texts::NewText;

use crate::mailer::Inbox;

/// Writes the message to the sink; an inbox stands in for the standard streams.
pub(crate) async fn write(
    sink: &Sink,
    inbox: Option<&Inbox>,
    (which, text): ((TextId, Timestamp), &NewText),
) -> Result<()> {
    if let Some(inbox) = inbox {
        inbox.keep_text(which, text);
    }
    let line = line(which, text);
    let written = match sink {
        Sink::Stdout | Sink::Stderr if inbox.is_some() => Ok(()),
        Sink::Stdout => io::stdout().lock().write_all(line.as_bytes()),
        Sink::Stderr => io::stderr().lock().write_all(line.as_bytes()),
        Sink::File(path) => {
            let path = path.clone();
            tokio::task::spawn_blocking(move || append(&path, &line)).await.or_internal()?
        }
    };
    written.map_err(|error| Error::unavailable(error))
}

/// JSON escapes what could command a terminal or begin another line.
fn line((id, at): (TextId, Timestamp), text: &NewText) -> String {
    let NewText { to, body } = text;
    json!({ "id": id, "to": to, "body": body, "sent_at": at }).to_string() + "\n"
}

/// One write for the whole line, so that processes that share the file do not mix theirs.
fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let start = if is_cut_off(path).unwrap_or_default() { "\n" } else { "" };
    file.write_all(format!("{start}{line}").as_bytes())
}

/// Whether the last line has no end, because the disk was full.
fn is_cut_off(path: &Path) -> io::Result<bool> {
    let known = metadata(path)?;
    if !known.is_file() || known.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    let mut file = File::open(path)?;
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use svc_core::SeededEntropy;

    use super::*;

    #[tokio::test]
    async fn a_file_gets_a_line_of_json_for_each_message() {
        let path = std::env::temp_dir().join(format!("svc-sms-{}.jsonl", std::process::id()));
        let at = Timestamp::from_secs(1_800_000_000);
        let id = TextId::new(at, &SeededEntropy::new(1));
        let text =
            NewText { to: "+442079460123".to_owned(), body: "123456 is\u{1b} your \"code\"\nnow".to_owned() };
        for _ in 0..2 {
            write(&Sink::File(path.clone()), None, ((id, at), &text)).await.unwrap();
        }
        // What a full disk leaves of a line.
        append(&path, "{\"id\":").unwrap();
        write(&Sink::File(path.clone()), None, ((id, at), &text)).await.unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let lines: Vec<_> = written.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!((lines[2], lines[3]), ("{\"id\":", lines[0]));
        assert!(!written.contains('\u{1b}'));
        let read: Value = serde_json::from_str(written.lines().next().unwrap()).unwrap();
        assert_eq!(
            (read["to"].as_str(), read["body"].as_str()),
            (Some(text.to.as_str()), Some(text.body.as_str()))
        );
    }
}
