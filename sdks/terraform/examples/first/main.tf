resource "svc_role" "editor" {
  name        = "editor"
  description = "Changes what others wrote"
}

resource "svc_api" "notes" {
  identifier = "https://notes.example.com"
  name       = "Notes"
  scopes = [
    { name = "notes:read", description = "Read your notes" },
    { name = "notes:write", description = "Change your notes", roles = [svc_role.editor.name] },
  ]
}

resource "svc_application" "web" {
  handle        = "notes-web"
  name          = "Notes"
  redirect_uris = ["https://notes.example.com/callback"]
  scope         = "openid profile notes:read notes:write"
  audience      = svc_api.notes.identifier
}

output "client_id" {
  value = svc_application.web.id
}

output "client_secret" {
  value     = svc_application.web.client_secret
  sensitive = true
}
