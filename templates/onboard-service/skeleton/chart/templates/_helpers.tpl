{{/* Whether this is the environment of one merge request. */}}
{{- define "service.isPreview" -}}
{{- if eq .Values.environment "preview" }}true{{ end -}}
{{- end }}

{{/* Labels that never change: selectors cannot be altered once applied. */}}
{{- define "service.selectorLabels" -}}
app.kubernetes.io/name: {{ .Values.name }}
app.kubernetes.io/component: web
{{- end }}

{{- define "service.labels" -}}
app.kubernetes.io/name: {{ .Values.name }}
app.kubernetes.io/part-of: {{ .Values.name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
previews/tier: {{ .Values.environment }}
{{- if include "service.isPreview" . }}
previews/project-id: {{ .Values.preview.projectId | quote }}
previews/merge-request: {{ .Values.preview.mergeRequest | quote }}
{{- end }}
{{- end }}

{{/* A digest pins what a tag only names; both together say what runs and that it is it. */}}
{{- define "service.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* Where the edge looks for routes: the workload's namespace, unless the two are kept apart. */}}
{{- define "service.servedNamespace" -}}
{{- if .Values.splitNamespaces }}{{ .Release.Namespace }}-edge{{ else }}{{ .Release.Namespace }}{{ end -}}
{{- end }}

{{- define "service.tlsSecret" -}}
{{- if eq .Values.certificate.kind "wildcard" }}{{ .Values.certificate.wildcardSecret }}{{ else }}{{ .Values.name }}-tls{{ end -}}
{{- end }}

{{/* Database and role of this environment: every preview has its own. */}}
{{- define "service.databaseName" -}}
{{ .Release.Namespace | replace "-" "_" }}
{{- end }}

{{- define "service.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: {{ .Values.runAsUser }}
runAsGroup: {{ .Values.runAsUser }}
fsGroup: {{ .Values.runAsUser }}
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "service.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end }}
