import { useMutation } from '@tanstack/react-query';
import { perform } from '../../../api/deeds.ts';
import type { DataOf, RequestOf } from '../../../api/operations.ts';
import { refresh } from '../../../api/use-api.ts';
import { localTexts } from '../../../texts/local.ts';

export type LocalMachine = DataOf<'GET /admin/v1/local/models'>;
export type LocalModel = LocalMachine['items'][number];
export type LocalServer = NonNullable<LocalModel['server']>;
type PullWish = NonNullable<RequestOf<'POST /admin/v1/local/models/{name}/pull'>['body']>;

const onSuccess = () =>
  refresh('GET /admin/v1/local/models', 'GET /admin/v1/audit', 'GET /v1/models', 'GET /v1/catalog');

/** Pulling, stopping and removing a model of this machine. */
export function useLocalModel(name: string) {
  const path = { name };
  const pull = useMutation({
    mutationFn: (body: PullWish) =>
      perform('POST /admin/v1/local/models/{name}/pull', { path, body }, localTexts.pullOf(name)),
    onSuccess,
  });
  const cancel = useMutation({
    mutationFn: () => perform('POST /admin/v1/local/models/{name}/cancel', { path }, localTexts.cancelOf(name)),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => perform('DELETE /admin/v1/local/models/{name}', { path }),
    onSuccess,
  });
  return { pull, cancel, remove };
}
