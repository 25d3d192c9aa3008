import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { Session } from './command.ts'
import { createOutput } from './output.ts'
import { verifyFiles } from './verify.ts'

const root = join(import.meta.dirname, '..')
const guide = await readFile(join(root, 'docs/certificates.md'), 'utf8')
const folder = await mkdtemp(join(tmpdir(), 'groundwork-verify-'))
afterAll(() => rm(folder, { recursive: true }))

/** Writes a block of the guide to a file and returns its path. */
async function fromGuide(name: string): Promise<string> {
  const [, text = ''] = new RegExp(`^\`\`\`text ${name}\n(.*)\n\`\`\`$`, 'm').exec(guide) ?? []
  return file(name, text)
}

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

/** Runs the command and returns its output, and whether a check failed. */
async function run(
  names: string[],
  { json = false, keys }: { json?: boolean; keys?: string } = {},
): Promise<{ text: string; failed: boolean }> {
  let text = ''
  const output = { ...createOutput({ ...process, json }), text: async (written: string) => void (text += written) }
  const session = {
    output: { ...output, record: (record: object, line: string) => output.text(`${json ? JSON.stringify(record) : line}\n`) },
    get client(): never {
      throw new Error('the command uses no client')
    },
  } as unknown as Session
  return { failed: (await verifyFiles.run(session, names, { keys })) === true, text }
}

const [certificate, keys] = [await fromGuide('certificate.json'), await fromGuide('keys.json')]

describe('groundwork verify', () => {
  test('prints what the guide shows for its example', async () => {
    const { text, failed } = await run([certificate], { keys })
    expect(failed).toBe(false)
    expect(guide).toContain(`\n${text.replace(certificate, 'certificate.json')}\`\`\``)
    const hash = createHash('sha256')
      .update(await readFile(certificate))
      .digest('hex')
    expect(guide).toContain(`Its hash is \`${hash}\`.`)
  })

  test('prints a record for each check with --json, and marks the key as not checked without keys', async () => {
    const { text, failed } = await run([certificate], { json: true })
    const records = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(failed).toBe(false)
    expect(records.find(({ check }) => check === 'key')).toEqual({
      file: certificate,
      check: 'key',
      holds: null,
      detail: expect.stringMatching(/^No key file was provided/),
    })
    expect(records).toHaveLength(7)
  })

  test('fails for a changed certificate', async () => {
    const changed = await file('changed.json', (await readFile(certificate, 'utf8')).replace('Ada', 'Eve'))
    const { text, failed } = await run([certificate, changed], { keys })
    expect(failed).toBe(true)
    expect(text).toContain('FAIL  signature  The signature is not valid')
  })

  test('refuses files that do not exist', async () => {
    await expect(run([join(folder, 'none.json')])).rejects.toThrow('does not exist')
    await expect(run([certificate], { keys: folder })).rejects.toThrow('cannot read')
  })
})

describe('the guide', () => {
  test('lists exactly the fields of its example', async () => {
    const { certificate: example } = JSON.parse(await readFile(certificate, 'utf8'))
    const rowsAfter = (heading: string): string[] => {
      const [table = ''] = guide.slice(guide.indexOf(`| ${heading}`)).split('\n\n')
      return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name)
    }
    expect(rowsAfter('field of `certificate`').toSorted()).toEqual(Object.keys(example).toSorted())
    expect(rowsAfter('field of a signer').toSorted()).toEqual(Object.keys(example.signers[0]).toSorted())
    expect(rowsAfter('member ')).toEqual(['certificate', 'signature'])
    expect(rowsAfter('check ')).toEqual(['format', 'canonical', 'content', 'signature', 'key', 'signers', 'totals', 'seal', 'pdf', 'chain'])
  })

  const python = spawnSync('python3', ['-c', 'import cryptography'])
  test.skipIf(python.status !== 0)('the example in Python agrees (needs python3 with cryptography)', async () => {
    const verify = (...names: string[]) =>
      promisify(execFile)('python3', [join(root, 'examples/verify-certificates.py'), keys, ...names]).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      )
    expect(await verify(certificate)).toBe('1 certificates are valid.\n')
    const text = await readFile(certificate, 'utf8')
    for (const [name, content, fault] of [
      ['name.json', text.replace('Ada', 'Eve'), 'the signature is not valid'],
      ['space.json', `${text}\n`, 'not canonical JSON'],
      ['content.json', text.replace('"currency":"EUR"', '"currency":"USD"'), 'contentHash is not the hash of the content'],
      ['key.json', text.replace(/"keyId":"./, '"keyId":"-'), 'the key is not in the key file'],
      ['other.json', '[]', 'not a certificate'],
    ] as const)
      expect(await verify(await file(name, content))).toContain(`${name}: ${fault}`)
    expect(await verify(certificate, join(folder, 'name.json'))).toContain('certificates 1 and 1 are not consecutive')
  })
})
