import type { AlertKind } from '../condition.ts';

/** A rule of Prometheus. Its entry of the runbook, and its action if it has none of its own, are those of its kind. */
export interface AlertRule {
  readonly name: string;
  /** Condition in PromQL. */
  readonly expression: string;
  /** Duration of the condition until the alert begins, as Prometheus writes it; null = at once. */
  readonly lasts: string | null;
  /** `page` needs a person now, `ticket` within a working day. */
  readonly severity: 'page' | 'ticket';
  /** Kind of the service's own alert about the same; null = it has none. */
  readonly kind: AlertKind | null;
  readonly summary: string;
  /** Advice that differs from that of the kind. */
  readonly action?: string;
}

/** The rules, from the metrics of every process. Values of the database are equal at all, so they take the largest. */
export const ALERT_RULES: readonly AlertRule[] = [
  {
    name: 'DarkroomDown',
    expression: 'up{job="darkroom"} == 0',
    lasts: '1m',
    severity: 'page',
    kind: 'process_silent',
    summary: '{{ $labels.instance }} does not answer.',
  },
  {
    name: 'DarkroomAbsent',
    expression: 'absent(darkroom_build_info)',
    lasts: '2m',
    severity: 'page',
    kind: null,
    summary: 'Prometheus has no metrics of any Darkroom process.',
    action: 'Check the processes and the scrape configuration (job "darkroom").',
  },
  {
    name: 'DarkroomPriceBelowCost',
    expression: 'sum by (engine) (increase(darkroom_orders_below_cost_total[1h])) > 0',
    lasts: null,
    severity: 'ticket',
    kind: 'below_cost',
    summary: 'Orders at {{ $labels.engine }} cost more there than customers pay.',
    action: `Search the log for "order cost more at its upstream" and correct the model's price in the catalog.`,
  },
  {
    name: 'DarkroomCostDiffers',
    expression: 'sum by (engine) (increase(darkroom_orders_cost_differs_total[1h])) > 0',
    lasts: null,
    severity: 'ticket',
    kind: null,
    summary: 'Orders at {{ $labels.engine }} cost other than the catalog expects.',
    action: 'Search the log for "order cost other at its upstream" and correct the cost of the route in the catalog.',
  },
  {
    name: 'DarkroomVersionsDiffer',
    expression: 'count(count by (version) (darkroom_build_info)) > 1',
    lasts: '1h',
    severity: 'ticket',
    kind: null,
    summary: 'Processes of several versions have run side by side for an hour.',
    action: 'Finish the upgrade, or take it back.',
  },
  {
    name: 'DarkroomDatabaseDown',
    expression: 'darkroom_database_up == 0',
    lasts: '30s',
    severity: 'page',
    kind: 'database_unavailable',
    summary: 'The database does not answer {{ $labels.instance }} within a second.',
    action: 'Check the database and the connection to it. The service recovers by itself.',
  },
  {
    name: 'DarkroomStorageDown',
    expression: 'darkroom_storage_up == 0',
    lasts: '1m',
    severity: 'page',
    kind: 'storage_unavailable',
    summary: 'The storage does not work for {{ $labels.instance }}.',
  },
  {
    name: 'DarkroomSpoolDown',
    expression: 'darkroom_spool_up == 0',
    lasts: '1m',
    severity: 'page',
    kind: 'spool_unavailable',
    summary: '{{ $labels.instance }} cannot write answers of engines to its disk.',
  },
  {
    name: 'DarkroomAlertsDown',
    expression: 'darkroom_alerts_up == 0',
    lasts: '5m',
    severity: 'ticket',
    kind: 'watch_failed',
    summary: '{{ $labels.instance }} cannot check for all of its own alerts, or cannot record them.',
  },
  {
    name: 'DarkroomAnswersUnstored',
    expression: 'max by (instance, kind) (darkroom_spool_answers{kind!="late"}) > 0',
    lasts: '15m',
    severity: 'ticket',
    kind: null,
    summary: '{{ $value }} {{ $labels.kind }} answers of engines lie on the disk of {{ $labels.instance }}.',
    action:
      'Keep this disk, and run darkroom doctor there. It says whether they wait for the database, for a worker or for you.',
  },
  {
    name: 'DarkroomOutputsUnmarked',
    expression: 'sum by (standard) (increase(darkroom_marked_outputs_total{state="failed"}[1h])) > 0',
    lasts: null,
    severity: 'ticket',
    kind: null,
    summary: 'Outputs were delivered without the {{ $labels.standard }} that was asked for.',
    action:
      'The log has the reason of each, as output was not marked. For c2pa, run darkroom doctor, which looks at the certificate.',
  },
  {
    name: 'DarkroomStandbyBehind',
    expression: 'max by (standby) (darkroom_standby_behind_bytes) > 67108864',
    lasts: '1m',
    severity: 'ticket',
    kind: 'standby_behind',
    summary: "The standby {{ $labels.standby }} has not replayed {{ $value | humanize1024 }}B of the database's log.",
  },
  {
    name: 'DarkroomStandbysAsynchronous',
    expression: 'max(darkroom_standby_synchronous) == 0',
    lasts: '5m',
    severity: 'ticket',
    kind: 'standby_asynchronous',
    summary: 'The database has standbys, and none of them is synchronous.',
  },
  {
    name: 'DarkroomNoticesDown',
    expression: 'darkroom_notices_up == 0',
    lasts: '5m',
    severity: 'ticket',
    kind: null,
    summary: '{{ $labels.instance }} hears nothing from the other processes.',
    action:
      'Check the NATS servers, or the database connection of DARKROOM_DATABASE_LISTEN_URL. Until then, changes are found within a second.',
  },
  {
    name: 'DarkroomDatabaseValuesStale',
    expression: 'darkroom_backlog_age_seconds > 300',
    lasts: '2m',
    severity: 'ticket',
    kind: 'database_unavailable',
    summary: '{{ $labels.instance }} could not read queues and money for over five minutes.',
    action: 'Alerts about queues and money do not work meanwhile. Check the load of the database.',
  },
  {
    name: 'DarkroomHeartbeatLate',
    expression: 'darkroom_heartbeat_age_seconds > 15',
    lasts: '30s',
    severity: 'page',
    kind: 'process_silent',
    summary: '{{ $labels.instance }} cannot confirm its heartbeat. Other processes take over its tasks.',
    action: 'Check its connection to the database and the load of its machine.',
  },
  {
    name: 'DarkroomTasksTakenOverFromSilentProcess',
    expression: 'sum(increase(darkroom_tasks_taken_over_total{reason="silent"}[15m])) > 0',
    lasts: null,
    severity: 'ticket',
    kind: 'process_silent',
    summary: 'A process took over tasks of a process that had gone silent.',
    action: 'Find the process whose heartbeats stopped.',
  },
  {
    name: 'DarkroomReconciliationOpen',
    expression: 'max(darkroom_reconciliation_open) > 0',
    lasts: '5m',
    severity: 'ticket',
    kind: 'unknown_outcomes',
    summary: '{{ $value }} live orders have an unknown outcome or a late result.',
  },
  {
    name: 'DarkroomOrdersOverdue',
    expression: 'max by (engine) (darkroom_overdue_tasks) > 0',
    lasts: '30m',
    severity: 'ticket',
    kind: null,
    summary: '{{ $value }} live orders at {{ $labels.engine }} make no progress.',
    action: "Check the upstream's status page. Its invoice may contain these orders.",
  },
  {
    name: 'DarkroomWebhooksLate',
    expression: 'max(darkroom_work_oldest_seconds{kind="webhook"}) > 3600',
    lasts: '5m',
    severity: 'ticket',
    kind: null,
    summary: 'The oldest webhook delivery has waited for over an hour.',
    action: 'Follow "Fix failing deliveries" in docs/webhooks.md.',
  },
  {
    name: 'DarkroomCircuitOpen',
    expression: 'min by (engine) (darkroom_engine_circuit{state="closed"}) == 0',
    lasts: '5m',
    severity: 'page',
    kind: 'circuit_open',
    summary: 'The engine {{ $labels.engine }} gets no orders.',
  },
  {
    name: 'DarkroomQueueGrows',
    expression:
      'max by (queue) (darkroom_queue_oldest_seconds{step="waiting"}) > 900 and max by (queue) (deriv(darkroom_queue_tasks{step="waiting"}[30m])) > 0',
    lasts: '15m',
    severity: 'ticket',
    kind: 'oldest_waiting',
    summary: 'The queue {{ $labels.queue }} grows, and its oldest order has waited for over 15 minutes.',
  },
  {
    name: 'DarkroomOrdersFail',
    expression:
      'sum by (type) (rate(darkroom_tasks_settled_total{mode="live",status="failed"}[15m])) / sum by (type) (rate(darkroom_tasks_settled_total{mode="live"}[15m])) > 0.2 and sum by (type) (increase(darkroom_tasks_settled_total{mode="live"}[15m])) > 20',
    lasts: '5m',
    severity: 'page',
    kind: null,
    summary: '{{ $value | humanizePercentage }} of the live {{ $labels.type }} orders fail.',
    action: "GET /admin/v1/failures lists them with the upstream's reasons.",
  },
  {
    name: 'DarkroomEngineFaults',
    expression:
      'sum by (engine) (rate(darkroom_engine_faults_total[10m])) / sum by (engine) (rate(darkroom_upstream_call_seconds_count[10m])) > 0.2',
    lasts: '10m',
    severity: 'ticket',
    kind: null,
    summary: '{{ $value | humanizePercentage }} of the calls to {{ $labels.engine }} fail.',
    action: 'GET /admin/v1/engines shows the last hour of this engine.',
  },
  {
    name: 'DarkroomServerErrors',
    expression:
      'sum(rate(darkroom_http_request_duration_seconds_count{route!="/readyz",status=~"5.."}[5m])) / sum(rate(darkroom_http_request_duration_seconds_count[5m])) > 0.01',
    lasts: '5m',
    severity: 'page',
    kind: null,
    summary: '{{ $value | humanizePercentage }} of the requests are answered with 5xx.',
    action: 'Search the log for "request answered" with this status.',
  },
  {
    name: 'DarkroomEventLoopSlow',
    expression: 'nodejs_eventloop_lag_p99_seconds > 0.1',
    lasts: '10m',
    severity: 'ticket',
    kind: null,
    summary: 'The event loop of {{ $labels.instance }} is blocked for over 0.1 seconds at times.',
    action: "Add API processes, or check what else uses the machine's processors.",
  },
  {
    name: 'DarkroomHeld',
    expression: 'max(darkroom_held) == 1',
    lasts: '10m',
    severity: 'ticket',
    kind: 'held',
    summary: 'The service is held: it accepts orders and sends none.',
  },
];
