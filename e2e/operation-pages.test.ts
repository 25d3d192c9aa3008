import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { inBucket, openObjectStorage } from './object-storage.ts'
import { commandsOf, runInShell } from './page-commands.ts'
import { createToken, program, type Program } from './program.ts'

const keys = ['the secret key of this installation, long enough', 'the new secret key, which is long enough too'] as const

/** Returns a function that replaces the names of files and services in commands of a page. */
const replacing = (replacements: Readonly<Record<string, string>>) => (commands: string) =>
  Object.entries(replacements).reduce((text, [name, own]) => text.replaceAll(name, own), commands)

/** Returns the addresses of all contacts. */
async function allContacts(groundwork: Program, token: string): Promise<string[]> {
  const contacts = await new Client(groundwork.url, token).call<{ email: string }[]>('GET', '/v1/contacts')
  return contacts.map(({ email }) => email)
}

test('the commands of the pages about backups, restores, moves and the key work', { timeout: 900_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-pages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const bucket = await openObjectStorage(onTestFinished)
  const { STORAGE_URL: bucketUrl = '', ...bucketKeys } = bucket.settings
  const settings = { ...bucketKeys, SECRET_KEY: keys[0] }
  const groundwork = await program(onTestFinished, settings)
  await groundwork.start()
  const { token } = await createToken(groundwork, '--organization', 'Example Ltd')
  await new Client(groundwork.url, token).call('POST', '/v1/contacts', { email: 'ada@example.com' })
  const emptyTarget = (): Promise<Program> => program(onTestFinished, settings, 'none')
  const own = replacing({
    '/backups/': `${folder}/`,
    'groundwork-backup.key': join(folder, 'backup.key'),
    's3://groundwork-backups/groundwork.tar?endpoint=https://s3.example.com': inBucket(bucketUrl, 'groundwork.tar'),
  })

  const [backUp = '', sealed = '', verify = '', toBucket = '', ...moreBackups] = (await commandsOf('docs/operations/back-up.md')).map(own)
  const [saveAndVerify = '', fromBucket = ''] = toBucket.split(/(?=npm run --silent groundwork -- restore)/)
  expect([moreBackups, fromBucket]).toEqual([[], expect.stringContaining('restore')])
  for (const command of [backUp, sealed]) expect(await runInShell(command, groundwork.env)).toMatch(/^Backed up \d+ rows and 0 files/)
  expect(await runInShell(verify, groundwork.env)).toMatch(/^The backup of .* is complete/)
  expect(await runInShell(saveAndVerify, groundwork.env)).toMatch(/^Backed up .*\nThe backup of .* is complete/)

  const [restore = '', moveToPostgres = '', ...moreRestores] = (await commandsOf('docs/operations/restore.md')).map(own)
  expect(moreRestores).toEqual([])
  for (const command of [fromBucket, restore]) {
    const target = await emptyTarget()
    expect(await runInShell(command, target.env)).toMatch(/^Restored the backup of /)
    await target.start()
    expect(await allContacts(target, token)).toEqual(['ada@example.com'])
    expect(await target.stop()).toBe(0)
  }
  const moved = await emptyTarget()
  const move = replacing({
    'postgres://groundwork@db.example.com/groundwork': `'${moved.env['DATABASE_URL'] ?? ''}'`,
    '/srv/groundwork': moved.env['DATA_DIR'] ?? '',
    'SECRET_KEY=…': `SECRET_KEY='${keys[0]}'`,
    'groundwork.tar': join(folder, 'to-postgres.tar'),
  })
  expect(await runInShell(move(moveToPostgres), groundwork.env)).toMatch(/^Backed up .*\nRestored the backup of /)
  await moved.start()
  expect(await allContacts(moved, token)).toEqual(['ada@example.com'])
  expect(await moved.stop()).toBe(0)

  const other = await program(onTestFinished, settings)
  await other.start()
  const ofExport = replacing({ 'groundwork-move.key': join(folder, 'move.key'), 'example.tar': join(folder, 'example.tar') })
  const [exporting = '', importing = '', ...moreMoves] = (await commandsOf('docs/operations/move-an-organization.md')).map(ofExport)
  expect(moreMoves).toEqual([])
  expect(await runInShell(exporting, groundwork.env)).toMatch(/^Exported \d+ rows and 0 files/)
  expect(await runInShell(importing, other.env)).toMatch(/^Imported Example Ltd \(org_\S+, slug example-ltd\): \d+ rows and 0 files/)
  await expect.poll(() => allContacts(other, token).catch(() => null)).toEqual(['ada@example.com'])
  expect(await other.stop()).toBe(0)

  expect(await groundwork.stop()).toBe(0)
  Object.assign(groundwork.env, { SECRET_KEY: keys[1], SECRET_KEY_PREVIOUS: keys[0] })
  await groundwork.start()
  const rotation = await commandsOf('docs/operations/rotate-the-key.md')
  expect(rotation).toHaveLength(1)
  expect(await runInShell(rotation.join(''), groundwork.env)).toContain('SECRET_KEY_PREVIOUS can be removed.')
  expect(await groundwork.stop()).toBe(0)
})
