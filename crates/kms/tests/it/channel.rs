//! Who may talk to the process, and what happens to those who may not.

use std::fs;
use std::sync::Arc;

use rustls::pki_types::ServerName;
use svc_keys::kms::{
    Answer, Call, Frame, Identity, LONGEST, PublicIdentity, Reply, Request, Sidecar, Trouble,
};
use svc_keys::kms::{connecting, read, write};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::place::{Place, mode};

/// A connection that has proven both keys, before its greeting.
async fn connected(place: &Place) -> TlsStream<UnixStream> {
    let own = Identity::from_file(&place.file("client.key")).unwrap();
    let server = PublicIdentity::from_file(&place.file("server.pub")).unwrap();
    let socket = UnixStream::connect(place.file("kms.sock")).await.unwrap();
    let connector = TlsConnector::from(Arc::new(connecting(&own, server).unwrap()));
    connector.connect(ServerName::try_from("svc-kms").unwrap(), socket).await.unwrap()
}

async fn ask(stream: &mut TlsStream<UnixStream>, number: u64, request: Request) -> Option<Reply> {
    write(stream, &Frame::new(&Call(number, request)).unwrap()).await.unwrap();
    read(stream).await.unwrap()
}

#[tokio::test]
async fn the_socket_and_its_directory_are_for_one_user() {
    let place = Place::made();
    let _running = place.serve().await;
    assert_eq!((mode(&place.dir()), mode(&place.file("kms.sock"))), (0o700, 0o600));
    let again = place.refuses(&["serve"]);
    assert!(again.contains("another svc-kms listens at"), "{again}");
}

#[tokio::test]
async fn a_client_or_a_server_with_another_key_is_refused_by_the_file_that_names_it() {
    let (place, other) = (Place::made(), Place::made());
    let _running = place.serve().await;
    let stranger =
        svc_keys::kms::Settings { client_private_key: other.file("client.key"), ..place.settings() };
    let refused = Sidecar::connect(stranger).await.unwrap_err();
    assert!(matches!(&refused, Trouble::ClientKey(path) if *path == other.file("client.key")), "{refused}");
    let impostor =
        svc_keys::kms::Settings { server_public_key: other.file("server.pub"), ..place.settings() };
    let refused = Sidecar::connect(impostor).await.unwrap_err();
    assert!(matches!(&refused, Trouble::ServerKey(path) if *path == other.file("server.pub")), "{refused}");
    let readable = place.file("client.key");
    fs::set_permissions(&readable, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let refused = Sidecar::connect(place.settings()).await.unwrap_err().to_string();
    assert!(refused.contains("client.key cannot be used: other users may read it"), "{refused}");
}

#[tokio::test]
async fn the_first_message_names_a_version_that_is_spoken() {
    let place = Place::made();
    let _running = place.serve().await;
    let mut stream = connected(&place).await;
    let Some(Reply(0, Answer::Refused(why))) = ask(&mut stream, 0, Request::Hello { version: 2 }).await
    else {
        panic!("version 2 is not spoken yet")
    };
    assert_eq!(why, "this svc-kms speaks version 1 of the messages, not 2");
    assert!(read::<Reply>(&mut stream).await.unwrap_or(None).is_none(), "and the connection ends");
    let mut stream = connected(&place).await;
    let Some(Reply(9, Answer::Refused(why))) = ask(&mut stream, 9, Request::Health).await else { panic!() };
    assert_eq!(why, "the first request must be `hello`");
}

#[tokio::test]
async fn what_is_too_long_or_no_message_ends_its_own_connection_alone() {
    let place = Place::made();
    let _running = place.serve().await;
    let client = place.client().await;
    let longest = u32::try_from(LONGEST).unwrap();
    for bytes in [&(longest + 1).to_be_bytes()[..], b"\0\0\0\x02{}", b"\0\0\0\x0b[1,\"health\"]"] {
        let mut stream = connected(&place).await;
        let Some(Reply(0, Answer::Hello(1))) = ask(&mut stream, 0, Request::Hello { version: 1 }).await
        else {
            panic!()
        };
        stream.write_all(bytes).await.unwrap();
        stream.flush().await.unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest).await;
        assert!(rest.is_empty(), "{rest:?}");
    }
    client.look().await.unwrap();
}

#[tokio::test]
async fn several_requests_of_one_connection_are_under_way_at_once() {
    let place = Place::made();
    let _running = place.serve().await;
    let mut stream = connected(&place).await;
    let Some(Reply(0, Answer::Hello(1))) = ask(&mut stream, 0, Request::Hello { version: 1 }).await else {
        panic!()
    };
    for number in 1..=40 {
        write(&mut stream, &Frame::new(&Call(number, Request::Health)).unwrap()).await.unwrap();
    }
    let mut numbers = Vec::new();
    for _ in 1..=40 {
        let Reply(number, Answer::Well(versions)) = read(&mut stream).await.unwrap().unwrap() else {
            panic!()
        };
        assert_eq!(versions.len(), 1);
        numbers.push(number);
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
}
