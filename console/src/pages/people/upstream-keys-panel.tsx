import { PasswordInput, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { useDeed } from '../../api/use-deed.ts';
import { DialogButton } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
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
  const remove = useDeed(({ engine }: UpstreamKey) =>
    perform('DELETE /v1/account/upstream_keys/{engine}', { path: { engine } }, texts.removeOf(engine), {
      key: live ?? '',
    }),
  );
  const { items = [], engines = [], fee } = keys.data ?? {};
  if (keys.data !== undefined && engines.length + items.length === 0) return null;
  const isFree = fee === undefined || (Number(fee.amount) === 0 && Number(fee.percent) === 0);
  return (
    <ListPanel
      pages={atOnce(keys)}
      title="Upstream keys"
      hint={isFree ? texts.hint : `${texts.hint} ${texts.fee(formatMoney(fee.amount), fee.percent)}`}
      aside={
        live !== null &&
        engines.length > 0 && (
          <DialogButton
            word={texts.add}
            title={texts.add}
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            form={(onClose) => <SecretForm engines={engines} live={live} onClose={onClose} />}
          />
        )
      }
      empty="No upstream key yet."
      rowKey={({ engine }) => engine}
      columns={[
        {
          head: texts.heads.engine,
          phone: 'title',
          cell: ({ engine, last_four: end }) => <Named name={engine} more={`…${end}`} />,
        },
        {
          head: 'State',
          phone: 'note',
          cell: ({ problem, set_at: at }) => (
            <Told more={problem ?? `set ${formatMinute(at)}`}>
              <Mark tone={problem === null ? 'good' : 'bad'}>{problem === null ? 'Active' : 'Gets no orders'}</Mark>
            </Told>
          ),
        },
      ]}
      deeds={
        live === null
          ? []
          : [
              {
                word: 'Replace',
                name: ({ engine }) => texts.replaceOf(engine),
                isOffered: ({ engine }) => engines.includes(engine),
                form: ({ engine }, onClose) => <SecretForm engines={[engine]} live={live} onClose={onClose} />,
              },
              {
                word: 'Remove',
                name: ({ engine }) => texts.removeOf(engine),
                deed: remove,
                failed: texts.failed,
                unknown: texts.unknown,
              },
            ]
      }
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
  const save = useDeed(
    () =>
      perform(
        'PUT /v1/account/upstream_keys/{engine}',
        { path: { engine }, body: { secret: secret.trim() } },
        texts.replaceOf(engine),
        { key: live },
      ),
    onClose,
  );
  return (
    <DialogForm deed={save} texts={texts} isReady={engine !== '' && secret.trim() !== ''} onClose={onClose}>
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
        label="Key"
        description="As the console of the upstream shows it. It is stored sealed and not shown again."
        autoComplete="off"
        maxLength={4096}
        value={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value)}
      />
    </DialogForm>
  );
}
