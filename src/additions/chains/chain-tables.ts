import type { Fixed } from '@darkroom-service/store';
import type { Generated } from 'kysely';

declare module '../../database/schema.ts' {
  interface Schema {
    task_waits: TaskWaitsTable;
  }
}

/**
 * Tasks that an order waits for, and finished ones whose outputs it uses. The rows of an order are deleted when its
 * gate opens or it ends.
 */
interface TaskWaitsTable {
  parent_id: Fixed<string>;
  child_id: Fixed<string>;
  /**
   * Whether the parent has succeeded (1), before the order or while the order waits for another one. Its outputs are
   * kept.
   */
  met: number;
  /** Position of the parent among those that the order was placed to wait for; null = it had succeeded before. */
  position: Fixed<number | null>;
  /** Length of the longest chain of waiting orders that ends with the child, as of its placement. */
  depth: Generated<number>;
}

export const CHAIN_TABLES = `
create table task_waits (
  parent_id text not null, child_id text not null, met bigint not null, position bigint,
  depth bigint not null default 1, constraint task_waits_pk primary key (parent_id, child_id)
);
create index task_waits_by_child on task_waits (child_id);
create index task_waits_unmet on task_waits (parent_id, child_id) where met = 0;
`;
