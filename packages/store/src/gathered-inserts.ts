import type { Statement } from './postgres-session.ts';

/** Numbers of rows that one statement inserts. Each is a separate statement that the server keeps prepared. */
const SIZES = [16, 4, 1] as const;
/** Maximum number of gathered rows, so that a large unit sends its rows while it makes the next ones. */
const ROWS_AT_MOST = 96;

/** An insert of one row, split so that it can insert several. */
interface Template {
  readonly table: string;
  /** The text before the values. */
  readonly head: string;
  /** The values of a row; its parameters count from 1. */
  readonly row: string;
  readonly tail: string;
  readonly parameters: number;
}

const INSERT = /^(insert into ("\w+") \([^()]*\) values )(\(.*?\))( on conflict (?:\([^()]*\) )?do nothing)?$/;
const PARAMETER = /\$(\d+)/g;

const templates = new Map<string, Template | null>();
const texts = new Map<string, string>();

/**
 * Inserts whose results nobody needs, gathered until something else is sent: rows of one table share a statement. A
 * statement costs the server and this process more than its row does.
 */
export class GatheredInserts {
  readonly #rows = new Map<string, Statement[]>();
  /** Text of the statement that inserts the rows of each table. */
  readonly #tables = new Map<string, string>();
  #count = 0;

  /** Whether the gathered inserts should be sent. */
  get isFull(): boolean {
    return this.#count >= ROWS_AT_MOST;
  }

  /**
   * Whether the gathered inserts must be sent before this statement: the table has rows of another statement, and the
   * order of its rows decides which of them is in conflict.
   */
  mustBeSentBefore(statement: Statement): boolean {
    const table = templateOf(statement)?.table;
    const gathered = table === undefined ? undefined : this.#tables.get(table);
    return gathered !== undefined && gathered !== statement.text;
  }

  /** Gathers an insert. @returns false if the statement cannot share one with others; then it is not gathered */
  add(statement: Statement): boolean {
    const template = templateOf(statement);
    if (template === null) return false;
    this.#tables.set(template.table, statement.text);
    const rows = this.#rows.get(statement.text);
    if (rows === undefined) this.#rows.set(statement.text, [statement]);
    else rows.push(statement);
    this.#count++;
    return true;
  }

  /** Returns the gathered inserts, in the order in which their tables were first used. */
  take(): Statement[] {
    if (this.#rows.size === 0) return [];
    const statements = [...this.#rows.values()].flatMap(shareStatements);
    this.#rows.clear();
    this.#tables.clear();
    this.#count = 0;
    return statements;
  }
}

function shareStatements(rows: readonly Statement[]): Statement[] {
  const shared: Statement[] = [];
  for (let from = 0; from < rows.length; ) {
    const size = SIZES.find((rowsAtOnce) => rowsAtOnce <= rows.length - from) ?? 1;
    shared.push(size === 1 ? rows[from]! : together(rows.slice(from, from + size)));
    from += size;
  }
  return shared;
}

function together(rows: readonly Statement[]): Statement {
  const [first] = rows as readonly [Statement];
  const values = rows.flatMap((row) => row.values);
  const text = textFor(first, rows.length);
  return first.name === undefined ? { text, values } : { name: `${first.name}_${rows.length}`, text, values };
}

function textFor(statement: Statement, size: number): string {
  const key = `${size} ${statement.text}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const { head, row, tail, parameters } = templateOf(statement)!;
  const numbered = (place: number) => row.replace(PARAMETER, (_, number) => `$${Number(number) + place * parameters}`);
  const text = `${head}${Array.from({ length: size }, (_, place) => numbered(place)).join(', ')}${tail}`;
  texts.set(key, text);
  return text;
}

/** Returns the template of a named insert; null for other statements. Named ones are few, so few templates are kept. */
function templateOf({ name, text, values }: Statement): Template | null {
  if (name === undefined) return null;
  const known = templates.get(text);
  if (known !== undefined) return known;
  const [, head, table, row, tail = ''] = INSERT.exec(text) ?? [];
  const isWhole =
    head !== undefined &&
    table !== undefined &&
    row !== undefined &&
    (row.match(PARAMETER)?.length ?? 0) === values.length;
  const template = isWhole ? { table, head, row, tail, parameters: values.length } : null;
  templates.set(text, template);
  return template;
}
