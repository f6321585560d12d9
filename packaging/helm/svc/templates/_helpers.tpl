{{- define "svc.labels" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "svc.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "svc.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Asks svc-kms as the service does, with the keys of both. */}}
{{- define "svc.kmsHealth" -}}
[/usr/bin/svc-kms, health, --dir=/etc/svc/kms, --socket=/run/svc/kms/kms.sock]
{{- end }}

{{/* svc-kms in a pod: as a sidecar where Kubernetes has those, else as another container. */}}
{{- define "svc.kms" -}}
- name: kms
  image: {{ include "svc.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [/usr/bin/svc-kms]
  args: [serve, --dir=/etc/svc/kms, --socket=/run/svc/kms/kms.sock, --passphrase-file=/etc/svc/kms/passphrase, --log-format=json]
  # Where it is a sidecar, the service begins when it answers. One that hangs is started again.
  startupProbe:
    exec:
      command: {{- include "svc.kmsHealth" . | nindent 8 }}
    periodSeconds: 2
    timeoutSeconds: 10
    failureThreshold: 30
  livenessProbe:
    exec:
      command: {{- include "svc.kmsHealth" . | nindent 8 }}
    periodSeconds: 10
    timeoutSeconds: 10
  securityContext: {{- include "svc.containerSecurity" . | nindent 4 }}
  resources: {{- toYaml .Values.kms.resources | nindent 4 }}
  volumeMounts:
    - { name: kms, mountPath: /etc/svc/kms, readOnly: true }
    - { name: run, mountPath: /run/svc }
{{- end }}

{{/* One variable out of a key of the secret. */}}
{{- define "svc.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secretName }}
      key: {{ .key }}
{{- end }}

{{/* What both the service and its migration see: addresses with their passwords, and other secrets. */}}
{{- define "svc.environment" -}}
{{- $root := .root }}
{{- $values := index $root.Values.planes .plane -}}
- name: SVC_RUNTIME_PLANE
  value: {{ .plane }}
{{- with $root.Values.identityUrlKey }}
{{ include "svc.fromSecret" (dict "root" $root "name" "DATABASE_IDENTITY_URL" "key" .) }}
{{ include "svc.fromSecret" (dict "root" $root "name" (printf "DATABASE_%s_URL" (upper $.plane)) "key" $values.databaseUrlKey) }}
{{- else }}
{{ include "svc.fromSecret" (dict "root" $root "name" "DATABASE_URL" "key" $values.databaseUrlKey) }}
{{- end }}
{{- if or $root.Values.redis.enabled $root.Values.redis.external }}
{{ include "svc.fromSecret" (dict "root" $root "name" "SVC_REDIS__URL" "key" "redis-url") }}
{{- end }}
{{- range $name, $key := $root.Values.environment }}
{{ include "svc.fromSecret" (dict "root" $root "name" $name "key" $key) }}
{{- end }}
{{- end }}

{{/* The migration connects as the owner of the tables; the role of a plane is none. */}}
{{- define "svc.migrationEnvironment" -}}
{{- if and .root.Values.identityUrlKey (not .root.Values.migrationUrlKey) }}
{{- fail "identityUrlKey needs migrationUrlKey: the role of a plane cannot migrate, so name the key with the address of the tables' owner" }}
{{- end }}
{{- include "svc.environment" . }}
{{ include "svc.fromSecret" (dict "root" .root "name" "MIGRATION_DATABASE_URL" "key" (.root.Values.migrationUrlKey | default "database-url")) }}
{{- end }}

{{/* The address of maintenance is for the plane that removes what has expired. */}}
{{- define "svc.planeEnvironment" -}}
{{- include "svc.environment" . }}
{{- if eq .plane "async" }}
{{- with .root.Values.maintenanceUrlKey }}
{{ include "svc.fromSecret" (dict "root" $.root "name" "MAINTENANCE_DATABASE_URL" "key" .) }}
{{- end }}
{{- end }}
{{- end }}

{{/* A value of svc.toml on one line. Whole numbers of a values file are floating-point numbers here; JSON has them whole. */}}
{{- define "svc.value" -}}
{{- if kindIs "map" . -}}
{ {{ range $number, $key := keys . | sortAlpha }}{{ if $number }}, {{ end }}{{ $key }} = {{ include "svc.value" (get $ $key) }}{{ end }} }
{{- else if kindIs "slice" . -}}
[{{ range $number, $item := . }}{{ if $number }}, {{ end }}{{ include "svc.value" $item }}{{ end }}]
{{- else -}}
{{ toJson . }}
{{- end -}}
{{- end }}

{{/* A table of svc.toml: its keys, then the tables in it. What is null is left out. */}}
{{- define "svc.table" -}}
{{- $prefix := .prefix }}
{{- range $key, $value := .table }}
{{- if not (or (kindIs "map" $value) (kindIs "invalid" $value)) }}
{{ $key }} = {{ include "svc.value" $value }}
{{- end }}
{{- end }}
{{- range $key, $value := .table }}
{{- if kindIs "map" $value }}

[{{ $prefix }}{{ $key }}]
{{- include "svc.table" (dict "table" $value "prefix" (printf "%s%s." $prefix $key)) }}
{{- end }}
{{- end }}
{{- end }}

{{/* The keys of svc.toml whose values are secrets, by the end of their path. */}}
{{- define "svc.secretKeys" -}}
- password
- bearer_token
- metrics_bearer_token
- client_secret
- secret_key
- signing_secret
- private_key
- otlp_authorization
- rpc_url
- oauth_proxy.secret
- redis.url
- database.url
- database.identity_url
- database.auth_url
- database.control_url
- database.async_url
- database.migration_url
- database.maintenance_url
- database.replica_url
{{- end }}

{{/* Refuses secrets in `config`, which everyone may read who may read a ConfigMap. */}}
{{- define "svc.refuseSecrets" -}}
{{- $path := .path }}
{{- $secrets := include "svc.secretKeys" . | fromYamlArray }}
{{- if kindIs "map" .value }}
{{- range $key, $value := .value }}
{{- include "svc.refuseSecrets" (dict "path" (printf "%s.%s" $path $key) "value" $value) }}
{{- end }}
{{- else if kindIs "slice" .value }}
{{- range $item := .value }}
{{- include "svc.refuseSecrets" (dict "path" $path "value" $item) }}
{{- end }}
{{- else }}
{{- range $secret := $secrets }}
{{- if hasSuffix (printf ".%s" $secret) $path }}
{{- fail (printf "config%s is a secret, and a ConfigMap keeps none: put it into the secret of `secretName` and name its key in `environment`, or hold it in svc-kms with `svc-kms provision`" $path) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* What the chart itself says in svc.toml. */}}
{{- define "svc.settings" -}}
{{- if and .Values.redis.enabled .Values.redis.external }}
{{- fail "redis.external is a Redis elsewhere, next to which this chart starts none: set redis.enabled to false" }}
{{- end }}
security:
  production: true
deployment:
  coordination_backend: {{ ternary "redis" "postgres" (or .Values.redis.enabled .Values.redis.external) }}
  database_topology: {{ ternary "split_by_plane" "shared" (not (empty .Values.identityUrlKey)) }}
server:
  host: 0.0.0.0
  port: 8443
  transport: tls
  base_domain: {{ .Values.host | quote }}
  allowed_hosts: [{{ .Values.host | quote }}, {{ printf "*.%s" .Values.host | quote }}]
  trusted_proxies: {{ .Values.trustedProxies | toJson }}
  tls:
    cert_pem_path: /etc/svc/tls/tls.crt
    key_pem_path: /etc/svc/tls/tls.key
    {{- if .Values.tls.authoritySecretName }}
    ca_pem_path: /etc/svc/authority/ca.crt
    {{- end }}
oidc:
  issuer_url: {{ printf "https://%s" .Values.host | quote }}
database:
  require_ssl: true
tenant:
  default_tenant_slug: {{ .Values.tenant | quote }}
kms:
  socket_path: /run/svc/kms/kms.sock
  server_public_key_path: /etc/svc/kms/server.pub
  client_private_key_path: /etc/svc/kms/client.key
  start_timeout_secs: 60
captcha:
  enabled: true
hibp:
  enabled: true
email:
  provider: smtp
  smtp:
    host: {{ .Values.email.host | quote }}
    port: {{ .Values.email.port | int }}
    from: {{ .Values.email.from | quote }}
    {{- with .Values.email.username }}
    username: {{ . | quote }}
    {{- end }}
phone:
  provider: none
telemetry:
  log_format: json
{{- end }}
