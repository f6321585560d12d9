//! Access tokens, good and bad for each of the ten rules of the access-token contract.

use serde_json::{Value, json};
use svc_keys::{SigningKey, base64url, dpop, sha256};

use crate::NOW;
use crate::parts::{
    AGENT, AUDIENCE, ISSUER, OTHER_AGENT, TENANT, URL, asked, asked_dpop, bearer, claims, delegated, header,
    refusal, required, with, without,
};
use crate::signer::{Signer, bare, bare_jwk, ed25519, hs256, p256, rs256, rsa_jwk, unsigned};

pub fn all(committed: &Value) -> Value {
    let mut file = Cases::new(committed);
    file.good();
    file.fractions();
    file.rule_1_header();
    file.rule_2_signature();
    file.rule_2_claims();
    file.rules_3_and_4_parties();
    file.rule_5_time();
    file.rule_6_tenant();
    file.rules_7_to_9_powers();
    file.rule_10_proof();
    file.rule_10_rsa();
    json!({
        "description": "Access tokens at a protected API, judged in the order of the ten rules; the first that fails decides. \
            One store of proofs for all cases, in their order",
        "issuer": ISSUER,
        "audience": AUDIENCE,
        "tenant_id": TENANT,
        "now": NOW,
        "leeway_secs": 10,
        "jwks": {"keys": [file.es256.public_jwk(), file.eddsa.public_jwk(), rsa_jwk("rs-1")]},
        "cases": file.written,
    })
}

struct Cases {
    written: Vec<Value>,
    signer: Signer,
    es256: SigningKey,
    eddsa: SigningKey,
    stranger: SigningKey,
    holder: SigningKey,
}

impl Cases {
    fn new(committed: &Value) -> Self {
        Self {
            written: Vec::new(),
            signer: Signer::new(committed),
            es256: p256("es-1", 17),
            eddsa: ed25519(),
            stranger: p256("es-1", 34),
            holder: p256("holder", 51),
        }
    }

    fn push(&mut self, rule: u8, name: &str, headers: Value, required: Value, outcome: Value) {
        self.written.push(json!({
            "name": name, "rule": rule, "headers": headers, "method": "GET", "url": URL,
            "required": required, "outcome": outcome,
        }));
    }

    fn ok(&mut self, name: &str, headers: Value, required: Value, claims: &Value) {
        self.push(0, name, headers, required, json!({"claims": claims}));
    }

    /// A token of the usual kind with these claims, refused by `rule`.
    fn refused(&mut self, rule: u8, name: &str, claims: &Value, required: Value) {
        let headers = bearer(&self.token(claims));
        self.push(rule, name, headers, required, refusal(rule));
    }

    fn token(&self, claims: &Value) -> String {
        self.signer.sign(&self.es256, &header("ES256", "es-1"), claims)
    }

    fn good(&mut self) {
        let claims = claims();
        self.ok("an ES256 token", bearer(&self.token(&claims)), required(), &claims);
        let token = self.signer.sign(&self.eddsa, &header("EdDSA", self.eddsa.kid()), &claims);
        self.ok("an EdDSA token", bearer(&token), required(), &claims);
        let scheme = json!({"authorization": format!("bearer {}", self.token(&claims))});
        self.ok("a scheme in lower case", scheme, required(), &claims);
        let mut typed = header("ES256", "es-1");
        typed["typ"] = json!("application/at+jwt");
        let token = self.signer.sign(&self.es256, &typed, &claims);
        self.ok("a type with its tree", bearer(&token), required(), &claims);
        let listed = with("aud", json!([AUDIENCE]));
        self.ok("an audience in a list", bearer(&self.token(&listed)), required(), &listed);
        let early = with("nbf", json!(NOW + 5));
        self.ok(
            "a clock of the issuer that is a little ahead",
            bearer(&self.token(&early)),
            required(),
            &early,
        );
        let agent = with("subject_type", json!("agent"));
        let asked = asked("subject_types", json!(["human", "agent"]));
        self.ok("an agent where agents are accepted", bearer(&self.token(&agent)), asked, &agent);
        let acting = with("act", json!({"sub": AGENT, "act": {"sub": OTHER_AGENT}}));
        self.ok(
            "a chain of actors whose present one is allowed",
            bearer(&self.token(&acting)),
            delegated(),
            &acting,
        );
        let mut any = delegated();
        any.as_object_mut().unwrap().remove("actors");
        self.ok("any actor where none is named", bearer(&self.token(&acting)), any, &acting);
        let bound = self.bound();
        let token = self.token(&bound);
        self.ok(
            "a DPoP token with its proof",
            self.proven(&token, &self.proof(&token, "p-1")),
            required(),
            &bound,
        );
        let must = asked_dpop();
        self.ok(
            "a DPoP token where one is required",
            self.proven(&token, &self.proof(&token, "p-2")),
            must,
            &bound,
        );
        let headers = self.proven(&token, &self.proof(&token, "p-3"));
        self.ok("the query of a request is no part of a proof", headers, required(), &bound);
        self.written.last_mut().unwrap()["url"] = json!(format!("{URL}?page=2"));
    }

    fn rule_1_header(&mut self) {
        let token = self.token(&claims());
        let none = json!({"error": "missing_token", "status": 401});
        let mut push = |name: &str, headers: Value| self.push(1, name, headers, required(), none.clone());
        push("no header", json!({}));
        push("an empty header", json!({"authorization": ""}));
        push("a scheme without a token", json!({"authorization": "Bearer "}));
        push("a token without a scheme", json!({"authorization": token}));
        push("the scheme Basic", json!({"authorization": "Basic YTpi"}));
        push("another scheme before the token", json!({"authorization": format!("Token {token}")}));
        push("a token in the query", json!({}));
        self.written.last_mut().unwrap()["url"] = json!(format!("{URL}?access_token={token}"));
    }

    fn rule_2_signature(&mut self) {
        let claims = claims();
        let signed = self.token(&claims);
        let (input, signature) = signed.rsplit_once('.').unwrap();
        let (head, _) = input.split_once('.').unwrap();
        let other = base64url(crate::sorted(&with("sub", json!("sub-2"))).to_string());
        let public = serde_json::to_string(&crate::sorted(&self.es256.public_jwk())).unwrap();
        // 64 bytes leave four bits of the last letter unused.
        let mut respelled = signed.clone().into_bytes();
        *respelled.last_mut().unwrap() += 1;
        let mut flipped = svc_keys::from_base64url(signature).unwrap();
        flipped[40] ^= 1;
        let headed = |name: &str, value: Value| {
            let mut header = header("ES256", "es-1");
            header[name] = value;
            self.signer.sign(&self.es256, &header, &claims)
        };
        let mut untyped = header("ES256", "es-1");
        untyped.as_object_mut().unwrap().remove("typ");
        let mut tokens = vec![
            ("no JWT at all", "opaque".to_owned()),
            ("two parts", input.to_owned()),
            ("alg none without a signature", unsigned(&header("none", "es-1"), &claims)),
            (
                "alg none with a signature",
                format!("{}{signature}", unsigned(&header("none", "es-1"), &claims)),
            ),
            (
                "HS256 with the public key as its secret",
                hs256(public.as_bytes(), &header("HS256", "es-1"), &claims),
            ),
            ("RS256, which signs no access tokens", rs256(&header("RS256", "rs-1"), &claims)),
            ("RS256 in the name of another key", rs256(&header("RS256", "es-1"), &claims)),
            (
                "EdDSA in the name of a P-256 key",
                self.signer.sign(&self.eddsa, &header("EdDSA", "es-1"), &claims),
            ),
            ("an unknown kid", self.signer.sign(&self.es256, &header("ES256", "es-9"), &claims)),
            (
                "a signature by another key",
                self.signer.sign(&self.stranger, &header("ES256", "es-1"), &claims),
            ),
            ("an altered signature", format!("{input}.{}", base64url(flipped))),
            ("an empty signature", format!("{input}.")),
            ("a signature with padding", format!("{signed}==")),
            ("a signature in another spelling", String::from_utf8(respelled).unwrap()),
            ("altered claims", format!("{head}.{other}.{signature}")),
            ("an ID token", headed("typ", json!("JWT"))),
            ("a logout token", headed("typ", json!("logout+jwt"))),
            ("no type", self.signer.sign(&self.es256, &untyped, &claims)),
            ("a key of its own", headed("jwk", bare_jwk(&self.stranger))),
            ("the address of a key", headed("jku", json!("https://evil.example/jwks"))),
            ("a critical extension", headed("crit", json!(["x"]))),
            (
                "claims that are no object",
                self.signer.sign(&self.es256, &header("ES256", "es-1"), &json!([1])),
            ),
        ];
        let texts = [header("ES256", "es-1"), claims.clone()].map(|value| crate::sorted(&value).to_string());
        let twice = |text: &str, member: &str| text.replacen('{', &format!("{{{member},"), 1);
        let [head, body] = &texts;
        tokens.extend(
            [
                ("a header member that is there twice", (twice(head, r#""kid":"es-9""#), body.clone())),
                ("a claim that is there twice", (head.clone(), twice(body, r#""sub":"sub-2""#))),
            ]
            .map(|(name, (head, body))| (name, self.signer.sign_text(&self.es256, &head, &body))),
        );
        for (name, token) in tokens.drain(..) {
            self.push(2, name, bearer(&token), required(), refusal(2));
        }
    }

    /// Every access token has both (RFC 9068 §2.2); what has not is another kind of token.
    fn rule_2_claims(&mut self) {
        for name in ["sub", "client_id"] {
            self.refused(2, &format!("no {name}"), &without(name), required());
            self.refused(2, &format!("an empty {name}"), &with(name, json!("")), required());
            self.refused(2, &format!("a {name} that is no text"), &with(name, json!(["x"])), required());
        }
        let mut foreign = without("client_id");
        foreign["tenant_id"] = json!("tnt_01jcqzv7y0e8kstk6yq6k3a4zz");
        self.refused(2, "a missing client comes before the tenant", &foreign, required());
    }

    fn rules_3_and_4_parties(&mut self) {
        let rule_3 = [
            ("another issuer", with("iss", json!("https://other.example"))),
            ("an issuer with a slash at its end", with("iss", json!("https://id.example/"))),
            ("no issuer", without("iss")),
            ("an issuer that is no text", with("iss", json!([ISSUER]))),
        ];
        let rule_4 = [
            ("another audience", with("aud", json!("https://other.example"))),
            (
                "a list of audiences without ours",
                with("aud", json!(["https://a.example", "https://b.example"])),
            ),
            ("an empty list of audiences", with("aud", json!([]))),
            ("an audience of which ours is the beginning", with("aud", json!("https://api.example.evil"))),
            ("no audience", without("aud")),
        ];
        for (name, claims) in &rule_3 {
            self.refused(3, name, claims, required());
        }
        for (name, claims) in &rule_4 {
            self.refused(4, name, claims, required());
        }
        let mut both = with("iss", json!("https://other.example"));
        both["aud"] = json!("https://other.example");
        both["scope"] = json!("");
        self.refused(3, "another issuer comes before all that follows", &both, required());
    }

    fn rule_5_time(&mut self) {
        let cases = [
            ("expired an hour ago", with("exp", json!(NOW - 3600))),
            ("not valid for another hour", with("nbf", json!(NOW + 3600))),
            ("issued in an hour", with("iat", json!(NOW + 3600))),
            ("no exp", without("exp")),
            ("an exp that is text", with("exp", json!((NOW + 300).to_string()))),
            ("an exp that is null", with("exp", Value::Null)),
            ("an nbf that is text", with("nbf", json!((NOW - 60).to_string()))),
            ("an exp with a fraction, in its last second", with("exp", json!(1_800_000_000.5))),
            ("an exp with a fraction below zero", with("exp", json!(-0.5))),
            ("an exp beyond what JSON carries", with("exp", json!((1_i64 << 53) + 2))),
            ("an nbf below zero", with("nbf", json!(-1))),
        ];
        for (name, claims) in &cases {
            self.refused(5, name, claims, required());
        }
    }

    /// A fraction of a second is dropped (RFC 7519 §2).
    fn fractions(&mut self) {
        let token = with("exp", json!(1_800_000_300.5));
        self.ok("an exp with a fraction", bearer(&self.token(&token)), required(), &token);
        let bound = self.bound();
        let token = self.token(&bound);
        let mut claims = self.proof_claims(&token, "bad-a proof whose time has a fraction");
        claims["iat"] = json!(1_800_000_000.5);
        let proof = self.signer.sign(&self.holder, &self.proof_header(&self.holder), &claims);
        let headers = self.proven(&token, &proof);
        self.ok("a proof whose time has a fraction", headers, required(), &bound);
    }

    fn rule_6_tenant(&mut self) {
        let other = with("tenant_id", json!("tnt_01jcqzv7y0e8kstk6yq6k3a4zz"));
        self.refused(6, "another tenant", &other, required());
        self.refused(6, "no tenant", &without("tenant_id"), required());
        self.refused(6, "a tenant that is no text", &with("tenant_id", json!([TENANT])), required());
        let mut weak = other;
        weak["scope"] = json!("");
        self.refused(6, "the tenant comes before the scope", &weak, required());
    }

    fn rules_7_to_9_powers(&mut self) {
        self.refused(7, "no scope", &without("scope"), required());
        self.refused(7, "an empty scope", &with("scope", json!("")), required());
        self.refused(7, "another scope", &with("scope", json!("orders:write")), required());
        self.refused(
            7,
            "a scope that begins like ours",
            &with("scope", json!("orders:read:own orders")),
            required(),
        );
        self.refused(7, "a scope in another letter case", &with("scope", json!("Orders:Read")), required());
        self.refused(
            8,
            "an agent where a person is needed",
            &with("subject_type", json!("agent")),
            required(),
        );
        self.refused(8, "an unknown type of subject", &with("subject_type", json!("anonymous")), required());
        self.refused(
            8,
            "a service where a person is needed",
            &with("subject_type", json!("system")),
            required(),
        );
        self.refused(8, "no subject type", &without("subject_type"), required());
        let acting = with("act", json!({"sub": AGENT}));
        self.refused(9, "an actor where none is allowed", &acting, required());
        let other = with("act", json!({"sub": OTHER_AGENT}));
        self.refused(9, "an actor that is not allowed", &other, delegated());
        let inner = with("act", json!({"sub": OTHER_AGENT, "act": {"sub": AGENT}}));
        self.refused(9, "an allowed actor that is not the present one", &inner, delegated());
        self.refused(9, "an actor without a name", &with("act", json!({})), delegated());
        let nameless = with("act", json!({"sub": ""}));
        let mut any = delegated();
        any.as_object_mut().unwrap().remove("actors");
        self.refused(9, "an actor with an empty name where any may act", &nameless, any);
        self.refused(9, "an actor that is no object", &with("act", json!(AGENT)), delegated());
    }

    fn rule_10_proof(&mut self) {
        let bound = self.bound();
        let token = self.token(&bound);
        let free = self.token(&claims());
        let tokens = refusal(10);
        let proofs = json!({"error": "invalid_dpop_proof", "status": 401});
        self.push(10, "a DPoP token sent as Bearer", bearer(&token), required(), tokens.clone());
        let headers = json!({"authorization": format!("Bearer {token}"), "dpop": self.proof(&token, "p-4")});
        self.push(10, "a DPoP token sent as Bearer, with a proof", headers, required(), tokens.clone());
        let headers = self.proven(&free, &self.proof(&free, "p-5"));
        self.push(10, "a token without a key sent as DPoP", headers, required(), tokens.clone());
        self.push(10, "a Bearer token where DPoP is required", bearer(&free), asked_dpop(), tokens);
        let headers = json!({"authorization": format!("DPoP {token}")});
        self.push(10, "no proof", headers, required(), proofs.clone());
        let fit = self.proof_claims(&token, "");
        let mut claims = |name: &str, change: &[(&str, Value)]| {
            let mut claims = fit.clone();
            claims["jti"] = json!(format!("bad-{name}"));
            for (name, value) in change {
                claims[*name] = value.clone();
            }
            let proof = self.signer.sign(&self.holder, &self.proof_header(&self.holder), &claims);
            let headers = self.proven(&token, &proof);
            self.push(10, name, headers, required(), proofs.clone());
        };
        claims("a proof for another method", &[("htm", json!("POST"))]);
        claims("a proof for another address", &[("htu", json!("https://api.example/invoices"))]);
        claims("a proof for another host", &[("htu", json!("https://other.example/orders"))]);
        claims("a proof of an hour ago", &[("iat", json!(NOW - 3600))]);
        claims("a proof of the next hour", &[("iat", json!(NOW + 3600))]);
        claims("a proof whose time is text", &[("iat", json!(NOW.to_string()))]);
        claims("a proof whose time has a fraction and is ahead", &[("iat", json!(1_800_000_011.5))]);
        claims("a proof that has ended", &[("exp", json!(NOW - 10))]);
        claims("a proof that is not valid yet", &[("nbf", json!(NOW + 11))]);
        claims("a proof for another token", &[("ath", json!(dpop::ath("other")))]);
        claims("a proof for no token", &[("ath", Value::Null)]);
        claims("a proof without an id", &[("jti", json!(""))]);
        let stranger = &self.stranger;
        let mut own = fit.clone();
        own["jti"] = json!("bad-key");
        let typed = {
            let mut header = self.proof_header(&self.holder);
            header["typ"] = json!("JWT");
            header
        };
        let keyless = json!({"typ": "dpop+jwt", "alg": "ES256"});
        let none = {
            let mut header = self.proof_header(&self.holder);
            header["alg"] = json!("none");
            header
        };
        let bad = [
            ("a proof by another key", self.signer.sign(stranger, &self.proof_header(stranger), &own)),
            (
                "a proof that another key has signed",
                self.signer.sign(stranger, &self.proof_header(&self.holder), &own),
            ),
            ("a proof of another type", self.signer.sign(&self.holder, &typed, &own)),
            ("a proof without its key", self.signer.sign(&self.holder, &keyless, &own)),
            ("a proof that is not signed", unsigned(&none, &own)),
            ("a proof that is no JWT", "proof".to_owned()),
        ];
        for (name, proof) in bad {
            let headers = self.proven(&token, &proof);
            self.push(10, name, headers, required(), proofs.clone());
        }
        let headers = self.proven(&token, &self.proof(&token, "p-1"));
        self.push(10, "a proof that was used before", headers, required(), proofs);
        self.written.last_mut().unwrap()["replay_of"] = json!("a DPoP token with its proof");
    }

    /// An RSA key signs proofs by PS256 alone.
    fn rule_10_rsa(&mut self) {
        let jwk = crate::sorted(&bare(rsa_jwk("")));
        let bound = with("cnf", json!({"jkt": base64url(sha256(jwk.to_string().as_bytes()))}));
        let token = self.token(&bound);
        let header = |alg: &str| json!({"typ": "dpop+jwt", "alg": alg, "jwk": jwk});
        let proof = self.signer.ps256(&header("PS256"), &self.proof_claims(&token, "rsa-1"));
        self.ok("a proof by PS256", self.proven(&token, &proof), required(), &bound);
        let proof = rs256(&header("RS256"), &self.proof_claims(&token, "rsa-2"));
        let refusal = json!({"error": "invalid_dpop_proof", "status": 401});
        self.push(10, "a proof by RS256", self.proven(&token, &proof), required(), refusal);
    }

    /// The claims of a token that is bound to the holder's key.
    fn bound(&self) -> Value {
        with("cnf", json!({"jkt": self.holder.public().thumbprint()}))
    }

    fn proof(&self, token: &str, jti: &str) -> String {
        self.signer.sign(&self.holder, &self.proof_header(&self.holder), &self.proof_claims(token, jti))
    }

    fn proof_header(&self, key: &SigningKey) -> Value {
        json!({"typ": "dpop+jwt", "alg": "ES256", "jwk": bare_jwk(key)})
    }

    fn proof_claims(&self, token: &str, jti: &str) -> Value {
        json!({"htm": "GET", "htu": URL, "iat": NOW, "jti": jti, "ath": dpop::ath(token)})
    }

    fn proven(&self, token: &str, proof: &str) -> Value {
        json!({"authorization": format!("DPoP {token}"), "dpop": proof})
    }
}
