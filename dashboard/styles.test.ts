import { createRequire } from 'node:module'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const assets = join(import.meta.dirname, 'dist/assets')
const styles = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/Button.css'))

test('every component of the build has its styles', async () => {
  const built = await readdir(assets)
  const used = await classesIn(
    assets,
    built.filter((name) => name.endsWith('.js')),
  )
  const there = await classesIn(
    assets,
    built.filter((name) => name.endsWith('.css')),
  )
  const missing: string[] = []
  for (const name of (await readdir(styles)).filter((file) => file.endsWith('.css') && !file.includes('.layer.'))) {
    const classes = [...(await classesIn(styles, [name]))].filter((one) => used.has(one))
    if (classes.some((one) => !there.has(one))) missing.push(name)
  }
  expect(missing, 'import them in shell/mantine.css, or large ones of one page in that page: @mantine/core/styles/…').toEqual([])
  expect(used.size).toBeGreaterThan(50)
})

/** Mantine's class names: m_ and a number. */
async function classesIn(folder: string, names: readonly string[]): Promise<Set<string>> {
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return new Set(texts.flatMap((text) => text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? []))
}
