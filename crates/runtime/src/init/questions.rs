//! Asks on a terminal for what no flag has said.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use svc_core::Secret;

use crate::failure::Failure;

/// Reads answers, or refuses where there is no terminal.
pub struct Questions<R, W, H> {
    answers: R,
    prompts: W,
    is_asked: bool,
    /// Hides what is typed as long as its value lives; nothing where that cannot be done.
    hides: fn() -> Option<H>,
}

impl<R: BufRead, W: Write, H> Questions<R, W, H> {
    /// Asks only where `is_asked`.
    pub fn new(answers: R, prompts: W, is_asked: bool, hides: fn() -> Option<H>) -> Self {
        Self { answers, prompts, is_asked, hides }
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

    /// A text that may be left out. What is typed is not shown; where it is, the question says so.
    pub fn secret(&mut self, given: Option<Secret>, what: &str) -> Result<Option<Secret>, Failure> {
        if given.is_some() || !self.is_asked {
            return Ok(given);
        }
        let hidden = (self.hides)();
        let how = if hidden.is_some() { "not shown" } else { "shown" };
        let answer = self.ask(&format!("{what} ({how} as you type)"), None);
        if let Some(hidden) = hidden {
            drop(hidden);
            // The end of the line was not shown either.
            let _ = writeln!(self.prompts);
        }
        Ok(answer?.map(Secret::new))
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

    fn asked(answers: &str) -> Questions<&[u8], Vec<u8>, ()> {
        Questions::new(answers.as_bytes(), Vec::new(), true, || None)
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
    fn what_is_typed_as_a_secret_is_not_shown_or_the_question_says_that_it_is() {
        for (can_hide, asked) in [
            (true, "Database (not shown as you type): \nPort [443]: "),
            (false, "Database (shown as you type): Port [443]: "),
        ] {
            let hides: fn() -> Option<()> = if can_hide { || Some(()) } else { || None };
            let answers = &b"postgres://svc:canary@db/svc\n\n"[..];
            let mut questions = Questions::new(answers, Vec::new(), true, hides);
            let secret = questions.secret(None, "Database").unwrap().unwrap();
            assert_eq!(secret.expose(), "postgres://svc:canary@db/svc");
            assert_eq!(questions.number(None, "Port", 443).unwrap(), 443);
            assert_eq!(String::from_utf8(questions.prompts).unwrap(), asked);
        }
    }

    #[test]
    fn without_a_terminal_the_flag_is_named() {
        let mut questions = Questions::new(&b""[..], Vec::new(), false, || None::<()>);
        let missing = questions.text(None, "--host", "Host", None).unwrap_err();
        assert_eq!(missing.to_string(), "--host is missing; give it, or run this on a terminal");
        assert_eq!(questions.number(None, "Port", 443).unwrap(), 443);
    }
}
