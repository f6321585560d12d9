# An API with two scopes, an application that uses it, who may write, and who is told what happens.

resource "svc_api" "notes" {
  identifier = "https://notes.example.com"
  name       = "Notes"
  scopes = [
    { name = "notes:read", description = "Read your notes" },
    { name = "notes:write", description = "Change your notes", roles = [svc_role.editor.name] },
  ]
  access_token_claims = ["roles"]
}

resource "svc_role" "editor" {
  name        = "editor"
  description = "Changes what others wrote"
}

resource "svc_application" "web" {
  handle        = "notes-web"
  name          = "Notes"
  redirect_uris = ["https://notes.example.com/callback"]
  grant_types   = ["authorization_code", "refresh_token"]
  scope         = "email notes:read notes:write offline_access openid profile"
  audience      = svc_api.notes.identifier
}

resource "svc_application" "nightly" {
  handle      = "notes-nightly"
  name        = "Nightly report"
  type        = "machine"
  grant_types = ["client_credentials"]
  scope       = "notes:read"
  audience    = svc_api.notes.identifier
}

resource "svc_tenant_user" "olga" {
  username = "olga"
  name     = "Olga Owner"
}

resource "svc_tenant_user" "max" {
  username = "max"
  name     = "Max Member"
}

resource "svc_group" "editors" {
  name  = "Editors"
  roles = [svc_role.editor.name]
}

resource "svc_group" "everyone" {
  name = "Everyone"
}

resource "svc_group_member" "max" {
  group_id       = svc_group.editors.id
  tenant_user_id = svc_tenant_user.max.id
}

resource "svc_group_group" "editors" {
  parent_group_id = svc_group.everyone.id
  group_id        = svc_group.editors.id
}

resource "svc_organization" "acme" {
  slug     = "acme"
  name     = "Acme"
  owner_id = svc_tenant_user.olga.id
  metadata = jsonencode({ contract = "A-17", seats = 20 })
}

resource "svc_organization_member" "max" {
  organization_id = svc_organization.acme.id
  tenant_user_id  = svc_tenant_user.max.id
  roles           = [svc_role.editor.name]
}

resource "svc_scim_token" "acme" {
  organization_id = svc_organization.acme.id
  name            = "Directory of Acme"
  expires_in      = 31536000
}

resource "svc_policy" "freeze" {
  name        = "Freeze"
  description = "Nobody touches what is frozen"
  status      = "shadow"
  text        = <<-CEDAR
    forbid (principal, action, resource) when { resource has frozen && resource.frozen };
  CEDAR
}

resource "svc_webhook" "audit" {
  url         = "https://receiver.example.com/events"
  event_types = ["auth.*", "tenant_user.suspended"]
  description = "Fraud team"
}

resource "svc_api_key" "report" {
  name       = "Weekly report"
  scope      = "audit:read tenant-users:read"
  owner      = "tenant"
  expires_in = 2592000
}

resource "svc_trusted_issuer" "partner" {
  issuer   = "https://login.partner.example.com"
  name     = "Partner"
  jwks_uri = "https://login.partner.example.com/jwks.json"
}

resource "svc_registration_token" "partner" {
  description = "Applications of the partner"
  quota       = 5
}
