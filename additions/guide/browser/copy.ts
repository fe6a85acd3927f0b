const SHOWN_MS = 2_000;

/** Adds a button to each code block that copies its text. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    frame.append(block, button);
    button.addEventListener('click', async () => {
      const isCopied = await copy(block).catch(() => false);
      button.textContent = isCopied ? 'Copied' : 'Not copied';
      setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
    });
  }
}

async function copy(block: HTMLElement): Promise<boolean> {
  const text = (block.textContent ?? '').replace(/\n$/, '');
  // Browsers have the clipboard at https and loopback addresses only.
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  getSelection()?.selectAllChildren(block);
  return document.execCommand('copy');
}
