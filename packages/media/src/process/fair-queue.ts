/** A queue that serves owners in turn; each owner's items keep their order. */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Item[]>();

  add(owner: string, item: Item): void {
    const line = this.#lines.get(owner);
    if (line === undefined) this.#lines.set(owner, [item]);
    else line.push(item);
  }

  /**
   * Removes and returns the first item of the next owner.
   * @param mayHave tells whether an owner may start another item now; an owner that may not start one keeps its turn.
   */
  take(mayHave: (owner: string) => boolean): Item | undefined {
    for (const [owner, line] of this.#lines) {
      if (!mayHave(owner)) continue;
      const item = line.shift();
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      return item;
    }
    return undefined;
  }

  /** Removes an item. @returns whether it was waiting. */
  remove(owner: string, item: Item): boolean {
    const line = this.#lines.get(owner);
    const index = line?.indexOf(item) ?? -1;
    if (line === undefined || index === -1) return false;
    line.splice(index, 1);
    if (line.length === 0) this.#lines.delete(owner);
    return true;
  }

  takeAll(): Item[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    return items;
  }
}
