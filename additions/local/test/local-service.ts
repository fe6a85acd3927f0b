import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '@darkroom-service/testing';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import type { LocalConfig } from '../src/local-settings.ts';
import type { LocalBench, Pulled } from './local-bench.ts';

export const ENDED = ['succeeded', 'failed', 'canceled'];

/** A service with the pulled models of a bench. */
export async function openService(
  t: TestContext,
  bench: LocalBench,
  added: Readonly<Record<string, string>> = {},
  limits: Partial<Pick<LocalConfig, 'loadMs' | 'stallMs'>> = {},
) {
  const env = { ...bench.env, ...added };
  const service = await startTestService(t, { env, settings: { local: limits } });
  const { call, keys } = service;
  const order = async (model: string, prompt: string, fields: object = {}): Promise<TaskAnswer> => {
    const { data, error } = await call(keys.live, 'POST', '/v1/images', {
      model_id: `local-${model}`,
      prompt,
      ...fields,
    });
    assert.equal(error, undefined, JSON.stringify(error));
    return data;
  };
  const read = async (task: TaskAnswer): Promise<TaskAnswer> => (await call(keys.live, 'GET', task.urls.self)).data;
  const ended = (task: TaskAnswer) =>
    until(
      async () => (await call(keys.live, 'GET', task.urls.self, undefined, { prefer: 'wait=60' })).data,
      ({ status }) => ENDED.includes(status),
    );
  return { ...service, order, read, ended };
}

/** Lists what the servers of a model have done so far, without the facts. */
export const words = async (pulled: Pulled) => (await pulled.happened()).map(([word]) => word);
