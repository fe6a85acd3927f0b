import { Button, Group, Modal, Pagination, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyField } from '../../components/copy-action.tsx';
import { DialogAbout } from '../../components/dialog.tsx';
import { Toggle } from '../../components/inputs.tsx';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { Hint } from '../../components/words.tsx';
import { formatCount } from '../../format.ts';
import type { AccountRow } from './account-form.tsx';
import { AccountSelect } from './account-select.tsx';
import { EditKeyForm, NewKeyForm, RevokeForm, RotateForm } from './key-forms.tsx';
import type { KeyRow } from './key-settings.ts';
import { isOfService, type KeySource } from './key-source.ts';
import { isEnded, type KeyDeed, KeysTable } from './keys-table.tsx';

const PAGE_SIZE = 20;
const TITLES = { edit: 'Edit', rotate: 'New secret for', revoke: 'Revoke' };

/** Keys with their actions: newest first, searchable, one page at a time. */
export function KeysPanel({ source }: { readonly source: KeySource }) {
  const may = useMay();
  const hasAccounts = isOfService(source);
  const accounts = useApi('GET /admin/v1/accounts', {}, { enabled: hasAccounts }).data?.items ?? [];
  const [accountId, setAccountId] = useState<string | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const [word, setWord] = useState('');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<KeyDeed | 'new' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const query = accountId === null ? {} : { account_id: accountId };
  const keys = useApi(source.list, { query }, { keep: true });
  const rows = keys.data?.items
    .filter((row) => (showsEnded || !isEnded(row)) && isFound(row, word, accounts))
    .toReversed();
  const count = rows?.length ?? 0;
  const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
  const shown = Math.min(page, pages);
  return (
    <>
      <ListPanel
        pages={{ ...singlePage(keys, (row) => row.key_id), items: rows }}
        title="Keys"
        hint="For programs. A key sees only its own orders."
        empty="No key matches."
        aside={
          may(source.issue) && (
            <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setAsked('new')}>
              New key
            </Button>
          )
        }
        above={
          <Group component="search" gap="10px 16px" px={16} pb={12} aria-label="Filter keys">
            <SearchInput
              flex="0 1 280px"
              label="Search keys"
              placeholder="Name, id or account"
              value={word}
              onChange={(text) => {
                setWord(text);
                setPage(1);
              }}
            />
            {hasAccounts && (
              <AccountSelect
                aria-label="Account"
                placeholder="Every account"
                clearable
                w={180}
                value={accountId}
                onChange={setAccountId}
              />
            )}
            <Toggle label="Show revoked and expired keys" value={showsEnded} onChange={setShowsEnded} />
          </Group>
        }
      >
        {(found) => (
          <>
            <KeysTable
              source={source}
              rows={found.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE)}
              onAsk={setAsked}
            />
            {pages > 1 && (
              <Group justify="space-between" p="md" component="nav" aria-label="Pages of keys">
                <Hint role="status">{count === 1 ? '1 key' : `${formatCount(count)} keys`}</Hint>
                <Pagination
                  size="sm"
                  total={pages}
                  value={shown}
                  onChange={setPage}
                  getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
                  getControlProps={(control) =>
                    control === 'previous'
                      ? { 'aria-label': 'Previous page' }
                      : control === 'next'
                        ? { 'aria-label': 'Next page' }
                        : {}
                  }
                />
              </Group>
            )}
          </>
        )}
      </ListPanel>
      <DialogAbout
        about={asked}
        title={(about) =>
          about === 'new'
            ? 'New key'
            : `${TITLES[about.action]} ${about.row.name}${about.action === 'revoke' ? '?' : ''}`
        }
        size={asked === 'new' || asked?.action === 'edit' ? 'lg' : 'md'}
        onClose={() => setAsked(null)}
      >
        {(about) => {
          if (about === 'new') return <NewKeyForm source={source} onIssued={setSecret} />;
          if (about.action === 'rotate') return <RotateForm source={source} row={about.row} onIssued={setSecret} />;
          const Form = about.action === 'edit' ? EditKeyForm : RevokeForm;
          return <Form source={source} row={about.row} />;
        }}
      </DialogAbout>
      <SecretModal secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function isFound(row: KeyRow, word: string, accounts: readonly AccountRow[]): boolean {
  const account = accounts.find(({ account_id: id }) => id === row.account_id);
  const text = [row.name, row.key_id, row.account_id, account?.name ?? ''].join('\n').toLowerCase();
  return text.includes(word.trim().toLowerCase());
}

/** Shows a new secret, once. It closes only by its button, not by Escape or a click outside. */
function SecretModal({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title="Copy this key now"
      centered
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">
          It is shown only once: the service stores only its fingerprint. Use it in one program and share it with
          nobody.
        </Text>
        <CopyField name="API key" value={secret ?? ''} label="Copy the key" />
        <Group justify="flex-end">
          <Button size="xs" onClick={onClose}>
            I have copied it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
