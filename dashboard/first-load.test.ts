import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const dist = join(import.meta.dirname, 'dist')
/** The compressed size of all files from sign-in to the first page of an organization. */
const budgetBytes = 250_000
/** The entry points of such a visit: entry, sign-in, frame and first page. */
const visited = ['index.html', 'auth/sign-in-page.tsx', 'shell/organization-frame.tsx', 'home/home-page.tsx']

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

test('the first load with all imports is at most 250 kB', async () => {
  const manifest = JSON.parse(await readFile(join(dist, 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const add = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`The build has no ${name}.`)
    if (files.has(chunk.file)) return
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    chunk.imports?.forEach(add)
  }
  visited.forEach(add)
  const sizes = await Promise.all([...files].map(async (file): Promise<[string, number]> => [file, await transferBytes(file)]))
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  expect(total, JSON.stringify(Object.fromEntries(sizes), null, 2)).toBeLessThanOrEqual(budgetBytes)
  expect(total).toBeGreaterThan(50_000)
})

/** Returns the transfer size of a file. Small files are not compressed. */
async function transferBytes(file: string): Promise<number> {
  const path = join(dist, file)
  return (await stat(existsSync(`${path}.br`) ? `${path}.br` : path)).size
}
