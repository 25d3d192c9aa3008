import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newSecret, signatureHeaders } from './secret.ts'

const root = resolve(import.meta.dirname, '../..')
const guide = await readFile(join(root, 'docs/webhooks.md'), 'utf8')

interface Example {
  name: string
  genuine: boolean
  secret: string
  headers: Record<string, string>
  body: string
}

const [secret, other] = [newSecret(), newSecret()]
const body = '{"id":"evt_1","type":"contact.created","data":{"firstName":"Zoë 🚲"}}'
const signed = (secrets: string[], ageSeconds = 0) =>
  signatureHeaders(secrets, { id: 'evt_1', at: new Date(Date.now() - ageSeconds * 1000), body })
const genuine = (name: string, headers: Record<string, string>): Example => ({ name, genuine: true, secret, headers, body })
const forged = (name: string, change: Partial<Example>): Example => ({
  name,
  genuine: false,
  secret,
  headers: signed([secret]),
  body,
  ...change,
})
const without = (header: string): Record<string, string> =>
  Object.fromEntries(Object.entries(signed([secret])).filter(([name]) => name !== header))

const examples: Example[] = [
  genuine('as it was sent', signed([secret])),
  genuine('two minutes under way', signed([secret], 120)),
  genuine('by a clock two minutes ahead', signed([secret], -120)),
  genuine('signed also by the secret of before', signed([secret, other])),
  genuine('signed also by the secret that comes', signed([other, secret])),
  genuine('with a signature of a later version beside it', {
    ...signed([secret]),
    'webhook-signature': `v2,AAAA ${signed([secret])['webhook-signature']}`,
  }),
  forged('another body', { body: body.replace('1', '2') }),
  forged('a body with a space more', { body: `${body} ` }),
  forged('another id', { headers: { ...signed([secret]), 'webhook-id': 'evt_2' } }),
  forged('another time', { headers: { ...signed([secret]), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) } }),
  forged('another secret', { secret: other }),
  forged('too old', { headers: signed([secret], 400) }),
  forged('from the future', { headers: signed([secret], -400) }),
  forged('no time', { headers: { ...signed([secret]), 'webhook-timestamp': 'now' } }),
  forged('a signature cut short', {
    headers: { ...signed([secret]), 'webhook-signature': signed([secret])['webhook-signature'].slice(0, 20) },
  }),
  forged('an empty signature', { headers: { ...signed([secret]), 'webhook-signature': 'v1,' } }),
  forged('a signature of another version', {
    headers: { ...signed([secret]), 'webhook-signature': signed([secret])['webhook-signature'].replace('v1', 'v2') },
  }),
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => forged(`no ${header}`, { headers: without(header) })),
]

/** Runs a snippet: it reads one example per line and prints true or false for each. */
interface Language {
  fence: string
  needs: string
  files: (snippet: string) => Record<string, string>
  commands: string[][]
}

const languages: Record<string, Language> = {
  TypeScript: {
    fence: 'ts',
    needs: 'node',
    files: (snippet) => ({
      'verify.ts': snippet,
      'main.ts': `import { readFileSync } from 'node:fs'
import { verify } from './verify.ts'
for (const line of readFileSync('examples', 'utf8').trim().split('\\n')) {
  const [secret = '', body = '', ...headers] = line.split('\\t')
  const given = Object.fromEntries(headers.map((header) => header.split('=', 1).concat(header.slice(header.indexOf('=') + 1))))
  console.log(verify(Buffer.from(body, 'base64'), given, secret))
}`,
    }),
    commands: [[process.execPath, '--import', import.meta.resolve('tsx'), 'main.ts']],
  },
  Python: {
    fence: 'python',
    needs: 'python3',
    files: (snippet) => ({
      'verify.py': snippet,
      'main.py': `import base64
from verify import verify
for line in open("examples"):
    secret, body, *headers = line.rstrip("\\n").split("\\t")
    print(str(verify(base64.b64decode(body), dict(header.split("=", 1) for header in headers), secret)).lower())`,
    }),
    commands: [['python3', 'main.py']],
  },
  Go: {
    fence: 'go',
    needs: 'go',
    files: (snippet) => ({
      'verify.go': snippet,
      'go.mod': 'module webhooks\n\ngo 1.20\n',
      'main.go': `package main
import ("encoding/base64"; "fmt"; "net/http"; "os"; "strings")
func main() {
	text, _ := os.ReadFile("examples")
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\\n") {
		parts := strings.Split(line, "\\t")
		body, _ := base64.StdEncoding.DecodeString(parts[1])
		headers := http.Header{}
		for _, header := range parts[2:] { name, value, _ := strings.Cut(header, "="); headers.Set(name, value) }
		fmt.Println(Verify(body, headers, parts[0]))
	}
}`,
    }),
    commands: [['go', 'run', '.']],
  },
  Ruby: {
    fence: 'ruby',
    needs: 'ruby',
    files: (snippet) => ({
      'verify.rb': snippet,
      'main.rb': `require_relative "verify"
File.foreach("examples", chomp: true) do |line|
  secret, body, *headers = line.split("\\t")
  puts verify(body.unpack1("m"), headers.to_h { |header| header.split("=", 2) }, secret)
end`,
    }),
    commands: [['ruby', 'main.rb']],
  },
  PHP: {
    fence: 'php',
    needs: 'php',
    files: (snippet) => ({
      'verify.php': snippet,
      'main.php': `<?php
require 'verify.php';
foreach (file('examples', FILE_IGNORE_NEW_LINES) as $line) {
    [$secret, $body, $headers] = [...array_slice($parts = explode("\\t", $line), 0, 2), array_slice($parts, 2)];
    $given = [];
    foreach ($headers as $header) { [$name, $value] = explode('=', $header, 2); $given[$name] = $value; }
    echo verify(base64_decode($body), $given, $secret) ? "true\\n" : "false\\n";
}`,
    }),
    commands: [['php', 'main.php']],
  },
  Java: {
    fence: 'java',
    needs: 'javac',
    files: (snippet) => ({
      'Webhooks.java': snippet,
      'Main.java': `import java.nio.file.*;
import java.util.*;
public class Main {
  public static void main(String[] arguments) throws Exception {
    for (String line : Files.readAllLines(Path.of("examples"))) {
      String[] parts = line.split("\\t");
      Map<String, String> headers = new HashMap<>();
      for (String header : Arrays.copyOfRange(parts, 2, parts.length)) headers.put(header.split("=", 2)[0], header.split("=", 2)[1]);
      System.out.println(Webhooks.verify(Base64.getDecoder().decode(parts[1]), headers, parts[0]));
    }
  }
}`,
    }),
    commands: [
      ['javac', 'Main.java', 'Webhooks.java'],
      ['java', '-cp', '.', 'Main'],
    ],
  },
}

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

function run([program = '', ...options]: string[], cwd: string): Promise<string> {
  return new Promise((done, failed) => {
    execFile(program, options, { cwd }, (error, stdout, stderr) =>
      error === null ? done(stdout) : failed(new Error(stderr, { cause: error })),
    )
  })
}

describe('the guide for receivers', () => {
  it('has one snippet per language and documents the schedule', async () => {
    for (const { fence } of Object.values(languages)) expect(guide.split(`\`\`\`${fence}\n`)).toHaveLength(2)
    expect(guide).toContain('5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours')
  })

  for (const [name, language] of Object.entries(languages)) {
    it.skipIf(!isThere(language.needs))(
      `accepts genuine webhooks and rejects forged ones in ${name} (with ${language.needs})`,
      async () => {
        const folder = await mkdtemp(join(tmpdir(), 'groundwork-guide-'))
        onTestFinished(() => rm(folder, { recursive: true, force: true }))
        const snippet = guide.split(`\`\`\`${language.fence}\n`)[1]?.split('\n```')[0] ?? ''
        const lines = examples.map((example) =>
          [
            example.secret,
            Buffer.from(example.body).toString('base64'),
            ...Object.entries(example.headers).map(([header, value]) => `${header}=${value}`),
          ].join('\t'),
        )
        for (const [file, text] of Object.entries({ ...language.files(snippet), examples: `${lines.join('\n')}\n` }))
          await writeFile(join(folder, file), text)
        let output = ''
        for (const command of language.commands) output = await run(command, folder)
        const answers = output.trim().split('\n')
        expect(examples.map((example, index) => [example.name, answers[index]])).toEqual(
          examples.map((example) => [example.name, String(example.genuine)]),
        )
      },
    )
  }
})
