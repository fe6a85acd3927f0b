import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskStep } from '../src/tasks/task.ts';
import { RESULTS } from '../src/worker/decide/action.ts';
import { rowsOf, TABLE } from '../src/worker/decide/decide.ts';
import type { EventType } from '../src/worker/decide/event.ts';

/**
 * Writes the drawing of a task's steps into docs/lifecycle.md and prints the worker's decisions, both from the table
 * itself: `npm run lifecycle`.
 */
const PAGE = join(import.meta.dirname, 'lifecycle.md');
const SECTION = /(?<=<!-- made by npm run lifecycle -->\n\n).*?(?=\n<!-- end -->)/s;
const EVENTS = Object.keys(TABLE) as EventType[];
const STEPS = Object.keys(TABLE.claimed) as TaskStep[];
/** By the client: an order is placed. By the worker's claim: a waiting task is being prepared. */
const OUTSIDE = ['    [*] --> waiting: order placed', '    waiting --> preparing: claimed'];

/** The section as it is on the page. */
export function drawingInPage(): string {
  return SECTION.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';
}

/** The section as the table makes it. */
export function drawingOfTable(): string {
  return ['```mermaid', 'stateDiagram-v2', ...OUTSIDE, ...arrows(), '    final --> [*]', '```', ''].join('\n');
}

/** One arrow for each pair of steps, with the events that lead from one to the other. */
function arrows(): string[] {
  const found = new Map<string, Set<string>>();
  for (const from of STEPS)
    for (const event of EVENTS)
      for (const { does } of rowsOf(from, event)) {
        const { events = {}, leaves = [] } = RESULTS[does];
        const isQueued = from === 'waiting' || from === 'preparing';
        // An order that was never handed over goes back into the queue; another one is deferred.
        const isReached = (to: string) => does !== 'take_next_route' || (to === 'waiting') === isQueued;
        for (const to of new Set([...Object.values(events), ...leaves].filter(isReached)))
          if (to !== 'same' && to !== from) {
            const key = `    ${from} --> ${to}`;
            found.set(key, (found.get(key) ?? new Set()).add(event.replaceAll('_', ' ')));
          }
      }
  return [...found].map(([arrow, events]) => `${arrow}: ${[...events].join(', ')}`);
}

/** One table row for each row of the decision table; steps that share their rows are listed together. */
function decisions(): string[] {
  const lines = EVENTS.flatMap((event) => {
    const groups = Map.groupBy(
      STEPS.filter((step) => TABLE[event][step] !== 'impossible'),
      (step) => TABLE[event][step],
    );
    return [...groups.values()].flatMap((steps) =>
      rowsOf(steps[0] as TaskStep, event).map(({ when, does }, index) => {
        const [what, where] = index === 0 ? [`\`${event}\``, steps.join(', ')] : ['', ''];
        return `| ${what} | ${where} | ${when} | \`${does}\` |`;
      }),
    );
  });
  return ['| event | in step | if | action |', '|---|---|---|---|', ...lines];
}

if (import.meta.main) {
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(SECTION, () => drawingOfTable()),
  );
  process.stdout.write(`${decisions().join('\n')}\n`);
}
