import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

it('each claim of docs/security.md names tests that exist', async () => {
  const page = await readFile(join(root, 'docs/security.md'), 'utf8')
  const [, table = ''] = /\| claim +\| tests +\|\n\|[- |]+\|\n((?:\|.*\n)+)/.exec(page) ?? []
  const claims = table.trim().split('\n')
  expect(claims.length).toBeGreaterThan(20)
  expect(claims.filter((claim) => !/`[\w/.-]+\.test\.ts`/.test(claim))).toEqual([])
  const files = [...page.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
