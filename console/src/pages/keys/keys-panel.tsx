import { ActionIcon, Badge, Button, Group, Menu, Select, Skeleton, Switch, Text } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatMinute } from '../../format.ts';
import { keysTexts } from '../../texts/keys.ts';
import { NewKeyModal } from './new-key-modal.tsx';
import { RevokeModal } from './revoke-modal.tsx';
import { RotateModal } from './rotate-modal.tsx';
import type { AccountRow, KeyRow } from './rows.ts';
import { SecretModal } from './secret-modal.tsx';

const texts = keysTexts.keys;
type Asked = { readonly deed: 'rotate' | 'revoke'; readonly row: KeyRow } | { readonly deed: 'create' } | null;

/** All keys with their actions. */
export function KeysPanel({
  accounts,
  onNotice,
}: {
  readonly accounts: readonly AccountRow[];
  readonly onNotice: (text: string) => void;
}) {
  const [accountId, setAccountId] = useState<string | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const [asked, setAsked] = useState<Asked>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const keys = useApi(
    'GET /admin/v1/keys',
    { query: accountId === null ? {} : { account_id: accountId } },
    { keep: true },
  );
  const rows = (keys.data?.items ?? []).filter((row) => showsEnded || !isEnded(row)).toReversed();
  const close = () => setAsked(null);
  const show = (key: string) => {
    close();
    setSecret(key);
  };
  return (
    <Panel
      title={texts.title}
      hint={texts.hint}
      flush
      aside={
        <Group gap="sm">
          <Switch
            label={texts.showRevoked}
            checked={showsEnded}
            onChange={(event) => setShowsEnded(event.currentTarget.checked)}
          />
          <Select
            aria-label={texts.account}
            placeholder={texts.anyAccount}
            clearable
            searchable
            w={180}
            value={accountId}
            onChange={setAccountId}
            data={accounts.map((account) => ({ value: account.account_id, label: account.name }))}
          />
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setAsked({ deed: 'create' })}>
            {texts.create}
          </Button>
        </Group>
      }
    >
      {keys.error !== null ? (
        <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data === undefined ? (
        <Skeleton h={180} m="md" w="auto" aria-hidden="true" />
      ) : rows.length === 0 ? (
        <Text p="md" c="dimmed">
          {texts.empty}
        </Text>
      ) : (
        <DataTable
          label={texts.title}
          rows={rows}
          rowKey={(row) => row.key_id}
          columns={[
            { head: texts.heads.name, phone: 'title', cell: (row) => <KeyName row={row} /> },
            { head: texts.heads.mode, phone: 'note', cell: (row) => <ModeBadge mode={row.mode} /> },
            { head: texts.heads.account, phone: 'fact', cell: (row) => row.account_id },
            { head: texts.heads.limits, phone: 'note', cell: (row) => limitsOf(row) },
            { head: texts.heads.state, phone: 'note', cell: (row) => <KeyState row={row} /> },
            {
              head: texts.heads.actions,
              phone: 'aside',
              actions: true,
              cell: (row) => row.revoked_at === null && <KeyMenu row={row} onAsk={setAsked} />,
            },
          ]}
        />
      )}
      <NewKeyModal opened={asked?.deed === 'create'} accounts={accounts} onClose={close} onIssued={show} />
      <RotateModal row={asked?.deed === 'rotate' ? asked.row : null} onClose={close} onIssued={show} />
      <RevokeModal
        row={asked?.deed === 'revoke' ? asked.row : null}
        onClose={close}
        onRevoked={(count) => {
          close();
          onNotice(keysTexts.revocation.done(count));
        }}
      />
      <SecretModal secret={secret} onClose={() => setSecret(null)} />
    </Panel>
  );
}

function KeyMenu({ row, onAsk }: { readonly row: KeyRow; readonly onAsk: (asked: Asked) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.actions(row.name)}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAsk({ deed: 'rotate', row })}>{texts.rotate}</Menu.Item>
        <Menu.Item color="red" onClick={() => onAsk({ deed: 'revoke', row })}>
          {texts.revoke}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function KeyName({ row }: { readonly row: KeyRow }) {
  return (
    <div>
      <Text size="sm" fw={550}>
        {row.name}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace" style={{ whiteSpace: 'nowrap' }}>
        {row.key_id}
      </Text>
    </div>
  );
}

const COLORS = { test: 'gray', live: 'safelight', admin: 'yellow' } as const;

function ModeBadge({ mode }: { readonly mode: KeyRow['mode'] }) {
  return (
    <Badge variant="light" color={COLORS[mode]} tt="none" fw={550} c="inherit" miw="max-content">
      {texts.modes[mode]}
    </Badge>
  );
}

function KeyState({ row }: { readonly row: KeyRow }) {
  const states = texts.states;
  if (row.revoked_at !== null) return <Mark tone="quiet">{states.revoked(formatMinute(row.revoked_at))}</Mark>;
  if (row.expires_at !== null) {
    return isEnded(row) ? (
      <Mark tone="quiet">{states.expired(formatMinute(row.expires_at))}</Mark>
    ) : (
      <Mark tone="good">{states.expires(formatMinute(row.expires_at))}</Mark>
    );
  }
  const isRotating = row.previous_until !== null && Date.parse(row.previous_until) > Date.now();
  return (
    <>
      <Mark tone="good">{states.works}</Mark>
      {isRotating && row.previous_until !== null && (
        <Text size="xs" c="dimmed">
          {states.rotating(formatMinute(row.previous_until))}
        </Text>
      )}
    </>
  );
}

function isEnded(row: KeyRow): boolean {
  return row.revoked_at !== null || (row.expires_at !== null && Date.parse(row.expires_at) <= Date.now());
}

function limitsOf(row: KeyRow): string {
  const { limits } = texts;
  const { day, month, total } = row.spend_limits;
  const parts = [
    ...(day === null ? [] : [limits.day(formatMoney(day))]),
    ...(month === null ? [] : [limits.month(formatMoney(month))]),
    ...(total === null ? [] : [limits.total(formatMoney(total))]),
    ...(row.rpm === 0 ? [] : [limits.rpm(row.rpm)]),
    ...(row.concurrency === 0 ? [] : [limits.concurrency(row.concurrency)]),
    ...(row.models.length === 0 ? [] : [limits.models(row.models.join(', '))]),
  ];
  return parts.length === 0 ? texts.noLimits : parts.join(', ');
}
