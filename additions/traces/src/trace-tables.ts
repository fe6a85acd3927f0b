import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    order_traces: OrderTracesTable;
  }
}

/** The traces of orders that are sampled. Without a collector nothing is written. */
interface OrderTracesTable {
  task_id: Fixed<string>;
  /** Trace of the request that placed it, in the format of the W3C header. */
  traceparent: Fixed<string>;
  created_at: Fixed<number>;
}

export const TRACE_TABLES = `
create table order_traces (
  task_id text not null, traceparent text not null, created_at bigint not null,
  constraint order_traces_pk primary key (task_id)
);
create index order_traces_by_age on order_traces (created_at);
`;
