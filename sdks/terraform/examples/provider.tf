terraform {
  required_providers {
    svc = {
      source = "svc/svc"
    }
  }
}

# With SVC_URL, and SVC_CLIENT_ID with SVC_CLIENT_SECRET or SVC_TOKEN in the environment.
provider "svc" {}
