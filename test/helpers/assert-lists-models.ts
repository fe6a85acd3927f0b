import assert from 'node:assert/strict';
import type { CallContext, Engine } from '@darkroom-service/engines';

/** Asserts that an engine with a list of models finds those of its routes there, and no other one. */
export async function assertListsModels(engine: Engine, routes: readonly object[], context: CallContext) {
  const own = routes.flatMap((route) => ('model' in route ? [String(route.model)] : []));
  const listed = await engine.models?.(context, [...own, 'fox-0']);
  if (listed === undefined) return;
  assert.deepEqual(
    [...own, 'fox-0'].filter((model) => listed.has(model)),
    own,
  );
}
