import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { useDeed } from '../../api/use-deed.ts';
import { usePages } from '../../api/use-pages.ts';
import { DialogButton } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Agreement } from '../../components/toggle.tsx';
import { Moment, Named, Told } from '../../components/two-lines.tsx';
import { formatCount } from '../../format.ts';
import { privacyTexts } from '../../texts/privacy.ts';
import { bodyOf, NOBODY, SubjectFields } from './subject-fields.tsx';

const texts = privacyTexts.erasures;
const PAGE_SIZE = 20;
const OPEN_EVERY_MS = 3_000;
type Erasure = DataOf<'GET /admin/v1/erasures'>['items'][number];

/** All erasures and how far they are. */
export function ErasuresPanel() {
  const may = useMay();
  const erasures = usePages('GET /admin/v1/erasures', { limit: PAGE_SIZE }, ({ erasure_id: id }) => id, {
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
          <DialogButton
            word="Erase data"
            title={texts.ask}
            c="var(--mantine-color-error)"
            form={(onClose) => <ErasureForm onClose={onClose} />}
          />
        )
      }
      rowKey={({ erasure_id: id }) => id}
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
        { head: 'Orders', phone: 'fact', numeric: true, cell: ({ orders }) => formatCount(orders) },
        { head: 'Files', phone: 'fact', numeric: true, cell: ({ files }) => formatCount(files) },
        {
          head: 'Erasure',
          phone: 'note',
          cell: ({ erasure_id: id }) => <span className="free-text">{id}</span>,
        },
      ]}
    />
  );
}

function State({ erasure: { status, waiting, undecided } }: { readonly erasure: Erasure }) {
  const facts = [
    ...(waiting === 0 ? [] : [`waits for ${formatCount(waiting)} orders at an upstream`]),
    ...(undecided === 0 ? [] : [`${formatCount(undecided)} uploads without an end user are left`]),
  ];
  return (
    <Told more={facts.join(', ')}>
      <Mark tone={status === 'completed' ? 'good' : 'busy'}>{texts.states[status]}</Mark>
    </Told>
  );
}

/** Erases what is stored of an account or an end user, once the account's id is typed. */
function ErasureForm({ onClose }: { readonly onClose: () => void }) {
  const [subject, setSubject] = useState(NOBODY);
  const [uploads, setUploads] = useState(false);
  const [typed, setTyped] = useState('');
  const erase = useDeed(() => {
    const body = { ...bodyOf(subject), ...(uploads ? { uploads } : {}) };
    return perform('POST /admin/v1/erasures', { body }, texts.ask);
  }, onClose);
  const { account, endUser } = subject;
  return (
    <DialogForm deed={erase} texts={texts} isGrave isReady={account !== null && typed === account} onClose={onClose}>
      <SubjectFields subject={subject} onChange={setSubject} />
      <Text size="sm">
        {endUser === ''
          ? 'Erases the orders, files and words of the whole account, and revokes its keys. Open orders are canceled. The ledger stays. It cannot be undone.'
          : 'Erases the orders, files and words of this end user of all keys of the account. Open orders are canceled. The ledger stays. It cannot be undone.'}
      </Text>
      {endUser !== '' && (
        <Agreement
          label="Also uploads that name no end user, if only these orders used them"
          isOn={uploads}
          onChange={setUploads}
        />
      )}
      {account !== null && (
        <TextInput
          label={`Type ${account} to confirm`}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value.trim())}
        />
      )}
    </DialogForm>
  );
}
