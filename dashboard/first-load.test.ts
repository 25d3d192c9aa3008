import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const dist = join(import.meta.dirname, 'dist')
/** The compressed size of all files from sign-in to the first page of an organization. */
const budgetBytes = 250_000
/** The pages of such a visit. The files of each page include the frame around it. */
const visited = ['/sign-in', '/$organization']

test('the first load with all imports is at most 250 kB', async () => {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const pages = await readPages()
  const files = new Set([...html.matchAll(/"\/app\/(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? ''))
  for (const path of visited) {
    const page = pages.find((each) => each.path === path)
    if (page === undefined) throw new Error(`The build has no page ${path}.`)
    for (const file of page.files) files.add(file)
  }
  const sizes = await Promise.all([...files].map(async (file): Promise<[string, number]> => [file, await transferBytes(file)]))
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  expect(total, JSON.stringify(Object.fromEntries(sizes), null, 2)).toBeLessThanOrEqual(budgetBytes)
  expect(total).toBeGreaterThan(50_000)
})

test('all files that the pages name exist', async () => {
  const files = new Set((await readPages()).flatMap((page) => page.files))
  expect(files.size).toBeGreaterThan(50)
  expect([...files].filter((file) => !existsSync(join(dist, file)))).toEqual([])
})

// In a cycle, a module can run before one that it needs, and a page fails with an undefined component.
test('no file of the build imports itself through others', async () => {
  const names = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js'))
  const importsOf = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string[]]> => {
        const source = await readFile(join(dist, 'assets', name), 'utf8')
        return [name, [...source.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g)].map(([, imported = '']) => imported)]
      }),
    ),
  )
  expect([...importsOf.values()].flat().length).toBeGreaterThan(names.length)
  // Files without imports are removed until none is left, or only those of a cycle and their importers.
  for (let before = Infinity; importsOf.size < before;) {
    before = importsOf.size
    for (const [name, imported] of importsOf) if (imported.every((each) => !importsOf.has(each))) importsOf.delete(name)
  }
  expect([...importsOf.keys()]).toEqual([])
})

async function readPages(): Promise<{ path: string; files: string[] }[]> {
  return JSON.parse(await readFile(join(dist, 'pages.json'), 'utf8')) as { path: string; files: string[] }[]
}

/** Returns the transfer size of a file. Small files are not compressed. */
async function transferBytes(file: string): Promise<number> {
  const path = join(dist, file)
  return (await stat(existsSync(`${path}.br`) ? `${path}.br` : path)).size
}
