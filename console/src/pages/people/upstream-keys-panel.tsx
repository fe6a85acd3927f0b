import { Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { perform } from '../../api/deeds.ts';
import { useApi } from '../../api/use-api.ts';
import { DeedForm, DialogButton } from '../../components/dialog.tsx';
import { RequestFields } from '../../components/fields/request-fields.tsx';
import { useRequestForm } from '../../components/fields/request-form.ts';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Named, Told } from '../../components/words.tsx';
import { formatMinute, formatMoney } from '../../format.ts';
import { useLiveKey } from './use-live-key.ts';

const ADD = 'Add a key';
const UNCHANGED = 'The upstream key was not changed';
const replaceOf = (engine: string) => `Replace the key at ${engine}`;
const removeOf = (engine: string) => `Remove the key at ${engine}`;

/** The account's own keys at upstreams; empty if the service accepts none. */
export function UpstreamKeysPanel() {
  const keys = useApi('GET /v1/account/upstream_keys', {});
  const live = useLiveKey('PUT /v1/account/upstream_keys/{engine}');
  const { items = [], engines = [], fee = { amount: '0', percent: '0' } } = keys.data ?? {};
  if (keys.data !== undefined && engines.length + items.length === 0) return null;
  const share = Number(fee.percent) === 0 ? 'each' : `and ${fee.percent} % of the price`;
  const isFree = Number(fee.amount) === 0 && Number(fee.percent) === 0;
  return (
    <ListPanel
      pages={singlePage(keys, ({ engine }) => engine)}
      title="Upstream keys"
      hint={`Live orders of the account go to an upstream with your own key there.${isFree ? '' : ` They cost ${formatMoney(fee.amount)} ${share} here.`}`}
      aside={
        live !== null &&
        engines.length > 0 && (
          <DialogButton word={ADD} title={ADD} leftSection={<IconPlus size={16} aria-hidden="true" />}>
            <SecretForm engines={engines} live={live} />
          </DialogButton>
        )
      }
      empty="No upstream key yet."
      columns={[
        {
          head: 'Upstream',
          phone: 'title',
          cell: ({ engine, last_four: end }) => <Named name={engine} more={`…${end}`} />,
        },
        {
          head: 'State',
          phone: 'note',
          cell: ({ problem, set_at: at }) => (
            <Told more={problem ?? `set ${formatMinute(at)}`}>
              <Mark tone={problem === null ? 'quiet' : 'bad'}>
                {problem === null ? 'Gets live orders' : 'Gets no orders'}
              </Mark>
            </Told>
          ),
        },
      ]}
      deeds={[
        live !== null && {
          word: 'Replace',
          name: ({ engine }) => replaceOf(engine),
          isOffered: ({ engine }) => engines.includes(engine),
          form: ({ engine }) => <SecretForm engines={[engine]} live={live} />,
        },
        live !== null && {
          word: 'Remove',
          name: ({ engine }) => removeOf(engine),
          act: ({ engine }) =>
            perform('DELETE /v1/account/upstream_keys/{engine}', { path: { engine } }, removeOf(engine), {
              key: live,
            }),
          failed: UNCHANGED,
          says: 'Orders that were not submitted with it fail and cost nothing. The service does not show the key again, and it stays valid at the upstream until you revoke it there.',
        },
      ]}
    />
  );
}

/** @param props.engines engines to choose from */
function SecretForm({ engines, live }: { readonly engines: readonly string[]; readonly live: string }) {
  const form = useRequestForm(
    'PUT /v1/account/upstream_keys/{engine}',
    engines.length === 1 ? { engine: engines[0] } : {},
  );
  const engine = String(form.draft.engine);
  return (
    <DeedForm
      act={() => perform(form.operation, form.request, replaceOf(engine), { key: live })}
      submit="Save"
      failed={UNCHANGED}
      isReady={form.isComplete}
    >
      {engines.length > 1 && (
        <Select
          label="Upstream"
          searchable
          data={[...engines]}
          value={engine}
          onChange={(next) => form.change('engine', next ?? '')}
          data-autofocus
        />
      )}
      <RequestFields form={form} rows={['secret']} />
    </DeedForm>
  );
}
