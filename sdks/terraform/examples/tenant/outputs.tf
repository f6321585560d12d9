# What others need: the id of the application, as they would find it, its secret, and the record that proves the domain of a customer.

data "svc_application" "web" {
  handle     = svc_application.web.handle
  depends_on = [svc_application.web]
}

output "client_id" {
  value = data.svc_application.web.id
}

output "client_secret" {
  value     = svc_application.web.client_secret
  sensitive = true
}

output "txt_records" {
  value = {
    (svc_organization_domain.acme.record_name) = svc_organization_domain.acme.record_value
  }
}
