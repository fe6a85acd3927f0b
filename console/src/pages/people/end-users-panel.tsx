import type { EndUserView as EndUser } from '@darkroom-service/contract';
import { Button, Input, TextInput } from '@mantine/core';
import { perform, useDeed } from '../../api/deeds.ts';
import { usePages } from '../../api/use-api.ts';
import { DeedForm, DialogButton, useCloseDialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { ZoneField } from '../../components/fields/request-fields.tsx';
import { DollarInput, LimitBar, Segments } from '../../components/inputs.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { Hint, Small } from '../../components/words.tsx';
import { formatMoney } from '../../format.ts';

const WINDOWS = ['day', 'month', 'total'] as const;
const HEADS = { day: 'Today', month: 'This month', total: 'In total' };
const SPANS = { day: 'a day', month: 'a month', total: 'in total' };
const CHOICES = { key: 'As the key', none: 'No limit', own: 'Own limit' };
const UNCHANGED = 'The limits were not changed';
type WindowName = (typeof WINDOWS)[number];
interface Limit {
  readonly choice: keyof typeof CHOICES;
  readonly amount: number | string;
}

/** The end users of the key, with their spending and limits. */
export function EndUsersPanel() {
  return (
    <ListPanel
      pages={usePages('GET /v1/end_users', { limit: 20 }, (user) => user.end_user)}
      title="End users"
      hint="Your own customers, by the end_user of their orders. A limit counts what was spent before it was set."
      empty="No orders with an end_user yet. You can set limits before the first one."
      more="Show more end users"
      aside={
        <DialogButton word="Set limits" title="Limits of an end user">
          <EndUserForm user={null} />
        </DialogButton>
      }
      columns={[
        { head: 'End user', phone: 'title', cell: (user) => <span dir="auto">{user.end_user}</span> },
        ...WINDOWS.map((window) => ({
          head: HEADS[window],
          cell: (user: EndUser) => <Spent user={user} window={window} />,
        })),
      ]}
      deeds={[
        {
          word: 'Limits',
          name: (user) => `Limits of ${user.end_user}`,
          form: (user) => <EndUserForm user={user} />,
        },
      ]}
    />
  );
}

function Spent({ user, window }: { readonly user: EndUser; readonly window: WindowName }) {
  const { limit, charged, held } = user.windows[window];
  const spent = formatMoney(charged);
  return (
    <div style={{ minWidth: 120 }}>
      <span className="figures">{limit === null ? spent : `${spent} of ${formatMoney(limit)}`}</span>
      {limit !== null && (
        <LimitBar
          used={Number(charged) + Number(held)}
          limit={Number(limit)}
          label={`${user.end_user}, ${HEADS[window]}`}
          size={5}
          mt={4}
        />
      )}
      {limit !== null && user.limits[window] === undefined && <Small>limit of the key</Small>}
      {Number(held) > 0 && <Small>{`${formatMoney(held)} held`}</Small>}
    </div>
  );
}

/** Sets the limits of an end user, or restores the key's. Asks for the name of a new one. */
function EndUserForm({ user }: { readonly user: EndUser | null }) {
  const { draft, change, field } = useDraft({
    name: user?.end_user ?? '',
    day: limitOf(user, 'day'),
    month: limitOf(user, 'month'),
    total: limitOf(user, 'total'),
    timezone: user?.limits.timezone ?? '',
  });
  const path = { end_user: draft.name };
  const timezone = draft.timezone.trim();
  const amounts = Object.fromEntries(
    WINDOWS.filter((window) => draft[window].choice !== 'key').map((window) => {
      const { choice, amount } = draft[window];
      return [window, choice === 'none' ? null : String(amount)];
    }),
  );
  const limits = { ...amounts, ...(timezone === '' ? {} : { timezone }) };
  const reset = useDeed(() => perform('DELETE /v1/end_users/{end_user}', { path }), useCloseDialog());
  return (
    <DeedForm
      act={() => perform('PUT /v1/end_users/{end_user}', { path, body: { limits } })}
      submit="Save"
      failed={UNCHANGED}
      isReady={draft.name !== '' && !Object.values(amounts).includes('')}
      aside={
        user !== null &&
        Object.keys(user.limits).length > 0 && (
          <Button variant="subtle" color="gray" mr="auto" loading={reset.isPending} onClick={() => reset.mutate()}>
            Use the limits of the key
          </Button>
        )
      }
    >
      <Hint>A lower limit ends no order. A new limit counts what the day, the month or all time holds already.</Hint>
      {user === null && (
        <TextInput
          label="End user"
          description="As in end_user of an order"
          maxLength={128}
          {...field('name')}
          data-autofocus
        />
      )}
      {WINDOWS.map((window) => (
        <Input.Wrapper key={window} label={HEADS[window]} labelElement="div">
          <Segments
            label={HEADS[window]}
            words={CHOICES}
            fullWidth
            value={draft[window].choice}
            onChange={(choice) => change({ [window]: { ...draft[window], choice } })}
          />
          {draft[window].choice === 'own' && (
            <DollarInput
              mt={8}
              aria-label={`Dollars ${SPANS[window]}`}
              value={draft[window].amount}
              onChange={(amount) => change({ [window]: { choice: 'own', amount } })}
            />
          )}
        </Input.Wrapper>
      ))}
      <ZoneField description="Whose days and months count. Empty: that of the key" {...field('timezone')} />
      <ErrorNote title={UNCHANGED} error={reset.error} />
    </DeedForm>
  );
}

function limitOf(user: EndUser | null, window: WindowName): Limit {
  const own = user?.limits[window];
  if (own === undefined) return { choice: 'key', amount: '' };
  return own === null ? { choice: 'none', amount: '' } : { choice: 'own', amount: own };
}
