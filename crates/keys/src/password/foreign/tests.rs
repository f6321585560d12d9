//! Vectors that passlib, Django and Python's `hashlib` made, and the one that Firebase publishes.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::task::{Context, Poll, Waker};

use svc_core::Secret;

use super::*;
use crate::password::arena::Arena;
use crate::password::queue::Queue;
use crate::password::{PATIENCE, REST, turn};
use crate::{PasswordParams, PasswordPool};

const PASSWORD: &str = "correct horse battery";

/// Each made of [`PASSWORD`].
const HASHES: &[&str] = &[
    "$2b$06$GB1hhGuR3tinEsCC9J3W5uXsLPVZSa6KesZRG.iSfnwT7fS6R74Fm",
    "$2a$05$l2YQ.R8AeKZ389VPzroxHOcU7x1vc9R7OG0eYNGSA99K/xvx5TE6m",
    "$2y$05$Cblmpu7ffwvRtOvDXdJIZehUBFlVHlmsEsgypUMV/cbqkeSimDeHy",
    "$pbkdf2-sha256$1000$xZhTyrkXIsQYY2wtReg9Rw$5VJwb5XkmtyR8rGfUiBEWape2csh0J3phUoOWHAdtnU",
    "$pbkdf2-sha512$1000$MUYIofS.t3ZOScl57z0nJA$qd2Z0gpt/ur/wmhZewVVoUblynIbaeiXIqL1j75YfboxU1DLz9g/zBjXjc6UPjGrQemADfpDSqq8zjJXVCYQqw",
    "$pbkdf2$1000$wfhfC0Ho/Z/T2vt/z1mrVQ$gSSrJTOB0AXRWvTVZ/Ruuyq0tWE",
    "$pbkdf2-sha256$i=1000,l=64$18L40CaLrCNweSKHoXqQEg$YYSDvyTuvfSSsP+8mtaDuiu4E2iIl7OZFnrT1516FpSmubWUqTb3j0mZPSXAiSSn/M72PH4I4huv6MKr0ZvCfQ",
    "pbkdf2_sha256$1000$ujRdvRu3MnTS$rbhCsWBbyz0NuUsoP23ejuva/ckTF56UzogHVbskowA=",
    "pbkdf2_sha1$1000$re7p6ZqJzSyc$kP4+UnKnmWQzIwUndeSB4Hn+q3Q=",
    "bcrypt_sha256$$2b$05$pkAbYA67OdTSoyDaUDBP6ukejmvRcm.JGF/rYck1c6eqlVCSSMsL.",
    "bcrypt$$2b$05$Wf.AJzr534ml7WzpgVHTgegxXEXt2pZLungEM7Ltf7RMIljstIMVG",
    "sha1$4M8F4n4bgb9F$6cf57081d1b902262eb9b1f09877a4bca435f114",
    "md5$xvZSMfkz9hBw$9d6b4e8c25a19dc8f9994cd5866f2ab0",
    "$scrypt$ln=10,r=8,p=1$2HuPkXIuhTAmBABg7L239g$jSRX2qeDjA4uRbe0vTR7lSbDZJzcG0igZlARUXRj4LY",
    "scrypt$1024$saltysalt$8$5$s6NL6zobsMQI25akl+Bv0CkhctyFpgdSmD+lYlwVAJZVEP48kyNbLJCvE3ibbXf4cgoNrz1kNUysn7eT4RGHYQ==",
    "$1$F6mGCWHJ$6yLvT52eozxCuS6ExHsJX1",
    "$apr1$Vb3sPq1z$DCG0k1leYvmxh4rqLznKD0",
    "$5$CoBBTF6BE.3j6bxU$kvAQRncFTFElziQ0J2GiyAdLYLRvATwM0Q0bkSj8Qe7",
    "$5$rounds=1234$sPkAegg3XpqkB1bm$lHLwMKlrezCSL/KxwPosvxZNv.43c6CMHLivVVESHp3",
    "$6$rrg7DNDYUg/ZB5x8$yTD033LluJDD0NzLKtnIqghLq1SOB3cyakDoPHFDtDhiSuIez/Vl/kbSRODvVfYBw228oN2wFrbBeCwCxnvP1.",
    "$6$rounds=1234$pAEoL3IWDRdHqih/$G37gGSLYmZBoyndqawTfxwNX5JqSki4DZqqkrFzA9KqtwS0OkAh/JImegx4fDnerUAUqROxvOE2SXJ9MDjySI.",
    "{SSHA}C05uFTWSx18B6sA1L4Zmx+uyUyN+DwGg",
    "{SSHA256}9SUmWwixacQFBxlUXp1hdYjhmiwt/ntlFyPKnA4nTVtgjJESIgRAKA==",
    "{SSHA512}TKgMrA30PgoFR2LdM0nx25ofm0xoiHojH0Cum9PErNlyRujDx2sOBJrk6TjVAOja3NPvRQh1LxQDvD77q/kO15szRsj531tr",
    "{SHA}mN7MYuzjmaIu0w1JDvMzvn/ec4U=",
    "{MD5}iOTd0kAtktUOGHnW7Nn/1A==",
    "{SMD5}WGPqqQKqH68EbsThGkrDzmdMidE=",
    "$argon2i$v=19$m=512,t=2,p=2$QwjBGAPAOEdIqVXq3bs3Bg$/OmWEd0g5TmKlepuEinJs2T7+9c6KJHL7eQHs0ztX/k",
    "$argon2d$v=19$m=512,t=2,p=1$8V4rBUCIEcJYixGitLYWQg$7ViQwaUoNnBNurx/BBRd+KIGtoCeq5BpMoLmH82y6Ks",
    "$argon2id$v=19$m=1024,t=1,p=1$n5Py/h9j7J1T6v2f03qvdQ$O0e9uBylwucSmOFaaRt5YBi1OX1bxu7OgBNS6k9yGYg",
    "md5$pepper$1c725c67aec1d01e27f9eb1a9026de51",
    "argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdHlzYWx0$T11t/JPZLWEl2otXarJCv+7TKLH85YkuBTeeowkcFAE",
];

const PARAMS: PasswordParams =
    PasswordParams { memory_kib: 64, iterations: 1, parallelism: 1, max_concurrent: 1 };

fn pool() -> PasswordPool {
    PasswordPool::new(PARAMS).unwrap()
}

async fn is_right(pool: &PasswordPool, password: &str, hash: &ForeignHash) -> bool {
    pool.of(None).verify(&Secret::new(password), Some(hash.as_str())).await.unwrap()
}

#[tokio::test]
async fn every_format_knows_its_password_and_no_other() {
    let pool = pool();
    for text in HASHES {
        let hash = ForeignHash::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(is_right(&pool, PASSWORD, &hash).await, "{text}");
        assert!(!is_right(&pool, "correct horse batterz", &hash).await, "{text}");
        assert!(!is_right(&pool, "", &hash).await, "{text}");
        assert!(pool.needs_rehash(hash.as_str()), "{text}");
    }
}

#[test]
fn ours_is_made_while_theirs_is_compared_and_given_up_where_the_password_is_right() {
    let recipe = Recipe::new(&PARAMS).unwrap();
    for (password, is_known) in [(PASSWORD, true), ("correct horse batterz", false)] {
        // A pool without threads: the test does their work.
        let (queue, mut arena) = (Arc::new(Queue::new(2)), Arena::new(&recipe).unwrap());
        let pool =
            PasswordPool { queue, recipe: recipe.clone(), workers: Vec::new(), asked: AtomicU64::new(0) };
        let password = Secret::new(password);
        let mut context = Context::from_waker(Waker::noop());
        let mut verifying = Box::pin(pool.of(None).verify(&password, Some(HASHES[0])));
        assert!(verifying.as_mut().poll(&mut context).is_pending());
        assert_eq!((pool.waiting(), pool.asked()), (2, 2), "both are begun before the first is answered");
        assert!(turn(&pool.queue, &mut arena, PATIENCE, REST));
        let compared = verifying.as_mut().poll(&mut context);
        if is_known {
            assert!(matches!(compared, Poll::Ready(Ok(true))));
        } else {
            assert!(compared.is_pending());
        }
        assert!(turn(&pool.queue, &mut arena, PATIENCE, REST));
        assert_eq!(arena.is_taken(), !is_known, "ours is made where the password is wrong, and only there");
        if !is_known {
            assert!(matches!(verifying.as_mut().poll(&mut context), Poll::Ready(Ok(false))));
        }
    }
}

#[tokio::test]
async fn long_passwords_are_read_as_their_systems_read_them() {
    let pool = pool();
    let bcrypt = ForeignHash::parse("$2b$05$GltWVtb.QtfpwqY.yr9Op.KBq6qOW.SPbA2hlLN/yQ4XZRrVcMLFK").unwrap();
    assert!(is_right(&pool, &"x".repeat(100), &bcrypt).await);
    assert!(is_right(&pool, &"x".repeat(72), &bcrypt).await);
    assert!(!is_right(&pool, &"x".repeat(71), &bcrypt).await);
    let md5 = ForeignHash::parse("$1$.mKAsinv$YJJxMkSIEBpP2kbHJApvD.").unwrap();
    assert!(is_right(&pool, &"y".repeat(40), &md5).await);
}

/// The vector of the reference implementation, which wrote no version before 1.3.
#[tokio::test]
async fn an_argon2_hash_without_a_version_is_of_the_first_one() {
    let pool = pool();
    let text = "$argon2i$m=256,t=2,p=1$c29tZXNhbHQ$/U3YPXYsSb3q9XxHvc0MLxur+GP960kN9j7emXX8zwY";
    let hash = ForeignHash::parse(text).unwrap();
    assert!(is_right(&pool, "password", &hash).await);
    assert!(!is_right(&pool, "passwore", &hash).await);
    assert!(pool.needs_rehash(hash.as_str()));
}

#[test]
fn an_argon2_hash_of_more_than_the_password_is_refused() {
    let rest = "c2FsdHNhbHQ$YYSDvyTuvfSSsP+8mtaDuiu4E2iIl7OZFnrT1516FpQ";
    assert!(ForeignHash::parse(&format!("$argon2id$v=19$m=64,t=1,p=1${rest}")).is_ok());
    for more in ["keyid=Hj5+dsK0", "data=Hj5+dsK0"] {
        assert!(ForeignHash::parse(&format!("$argon2id$v=19$m=64,t=1,p=1,{more}${rest}")).is_err(), "{more}");
    }
}

#[tokio::test]
async fn firebase_hashes_verify_with_the_key_of_their_project() {
    let pool = pool();
    let published = Firebase {
        signer_key: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
        salt_separator: "Bw==",
        rounds: 8,
        mem_cost: 14,
        salt: "42xEC+ixf3L2lw==",
        hash: "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
    };
    let hash = published.convert().unwrap();
    assert!(is_right(&pool, "user1password", &hash).await);
    assert!(!is_right(&pool, "user2password", &hash).await);
    let other = Firebase { salt_separator: "CA==", ..published }.convert().unwrap();
    assert!(!is_right(&pool, "user1password", &other).await);
}

#[tokio::test]
async fn keycloak_credentials_verify() {
    let pool = pool();
    for (data, secret) in [
        (
            r#"{"hashIterations": 1000, "algorithm": "pbkdf2-sha256", "additionalParameters": {}}"#,
            r#"{"value": "YYSDvyTuvfSSsP+8mtaDuiu4E2iIl7OZFnrT1516FpSmubWUqTb3j0mZPSXAiSSn/M72PH4I4huv6MKr0ZvCfQ==", "salt": "18L40CaLrCNweSKHoXqQEg==", "additionalParameters": {}}"#,
        ),
        (
            r#"{"hashIterations": 5, "algorithm": "argon2", "additionalParameters": {"hashLength": ["32"], "memory": ["512"], "type": ["id"], "version": ["1.3"], "parallelism": ["1"]}}"#,
            r#"{"value": "KF26wEccXnDR40Ck9fo8QvRafQhvaNI5YUSo+rfO2nQ=", "salt": "18L40CaLrCNweSKHoXqQEg==", "additionalParameters": {}}"#,
        ),
    ] {
        let hash = keycloak(data, secret).unwrap();
        assert!(is_right(&pool, PASSWORD, &hash).await);
        assert!(!is_right(&pool, "another", &hash).await);
    }
}

/// Keycloak makes 64 bytes whatever the digest, and 1,300,000 iterations of SHA-1.
#[test]
fn a_long_output_of_pbkdf2_costs_what_its_first_block_costs() {
    let data = r#"{"hashIterations": 1300000, "algorithm": "pbkdf2", "additionalParameters": {}}"#;
    let value = "YYSDvyTuvfSSsP+8mtaDuiu4E2iIl7OZFnrT1516FpSmubWUqTb3j0mZPSXAiSSn/M72PH4I4huv6MKr0ZvCfQ==";
    let secret = format!(r#"{{"value": "{value}", "salt": "18L40CaLrCNweSKHoXqQEg=="}}"#);
    assert!(keycloak(data, &secret).is_ok());
}

#[test]
fn what_costs_too_much_is_refused() {
    let tag = "YYSDvyTuvfSSsP+8mtaDuiu4E2iIl7OZFnrT1516FpQ";
    for text in [
        "$2b$15$GB1hhGuR3tinEsCC9J3W5uXsLPVZSa6KesZRG.iSfnwT7fS6R74Fm".to_owned(),
        format!("$pbkdf2-sha256$i=4000000000$c2FsdHNhbHQ${tag}"),
        format!("pbkdf2_sha256$2500001$salt${tag}"),
        format!("$scrypt$ln=19,r=8,p=1$c2FsdHNhbHQ${tag}"),
        format!("$scrypt$ln=1,r=4294967295,p=4294967295$c2FsdHNhbHQ${tag}"),
        format!("$scrypt$ln=63,r=1,p=1$c2FsdHNhbHQ${tag}"),
        format!("$scrypt$ln=10,r=8,p=1000$c2FsdHNhbHQ${tag}"),
        format!("$argon2id$v=19$m=524288,t=1,p=1$c2FsdHNhbHQ${tag}"),
        format!("$argon2id$v=19$m=262144,t=32,p=1$c2FsdHNhbHQ${tag}"),
        format!("$5$rounds=999999999$c2FsdHNhbHQ${}", "a".repeat(43)),
    ] {
        assert!(ForeignHash::parse(&text).is_err(), "{text}");
    }
}

#[test]
fn what_is_malformed_is_refused_and_not_quoted() {
    for text in [
        "",
        "secret-in-plain-text",
        "$2b$10$short",
        "$2x$06$GB1hhGuR3tinEsCC9J3W5uXsLPVZSa6KesZRG.iSfnwT7fS6R74Fm",
        "{SSHA}AAAA",
        "{CLEARTEXT}secret",
        "md5$salt$zz",
        "$1$salt$short",
        "$apr1$salt$short",
        "pbkdf2_md5$1000$salt$AAAA",
        "$pbkdf2-sha256$i=0$c2FsdA$YYSDvyTuvfSSsP+8mtaDuiu4E2iIl7OZFnrT1516FpQ",
        "$pbkdf2-sha256$i=10$c2FsdA$AAAA",
        "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$AAAA",
        "$6$rounds=10$salt$aaaa",
    ] {
        let error = ForeignHash::parse(text).err().unwrap_or_else(|| panic!("{text}"));
        assert!(error.detail().starts_with("password_hash: unsupported"), "{error}");
        assert!(text.is_empty() || !error.detail().contains(text), "{error}");
    }
    assert!(ForeignHash::parse(&format!("md5$${}", "a".repeat(2000))).is_err());
}

#[test]
fn what_a_system_writes_before_a_hash_is_taken_away() {
    let crypt = HASHES.iter().find(|text| text.starts_with("$6$")).unwrap();
    assert_eq!(ForeignHash::parse(&format!("{{CRYPT}}{crypt}")).unwrap().as_str(), *crypt);
    let django =
        ForeignHash::parse("bcrypt$$2b$06$GB1hhGuR3tinEsCC9J3W5uXsLPVZSa6KesZRG.iSfnwT7fS6R74Fm").unwrap();
    assert!(django.as_str().starts_with("$2b$"));
}
