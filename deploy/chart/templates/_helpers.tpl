{{/* Labels of every object. Selectors are the same for every release, since there is one operator in a cluster. */}}
{{- define "fakegpu-operator.labels" -}}
app.kubernetes.io/part-of: fakegpu-operator
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "fakegpu-operator.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/*
The objects of a file that is copied from config/, for this release: its namespaces, its ServiceAccount and its labels.
file: the file's name; omit: names of objects that are left out; context: the root
*/}}
{{- define "fakegpu-operator.objects" -}}
{{- $root := .context -}}
{{- $omit := .omit | default list -}}
{{- $plugin := $root.Values.kubeletPlugin.namespace -}}
{{- $user := printf "system:serviceaccount:%s:%s" $root.Release.Namespace $root.Values.serviceAccount.name -}}
{{- $text := $root.Files.Get (printf "files/%s" .file) | replace "system:serviceaccount:fakegpu-system:fakegpu-operator" $user -}}
{{- range $document := splitList "\n---\n" $text }}
{{- $object := fromYaml $document }}
{{- if not (has $object.metadata.name $omit) }}
{{- $_ := set $object.metadata "labels" (merge (fromYaml (include "fakegpu-operator.labels" $root)) ($object.metadata.labels | default dict)) }}
{{- range $place := prepend ($object.subjects | default list) $object.metadata }}
{{- if eq ($place.namespace | default "") "fakegpu-kubelet-plugin" }}
{{- $_ := set $place "namespace" $plugin }}
{{- else if eq ($place.namespace | default "") "fakegpu-system" }}
{{- $_ := set $place "namespace" $root.Release.Namespace }}
{{- if eq ($place.kind | default "") "ServiceAccount" }}
{{- $_ := set $place "name" $root.Values.serviceAccount.name }}
{{- end }}
{{- end }}
{{- end }}
---
{{ toYaml $object }}
{{- end }}
{{- end }}
{{- end }}

{{/* An object of Prometheus Operator. file: the file's name; endpoints: their field; values: whether there is one, and what of it; context: the root */}}
{{- define "fakegpu-operator.monitor" -}}
{{- $values := .values -}}
{{- if $values.enabled }}
{{- $object := include "fakegpu-operator.objects" . | fromYaml }}
{{- $_ := set $object.metadata "labels" (merge $object.metadata.labels $values.labels) }}
{{- range ternary (index $object.spec .endpoints) list (not (empty $values.interval)) }}
{{- $_ := set . "interval" $values.interval }}
{{- end }}
---
{{ toYaml $object }}
{{- end }}
{{- end }}
