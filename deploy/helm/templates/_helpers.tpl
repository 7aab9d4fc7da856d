{{- define "finhook.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "finhook.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "finhook.labels" -}}
{{ include "finhook.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "finhook.image" -}}
{{ required "Set image.repository to the name of the image in your registry." .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "finhook.podSecurity" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "finhook.containerSecurity" -}}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  privileged: false
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "finhook.secretName" -}}
{{ required "Set existingSecret to a secret with DATABASE_URL, QUEUE_URL and SECRETS_KEY." .Values.existingSecret }}
{{- end }}

{{/* Each role gets only the secrets that it reads. Arguments: root, names, optional. */}}
{{- define "finhook.secrets" -}}
{{- $secret := include "finhook.secretName" .root -}}
{{- range .names }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }} } }
{{- end }}
{{- range .optional }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }}, optional: true } }
{{- end }}
{{- end }}

{{- define "finhook.cell" -}}
{{- with .Values.cell }}CELL: {{ . | quote }}{{ end }}
{{- end }}

{{- define "finhook.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* The configuration of the router: files/router.conf, filled in. */}}
{{- define "finhook.routerConf" -}}
{{- $router := .Values.router -}}
{{- $lines := list -}}
{{- range $line := .Files.Get "files/router.conf" | trimSuffix "\n" | splitList "\n" -}}
{{- if hasSuffix " # each cell" $line -}}
{{- range $router.cells -}}
{{- $lines = append $lines ($line | trimSuffix " # each cell" | replace "%cell%" .name | replace "%address%" .address) -}}
{{- end -}}
{{- else -}}
{{- $lines = append $lines $line -}}
{{- end -}}
{{- end -}}
{{- $default := (first $router.cells).address -}}
{{- $spare := (index $router.cells (gt (len $router.cells) 1 | ternary 1 0)).address -}}
{{- join "\n" $lines | replace "%default%" $default | replace "%spare%" $spare | replace "%resolver%" $router.resolver | replace "%port%" "8080" -}}
{{- end }}

{{/* Spreads the pods of a role over nodes and zones, unless the values have constraints of their own. Arguments: root, role, values. */}}
{{- define "finhook.spread" -}}
topologySpreadConstraints:
  {{- with .values.topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "finhook.selector" $.root | nindent 8 }}
        app.kubernetes.io/component: {{ $.role }}
  {{- end }}
  {{- end }}
{{- end }}
