import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandsOf, runInShell } from './page-commands.ts'
import { createToken, program } from './program.ts'

test('the commands of docs/operations/upgrade.md work beside the running program', { timeout: 600_000 }, async () => {
  const commands = await commandsOf('docs/operations/upgrade.md')
  expect(commands).toHaveLength(1)
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-upgrade-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  await createToken(groundwork)
  const words = commands.join('\n').replaceAll('before-upgrade.tar', join(folder, 'before-upgrade.tar'))
  const stdout = await runInShell(words, groundwork.env)
  expect(stdout).toMatch(/^Backed up \d+ rows and 0 files/)
  expect(stdout).toContain('\nNo migrations to run.\nThe backup of ')
  expect(stdout).toMatch(/: No migrations to run\.\n$/)
  expect(await groundwork.stop()).toBe(0)
})
