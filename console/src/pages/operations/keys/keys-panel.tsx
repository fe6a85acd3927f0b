import { Button, Group, Pagination, Select, Skeleton, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Panel } from '../../../components/panel.tsx';
import { keysTexts } from '../../../texts/keys.ts';
import { EditKeyModal } from './edit-key-modal.tsx';
import classes from './keys.module.css';
import { isEnded, type KeyDeed, KeysTable } from './keys-table.tsx';
import { NewKeyModal } from './new-key-modal.tsx';
import { RevokeModal } from './revoke-modal.tsx';
import { RotateModal } from './rotate-modal.tsx';
import type { AccountRow, KeyRow } from './rows.ts';
import { SecretModal } from './secret-modal.tsx';

const texts = keysTexts.keys;
const PAGE_SIZE = 20;
type Asked = KeyDeed | { readonly deed: 'create' } | null;

/** All keys with their actions: newest first, found by a word, a page at a time. */
export function KeysPanel({
  accounts,
  onNotice,
}: {
  readonly accounts: readonly AccountRow[];
  readonly onNotice: (text: string) => void;
}) {
  const [accountId, setAccountId] = useState<string | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const [word, setWord] = useState('');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Asked>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const keys = useApi(
    'GET /admin/v1/keys',
    { query: accountId === null ? {} : { account_id: accountId } },
    { keep: true },
  );
  const rows = (keys.data?.items ?? [])
    .filter((row) => (showsEnded || !isEnded(row)) && isFound(row, word, accounts))
    .toReversed();
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_SIZE));
  const shown = Math.min(page, pages);
  const close = () => setAsked(null);
  const show = (key: string) => {
    close();
    setSecret(key);
  };
  const rowOf = (deed: KeyDeed['deed']) => (asked?.deed === deed ? asked.row : null);
  return (
    <Panel
      title={texts.title}
      hint={texts.hint}
      flush
      aside={
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setAsked({ deed: 'create' })}>
          {texts.create}
        </Button>
      }
    >
      <search className={classes.filters} aria-label={texts.filters}>
        <TextInput
          type="search"
          aria-label={texts.search}
          placeholder={texts.searchPlaceholder}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          className={classes.search ?? ''}
          value={word}
          onChange={(event) => {
            setWord(event.currentTarget.value);
            setPage(1);
          }}
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
        <Switch
          label={texts.showRevoked}
          checked={showsEnded}
          onChange={(event) => setShowsEnded(event.currentTarget.checked)}
        />
      </search>
      {keys.error !== null ? (
        <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data === undefined ? (
        <Skeleton h={180} m="md" w="auto" aria-hidden="true" />
      ) : rows.length === 0 ? (
        <Text p="md" c="dimmed" role="status">
          {texts.empty}
        </Text>
      ) : (
        <KeysTable rows={rows.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE)} onAsk={setAsked} />
      )}
      {pages > 1 && (
        <Group justify="space-between" p="md" component="nav" aria-label={texts.pages.label}>
          <Text size="sm" c="dimmed" role="status">
            {texts.found(rows.length)}
          </Text>
          <Pagination
            size="sm"
            total={pages}
            value={shown}
            onChange={setPage}
            getItemProps={(item) => ({ 'aria-label': texts.pages.page(item) })}
            getControlProps={(control) =>
              control === 'previous' || control === 'next' ? { 'aria-label': texts.pages[control] } : {}
            }
          />
        </Group>
      )}
      <NewKeyModal opened={asked?.deed === 'create'} accounts={accounts} onClose={close} onIssued={show} />
      <EditKeyModal
        row={rowOf('edit')}
        onClose={close}
        onChanged={(name) => {
          close();
          onNotice(keysTexts.edit.done(name));
        }}
      />
      <RotateModal row={rowOf('rotate')} onClose={close} onIssued={show} />
      <RevokeModal
        row={rowOf('revoke')}
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

function isFound(row: KeyRow, word: string, accounts: readonly AccountRow[]): boolean {
  const account = accounts.find(({ account_id: id }) => id === row.account_id);
  const text = [row.name, row.key_id, row.account_id, account?.name ?? ''].join('\n').toLowerCase();
  return text.includes(word.trim().toLowerCase());
}
