import type { JsonObject } from '../base/canonical-json.ts';
import type { ActionParent } from './action-output.ts';
import { ACTIONS, type ActionName } from './actions.ts';
import type { Model, ResolvedRequest } from './model.ts';
import { resolveAction } from './resolve-action.ts';
import type { Resolution } from './resolve-request.ts';

/** Resolves an action again whose parent was only planned when it was ordered. */
export function resolveAgain(model: Model, { action, values }: ResolvedRequest, parent: ActionParent): Resolution {
  const fields = ACTIONS[action as ActionName]?.parameters ?? {};
  const sent = Object.entries(values).filter(([name, value]) => Object.hasOwn(fields, name) && value !== null);
  const body: JsonObject = { ...Object.fromEntries(sent), action };
  return resolveAction(model, body, parent, { purpose: 'create' });
}
