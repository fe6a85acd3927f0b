import { until } from '@darkroom-service/testing';
import type { TestService } from '../helpers/service.ts';
import type { Case } from './deed-kinds.ts';

/** Deeds for all orders that a search finds: one that runs for ever, or for a cancel one that waits behind it. */
export async function deedsForMany(
  { call, keys, issueKey }: Pick<TestService, 'call' | 'keys' | 'issueKey'>,
  acts: (act: string) => Case['count'],
): Promise<Readonly<Record<string, Case>>> {
  const deed = async (name: 'ask' | 'cancel' | 'give_up'): Promise<[string, Case]> => {
    const { key } = await issueKey({ mode: 'test', concurrency: 1 });
    const order = async () => {
      const body = { model_id: 'sketch', prompt: 'a fox', simulate: { seconds: 3_600 } };
      return (await call(key, 'POST', '/v1/images', body)).data.task_id;
    };
    const running = await order();
    await until(
      async () => (await call(key, 'GET', `/v1/images/${running}`)).data.status,
      (status) => status === 'processing',
    );
    const wish = { search: name === 'cancel' ? await order() : running, expected: 1 };
    return [
      `/admin/v1/tasks/${name}`,
      {
        key: keys.admin,
        body: { ...wish, mode: 'test' },
        other: { ...wish, mode: 'all' },
        count: acts(`tasks.${name}`),
        differs: ['pending'],
      },
    ];
  };
  return Object.fromEntries(await Promise.all([deed('ask'), deed('cancel'), deed('give_up')]));
}
