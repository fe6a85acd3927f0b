/** Remembers what maps hold now. @returns what makes them hold it again */
export function createMemory(...maps: readonly Map<string, unknown>[]): () => void {
  const kept = maps.map((map) => [...map]);
  return () => {
    for (const [place, map] of maps.entries()) {
      map.clear();
      for (const [key, value] of kept[place]!) map.set(key, value);
    }
  };
}
