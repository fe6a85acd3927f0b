import { Button, Skeleton, Stack, TextInput } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import type { AuditAct } from '../../api/types.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { formatDetail } from './format-detail.ts';
import { MoreButton } from './more-button.tsx';
import classes from './operations.module.css';
import { useAdminPages } from './use-admin-pages.ts';

const texts = operationsTexts.audit;
const PAGE_SIZE = 50;

/** What to look for; an empty field is not looked at. */
type Search = Readonly<Record<'actor' | 'act' | 'target', string>>;
const EVERYTHING: Search = { actor: '', act: '', target: '' };

/** Every change of a person, a key or a program, and a search among them. */
export function AuditView() {
  const [search, setSearch] = useState(EVERYTHING);
  return (
    <Stack>
      <AuditSearch onSearch={setSearch} />
      <AuditList search={search} />
    </Stack>
  );
}

function AuditSearch({ onSearch }: { readonly onSearch: (search: Search) => void }) {
  const [wish, setWish] = useState(EVERYTHING);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch({ actor: wish.actor.trim(), act: wish.act.trim(), target: wish.target.trim() });
  };
  return (
    <form onSubmit={submit} className={classes.search}>
      {(['actor', 'act', 'target'] as const).map((field) => (
        <TextInput
          key={field}
          type="search"
          aria-label={texts.search[field]}
          placeholder={texts.search[field]}
          value={wish[field]}
          onChange={(event) => setWish({ ...wish, [field]: event.currentTarget.value })}
          flex={1}
        />
      ))}
      <Button type="submit" variant="default">
        {texts.search.look}
      </Button>
    </form>
  );
}

function AuditList({ search }: { readonly search: Search }) {
  const given = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
  const acts = useAdminPages(
    ['GET /admin/v1/audit', given],
    (after, signal) =>
      call(
        'GET /admin/v1/audit',
        { query: { limit: PAGE_SIZE, ...given, ...(after === undefined ? {} : { after }) } },
        { signal },
      ),
    (act) => act.audit_id,
  );
  if (acts.error !== null) return <ErrorNote error={acts.error} onRetry={() => void acts.refetch()} />;
  if (acts.items === undefined) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  if (acts.items.length === 0) {
    return (
      <EmptyState
        icon={<IconListDetails size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
        title={Object.keys(given).length === 0 ? texts.empty : texts.nothingFound}
        text={Object.keys(given).length === 0 ? texts.emptyText : texts.nothingFoundText}
      />
    );
  }
  return (
    <Panel title={operationsTexts.views.audit} hint={texts.hint} flush>
      <DataTable
        label={operationsTexts.views.audit}
        rows={acts.items}
        rowKey={(act) => act.audit_id}
        columns={[
          {
            head: texts.heads.when,
            phone: 'aside',
            cell: (act) => <span className="figures">{formatMoment(act.created_at)}</span>,
          },
          { head: texts.heads.act, phone: 'title', cell: (act) => act.act },
          {
            head: texts.heads.target,
            phone: 'note',
            cell: (act) => <span className={classes.code}>{act.target}</span>,
          },
          { head: texts.heads.detail, phone: 'note', cell: (act) => formatDetail(act.detail) },
          { head: texts.heads.actor, phone: 'fact', cell: (act) => <ActorName act={act} /> },
        ]}
      />
      <MoreButton pages={acts} />
    </Panel>
  );
}

function ActorName({ act }: { readonly act: AuditAct }) {
  const { actor, actor_name: name, address } = act;
  return (
    <>
      {name} <span className={classes.code}>{actor}</span>
      {address !== null && ` ${texts.from(address)}`}
    </>
  );
}
