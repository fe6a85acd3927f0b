import type { Fault } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { TaskFailure } from '@darkroom-service/engines';
import { actionParent } from '../catalog/action-output.ts';
import { resolveAgain } from '../catalog/resolve-action.ts';
import type { Resolution } from '../catalog/resolve-request.ts';
import { isKeyed } from '../record/owned-instance.ts';
import { measuredQuote } from '../record/payment.ts';
import type { AwaitedOutput, StoredMedia, TaskMedia, TaskRow } from '../record/task.ts';
import { mediaOf, outputsOf, quoteOf, requestOf, routeOf } from '../record/task-json.ts';
import type { Resolved } from '../tasks/open-gates.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { judge } from './judge.ts';

/** Reason why a blocked order cannot be made now. */
class Impossible extends Error {}

/**
 * Judges a blocked order again once the orders that it waited for have succeeded, as if it were ordered now: the action
 * and the media by the real outputs. Its price was held when it was ordered, and decides which routes may make it.
 * @param parent the task that an action follows up on, with its output; null = no action, or its parent has no output
 * @param collect returns the stored file of a medium that waited for an output, or the reason why there is none
 */
export async function judgeAgain(
  services: Pick<TaskServices, 'catalog' | 'database' | 'log' | 'routing' | 'settings' | 'storage'>,
  order: TaskRow,
  parent: Pick<TaskRow, 'outputs_json' | 'input_json' | 'request_json'> | null,
  collect: (medium: TaskMedia, awaited: AwaitedOutput) => Promise<StoredMedia | { readonly reason: string }>,
): Promise<Omit<Resolved, 'newBytes'> | { readonly failure: TaskFailure }> {
  const model = services.catalog().find(order.model_id);
  if (model === null) return impossible(`The model ${order.model_id} is no longer in the catalog.`);
  const { engine, rule = null, models } = routeOf(order);
  const wasKeyed = isKeyed(engine);
  const stored = mediaOf(order);
  const quote = quoteOf(order);
  try {
    const judged = await judge(services, {
      model,
      mode: order.mode,
      accountId: order.account_id,
      resolution: resolveAfter(model, order, parent),
      faults: [],
      parentTaskId: order.parent_task_id,
      isKeyed: wasKeyed,
      rule,
      keepsFiles: true,
      acceptRoute(route, { keepTo, isBelowCost }) {
        if (isBelowCost)
          throw new Impossible(`No upstream is available for ${model.model_id} at the price that is held.`);
        return route ?? withoutRoute(model.model_id, keepTo, wasKeyed);
      },
      allowsDearer: quote.consent !== undefined,
      quoteFor: (request, measurements) => measuredQuote(quote, request, measurements),
      async findMedium({ field, index }) {
        const medium = stored.find((one) => one.field === field && one.index === index);
        if (medium?.awaited === undefined) return medium === undefined ? LOST : { ok: true, medium };
        const found = await collect(medium, medium.awaited);
        if ('reason' in found) return { ok: false, message: found.reason };
        const { awaited: _, ...rest } = medium;
        return { ok: true, medium: { ...rest, stored: found } };
      },
    });
    if ('faults' in judged) return impossible(judged.faults.map(textOf).join(' '));
    const { request, media, route } = judged;
    return { request, media, route: models === undefined ? route : { ...route, models } };
  } catch (error) {
    if (error instanceof Impossible) return impossible(error.message);
    throw error;
  }
}

const LOST = { ok: false, message: 'it is not stored with the order' } as const;

function impossible(message: string): { readonly failure: TaskFailure } {
  return { failure: { code: 'invalid_input', message } };
}

function textOf({ param, message }: Fault): string {
  return param === null || message.includes(param) ? message : `${param}: ${message}`;
}

function withoutRoute(modelId: string, keepTo: string | null, wasKeyed: boolean): never {
  if (keepTo !== null && isKeyed(keepTo) !== wasKeyed)
    throw new Impossible(
      'Only the upstream account that made the parent can follow up on it, but the price was that of another one. Order the action again.',
    );
  if (wasKeyed) throw new Impossible(`The account has no upstream key any more that can make ${modelId}.`);
  throw new Impossible(`${modelId} has no configured engine any more.`);
}

/** Resolves an action on the parent that it waited for; a plain create depends on its parents by its media only. */
function resolveAfter(model: Model, order: TaskRow, parent: Parameters<typeof judgeAgain>[2]): Resolution {
  const request = requestOf(order);
  const output = parent === null ? undefined : outputsOf(parent)[0];
  if (parent === null || output === undefined) return { ok: true, request, missing: [] };
  return resolveAgain(model, request, actionParent(requestOf(parent), output));
}
