import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskStep } from '../src/record/task.ts';
import { rowsOf, stepsAfter, TABLE } from '../src/worker/decide/decide.ts';
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
      for (const row of rowsOf(from, event))
        for (const to of new Set(stepsAfter(from, row)))
          if (to !== 'same' && to !== from) {
            const key = `    ${from} --> ${to}`;
            found.set(key, (found.get(key) ?? new Set()).add(event.replaceAll('_', ' ')));
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
      rowsOf(steps[0] as TaskStep, event).map(({ when, does, to }, index) => {
        const [what, where] = index === 0 ? [`\`${event}\``, steps.join(', ')] : ['', ''];
        const action = to === undefined ? does : `${does}: ${to}`;
        return `| ${what} | ${where} | ${when} | \`${action}\` |`;
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
