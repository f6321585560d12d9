//! A minimal SMTP relay on loopback for tests: what it received can be looked at.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use svc_config::Smtp;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// How a relay treats mails.
#[derive(Clone, Copy)]
pub enum Mood {
    /// Takes them.
    Takes,
    /// Answers every recipient with this line.
    Refuses(&'static str),
    /// Accepts connections and says nothing.
    Silent,
}

/// A running relay; it ends with its runtime.
pub struct Relay {
    port: u16,
    mood: Arc<Mutex<Mood>>,
    received: Arc<Mutex<Vec<String>>>,
    refused: Arc<AtomicUsize>,
}

impl Relay {
    pub async fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let mood = Arc::new(Mutex::new(mood));
        let relay = Self { port, mood, received: Arc::default(), refused: Arc::default() };
        let (mood, received) = (Arc::clone(&relay.mood), Arc::clone(&relay.received));
        let refused = Arc::clone(&relay.refused);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (mood, received) = (Arc::clone(&mood), Arc::clone(&received));
                tokio::spawn(talk(stream, mood, received, Arc::clone(&refused)));
            }
        });
        relay
    }

    /// The settings under which it is reached.
    pub fn settings(&self) -> Smtp {
        Smtp {
            host: Some("127.0.0.1".to_owned()),
            port: self.port,
            starttls: false,
            from: Some("Example <no-reply@id.example>".to_owned()),
            ..Smtp::default()
        }
    }

    pub fn becomes(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// Every mail that it took: envelope, then content.
    pub fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }

    /// How many recipients it refused.
    pub fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }
}

async fn talk(
    stream: TcpStream,
    mood: Arc<Mutex<Mood>>,
    received: Arc<Mutex<Vec<String>>>,
    refused: Arc<AtomicUsize>,
) -> Option<()> {
    if matches!(*mood.lock().unwrap(), Mood::Silent) {
        return std::future::pending().await;
    }
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let mut mail = String::new();
    writer.write_all(b"220 relay.test ESMTP\r\n").await.ok()?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let verb = line.split([' ', '\r']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match verb.as_str() {
            "EHLO" => "250-relay.test\r\n250 8BITMIME",
            "MAIL" => {
                mail.clone_from(&line);
                "250 sender ok"
            }
            "RCPT" => {
                mail.push_str(&line);
                let mood = *mood.lock().unwrap();
                if let Mood::Refuses(answer) = mood {
                    refused.fetch_add(1, Ordering::SeqCst);
                    answer
                } else {
                    "250 recipient ok"
                }
            }
            "DATA" => {
                writer.write_all(b"354 go on\r\n").await.ok()?;
                while !mail.ends_with("\r\n.\r\n") {
                    reader.read_line(&mut mail).await.ok()?;
                }
                received.lock().unwrap().push(mail.replace("\r\n..", "\r\n."));
                "250 taken"
            }
            "QUIT" => "221 bye",
            _ => "250 ok",
        };
        writer.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
    }
}
