//! Asks on a terminal for what no flag has said.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use svc_core::Secret;

use crate::failure::Failure;

/// Reads answers, or refuses where there is no terminal.
pub struct Questions<R, W> {
    answers: R,
    prompts: W,
    is_asked: bool,
}

impl<R: BufRead, W: Write> Questions<R, W> {
    /// Asks only where `is_asked`.
    pub fn new(answers: R, prompts: W, is_asked: bool) -> Self {
        Self { answers, prompts, is_asked }
    }

    /// A text that must be there.
    pub fn text(
        &mut self,
        given: Option<String>,
        flag: &str,
        what: &str,
        default: Option<&str>,
    ) -> Result<String, Failure> {
        if let Some(given) = given {
            return Ok(given);
        }
        if !self.is_asked {
            return Err(Failure::new(format!("{flag} is missing; give it, or run this on a terminal")));
        }
        loop {
            if let Some(answer) = self.ask(what, default)?.or_else(|| default.map(str::to_owned)) {
                return Ok(answer);
            }
        }
    }

    /// A path that must be there.
    pub fn path(
        &mut self,
        given: Option<PathBuf>,
        flag: &str,
        what: &str,
        default: Option<&str>,
    ) -> Result<PathBuf, Failure> {
        match given {
            Some(given) => Ok(given),
            None => self.text(None, flag, what, default).map(PathBuf::from),
        }
    }

    /// A number with a default.
    pub fn number(&mut self, given: Option<u16>, what: &str, default: u16) -> Result<u16, Failure> {
        if given.is_some() || !self.is_asked {
            return Ok(given.unwrap_or(default));
        }
        loop {
            let Some(answer) = self.ask(what, Some(&default.to_string()))? else { return Ok(default) };
            if let Some(number) = answer.parse().ok().filter(|number| *number > 0) {
                return Ok(number);
            }
        }
    }

    /// A text that may be left out.
    pub fn optional(&mut self, given: Option<String>, what: &str) -> Result<Option<String>, Failure> {
        if given.is_some() || !self.is_asked {
            return Ok(given);
        }
        self.ask(what, None)
    }

    /// A text that may be left out, and is not shown again.
    pub fn secret(&mut self, given: Option<Secret>, what: &str) -> Result<Option<Secret>, Failure> {
        if given.is_some() || !self.is_asked {
            return Ok(given);
        }
        Ok(self.ask(what, None)?.map(Secret::new))
    }

    /// The answer; nothing where the line is empty.
    fn ask(&mut self, what: &str, default: Option<&str>) -> Result<Option<String>, Failure> {
        let failed = |error| Failure::new(format!("the terminal cannot be read: {error}"));
        let hint = default.map_or_else(String::new, |default| format!(" [{default}]"));
        write!(self.prompts, "{what}{hint}: ").and_then(|()| self.prompts.flush()).map_err(failed)?;
        let mut line = String::new();
        if self.answers.read_line(&mut line).map_err(failed)? == 0 {
            return Err(Failure::new("the input ended before every question was answered"));
        }
        Ok(Some(line.trim().to_owned()).filter(|answer| !answer.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(answers: &str) -> Questions<&[u8], Vec<u8>> {
        Questions::new(answers.as_bytes(), Vec::new(), true)
    }

    #[test]
    fn what_is_given_is_not_asked_for() {
        let mut questions = asked("");
        assert_eq!(questions.text(Some("a".to_owned()), "--a", "A", None).unwrap(), "a");
        assert_eq!(questions.number(Some(8443), "Port", 443).unwrap(), 8443);
        assert!(questions.prompts.is_empty());
    }

    #[test]
    fn an_empty_line_takes_the_default_and_what_is_needed_is_asked_again() {
        let mut questions = asked("\n\nid.example.com\nmany\n0\n8443\n\n");
        assert_eq!(questions.text(None, "--dir", "Directory", Some("/srv")).unwrap(), "/srv");
        assert_eq!(questions.text(None, "--host", "Host", None).unwrap(), "id.example.com");
        assert_eq!(questions.number(None, "Port", 443).unwrap(), 8443);
        assert_eq!(questions.optional(None, "Relay").unwrap(), None);
        let prompts = String::from_utf8(questions.prompts.clone()).unwrap();
        assert_eq!(prompts, "Directory [/srv]: Host: Host: Port [443]: Port [443]: Port [443]: Relay: ");
        assert!(questions.secret(None, "Database").unwrap_err().to_string().contains("ended"));
    }

    #[test]
    fn without_a_terminal_the_flag_is_named() {
        let mut questions = Questions::new(&b""[..], Vec::new(), false);
        let missing = questions.text(None, "--host", "Host", None).unwrap_err();
        assert_eq!(missing.to_string(), "--host is missing; give it, or run this on a terminal");
        assert_eq!(questions.number(None, "Port", 443).unwrap(), 443);
    }
}
