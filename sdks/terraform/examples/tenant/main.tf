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
  sign_in  = { session_max_age_secs = 28800 }
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
  description = "No one touches what is frozen"
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

# How people come in: with providers of their own, and what they are asked.

resource "svc_connector" "github" {
  name                     = "github"
  preset                   = "github"
  client_id                = "Iv1.8a61f9b3a7aba766"
  client_secret_wo         = "the secret that the provider made"
  client_secret_wo_version = 1
  enabled                  = true
}

resource "svc_sso_connection" "acme" {
  organization_id          = svc_organization.acme.id
  display_name             = "Acme staff"
  issuer                   = "https://login.acme.example.com"
  client_id                = "notes"
  client_secret_wo         = "the secret that Acme made"
  client_secret_wo_version = 1
  jit                      = { enabled = true }
  group_roles              = [{ group = "editors", roles = [svc_role.editor.name] }]
  enabled                  = true
}

resource "svc_sign_up_field" "company" {
  name       = "company"
  type       = "text"
  max_length = 80
  language   = "en"
  texts = {
    en = { label = "Company", help = "Where you work" }
    de = { label = "Firma" }
  }
}

resource "svc_terms" "privacy" {
  key          = "privacy"
  label        = "2040-01"
  language     = "en"
  effective_at = "2040-01-01T00:00:00Z"
  documents = {
    en = { title = "Privacy policy", url = "https://notes.example.com/privacy" }
    de = { title = "Datenschutzerklärung", url = "https://notes.example.com/de/datenschutz" }
  }
}

resource "svc_hook" "registrations" {
  point      = "pre_registration"
  url        = "https://receiver.example.com/hooks/registrations"
  on_failure = "allow"
}

# A module in the service answers instead: filebase64("allow.wasm"), whose hash is in the name, so that hooks are led to the next one before
# it goes.

resource "svc_hook_module" "allow" {
  name   = "Allow ${substr(sha256(local.allow), 0, 8)}"
  module = local.allow
  lifecycle {
    create_before_destroy = true
  }
}

resource "svc_hook" "first_factors" {
  point      = "post_first_factor"
  kind       = "wasm"
  module_id  = svc_hook_module.allow.id
  on_failure = "allow"
}

locals {
  allow = "AGFzbQEAAAABDAJgAX8Bf2ACf38BfgMDAgABBQMBAAIHHgMGbWVtb3J5AgAIYWxsb2NhdGUAAAZkZWNpZGUAAQoTAgYAQYCABAsKAEKTgICAgIABCwsaAQBBgAgLE3sidmVyZGljdCI6ImFsbG93In0="
}

# What the tenant chooses, as far as it is named here.

resource "svc_tenant_settings" "notes" {
  name = "Notes"
  settings = {
    registration                 = true
    client_id_metadata_documents = true
    default_locale               = "de"
    impersonation                = { enabled = true, approval_required = true }
    limits                       = { jwt = { id_token_lifetime_secs = 300 } }
  }
}

# What pages and mails say, and how they look.

resource "svc_branding" "notes" {
  accent      = "#8a2be2"
  policy_uri  = "https://notes.example.com/privacy"
  sender_name = "Notes"
}

resource "svc_texts" "notes" {
  texts = {
    en = { "signin-title" = "Welcome back" }
    de = { "signin-title" = "Willkommen zurück" }
  }
}

resource "svc_organization_texts" "acme" {
  organization_id = svc_organization.acme.id
  texts           = { en = { "signin-title" = "Sign in at Acme" } }
}

# What else an organization has.

resource "svc_organization_domain" "acme" {
  organization_id = svc_organization.acme.id
  domain          = "acme.example"
}

resource "svc_organization_trusted_issuer" "acme" {
  organization_id = svc_organization.acme.id
  issuer          = "https://assertions.acme.example.com"
  name            = "Acme"
  jwks_uri        = "https://assertions.acme.example.com/jwks.json"
}

resource "svc_organization_api_key" "acme" {
  organization_id = svc_organization.acme.id
  name            = "Nightly sync"
  scope           = "organizations:read organizations:write"
  expires_in      = 2592000
}

# Where people and the audit log go.

resource "svc_scim_schema" "hr" {
  urn         = "urn:example:params:scim:schemas:hr:2.0:User"
  name        = "hr"
  description = "What personnel says"
  attributes = [
    { name = "badge", uniqueness = "server" },
    { name = "level", type = "integer" },
  ]
}

resource "svc_scim_target" "wiki" {
  name              = "Wiki"
  base_url          = "https://wiki.example.com/scim/v2"
  people            = { group_ids = [svc_group.editors.id] }
  push_groups       = true
  secret_wo         = "token-that-the-wiki-made"
  secret_wo_version = 1
}

resource "svc_audit_stream" "security" {
  name = "Security team"
  destination = {
    s3 = {
      endpoint      = "https://s3.storage.example.com"
      region        = "eu-central-1"
      bucket        = "notes-audit"
      gzip          = true
      access_key_id = "AKIAIOSFODNN7EXAMPLE"
    }
  }
  secret_wo         = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY"
  secret_wo_version = 1
}
