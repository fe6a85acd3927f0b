import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    alerts: AlertsTable;
    alert_messages: AlertMessagesTable;
  }
}

/** Conditions that are reported to an operator: one row from the beginning of a condition until its end. */
interface AlertsTable {
  id: Fixed<string>;
  /** Observers of the condition: all processes together (`service`), or those with one data directory (`disk:…`). */
  scope: Fixed<string>;
  kind: Fixed<
    | 'circuit_open'
    | 'upstream_credit'
    | 'unknown_outcomes'
    | 'oldest_waiting'
    | 'margin_below_zero'
    | 'below_cost'
    | 'unknown_cost'
    | 'model_ends'
    | 'disk_nearly_full'
    | 'storage_unavailable'
    | 'spool_unavailable'
    | 'database_unavailable'
    | 'standby_behind'
    | 'standby_asynchronous'
    | 'process_silent'
    | 'process_apart'
    | 'upstream_balance_low'
    | 'held'
    | 'sweep_stopped'
    | 'watch_failed'
  >;
  /** Subject of the alert, such as an engine; '' = the whole service. */
  subject: Fixed<string>;
  /** Summary as last observed. */
  summary: string;
  began_at: Fixed<number>;
  /** Time of the last observation. */
  seen_at: number;
  /**
   * Time when the last message about the alert was written; 0 = none yet. If it is earlier than the end, the message
   * about the end is still due. A process without a receiver leaves both messages to a process that has one.
   */
  told_at: number;
  /** End of the alert; null while it lasts. At most one row of a scope, kind and subject lasts. */
  ended_at: number | null;
  /** Operator who has acknowledged it, and the time; null = nobody has. */
  acknowledged_by: string | null;
  acknowledged_at: number | null;
  /** Operator who silenced messages about the condition, and the end of the silence; null = not silenced. */
  silenced_by: string | null;
  silenced_until: number | null;
}

/** Messages about alerts, until the receiver has accepted them or the last attempt has failed. */
interface AlertMessagesTable {
  /** The `webhook-id` of all attempts. */
  id: Fixed<string>;
  alert_id: Fixed<string>;
  /** Host of the webhook; null in messages of earlier versions. */
  receiver: Fixed<string | null>;
  type: Fixed<'alert.began' | 'alert.continues' | 'alert.ended'>;
  data_json: Fixed<string>;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** Reason why the last attempt failed. */
  error: string | null;
  created_at: Fixed<number>;
  delivered_at: number | null;
}

export const ALERT_TABLES = `
create table alerts (
  id text not null, scope text not null, kind text not null, subject text not null, summary text not null,
  began_at bigint not null, seen_at bigint not null, told_at bigint not null, ended_at bigint,
  acknowledged_by text, acknowledged_at bigint, silenced_by text, silenced_until bigint,
  constraint alerts_pk primary key (id)
);
create unique index alerts_once on alerts (scope, kind, subject) where ended_at is null;
create index alerts_silenced on alerts (silenced_until) where silenced_until is not null;
create table alert_messages (
  id text not null, alert_id text not null, type text not null, data_json text not null, status text not null,
  error text, attempts bigint not null, created_at bigint not null, delivered_at bigint, receiver text,
  constraint alert_messages_pk primary key (id)
);
create index alert_messages_pending on alert_messages (alert_id, id) where status = 'pending';
create index alert_messages_of_alert on alert_messages (alert_id, id);
`;
