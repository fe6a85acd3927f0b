import { Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { saveAnswer } from '../../api/save-answer.ts';
import { useApi, usePages } from '../../api/use-api.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import classes from '../../components/records.module.css';
import { Fault, Moment } from '../../components/words.tsx';
import { inReadersForm } from '../../format.ts';
import { fieldWords } from '../../texts/form-words.ts';

const FIELDS = { actor: 'By: an id or a name', act: 'Action, such as key.create', target: 'Target: an id' };
/** Search values of the non-empty fields. */
type Search = Partial<Record<keyof typeof FIELDS, string>>;

/** All changes by persons, keys and programs, with a search. */
export function AuditView() {
  const [search, setSearch] = useState<Search>({});
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const words = [...new FormData(event.currentTarget)].map(([field, word]) => [field, String(word).trim()]);
    setSearch(Object.fromEntries(words.filter(([, word]) => word !== '')));
  };
  return (
    <Stack>
      <form onSubmit={submit} className={classes.search}>
        {Object.entries(FIELDS).map(([field, label]) => (
          <TextInput key={field} name={field} type="search" aria-label={label} placeholder={label} flex="1 1 160px" />
        ))}
        <PlainButton type="submit">Search</PlainButton>
      </form>
      <AuditList search={search} />
    </Stack>
  );
}

function AuditList({ search }: { readonly search: Search }) {
  const keys = useApi('GET /admin/v1/keys', { query: {} });
  const names = new Map(keys.data?.items.map(({ key_id: id, name }) => [id, name]));
  return (
    <ListPanel
      pages={usePages('GET /admin/v1/audit', { limit: 50, ...search }, (act) => act.audit_id)}
      title="Audit"
      isDense
      hint="Who changed what."
      aside={<ExportButton filter={search} />}
      empty={
        Object.keys(search).length === 0
          ? 'Nothing has been changed yet.'
          : 'No change matches. Search by the id or name of who made it, by an action such as key.create or key, or by the id.'
      }
      columns={[
        {
          head: 'When',
          phone: 'aside',
          width: '14%',
          sortBy: (act) => act.created_at,
          cell: (act) => <Moment at={act.created_at} />,
        },
        { head: 'Action', phone: 'title', width: '14%', sortBy: (act) => act.act, cell: (act) => act.act },
        {
          head: 'Target',
          phone: 'note',
          width: '16%',
          cell: ({ target }) =>
            target !== null && (names.get(target) ?? <span className={classes.code}>{target}</span>),
        },
        {
          head: 'Detail',
          phone: 'note',
          cell: ({ detail }) => <span title={formatDetail(detail)}>{formatDetail(detail)}</span>,
        },
        {
          head: 'By',
          phone: 'fact',
          width: '20%',
          cell: ({ actor, actor_name: name, address }) => (
            <>
              {name ?? <span className={classes.code}>{actor}</span>}
              {address !== null && ` from ${address}`}
            </>
          ),
        },
      ]}
    />
  );
}

/** Saves all changes of the filtered list, from all pages. */
function ExportButton({ filter }: { readonly filter: Search }) {
  const save = useMutation({
    mutationFn: () => saveAnswer('GET /admin/v1/audit/export', { query: filter }, 'audit.jsonl'),
  });
  return (
    <Stack gap={4} align="flex-end">
      <SmallButton loading={save.isPending} onClick={() => save.mutate()}>
        Export as JSON lines
      </SmallButton>
      {save.error !== null && <Fault size="xs">Could not export: {save.error.message}</Fault>}
    </Stack>
  );
}

/** Values of what was made without them. */
const UNSET = ['0', 'false', 'none'];

type Fields = Readonly<Record<string, unknown>>;

/** Formats `{ mode: "test", before: { rpm: 60 }, after: { rpm: 120 } }` as `Mode: test, Orders/min: 60 → 120`. */
function formatDetail({ before, after, ...facts }: Fields): string {
  const [earlier, later] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].flatMap((name) => {
    const value = later.get(name) ?? 'none';
    if (before === undefined) return UNSET.includes(value) ? [] : [`${name}: ${value}`];
    return [`${name}: ${earlier.get(name) ?? 'none'} → ${value}`];
  });
  return [...new Set([...leavesOf(facts).map(([name, value]) => `${name}: ${value}`), ...changes])].join(', ');
}

/** Returns `[["Spend limits day", "20.00"]]` for `{ spend_limits: { day: "20.00", month: null } }`. */
function leavesOf(value: unknown, name = ''): readonly (readonly [name: string, value: string])[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
  if (typeof value !== 'object') return [[name, inReadersForm(String(value))]];
  if (Array.isArray(value))
    return [[name, value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)).join(' ')]];
  return Object.entries(value).flatMap(([field, held]) =>
    leavesOf(held, name === '' ? fieldWords('', field).label : `${name} ${field.replaceAll('_', ' ')}`),
  );
}
