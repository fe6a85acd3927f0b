import { perform } from '../../../api/deeds.ts';
import type { DataOf, RequestOf } from '../../../api/operations.ts';
import { useDeed } from '../../../api/use-deed.ts';
import { localTexts } from '../../../texts/local.ts';

export type LocalMachine = DataOf<'GET /admin/v1/local/models'>;
export type LocalModel = LocalMachine['items'][number];
export type LocalServer = NonNullable<LocalModel['server']>;
type PullWish = NonNullable<RequestOf<'POST /admin/v1/local/models/{name}/pull'>['body']>;

/** Pulling, stopping and removing a model of this machine. */
export function useLocalModel(name: string) {
  const path = { name };
  const pull = useDeed((body: PullWish) =>
    perform('POST /admin/v1/local/models/{name}/pull', { path, body }, localTexts.pullOf(name)),
  );
  const cancel = useDeed(() =>
    perform('POST /admin/v1/local/models/{name}/cancel', { path }, localTexts.cancelOf(name)),
  );
  const remove = useDeed(() => perform('DELETE /admin/v1/local/models/{name}', { path }));
  return { pull, cancel, remove };
}
