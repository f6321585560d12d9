//! An inbox in memory: the newest mails and text messages to everybody, for development and tests.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use svc_core::{MailId, TextId, Timestamp};
use svc_domain::delivery::texts::NewText;

use super::Letter;

/// The newest mails and text messages.
#[derive(Debug, Default)]
pub struct Inbox {
    mails: Mutex<VecDeque<InboxMail>>,
    texts: Mutex<VecDeque<InboxText>>,
}

/// A text message in the inbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InboxText {
    /// Its id.
    pub id: TextId,
    /// The number.
    pub to: String,
    /// The text.
    pub body: String,
    /// When it arrived.
    pub sent_at: Timestamp,
}

/// A mail in the inbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InboxMail {
    /// Its id.
    pub id: MailId,
    /// The address.
    pub to: String,
    /// The name from which it comes, if it is not the deployment's.
    pub sender_name: Option<String>,
    /// The subject line.
    pub subject: String,
    /// The body as plain text.
    pub text: String,
    /// The body as HTML.
    pub html: String,
    /// The web addresses in the plain text, in their order.
    pub links: Vec<String>,
    /// When it arrived.
    pub sent_at: Timestamp,
}

/// Most mails, and most text messages, kept; older ones go.
const KEPT: usize = 200;

impl Inbox {
    /// The mails, newest first.
    pub fn list(&self) -> Vec<InboxMail> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The text messages, newest first.
    pub fn texts(&self) -> Vec<InboxText> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(crate) fn keep_text(&self, (id, at): (TextId, Timestamp), text: &NewText) {
        tracing::info!(target: "svc::sms", text = %id, "a text message is in the inbox");
        let kept = InboxText { id, to: text.to.clone(), body: text.body.clone(), sent_at: at };
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.push_front(kept);
        texts.truncate(KEPT);
    }

    pub(super) fn keep(&self, letter: &Letter<'_>) {
        let mail = letter.mail;
        tracing::info!(target: "svc::mail", to = mail.to, subject = mail.subject, "a mail is in the inbox");
        let kept = InboxMail {
            id: letter.id,
            to: mail.to.clone(),
            sender_name: mail.sender_name.clone(),
            subject: mail.subject.clone(),
            text: mail.text.clone(),
            html: mail.html.clone(),
            links: links(&mail.text),
            sent_at: letter.at,
        };
        let mut mails = self.mails.lock().unwrap_or_else(PoisonError::into_inner);
        mails.push_front(kept);
        mails.truncate(KEPT);
    }
}

fn links(text: &str) -> Vec<String> {
    let starts = |word: &&str| word.starts_with("https://") || word.starts_with("http://");
    let bare = |word: &str| word.trim_end_matches(['.', ',', ';', ')', '>']).to_owned();
    text.split_whitespace().map(|word| word.trim_start_matches(['<', '('])).filter(starts).map(bare).collect()
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;
    use svc_domain::delivery::mails::NewMail;

    use super::*;

    fn keep(inbox: &Inbox, number: i64) {
        let mail = NewMail {
            to: "ada@example.com".to_owned(),
            sender_name: None,
            subject: format!("Mail {number}"),
            text: "Follow <https://id.example/verify?token=a_b-c>.\nHelp: http://localhost:8080/help, thanks"
                .to_owned(),
            html: "<p>…</p>".to_owned(),
        };
        let at = Timestamp::from_secs(number);
        inbox.keep(&Letter { id: MailId::new(at, &SeededEntropy::new(1)), mail: &mail, at });
    }

    #[test]
    fn the_newest_mail_comes_first_with_its_links() {
        let inbox = Inbox::default();
        keep(&inbox, 1);
        keep(&inbox, 2);
        let mails = inbox.list();
        assert_eq!(mails[0].subject, "Mail 2");
        assert_eq!(mails[0].links, ["https://id.example/verify?token=a_b-c", "http://localhost:8080/help"]);
    }

    #[test]
    fn only_the_newest_two_hundred_are_kept() {
        let inbox = Inbox::default();
        (0..210).for_each(|number| keep(&inbox, number));
        let mails = inbox.list();
        assert_eq!((mails.len(), mails[199].subject.as_str()), (200, "Mail 10"));
    }
}
