use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, SanType, date_time_ymd,
};

use super::*;

struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

fn authority(name: &str) -> Authority {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    Authority { pem, issuer: Issuer::new(params, key) }
}

fn client(authority: &Authority, change: impl FnOnce(&mut CertificateParams)) -> ClientCertificate {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CountryName, "DE");
    params.distinguished_name.push(DnType::OrganizationName, "Acme, Inc.");
    params.distinguished_name.push(DnType::CommonName, "client é");
    params.subject_alt_names = vec![
        SanType::DnsName("client.example".try_into().unwrap()),
        SanType::URI("https://client.example/a".try_into().unwrap()),
        SanType::Rfc822Name("ops@client.example".try_into().unwrap()),
        SanType::IpAddress("192.0.2.7".parse().unwrap()),
        SanType::IpAddress("2001:db8::7".parse().unwrap()),
    ];
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2030, 1, 1);
    change(&mut params);
    let made = params.signed_by(&KeyPair::generate().unwrap(), &authority.issuer).unwrap();
    ClientCertificate::new([made.der().clone()]).unwrap()
}

/// In 2025.
const NOW: Timestamp = Timestamp::from_secs(1_750_000_000);

#[test]
fn a_certificate_has_the_names_that_it_was_issued_for_and_no_others() {
    use SubjectName::{Dn, Dns, Email, Ip, Uri};
    let client = client(&authority("a"), |_| ());
    for name in [
        Dn(r"CN=client é,O=Acme\, Inc.,C=DE"),
        Dn(r"cn=client \c3\a9,o=Acme\, Inc.,c=DE"),
        Dns("client.example"),
        Dns("CLIENT.example"),
        Uri("https://client.example/a"),
        Email("ops@client.example"),
        Ip("192.0.2.7"),
        Ip("2001:DB8:0::7"),
    ] {
        assert!(name.is_well_formed() && client.has_name(name), "{name:?}");
    }
    for name in [
        Dn("CN=client é"),
        Dn(r"C=DE,O=Acme\, Inc.,CN=client é"),
        Dn(r"CN=client É,O=Acme\, Inc.,C=DE"),
        Dn("CN=client.example"),
        Dns("*.example"),
        Dns("example"),
        Dns("192.0.2.7"),
        Uri("https://client.example/"),
        Uri("client.example"),
        Email("OPS@client.example"),
        Ip("192.0.2.8"),
    ] {
        assert!(!client.has_name(name), "{name:?}");
    }
    for name in [Dn(""), Dn("client"), Dn("CN"), Ip("client.example"), Dns(""), Uri("a b")] {
        assert!(!name.is_well_formed() && !client.has_name(name), "{name:?}");
    }
}

#[test]
fn a_chain_leads_to_an_authority_of_the_bundle_in_time_and_for_clients() {
    let (ours, other) = (authority("ours"), authority("other"));
    let both = Authorities::from_pem(&format!("{}{}", other.pem, ours.pem)).unwrap();
    let client_of_ours = client(&ours, |_| ());
    client_of_ours.check_chain(&both, NOW).unwrap();
    assert!(client_of_ours.check_chain(&Authorities::from_pem(&other.pem).unwrap(), NOW).is_err());
    for outside in [1_500_000_000, 2_000_000_000] {
        assert!(client_of_ours.check_chain(&both, Timestamp::from_secs(outside)).is_err(), "{outside}");
    }
    // Another authority of the same name, and a certificate for servers.
    assert!(client(&authority("ours"), |_| ()).check_chain(&both, NOW).is_err());
    let server =
        client(&ours, |params| params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth]);
    assert!(server.check_chain(&both, NOW).is_err());
    let named =
        client(&ours, |params| params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth]);
    named.check_chain(&both, NOW).unwrap();
}

#[test]
fn an_intermediate_leads_up_where_the_client_sends_it() {
    let root = authority("root");
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "between");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let between = params.signed_by(&key, &root.issuer).unwrap();
    let own = client(&Authority { pem: between.pem(), issuer: Issuer::new(params, key) }, |_| ());
    let anchors = Authorities::from_pem(&root.pem).unwrap();
    assert!(own.check_chain(&anchors, NOW).is_err());
    let whole = ClientCertificate::new([own.own.clone(), between.der().clone()]).unwrap();
    whole.check_chain(&anchors, NOW).unwrap();
    assert_eq!(whole.thumbprint(), own.thumbprint());
}

#[test]
fn a_bundle_is_certificates_and_nothing_else() {
    let good = authority("a").pem;
    assert!(Authorities::from_pem(&format!("a comment\n{good}")).is_ok());
    for bad in ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        assert!(Authorities::from_pem(bad).is_err(), "{bad}");
    }
    assert!(Authorities::from_pem(&good.repeat(MOST_AUTHORITIES + 1)).is_err());
}

#[test]
fn the_time_of_a_certificate_is_read() {
    let client = client(&authority("a"), |_| ());
    let validity = Validity::of(&client.own).unwrap();
    assert_eq!((validity.not_before.as_secs(), validity.not_after.as_secs()), (1_577_836_800, 1_893_456_000));
    assert!(Validity::of(b"nonsense").is_err());
}
