/** Returns a name of the API in words: `zoom_out` becomes `Zoom out`. */
export function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}
