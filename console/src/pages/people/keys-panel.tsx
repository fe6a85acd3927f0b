import { Button, Group, Modal, Pagination, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyTextButton } from '../../components/copy-action.tsx';
import { DialogAbout } from '../../components/dialog.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { Hint } from '../../components/words.ts';
import { keysTexts } from '../../texts/keys.ts';
import { EditKeyForm, RevokeForm, RotateForm } from './key-forms.tsx';
import { isOfService, type KeySource } from './key-source.ts';
import { isEnded, type KeyDeed, KeysTable } from './keys-table.tsx';
import { NewKeyForm } from './new-key-form.tsx';
import type { AccountRow, KeyRow } from './rows.ts';

const texts = keysTexts.keys;
const PAGE_SIZE = 20;
const TITLES = { edit: keysTexts.edit, rotate: keysTexts.rotation, revoke: keysTexts.revocation };

/** Keys with their actions: newest first, found by a word, a page at a time. */
export function KeysPanel({
  source,
  onNotice,
}: {
  readonly source: KeySource;
  readonly onNotice: (text: string) => void;
}) {
  const may = useMay();
  const hasAccounts = isOfService(source);
  const accounts = useApi('GET /admin/v1/accounts', {}, { enabled: hasAccounts }).data?.items ?? [];
  const [accountId, setAccountId] = useState<string | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const [word, setWord] = useState('');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<KeyDeed | { readonly deed: 'create' } | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const query = accountId === null ? {} : { account_id: accountId };
  const keys = useApi(source.list, { query }, { keep: true });
  const rows = keys.data?.items
    .filter((row) => (showsEnded || !isEnded(row)) && isFound(row, word, accounts))
    .toReversed();
  const count = rows?.length ?? 0;
  const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
  const shown = Math.min(page, pages);
  const close = () => setAsked(null);
  const show = (key: string) => {
    close();
    setSecret(key);
  };
  const tell = (text: string) => {
    close();
    onNotice(text);
  };
  return (
    <>
      <ListPanel
        pages={{ ...atOnce(keys), items: rows }}
        title={texts.title}
        hint="For programs. A key sees only its own orders."
        empty="No key matches."
        aside={
          may(source.issue) && (
            <Button
              leftSection={<IconPlus size={16} aria-hidden="true" />}
              onClick={() => setAsked({ deed: 'create' })}
            >
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
              <Select
                aria-label="Account"
                placeholder="Every account"
                clearable
                searchable
                w={180}
                value={accountId}
                onChange={setAccountId}
                data={accounts.map((account) => ({ value: account.account_id, label: account.name }))}
              />
            )}
            <Toggle label="Show revoked and expired keys" isOn={showsEnded} onChange={setShowsEnded} />
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
              <Group justify="space-between" p="md" component="nav" aria-label={texts.pages.label}>
                <Hint role="status">{texts.found(count)}</Hint>
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
          </>
        )}
      </ListPanel>
      <DialogAbout
        about={asked}
        title={(about) => ('row' in about ? TITLES[about.deed].title(about.row.name) : keysTexts.newKey.title)}
        size={asked?.deed === 'create' || asked?.deed === 'edit' ? 'lg' : 'md'}
        onClose={close}
      >
        {(about) => {
          if (!('row' in about))
            return <NewKeyForm source={source} accounts={accounts} onClose={close} onIssued={show} />;
          const { deed, row } = about;
          if (deed === 'rotate') return <RotateForm source={source} row={row} onClose={close} onIssued={show} />;
          if (deed === 'edit')
            return (
              <EditKeyForm
                source={source}
                row={row}
                onClose={close}
                onChanged={(name) => tell(keysTexts.edit.done(name))}
              />
            );
          return <RevokeForm source={source} row={row} onClose={close} onRevoked={tell} />;
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

/** Shows a new secret, once. Only its button closes it, not Escape and not a click outside. */
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
        <TextInput
          aria-label="API key"
          readOnly
          value={secret ?? ''}
          onFocus={(event) => event.currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group justify="flex-end">
          <CopyTextButton value={secret ?? ''} label="Copy the key" />
          <Button size="xs" onClick={onClose}>
            I have copied it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
