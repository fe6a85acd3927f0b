import { Box, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { CatalogModel, Values } from '../../api/model.ts';
import { BASE_URL } from '../../api/service-url.ts';
import { useSession } from '../../api/session.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { Segments } from '../../components/inputs.tsx';
import { Small } from '../../components/words.tsx';
import classes from './code-panel.module.css';
import { bodyOf, type Draft } from './draft.ts';

/** The order as code. */
export function CodePanel({
  model,
  draft,
  title = 'The same request as code',
  hint = 'It updates as you type.',
}: {
  readonly model: CatalogModel | undefined;
  readonly draft: Draft;
  readonly title?: string;
  readonly hint?: string;
}) {
  const [language, setLanguage] = useState<Language>('curl');
  const { mode } = useSession();
  const path = model?.type === 'video' ? '/v1/videos' : '/v1/images';
  const code = requestCode(language, path, bodyOf(draft, mode));
  return (
    <section className={classes.panel} aria-label={title}>
      <Group justify="space-between" px={18} pt={14} pb={10}>
        <div>
          <Text ff="heading" fz="lg" lh={1.2}>
            {title}
          </Text>
          <Small>
            {hint} DARKROOM_API_KEY is your {mode} key.
          </Small>
        </div>
        <Group gap={4}>
          <Segments size="xs" label={title} words={LANGUAGES} value={language} onChange={setLanguage} />
          <CopyAction value={code} label={`Copy as ${language}`} />
        </Group>
      </Group>
      <Box component="pre" className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </Box>
    </section>
  );
}

const LANGUAGES = { curl: 'curl', TypeScript: 'TypeScript', Python: 'Python' };
type Language = keyof typeof LANGUAGES;

/** Returns the form's request as code that runs as is: orders, waits for the end, prints the result's URL. */
function requestCode(language: Language, path: string, body: Values): string {
  const address = `${BASE_URL}${path}`;
  if (language === 'curl') return curl(address, body);
  return language === 'TypeScript' ? typescript(address, body) : python(address, body);
}

function curl(address: string, body: Values): string {
  const json = indent(JSON.stringify(body, null, 2), 2).replaceAll("'", "'\\''");
  return [
    `curl ${address} \\`,
    '  -H "Authorization: Bearer $DARKROOM_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    '  -H "Idempotency-Key: $(uuidgen)" \\',
    '  -H "Prefer: wait=45" \\',
    `  -d '${json}'`,
  ].join('\n');
}

function typescript(address: string, body: Values): string {
  return `const headers = {
  Authorization: \`Bearer \${process.env.DARKROOM_API_KEY}\`,
  'Content-Type': 'application/json',
  Prefer: 'wait=45',
};

let response = await fetch('${address}', {
  method: 'POST',
  headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() },
  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), 2)}),
});
let answer = await response.json();
if (!response.ok) throw new Error(answer.error.message);

while (['queued', 'processing'].includes(answer.data.status)) {
  response = await fetch(answer.data.urls.self, { headers });
  answer = await response.json();
}
console.log(answer.data.status, answer.data.outputs[0]?.url);
`;
}

function python(address: string, body: Values): string {
  return `import os, uuid, requests

session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['DARKROOM_API_KEY']}"
session.headers["Prefer"] = "wait=45"

response = session.post(
    "${address}",
    headers={"Idempotency-Key": str(uuid.uuid4())},
    json=${indent(pythonLiteral(body), 4)},
)
if not response.ok:
    raise SystemExit(response.json()["error"]["message"])

task = response.json()["data"]
while task["status"] in ("queued", "processing"):
    task = session.get(task["urls"]["self"]).json()["data"]
print(task["status"], *(output["url"] for output in task["outputs"]))
`;
}

/** Converts JSON to Python: replaces true, false and null outside strings. */
function pythonLiteral(body: Values): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
  return JSON.stringify(body, null, 4).replace(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (match, text?: string) => text ?? words[match] ?? match,
  );
}

function indent(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}
