import type { EndUserView as EndUser } from '@darkroom-service/contract/end-user';
import { Progress } from '@mantine/core';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Small } from '../../components/words.ts';
import { endUserTexts as texts } from '../../texts/end-users.ts';
import { EndUserForm } from './end-user-form.tsx';

const PAGE_SIZE = 20;
const NEARLY = 80;
type WindowName = keyof EndUser['windows'];

/** The end users of the key: what each has spent, and its limits. */
export function EndUsersPanel() {
  const [asked, setAsked] = useState<EndUser | 'new' | null>(null);
  const users = usePages('GET /v1/end_users', { limit: PAGE_SIZE }, (user) => user.end_user);
  const close = () => setAsked(null);
  const changed = () => {
    close();
    void users.refetch();
  };
  return (
    <>
      <ListPanel
        pages={users}
        title="End users"
        hint="Your own customers, by the end_user of their orders. A limit counts what was spent before it was set."
        empty="No orders with an end_user yet. You can set limits before the first one."
        more="Show more end users"
        aside={<PlainButton onClick={() => setAsked('new')}>Set limits</PlainButton>}
        rowKey={(user) => user.end_user}
        columns={[
          { head: texts.heads.name, phone: 'title', cell: (user) => <span dir="auto">{user.end_user}</span> },
          ...(['day', 'month', 'total'] as const).map((window) => ({
            head: texts.heads[window],
            cell: (user: EndUser) => <Spent user={user} window={window} />,
          })),
          {
            head: texts.heads.actions,
            actions: true,
            cell: (user) => (
              <SmallButton aria-label={`Limits of ${user.end_user}`} onClick={() => setAsked(user)}>
                Limits
              </SmallButton>
            ),
          },
        ]}
      />
      <DialogAbout
        about={asked}
        title={(user) => texts.edit.title(user === 'new' ? '' : user.end_user)}
        onClose={close}
      >
        {(user) => <EndUserForm user={user === 'new' ? null : user} onClose={close} onChanged={changed} />}
      </DialogAbout>
    </>
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
