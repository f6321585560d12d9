# A domain at which people are to sign in, and the records that its zone needs. Proving and activating it are done by hand.

resource "svc_custom_domain" "login" {
  domain = "login.notes.example.com"
}

output "records" {
  value = [
    { name = svc_custom_domain.login.record_name, type = "TXT", value = svc_custom_domain.login.record_value },
    { name = svc_custom_domain.login.domain, type = "CNAME", value = svc_custom_domain.login.cname_target },
  ]
}
