import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Small } from '../../components/words.tsx';
import { formatAgo, formatCount, formatMinute, formatMoney } from '../../format.ts';
import type { KeyRow } from './key-settings.ts';
import { isOfService, type KeySource } from './key-source.ts';

type KeyUsage = DataOf<'GET /admin/v1/keys/usage'>['items'][number];

/** A requested deed for a key. */
export interface KeyDeed {
  readonly action: 'edit' | 'rotate' | 'revoke';
  readonly row: KeyRow;
}

/** A page of keys with their spending and their last use. */
export function KeysTable({
  source,
  rows,
  onAsk,
}: {
  readonly source: KeySource;
  readonly rows: readonly KeyRow[];
  readonly onAsk: (action: KeyDeed) => void;
}) {
  const ids = rows.map(({ key_id: id }) => id).join(',');
  const ofService = isOfService(source);
  const options = { keep: true, enabled: ofService && ids !== '' };
  const usage = useApi('GET /admin/v1/keys/usage', { query: { key_ids: ids } }, options);
  const usageOf = new Map(usage.data?.items.map((item) => [item.key_id, item]));
  return (
    <DataTable
      label="Keys"
      rows={rows}
      rowKey={(row) => row.key_id}
      columns={[
        { head: 'Key', phone: 'title', cell: (row) => <KeyName row={row} /> },
        { head: 'Mode', phone: 'note', cell: (row) => <ModeBadge mode={row.mode} /> },
        ...(ofService ? columnsOfService(usageOf, usage.isPending ? '…' : null) : []),
        { head: 'Limits', phone: 'note', cell: (row) => limitsOf(row) },
        { head: 'State', phone: 'note', cell: (row) => <KeyState row={row} /> },
        {
          head: 'Actions',
          phone: 'aside',
          actions: true,
          cell: (row) => row.revoked_at === null && <KeyMenu source={source} row={row} onAsk={onAsk} />,
        },
      ]}
    />
  );
}

/** @param unread placeholder for a usage that is not read yet, with the same height */
function columnsOfService(usageOf: ReadonlyMap<string, KeyUsage>, unread: string | null): Column<KeyRow>[] {
  const cellOf = (row: KeyRow, told: (usage: KeyUsage) => ReactNode) => {
    if (row.mode === 'admin') return null;
    const usage = usageOf.get(row.key_id);
    return usage === undefined ? unread : told(usage);
  };
  return [
    { head: 'Account', phone: 'fact', cell: (row) => row.account_id },
    {
      head: 'Spent this month',
      numeric: true,
      cell: (row) => cellOf(row, (usage) => <Spent mode={row.mode} usage={usage} />),
    },
    { head: 'Last order', phone: 'fact', cell: (row) => cellOf(row, lastOrder) },
  ];
}

/** The spending of a key. Play money is labelled, so that nobody adds it to real money. */
function Spent({ mode, usage }: { readonly mode: KeyRow['mode']; readonly usage: KeyUsage }) {
  const charged = formatMoney(usage.charged);
  return (
    <div>
      {mode === 'test' ? (
        <Text span size="sm" c="dimmed">
          {`${charged} play money`}
        </Text>
      ) : (
        <span className="figures">{charged}</span>
      )}
      {Number(usage.held) > 0 && <Small>{`${formatMoney(usage.held)} held`}</Small>}
    </div>
  );
}

function lastOrder({ last_order_at: at }: KeyUsage): string {
  return at === null ? 'Never' : formatAgo(at);
}

function KeyMenu({
  source,
  row,
  onAsk,
}: {
  readonly source: KeySource;
  readonly row: KeyRow;
  readonly onAsk: (action: KeyDeed) => void;
}) {
  const may = useMay();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${row.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may(source.change) && <Menu.Item onClick={() => onAsk({ action: 'edit', row })}>Edit</Menu.Item>}
        {may('GET /admin/v1/requests') && (
          <Menu.Item component={Link} href={`/people/requests/${row.key_id}`}>
            Show its requests
          </Menu.Item>
        )}
        {may(source.rotate) && <Menu.Item onClick={() => onAsk({ action: 'rotate', row })}>Rotate</Menu.Item>}
        <Menu.Item color="red" onClick={() => onAsk({ action: 'revoke', row })}>
          Revoke
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function KeyName({ row: { name, key_id: id } }: { readonly row: KeyRow }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" fw={550}>
        {name}
      </Text>
      <CopyAction value={id} label={`Copy the id of ${name}`} />
    </Group>
  );
}

const MODES = { test: ['Test', 'gray'], live: ['Live', 'safelight'], admin: ['Admin', 'yellow'] } as const;

function ModeBadge({ mode }: { readonly mode: KeyRow['mode'] }) {
  const [word, color] = MODES[mode];
  return (
    <Badge variant="light" color={color} tt="none" fw={550} c="var(--ink)" miw="max-content">
      {word}
    </Badge>
  );
}

function KeyState({ row }: { readonly row: KeyRow }) {
  const { revoked_at: revoked, expires_at: expires, previous_until: previous } = row;
  if (revoked !== null) return <Mark tone="quiet">{`Revoked ${formatMinute(revoked)}`}</Mark>;
  if (expires !== null) {
    const [tone, word] = isEnded(row) ? (['quiet', 'Expired'] as const) : (['good', 'Expires'] as const);
    return <Mark tone={tone}>{`${word} ${formatMinute(expires)}`}</Mark>;
  }
  return (
    <>
      <Mark tone="good">Active</Mark>
      {previous !== null && Date.parse(previous) > Date.now() && (
        <Small>{`The old secret works until ${formatMinute(previous)}`}</Small>
      )}
    </>
  );
}

export function isEnded(row: KeyRow): boolean {
  return row.revoked_at !== null || (row.expires_at !== null && Date.parse(row.expires_at) <= Date.now());
}

function limitsOf({
  spend_limits: spend,
  end_user_limits: endUser,
  timezone,
  rpm,
  concurrency,
  models,
}: KeyRow): string {
  const parts = [
    amountsOf(spend),
    amountsOf(endUser) !== '' && `each end user ${amountsOf(endUser)}`,
    timezone !== 'UTC' && `days of ${timezone}`,
    rpm > 0 && `${formatCount(rpm)} orders/min`,
    concurrency > 0 && `${formatCount(concurrency)} at once`,
    models.length > 0 && `models ${models.join(', ')}`,
  ];
  return parts.filter(Boolean).join(', ') || 'No limits';
}

function amountsOf({ day, month, total }: KeyRow['spend_limits']): string {
  const amounts = [
    day !== null && `${formatMoney(day)} a day`,
    month !== null && `${formatMoney(month)} a month`,
    total !== null && `${formatMoney(total)} in total`,
  ];
  return amounts.filter(Boolean).join(', ');
}
