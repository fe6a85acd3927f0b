import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Moment, Named, Told } from '../../components/two-lines.tsx';
import { formatCount } from '../../format.ts';
import { privacyTexts } from '../../texts/privacy.ts';
import { ErasureForm } from './erasure-form.tsx';

const texts = privacyTexts.erasures;
const PAGE_SIZE = 20;
const OPEN_EVERY_MS = 3_000;
type Erasure = DataOf<'GET /admin/v1/erasures'>['items'][number];

/** All erasures and how far they are. */
export function ErasuresPanel() {
  const may = useMay();
  const [asked, setAsked] = useState<true | null>(null);
  const close = () => setAsked(null);
  const erasures = usePages('GET /admin/v1/erasures', { limit: PAGE_SIZE }, ({ erasure_id: id }) => id, {
    every: (items) => (items.some(({ status }) => status === 'processing') ? OPEN_EVERY_MS : false),
  });
  return (
    <ListPanel
      pages={erasures}
      title={texts.title}
      hint={texts.hint}
      empty={texts.empty}
      aside={
        may('POST /admin/v1/erasures') && (
          <Button variant="default" c="var(--mantine-color-error)" onClick={() => setAsked(true)}>
            {texts.begin}
          </Button>
        )
      }
      above={
        <DialogAbout about={asked} title={() => texts.ask} onClose={close}>
          {() => <ErasureForm onClose={close} />}
        </DialogAbout>
      }
      rowKey={({ erasure_id: id }) => id}
      columns={[
        { head: texts.heads.when, phone: 'note', cell: ({ requested_at: at }) => <Moment at={at} /> },
        {
          head: texts.heads.whose,
          phone: 'title',
          cell: ({ account_id: account, end_user: endUser, end_user_digest: digest }) => (
            <Named name={account} more={endUser ?? (digest === null ? texts.whole : texts.erasedUser)} />
          ),
        },
        { head: texts.heads.state, phone: 'aside', cell: (erasure) => <State erasure={erasure} /> },
        { head: texts.heads.orders, phone: 'fact', numeric: true, cell: ({ orders }) => formatCount(orders) },
        { head: texts.heads.files, phone: 'fact', numeric: true, cell: ({ files }) => formatCount(files) },
        {
          head: texts.heads.id,
          phone: 'note',
          cell: ({ erasure_id: id }) => <span className="free-text">{id}</span>,
        },
      ]}
    />
  );
}

function State({ erasure: { status, waiting, undecided } }: { readonly erasure: Erasure }) {
  const facts = [
    ...(waiting === 0 ? [] : [texts.waiting(formatCount(waiting))]),
    ...(undecided === 0 ? [] : [texts.undecided(formatCount(undecided))]),
  ];
  return (
    <Told more={facts.join(', ')}>
      <Mark tone={status === 'completed' ? 'good' : 'busy'}>{texts.states[status]}</Mark>
    </Told>
  );
}
