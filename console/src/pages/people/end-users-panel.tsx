import type { EndUserView as EndUser } from '@darkroom-service/contract/end-user';
import { Button, Input, NumberInput, Progress, TextInput } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useDeed } from '../../api/use-deed.ts';
import { usePages } from '../../api/use-pages.ts';
import { DialogButton } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Segments } from '../../components/segments.tsx';
import { Hint, Small } from '../../components/words.ts';
import { endUserTexts, endUserTexts as texts } from '../../texts/end-users.ts';

const PAGE_SIZE = 20;
const NEARLY = 80;
type WindowName = keyof EndUser['windows'];

/** The end users of the key: what each has spent, and its limits. */
export function EndUsersPanel() {
  const users = usePages('GET /v1/end_users', { limit: PAGE_SIZE }, (user) => user.end_user);
  return (
    <ListPanel
      pages={users}
      title="End users"
      hint="Your own customers, by the end_user of their orders. A limit counts what was spent before it was set."
      empty="No orders with an end_user yet. You can set limits before the first one."
      more="Show more end users"
      aside={
        <DialogButton
          word="Set limits"
          title={texts.edit.title('')}
          form={(onClose) => <EndUserForm user={null} onClose={onClose} />}
        />
      }
      rowKey={(user) => user.end_user}
      columns={[
        { head: texts.heads.name, phone: 'title', cell: (user) => <span dir="auto">{user.end_user}</span> },
        ...(['day', 'month', 'total'] as const).map((window) => ({
          head: texts.heads[window],
          cell: (user: EndUser) => <Spent user={user} window={window} />,
        })),
      ]}
      deeds={[
        {
          word: 'Limits',
          name: (user) => `Limits of ${user.end_user}`,
          title: (user) => texts.edit.title(user.end_user),
          form: (user, onClose) => <EndUserForm user={user} onClose={onClose} />,
        },
      ]}
    />
  );
}

function Spent({ user, window }: { readonly user: EndUser; readonly window: WindowName }) {
  const { limit, charged, held } = user.windows[window];
  const spent = formatMoney(charged);
  const used = Number(charged) + Number(held);
  const percent = limit === null ? 0 : Number(limit) === 0 ? 100 : Math.min(100, (used / Number(limit)) * 100);
  const facts = [
    ...(limit !== null && user.limits[window] === undefined ? ['limit of the key'] : []),
    ...(Number(held) > 0 ? [`${formatMoney(held)} held`] : []),
  ];
  return (
    <div style={{ minWidth: 120 }}>
      <span className="figures">{limit === null ? spent : `${spent} of ${formatMoney(limit)}`}</span>
      {limit !== null && (
        <Progress
          size={5}
          mt={4}
          value={percent}
          color={percent >= NEARLY ? 'red' : 'safelight'}
          aria-label={`${user.end_user}, ${texts.heads[window]}`}
        />
      )}
      {facts.map((fact) => (
        <Small key={fact}>{fact}</Small>
      ))}
    </div>
  );
}

const editTexts = endUserTexts.edit;
const WINDOWS = ['day', 'month', 'total'] as const;
type LimitWindow = (typeof WINDOWS)[number];
type Choice = keyof typeof editTexts.choices;
interface Limit {
  readonly choice: Choice;
  readonly amount: number | string;
}

/** Sets the limits of an end user, or gives it those of the key again. Asks for the name of a new one. */
function EndUserForm({ user, onClose }: { readonly user: EndUser | null; readonly onClose: () => void }) {
  const [name, setName] = useState(user?.end_user ?? '');
  const [limits, setLimits] = useState<Readonly<Record<LimitWindow, Limit>>>({
    day: limitOf(user, 'day'),
    month: limitOf(user, 'month'),
    total: limitOf(user, 'total'),
  });
  const path = { end_user: name };
  const save = useDeed(
    () => perform('PUT /v1/end_users/{end_user}', { path, body: { limits: bodyOf(limits) } }),
    onClose,
  );
  const reset = useDeed(() => perform('DELETE /v1/end_users/{end_user}', { path }), onClose);
  const isMissing =
    name === '' || WINDOWS.some((window) => limits[window].choice === 'own' && limits[window].amount === '');
  return (
    <DialogForm
      deed={{ error: save.error ?? reset.error, isPending: save.isPending }}
      texts={editTexts}
      isReady={!isMissing}
      aside={
        user !== null &&
        Object.keys(user.limits).length > 0 && (
          <Button variant="subtle" color="gray" mr="auto" loading={reset.isPending} onClick={() => reset.mutate()}>
            Use the limits of the key
          </Button>
        )
      }
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Hint>A lower limit ends no order. A new limit counts what the day, the month or all time holds already.</Hint>
      {user === null && (
        <TextInput
          label="End user"
          description="As in end_user of an order"
          maxLength={128}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {WINDOWS.map((window) => (
        <Input.Wrapper key={window} label={endUserTexts.heads[window]} labelElement="div">
          <Segments
            label={endUserTexts.heads[window]}
            words={editTexts.choices}
            fullWidth
            value={limits[window].choice}
            onChange={(choice) => setLimits({ ...limits, [window]: { ...limits[window], choice } })}
          />
          {limits[window].choice === 'own' && (
            <NumberInput
              mt={8}
              aria-label={`Dollars ${editTexts.windows[window]}`}
              prefix="$"
              min={0}
              decimalScale={6}
              hideControls
              value={limits[window].amount}
              onChange={(amount) => setLimits({ ...limits, [window]: { choice: 'own', amount } })}
            />
          )}
        </Input.Wrapper>
      ))}
    </DialogForm>
  );
}

function limitOf(user: EndUser | null, window: LimitWindow): Limit {
  const own = user?.limits[window];
  if (own === undefined) return { choice: 'key', amount: '' };
  return own === null ? { choice: 'none', amount: '' } : { choice: 'own', amount: own };
}

function bodyOf(limits: Readonly<Record<LimitWindow, Limit>>) {
  return Object.fromEntries(
    WINDOWS.filter((window) => limits[window].choice !== 'key').map((window) => {
      const { choice, amount } = limits[window];
      return [window, choice === 'none' ? null : String(amount)];
    }),
  );
}
