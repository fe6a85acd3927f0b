import type { TaskRecord } from '../../record/task-record.ts';
import type { NextRoute } from '../rerouting/next-route.ts';
import type { Facts } from './facts.ts';

/**
 * Tells whether an order may go on to its next model, if it names several.
 * @param refusal the class of the fault, or the failure's code
 */
export function mayLeaveModel({ route: { models } }: Pick<TaskRecord, 'route'>, refusal: string): boolean {
  return models !== undefined && (refusal !== 'content_policy' || models.afterContentPolicy);
}

/**
 * Returns the route of an order at its next model, whatever the state of its engine; null if there is none.
 * @param message the upstream's reason, for operators
 * @param wasTaken whether the upstream took the order before it refused it
 */
export function toNextModel(
  { task, facts }: { readonly task: TaskRecord; readonly facts: Facts },
  message: string,
  refusal: string,
  wasTaken = false,
): { readonly next: NextRoute } | null {
  const refused = refusal === 'content_policy' ? 'refused its content' : 'did not take the order';
  const next = facts.nextRoute({
    reason: message,
    model: `An upstream of ${task.model_id} ${refused}.`,
    standings: ['ready', 'throttled', 'interrupted'],
    // Such an upstream would answer the second order with the first one, which has the same id.
    engine: wasTaken && facts.engine?.idempotency !== 'none',
  });
  return next === null ? null : { next };
}
