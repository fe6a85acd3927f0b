import type { Micros, TaskWarningView, WarningCode } from '@darkroom-service/contract';
import type { Argument } from '@darkroom-service/store';
import { type Kysely, sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import type { TaskCostsTable } from '../database/task-tables.ts';
import type { TaskRow } from './task.ts';

/** Cost of an order at its upstream. The cost of one that succeeded may be unknown. */
export interface OrderCost {
  readonly engine: string;
  readonly upstreamModel: string | null;
  readonly outcome: TaskCostsTable['outcome'];
  readonly expected: Micros | null;
  readonly told: Micros | null;
  /** The number of units as a decimal text, where the upstream reported units. */
  readonly reportedUnits: string | null;
  /** The catalog's price if no cost is known: it counts in the spend limit of the instance. */
  readonly assumed?: Micros | null;
  /** Whether less was delivered than ordered, and charged accordingly. */
  readonly isShort?: boolean;
}

const LESS: readonly WarningCode[] = ['smaller', 'shorter'];

/** Returns the warnings that less was delivered than ordered, for which the upstream owes something. */
export function warningsOfLess(warnings: readonly TaskWarningView[] = []): readonly TaskWarningView[] {
  return warnings.filter(({ code }) => LESS.includes(code));
}

interface CostArguments {
  task: string;
  account: string;
  model: string;
  engine: string;
  upstreamModel: string;
  outcome: OrderCost['outcome'];
  charged: Micros;
  expected: Micros | null;
  told: Micros | null;
  reportedUnits: string | null;
  isShort: number;
  assumed: Micros | null;
  now: number;
}

const newCost = (builder: Kysely<Schema>, argument: Argument<CostArguments>) =>
  builder.insertInto('task_costs').values({
    task_id: argument('task'),
    account_id: argument('account'),
    model_id: argument('model'),
    engine: argument('engine'),
    upstream_model: argument('upstreamModel'),
    outcome: argument('outcome'),
    charged: argument('charged'),
    expected: argument('expected'),
    told: argument('told'),
    told_units: argument('reportedUnits'),
    settled_at: argument('now'),
    is_short: argument('isShort'),
    assumed: argument('assumed'),
  });

/** An order is settled once, so it has no row. A plain insert can share its statement with those of other orders. */
const insertCost = prepare<CostArguments, never>('task_cost', (builder, argument) =>
  newCost(builder, argument).onConflict((conflict) => conflict.column('task_id').doNothing()),
);

/** Adds the parts of the cost that were not known yet. The stored parts stay. */
const addToCost = prepare<CostArguments, never>('task_cost_late', (builder, argument) =>
  newCost(builder, argument).onConflict((conflict) =>
    conflict.column('task_id').doUpdateSet({
      outcome: sql`case when task_costs.outcome = 'unknown' then excluded.outcome else task_costs.outcome end`,
      expected: sql`coalesce(task_costs.expected, excluded.expected)`,
      told: sql`coalesce(task_costs.told, excluded.told)`,
      told_units: sql`coalesce(task_costs.told_units, excluded.told_units)`,
    }),
  ),
);

type CostSubject = Pick<TaskRow, 'id' | 'account_id' | 'model_id'>;

interface Settled {
  readonly charged: Micros;
  readonly now: number;
}

/** Stores the cost of an order, in the transaction that settles it. */
export function storeCost(trx: Transaction, task: CostSubject, cost: OrderCost, settled: Settled): void {
  trx.send(insertCost, argumentsOf(task, cost, settled));
}

/** Adds the cost that a late result reports to that of a settled order. One row per order. */
export function addToStoredCost(trx: Transaction, task: CostSubject, cost: OrderCost, settled: Settled): void {
  trx.send(addToCost, argumentsOf(task, cost, settled));
}

function argumentsOf(task: CostSubject, cost: OrderCost, { charged, now }: Settled): CostArguments {
  return {
    task: task.id,
    account: task.account_id,
    model: task.model_id,
    engine: cost.engine,
    upstreamModel: cost.upstreamModel ?? '',
    outcome: cost.outcome,
    charged,
    expected: cost.expected,
    told: cost.told,
    reportedUnits: cost.reportedUnits,
    isShort: cost.isShort === true ? 1 : 0,
    assumed: cost.assumed ?? null,
    now,
  };
}
