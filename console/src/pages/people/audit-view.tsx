import type { AuditEntry as AuditAct } from '@darkroom-service/contract/audit';
import { Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { saveAnswer } from '../../api/save-answer.ts';
import { useApi } from '../../api/use-api.ts';
import { usePages } from '../../api/use-pages.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import classes from '../../components/records.module.css';
import { Moment } from '../../components/two-lines.tsx';
import { Fault } from '../../components/words.ts';
import { frameTexts } from '../../texts/frame.ts';

const texts = {
  hint: 'Who changed what.',
  empty: 'Nothing has been changed yet.',
  nothingFound:
    'No change matches. Search by the id or name of who made it, by an action such as key.create or key, or by the id.',
  search: {
    actor: 'By: an id or a name',
    act: 'Action, such as key.create',
    target: 'Target: an id',
    look: 'Search',
  },
  export: 'Export as JSON lines',
  notExported: 'Could not export',
  from: (address: string) => `from ${address}`,
  heads: { when: 'When', act: 'Action', target: 'Target', detail: 'Detail', actor: 'By' },
} as const;

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
          flex="1 1 160px"
        />
      ))}
      <PlainButton type="submit">{texts.search.look}</PlainButton>
    </form>
  );
}

function AuditList({ search }: { readonly search: Search }) {
  const given = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
  const keys = useApi('GET /admin/v1/keys', { query: {} });
  const names = new Map(keys.data?.items.map(({ key_id: id, name }) => [id, name]));
  return (
    <ListPanel
      pages={usePages('GET /admin/v1/audit', { limit: PAGE_SIZE, ...given }, (act) => act.audit_id)}
      title={frameTexts.views.audit}
      hint={texts.hint}
      aside={<ExportButton filter={given} />}
      empty={Object.keys(given).length === 0 ? texts.empty : texts.nothingFound}
      rowKey={(act) => act.audit_id}
      columns={[
        { head: texts.heads.when, phone: 'aside', cell: (act) => <Moment at={act.created_at} /> },
        { head: texts.heads.act, phone: 'title', cell: (act) => act.act },
        {
          head: texts.heads.target,
          phone: 'note',
          cell: ({ target }) =>
            target !== null && (names.get(target) ?? <span className={classes.code}>{target}</span>),
        },
        {
          head: texts.heads.detail,
          phone: 'note',
          cell: (act) => <span className="free-text">{formatDetail(act.detail)}</span>,
        },
        { head: texts.heads.actor, phone: 'fact', cell: (act) => <ActorName act={act} /> },
      ]}
    />
  );
}

/** Saves all changes that the list would show, on every page. */
function ExportButton({ filter }: { readonly filter: Readonly<Record<string, string>> }) {
  const save = useMutation({
    mutationFn: () => saveAnswer('GET /admin/v1/audit/export', { query: filter }, 'audit.jsonl'),
  });
  return (
    <Stack gap={4} align="flex-end">
      <SmallButton loading={save.isPending} onClick={() => save.mutate()}>
        {texts.export}
      </SmallButton>
      {save.error !== null && (
        <Fault size="xs">
          {texts.notExported}: {save.error.message}
        </Fault>
      )}
    </Stack>
  );
}

function ActorName({ act: { actor, actor_name: name, address } }: { readonly act: AuditAct }) {
  return (
    <>
      {name ?? <span className={classes.code}>{actor}</span>}
      {address !== null && ` ${texts.from(address)}`}
    </>
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** `{ mode: "test", before: { rpm: 60 }, after: { rpm: 120 } }` -> `mode: test, rpm: 60 → 120` */
function formatDetail({ before, after, ...facts }: Fields): string {
  const [earlier, later] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].map((name) => {
    const value = later.get(name) ?? 'none';
    return `${name}: ${before === undefined ? value : `${earlier.get(name) ?? 'none'} → ${value}`}`;
  });
  return [...new Set([...leavesOf(facts).map(([name, value]) => `${name}: ${value}`), ...changes])].join(', ');
}

/** `{ spend_limits: { day: "20.00", month: null } }` -> `[["spend limits day", "20.00"]]` */
function leavesOf(value: unknown, name = ''): readonly (readonly [name: string, value: string])[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  if (Array.isArray(value))
    return [[name, value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)).join(' ')]];
  return Object.entries(value).flatMap(([field, held]) =>
    leavesOf(held, `${name} ${field.replaceAll('_', ' ')}`.trim()),
  );
}
