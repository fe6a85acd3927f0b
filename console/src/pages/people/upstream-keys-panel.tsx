import { Group, PasswordInput, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Named, Told } from '../../components/two-lines.tsx';
import { formatMinute } from '../../format.ts';
import { developerTexts } from '../../texts/developers.ts';
import { useLiveKey } from './use-live-key.ts';

const texts = developerTexts.upstreamKeys;
type UpstreamKey = DataOf<'GET /v1/account/upstream_keys'>['items'][number];

/** The account's own keys at upstreams; nothing where the service accepts none. */
export function UpstreamKeysPanel() {
  const keys = useApi('GET /v1/account/upstream_keys', {});
  const live = useLiveKey('PUT /v1/account/upstream_keys/{engine}');
  /** The upstream whose key is set; empty = one that is chosen. */
  const [asked, setAsked] = useState<string | null>(null);
  const remove = useMutation({
    mutationFn: ({ engine }: UpstreamKey) =>
      perform('DELETE /v1/account/upstream_keys/{engine}', { path: { engine } }, texts.removeOf(engine), {
        key: live ?? '',
      }),
    onSettled: () => refresh('GET /v1/account/upstream_keys'),
  });
  const { items = [], engines = [], fee } = keys.data ?? {};
  if (keys.data !== undefined && engines.length + items.length === 0) return null;
  const isFree = fee === undefined || (Number(fee.amount) === 0 && Number(fee.percent) === 0);
  return (
    <ListPanel
      pages={atOnce(keys)}
      title={texts.title}
      hint={isFree ? texts.hint : `${texts.hint} ${texts.fee(formatMoney(fee.amount), fee.percent)}`}
      aside={
        live !== null &&
        engines.length > 0 && (
          <PlainButton leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setAsked('')}>
            {texts.add}
          </PlainButton>
        )
      }
      above={
        <>
          {remove.error !== null && <ErrorNote title={texts.failed} unknown={texts.unknown} error={remove.error} />}
          <DialogAbout
            about={asked}
            title={(engine) => (engine === '' ? texts.add : texts.replaceOf(engine))}
            onClose={() => setAsked(null)}
          >
            {(engine) => (
              <SecretForm
                engines={engine === '' ? engines : [engine]}
                live={live ?? ''}
                onClose={() => setAsked(null)}
              />
            )}
          </DialogAbout>
        </>
      }
      empty={texts.empty}
      rowKey={({ engine }) => engine}
      columns={[
        {
          head: texts.heads.engine,
          phone: 'title',
          cell: ({ engine, last_four: end }) => <Named name={engine} more={`…${end}`} />,
        },
        {
          head: texts.heads.state,
          phone: 'note',
          cell: ({ problem, set_at: at }) => (
            <Told more={problem ?? texts.since(formatMinute(at))}>
              <Mark tone={problem === null ? 'good' : 'bad'}>{problem === null ? texts.works : texts.fails}</Mark>
            </Told>
          ),
        },
        {
          head: texts.heads.actions,
          actions: true,
          cell: (key) =>
            live !== null && (
              <Group gap={6} wrap="nowrap" justify="flex-end">
                {engines.includes(key.engine) && (
                  <SmallButton aria-label={texts.replaceOf(key.engine)} onClick={() => setAsked(key.engine)}>
                    {texts.replace}
                  </SmallButton>
                )}
                <SmallButton aria-label={texts.removeOf(key.engine)} onClick={() => remove.mutate(key)}>
                  {texts.remove}
                </SmallButton>
              </Group>
            ),
        },
      ]}
    />
  );
}

function SecretForm({
  engines,
  live,
  onClose,
}: {
  /** Those to choose from. */
  readonly engines: readonly string[];
  readonly live: string;
  readonly onClose: () => void;
}) {
  const [engine, setEngine] = useState(engines.length === 1 ? (engines[0] ?? '') : '');
  const [secret, setSecret] = useState('');
  const save = useMutation({
    mutationFn: () =>
      perform(
        'PUT /v1/account/upstream_keys/{engine}',
        { path: { engine }, body: { secret: secret.trim() } },
        texts.replaceOf(engine),
        { key: live },
      ),
    onSuccess: async () => {
      await refresh('GET /v1/account/upstream_keys');
      onClose();
    },
  });
  return (
    <DialogForm
      deed={save}
      texts={texts}
      isReady={engine !== '' && secret.trim() !== ''}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {engines.length > 1 && (
        <Select
          label={texts.heads.engine}
          searchable
          value={engine}
          onChange={(value) => setEngine(value ?? '')}
          data={[...engines]}
          data-autofocus
        />
      )}
      <PasswordInput
        label={texts.secret}
        description={texts.secretHint}
        autoComplete="off"
        maxLength={4096}
        value={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value)}
      />
    </DialogForm>
  );
}
