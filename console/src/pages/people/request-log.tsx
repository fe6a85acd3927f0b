import { usePages } from '../../api/use-pages.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import classes from '../../components/records.module.css';
import { Mark } from '../../components/status-mark.tsx';
import { Moment, Told } from '../../components/two-lines.tsx';
import { formatCount } from '../../format.ts';
import { requestTexts as texts } from '../../texts/requests.ts';

const PAGE_SIZE = 10;

/** What the key in use has sent lately, and how it was answered. */
export function RequestLog() {
  return (
    <ListPanel
      pages={usePages('GET /v1/requests', { limit: PAGE_SIZE }, ({ entry_id: id }) => id)}
      title="Your requests"
      hint="Sent within 7 days, and how they were answered; without contents."
      empty="Nothing yet. A request appears here about a second after its answer."
      rowKey={({ entry_id: id }) => id}
      columns={[
        { head: texts.heads.when, phone: 'note', cell: ({ answered_at: at }) => <Moment at={at} /> },
        {
          head: texts.heads.request,
          phone: 'title',
          cell: ({ method, path, task_id: taskId }) => (
            <Told more={taskId}>
              <span className={classes.code}>
                {method} {path}
              </span>
            </Told>
          ),
        },
        {
          head: texts.heads.status,
          phone: 'aside',
          cell: ({ status, code }) =>
            status === null ? (
              <Mark tone="quiet">{texts.left}</Mark>
            ) : (
              <Told more={code}>
                <Mark tone={status >= 400 ? 'bad' : 'good'}>{String(status)}</Mark>
              </Told>
            ),
        },
        {
          head: texts.heads.took,
          phone: 'fact',
          numeric: true,
          cell: ({ duration_ms: took }) => <span className="figures">{formatCount(took)} ms</span>,
        },
        {
          head: texts.heads.id,
          phone: 'note',
          cell: ({ request_id: id }) => <span className={classes.code}>{id}</span>,
        },
      ]}
    />
  );
}
