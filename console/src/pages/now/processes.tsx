import { useApi } from '../../api/use-api.ts';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatCount, formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';

const texts = operationsTexts.processes;

/** The processes that run, and those that are missing. What has ended and was replaced is gone. */
export function Processes() {
  const processes = useApi('GET /admin/v1/processes', {});
  const items = processes.data?.items.filter(({ state, missing }) => state !== 'ended' || missing);
  return (
    <ListPanel
      pages={{ ...atOnce(processes), items }}
      title={texts.title}
      hint={texts.hint}
      empty={texts.none}
      rowKey={(one) => one.process_id}
      columns={[
        { head: texts.heads.role, phone: 'title', cell: ({ role, host, pid }) => texts.name(role, host, pid) },
        {
          head: texts.heads.state,
          phone: 'aside',
          cell: ({ state, missing }) => (
            <Mark tone={missing ? 'bad' : state === 'running' ? 'good' : 'quiet'}>
              {missing ? texts.missing : texts.states[state]}
            </Mark>
          ),
        },
        { head: texts.heads.heard, phone: 'fact', cell: (one) => formatMoment(one.heard_at) },
        { head: texts.heads.started, phone: 'fact', cell: (one) => formatMoment(one.started_at) },
        { head: texts.heads.orders, phone: 'fact', numeric: true, cell: (one) => formatCount(one.tasks) },
        { head: texts.heads.apart, cell: ({ faults, differences }) => [...faults, ...differences].join(' ') },
        { head: texts.heads.version, phone: 'fact', cell: (one) => one.version },
      ]}
    />
  );
}
