//! A process that is killed under load: what was acknowledged holds, and nothing is worth anything twice (F1, F2, I1, I2).

use std::net::SocketAddr;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::Place;
use super::person::{Ada, refresh_token_of};

const ROUNDS: usize = 10;
const AT_ONCE: usize = 12;

fn at(ada: &Ada, address: SocketAddr) -> Ada {
    Ada { address, ..ada.clone() }
}

#[tokio::test]
async fn a_code_is_redeemed_once_whenever_the_process_dies() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    for round in 0..ROUNDS {
        let mut codes = Vec::new();
        for _ in 0..AT_ONCE {
            codes.push(ada.code().await);
        }
        // Two redeemers for each code; the process dies after a number of answers that differs from round to round.
        let (sender, mut answered) = mpsc::unbounded_channel();
        let mut redeemers = JoinSet::new();
        for code in codes.iter().chain(&codes).cloned() {
            let (ada, sender) = (ada.clone(), sender.clone());
            redeemers.spawn(async move {
                let answer = ada.exchange(&code).await;
                let _ = sender.send(());
                (code, answer)
            });
        }
        for _ in 0..=(round * 2) {
            answered.recv().await;
        }
        service.kill().await;
        let answers = redeemers.join_all().await;
        service = place.serve().await;
        ada = at(&ada, service.address);
        for code in &codes {
            let mine =
                answers.iter().filter(|(known, _)| known == code).filter_map(|(_, answer)| answer.as_ref());
            let granted: Vec<_> = mine.filter(|answer| answer.status == 200).collect();
            assert!(granted.len() <= 1, "round {round}: a code was redeemed twice");
            let replays = [ada.exchange(code).await.unwrap(), ada.exchange(code).await.unwrap()];
            for replay in &replays {
                assert!([200, 400].contains(&replay.status), "round {round}: {replay:?}");
            }
            let replays = replays.map(|answer| answer.status);
            // An answer that was lost may have been a success; then and else, one is the most.
            let successes = granted.len() + replays.iter().filter(|status| **status == 200).count();
            assert!(successes <= 1, "round {round}: {replays:?} after {} successes", granted.len());
        }
    }
}

#[tokio::test]
async fn a_token_that_was_handed_out_outlives_the_process() {
    let place = Place::populated().await;
    let mut service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    for round in 0..ROUNDS {
        let mut families = Vec::new();
        for _ in 0..AT_ONCE {
            families.push(ada.refresh_token().await);
        }
        let (sender, mut answered) = mpsc::unbounded_channel();
        let mut holders = JoinSet::new();
        for first in families {
            let (ada, sender) = (ada.clone(), sender.clone());
            holders.spawn(async move {
                let mut held = vec![first];
                // Each holder rotates until the process is gone.
                while let Some(answer) = ada.refresh(held.last().unwrap()).await {
                    assert_eq!(answer.status, 200, "{answer:?}");
                    held.push(refresh_token_of(&answer));
                    let _ = sender.send(());
                }
                held
            });
        }
        for _ in 0..(AT_ONCE + round * 7) {
            answered.recv().await;
        }
        service.kill().await;
        let families = holders.join_all().await;
        service = place.serve().await;
        ada = at(&ada, service.address);
        for held in families {
            // The newest that its holder saw works: as the newest, or within the grace of a rotation whose answer was lost.
            let newest = held.last().unwrap();
            let next = ada.refresh(newest).await.unwrap();
            assert_eq!(next.status, 200, "round {round}: an acknowledged token was lost: {next:?}");
            if let [.., old, _, _] = held.as_slice() {
                let replay = ada.refresh(old).await.unwrap();
                assert_eq!(replay.status, 400, "round {round}: an old token works again");
                let after = ada.refresh(&refresh_token_of(&next)).await.unwrap();
                assert_eq!(after.status, 400, "round {round}: the replayed family lives");
            }
        }
    }
}
