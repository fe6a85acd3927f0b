{{/* Labels by which pods of a component are found. Use: include "darkroom.labels" "api" */}}
{{- define "darkroom.labels" -}}
app.kubernetes.io/name: darkroom
app.kubernetes.io/component: {{ . }}
{{- end }}

{{/* What any pod of Darkroom may do. */}}
{{- define "darkroom.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* What any container of Darkroom may do. */}}
{{- define "darkroom.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "darkroom.image" -}}
{{ .Values.image }}:{{ .Chart.AppVersion }}
{{- end }}

{{/* Variables of every container of Darkroom. */}}
{{- define "darkroom.environment" -}}
- configMapRef:
    name: darkroom
- secretRef:
    name: {{ .Values.secret }}
{{- end }}

{{/* Metadata and settings of a pod that serves. Use: include "darkroom.pod" (dict "root" $ "role" "api") */}}
{{- define "darkroom.pod" -}}
metadata:
  labels:
    {{- include "darkroom.labels" .role | nindent 4 }}
  annotations:
    prometheus.io/scrape: 'true'
    prometheus.io/port: '9090'
    # A changed setting restarts the processes one by one.
    checksum/settings: {{ .root.Values.settings | toJson | sha256sum }}
spec:
  automountServiceAccountToken: false
  # The service would ignore these variables and log their names.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ add .root.Values.lameDuckSeconds .root.Values.drainSeconds 15 }}
  securityContext:
    {{- include "darkroom.podSecurity" .root | nindent 4 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "darkroom.labels" .role | nindent 10 }}
  containers:
    - name: darkroom
      image: {{ include "darkroom.image" .root }}
      args: [serve]
      env:
        - name: DARKROOM_ROLE
          value: {{ .role }}
      envFrom:
        {{- include "darkroom.environment" .root | nindent 8 }}
      ports:
        {{- if eq .role "api" }}
        - name: http
          containerPort: 8080
        {{- end }}
        - name: metrics
          containerPort: 9090
      # The start migrates the schema before it listens.
      startupProbe:
        httpGet:
          path: /healthz
          port: {{ .port }}
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet:
          path: /healthz
          port: {{ .port }}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      # Its checks take up to 1.5 seconds.
      readinessProbe:
        httpGet:
          path: /readyz
          port: {{ .port }}
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        {{- include "darkroom.containerSecurity" .root | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    {{- if eq .role "api" }}
    # Only temporary files: a process that runs no tasks has no answers of engines to keep.
    - name: data
      emptyDir: {}
    {{- end }}
    - name: tmp
      emptyDir: {}
{{- end }}
