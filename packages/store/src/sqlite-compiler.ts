import { type LimitNode, type SelectModifierNode, SqliteQueryCompiler } from 'kysely';

const ROW_LOCKS = new Set(['ForUpdate', 'ForNoKeyUpdate', 'ForShare', 'ForKeyShare', 'NoWait', 'SkipLocked']);

/**
 * Omits row locks, so that one query serves both databases: SQLite has a single writer and no `for update skip locked`.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || !ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node);
  }

  /**
   * SQLite reads a bound limit while planning, and therefore parses and plans the statement again each time it is
   * bound. It does not look inside a sum.
   */
  protected override visitLimit(node: LimitNode): void {
    this.append('limit 0 + ');
    this.visitNode(node.limit);
  }
}
