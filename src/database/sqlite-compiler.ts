import { type LimitNode, type SelectModifierNode, SqliteQueryCompiler } from 'kysely';

const ROW_LOCKS = new Set(['ForUpdate', 'ForNoKeyUpdate', 'ForShare', 'ForKeyShare', 'NoWait', 'SkipLocked']);

/** Leaves row locks out, so that one query serves both databases: SQLite has one writer, and knows no `for update skip locked`. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || !ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node);
  }

  /** SQLite looks at a bound limit while it plans, and so parses and plans the statement anew whenever it is bound; at a sum it does not look. */
  protected override visitLimit(node: LimitNode): void {
    this.append('limit 0 + ');
    this.visitNode(node.limit);
  }
}
