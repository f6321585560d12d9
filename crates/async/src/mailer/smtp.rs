//! Mail by SMTP (RFC 5321) with STARTTLS (RFC 3207), or TLS from the start on port 465 (RFC 8314).

use std::path::Path;
use std::time::{Duration, SystemTime};

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use svc_core::{Error, OrInternal as _, Result, Timestamp};

use super::Letter;

/// A mail relay.
#[derive(Clone)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    timeout: Duration,
}

/// The port on which TLS comes first.
const SUBMISSIONS: u16 = 465;

impl Smtp {
    /// The relay of `[email.smtp]`; `authorities` are trusted in addition to the public ones.
    pub fn new(relay: &svc_config::Smtp, authorities: Option<&Path>) -> Result<Self> {
        let host = relay.host.as_deref().ok_or_else(|| Error::bad_request("email.smtp.host is missing"))?;
        let from = relay.from.as_deref().ok_or_else(|| Error::bad_request("email.smtp.from is missing"))?;
        let from = from.parse().map_err(|error| {
            Error::bad_request("email.smtp.from: give a sender such as \"Example <no-reply@example.com>\"")
                .caused_by(error)
        })?;
        let seconds = u64::try_from(relay.timeout_secs.0).or_internal()?;
        let timeout = Duration::from_secs(seconds);
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(relay.port)
            .timeout(Some(timeout))
            .tls(tls(relay, host, authorities)?);
        if let (Some(username), Some(password)) = (&relay.username, &relay.password) {
            builder = builder.credentials(Credentials::new(username.clone(), password.expose().to_owned()));
        }
        Ok(Self { transport: builder.build(), from, timeout })
    }

    /// Hands a mail to the relay; never takes longer than `timeout_secs`.
    pub async fn send(&self, letter: &Letter<'_>) -> Result<()> {
        let message = message(&self.from, letter)?;
        // The transport bounds each step only, and a relay may stop answering at every one.
        match tokio::time::timeout(self.timeout, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(Error::unavailable(error)),
            Err(elapsed) => Err(Error::unavailable(elapsed)),
        }
    }

    /// Connects, with TLS and credentials as for a mail.
    pub async fn try_out(&self) -> Result<()> {
        match tokio::time::timeout(self.timeout, self.transport.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => {
                Err(Error::unavailable(std::io::Error::other("it does not answer NOOP with success")))
            }
            Ok(Err(error)) => Err(Error::unavailable(error)),
            Err(elapsed) => Err(Error::unavailable(elapsed)),
        }
    }
}

fn tls(relay: &svc_config::Smtp, host: &str, authorities: Option<&Path>) -> Result<Tls> {
    if relay.port != SUBMISSIONS && !relay.starttls {
        return Ok(Tls::None);
    }
    let mut builder = TlsParameters::builder(host.to_owned());
    if let Some(path) = authorities {
        for authority in read_authorities(path)? {
            builder = builder.add_root_certificate(authority);
        }
    }
    let parameters = builder.build_rustls().or_internal()?;
    Ok(if relay.port == SUBMISSIONS { Tls::Wrapper(parameters) } else { Tls::Required(parameters) })
}

fn read_authorities(path: &Path) -> Result<Vec<Certificate>> {
    let not_pem = |error: rustls::pki_types::pem::Error| {
        Error::bad_request(format!("server.tls.ca_pem_path: {} is not a PEM file", path.display()))
            .caused_by(error)
    };
    let certificates = CertificateDer::pem_file_iter(path).map_err(not_pem)?;
    let authority = |der: CertificateDer<'static>| Certificate::from_der(der.to_vec()).or_internal();
    certificates.map(|der| der.map_err(not_pem).and_then(authority)).collect()
}

fn message(from: &Mailbox, letter: &Letter<'_>) -> Result<Message> {
    let mail = letter.mail;
    let to: Address = mail.to.parse().or_internal()?;
    // The address stays the deployment's, for which the relay sends.
    let sender = match &mail.sender_name {
        Some(name) => Mailbox::new(Some(name.clone()), from.email.clone()),
        None => from.clone(),
    };
    // Tells automatic responders to keep quiet (RFC 3834 §5).
    let automatic =
        HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned());
    Message::builder()
        .from(sender)
        .to(Mailbox::new(None, to))
        .subject(subject_line(&mail.subject))
        .date(system_time(letter.at))
        .message_id(Some(format!("<{}@{}>", letter.id, from.email.domain())))
        .raw_header(automatic)
        .multipart(MultiPart::alternative_plain_html(mail.text.clone(), mail.html.clone()))
        .or_internal()
}

/// A subject that mail programs show as it is: a word of ASCII is sent as it is written, and they would decode an encoded one (RFC 2047)
/// that a person has put into a name.
fn subject_line(subject: &str) -> String {
    let line: String = subject.chars().filter(|char| !char.is_control()).collect();
    line.replace("=?", "= ?")
}

fn system_time(at: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_micros(at.as_micros().unsigned_abs())
}

#[cfg(test)]
mod tests {
    use svc_core::{MailId, Seconds, SeededEntropy};
    use svc_domain::delivery::mails::NewMail;

    use super::*;
    use crate::mailer::relay::{Mood, Relay};

    const AT: Timestamp = Timestamp::from_secs(1_700_000_000);

    fn mail() -> NewMail {
        NewMail {
            to: "ada@example.com".to_owned(),
            sender_name: None,
            subject: "Grüße, Ada".to_owned(),
            text: "Follow https://id.example/verify?token=abc\n.\n..two dots\n".to_owned(),
            html: "<p>Follow <a href=\"https://id.example/verify?token=abc\">this</a></p>".to_owned(),
        }
    }

    async fn send(settings: &svc_config::Smtp, mail: &NewMail) -> Result<()> {
        let letter = Letter { id: MailId::new(AT, &SeededEntropy::new(1)), mail, at: AT };
        Smtp::new(settings, None).unwrap().send(&letter).await
    }

    #[tokio::test]
    async fn a_mail_arrives_whole() {
        let relay = Relay::start(Mood::Takes).await;
        send(&relay.settings(), &mail()).await.unwrap();
        let received = relay.received();
        let whole = received.first().unwrap();
        assert!(whole.starts_with("MAIL FROM:<no-reply@id.example>"), "{whole}");
        for part in [
            "RCPT TO:<ada@example.com>",
            "From: Example <no-reply@id.example>",
            "To: ada@example.com",
            "Subject: =?utf-8?b?R3LDvMOfZSw=?= Ada",
            "Date: Tue, 14 Nov 2023 22:13:20 +0000",
            "Auto-Submitted: auto-generated",
            "@id.example>\r\n",
            "Content-Type: multipart/alternative;",
            "Follow https://id.example/verify?token=abc\r\n.\r\n..two dots",
            "<p>Follow <a href=\"https://id.example/verify?token=abc\">this</a></p>",
        ] {
            assert!(whole.contains(part), "{part} is not in\n{whole}");
        }
    }

    #[tokio::test]
    async fn a_header_cannot_be_smuggled_into_a_mail() {
        let relay = Relay::start(Mood::Takes).await;
        let evil = "Hello\r\nBcc: eve@example.com\r\n\r\nbody".to_owned();
        send(&relay.settings(), &NewMail { subject: evil, ..mail() }).await.unwrap();
        let received = relay.received();
        assert!(received[0].contains("Subject: HelloBcc: eve@example.combody\r\n"), "{}", received[0]);
        let to = "ada@example.com>\r\nRCPT TO:<eve@example.com".to_owned();
        assert!(send(&relay.settings(), &NewMail { to, ..mail() }).await.is_err());
        assert_eq!(relay.received().len(), 1);
    }

    #[tokio::test]
    async fn what_looks_encoded_in_a_subject_is_shown_as_it_was_written() {
        let relay = Relay::start(Mood::Takes).await;
        let subject = "=?utf-8?q?Call=20evil=2Eexample?= =\u{7}?utf-8?q?now?=".to_owned();
        send(&relay.settings(), &NewMail { subject, ..mail() }).await.unwrap();
        let received = relay.received();
        let expected = "Subject: = ?utf-8?q?Call=20evil=2Eexample?= = ?utf-8?q?now?=\r\n";
        assert!(received[0].contains(expected), "{}", received[0]);
    }

    #[tokio::test]
    async fn a_relay_that_offers_no_tls_never_sees_a_mail_that_needs_it() {
        let relay = Relay::start(Mood::Takes).await;
        let settings = svc_config::Smtp { starttls: true, ..relay.settings() };
        assert!(send(&settings, &mail()).await.is_err());
        assert!(relay.received().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_relay_that_never_answers_is_given_up_in_time() {
        let relay = Relay::start(Mood::Silent).await;
        let settings = svc_config::Smtp { timeout_secs: Seconds(15), ..relay.settings() };
        let started = tokio::time::Instant::now();
        assert!(send(&settings, &mail()).await.is_err());
        assert!(started.elapsed() <= Duration::from_secs(16));
    }

    #[tokio::test]
    async fn a_relay_that_cannot_work_is_refused_with_its_key() {
        let nameless = svc_config::Smtp { host: None, ..svc_config::Smtp::default() };
        let senderless =
            svc_config::Smtp { host: Some("mail.example".to_owned()), ..svc_config::Smtp::default() };
        let bad_sender = svc_config::Smtp { from: Some("nobody".to_owned()), ..senderless.clone() };
        for (settings, key) in
            [(nameless, "email.smtp.host"), (senderless, "email.smtp.from"), (bad_sender, "email.smtp.from")]
        {
            assert!(Smtp::new(&settings, None).err().unwrap().detail().contains(key));
        }
    }
}
