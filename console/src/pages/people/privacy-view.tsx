import { Group, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform, useDeed } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { saveAnswer } from '../../api/save-answer.ts';
import { usePages } from '../../api/use-api.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { DeedForm, DialogButton } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Agreement } from '../../components/inputs.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Panel } from '../../components/panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { Hint, Moment, Named, Told } from '../../components/words.tsx';
import { formatCount, formatMany, formatMinute } from '../../format.ts';
import { AccountSelect } from './account-select.tsx';

const OPEN_EVERY_MS = 3_000;
const ERASE = 'Erase what is stored';
type Erasure = DataOf<'GET /admin/v1/erasures'>['items'][number];

/** The export and the erasure of the stored data of an account or an end user. */
export function PrivacyView() {
  const may = useMay();
  return (
    <Stack gap="lg">
      {may('POST /admin/v1/exports') && <ExportPanel />}
      <ErasuresPanel />
    </Stack>
  );
}

/** Returns the account or end user of an export or an erasure, and the fields that ask for it. */
function useSubject() {
  const { draft, field } = useDraft({ account: null as string | null, endUser: '' });
  const { account, endUser } = draft;
  return {
    ...draft,
    /** The subject in the format of the API. */
    body: { account_id: account ?? '', ...(endUser === '' ? {} : { end_user: endUser }) },
    fields: (
      <Group grow align="flex-start" maw={640}>
        <AccountSelect label="Account" {...field('account')} />
        <TextInput label="End user" placeholder="The whole account" maxLength={128} {...field('endUser')} />
      </Group>
    ),
  };
}

/** Starts an export, and downloads its archives. */
function ExportPanel() {
  const { account, endUser, body, fields } = useSubject();
  return (
    <Panel
      title="Export"
      hint="What is stored of an account, or of one end user of all its keys: orders, files, ledger."
    >
      <Stack>
        {fields}
        <Export key={`${account} ${endUser}`} body={body} isReady={account !== null} />
      </Stack>
    </Panel>
  );
}

/** The archives of an export, one after the other: each names the next one. */
function Export({ body, isReady }: { readonly body: { readonly account_id: string }; readonly isReady: boolean }) {
  const [saved, setSaved] = useState(0);
  const [next, setNext] = useState<string | null>('');
  const begin = useDeed(() => perform('POST /admin/v1/exports', { body }, 'Export'));
  const save = useMutation({
    mutationFn: async ({ export_id, after }: { readonly export_id: string; readonly after: string }) => {
      const request = { path: { export_id }, query: after === '' ? {} : { after } };
      const name = `${export_id}-${saved + 1}.zip`;
      return (await saveAnswer('GET /admin/v1/exports/{export_id}/archive', request, name)).get('darkroom-next');
    },
    onSuccess: (after) => {
      setSaved(saved + 1);
      setNext(after);
    },
  });
  if (begin.data === undefined)
    return (
      <>
        <ErrorNote title="The export was not begun" error={begin.error} />
        <div>
          <PlainButton disabled={!isReady} loading={begin.isPending} onClick={() => begin.mutate()}>
            Begin the export
          </PlainButton>
        </div>
      </>
    );
  const { export_id, expires_at: until } = begin.data;
  return (
    <Stack gap="xs" align="flex-start">
      <Group gap="sm">
        {next !== null && (
          <SmallButton
            leftSection={<IconDownload size={15} aria-hidden="true" />}
            loading={save.isPending}
            onClick={() => save.mutate({ export_id, after: next })}
          >
            {saved === 0 ? 'Download the archive' : `Download archive ${saved + 1}`}
          </SmallButton>
        )}
        <Text size="sm" role="status">
          {next === null
            ? `That was all, in ${formatMany(saved, 'archive')}.`
            : `It can be downloaded until ${formatMinute(until)}.`}
        </Text>
      </Group>
      <Hint>{export_id}</Hint>
      <ErrorNote title="The archive was not downloaded" error={save.error} />
    </Stack>
  );
}

/** All erasures with their progress. */
function ErasuresPanel() {
  const may = useMay();
  const erasures = usePages('GET /admin/v1/erasures', { limit: 20 }, ({ erasure_id: id }) => id, {
    every: (items) => (items.some(({ status }) => status === 'processing') ? OPEN_EVERY_MS : false),
  });
  return (
    <ListPanel
      pages={erasures}
      title="Erasures"
      hint="They stay listed, since a restored backup needs them again."
      empty="Nothing has been erased."
      aside={
        may('POST /admin/v1/erasures') && (
          <DialogButton word="Erase data" title={ERASE} c="var(--mantine-color-error)">
            <ErasureForm />
          </DialogButton>
        )
      }
      columns={[
        { head: 'Requested', phone: 'note', cell: ({ requested_at: at }) => <Moment at={at} /> },
        {
          head: 'Whose',
          phone: 'title',
          cell: ({ account_id: account, end_user: endUser, end_user_digest: digest }) => (
            <Named name={account} more={endUser ?? (digest === null ? 'The whole account' : 'One end user, erased')} />
          ),
        },
        { head: 'State', phone: 'aside', cell: (erasure) => <State erasure={erasure} /> },
        { head: 'Orders', numeric: true, cell: ({ orders }) => formatCount(orders) },
        { head: 'Files', numeric: true, cell: ({ files }) => formatCount(files) },
        { head: 'Erasure', phone: 'note', cell: ({ erasure_id: id }) => <span className="free-text">{id}</span> },
      ]}
    />
  );
}

function State({ erasure: { status, waiting, undecided } }: { readonly erasure: Erasure }) {
  const facts = [
    waiting > 0 && `waits for ${formatCount(waiting)} orders at an upstream`,
    undecided > 0 && `${formatCount(undecided)} uploads without an end user are left`,
  ];
  return (
    <Told more={facts.filter((fact) => fact !== false).join(', ')}>
      {status === 'completed' ? <Mark tone="good">Completed</Mark> : <Mark tone="busy">In progress</Mark>}
    </Told>
  );
}

/** Erases the stored data of an account or an end user, once the account's id is typed. */
function ErasureForm() {
  const { account, endUser, body, fields } = useSubject();
  const { draft, field } = useDraft({ uploads: false, typed: '' });
  return (
    <DeedForm
      act={() =>
        perform('POST /admin/v1/erasures', { body: { ...body, ...(draft.uploads ? { uploads: true } : {}) } }, ERASE)
      }
      submit="Erase permanently"
      failed="The erasure was not begun"
      isGrave
      isReady={account !== null && draft.typed.trim() === account}
    >
      {fields}
      <Text size="sm">
        {endUser === ''
          ? 'Erases the orders, files and words of the whole account, and revokes its keys.'
          : 'Erases the orders, files and words of this end user of all keys of the account.'}{' '}
        Open orders are canceled. The ledger stays. It cannot be undone.
      </Text>
      {endUser !== '' && (
        <Agreement label="Also uploads that name no end user, if only these orders used them" {...field('uploads')} />
      )}
      {account !== null && <TextInput label={`Type ${account} to confirm`} autoComplete="off" {...field('typed')} />}
    </DeedForm>
  );
}
