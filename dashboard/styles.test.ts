import { createRequire } from 'node:module'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const assets = join(import.meta.dirname, 'dist/assets')
const styles = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/Button.css'))

test('the build includes the styles of all components that it uses', async () => {
  const built = await readdir(assets)
  const used = await classesIn(
    assets,
    built.filter((name) => name.endsWith('.js')),
  )
  const included = await classesIn(
    assets,
    built.filter((name) => name.endsWith('.css')),
  )
  const missing: string[] = []
  for (const name of (await readdir(styles)).filter((file) => file.endsWith('.css') && !file.includes('.layer.'))) {
    const classes = [...(await classesIn(styles, [name]))].filter((usedName) => used.has(usedName))
    if (classes.some((usedName) => !included.has(usedName))) missing.push(name)
  }
  expect(missing, 'import @mantine/core/styles/… in shell/mantine.css; import large styles of a single page in that page').toEqual([])
  expect(used.size).toBeGreaterThan(50)
})

/** Returns the Mantine class names in files: m_ and a hexadecimal number. */
async function classesIn(folder: string, names: readonly string[]): Promise<Set<string>> {
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return new Set(texts.flatMap((text) => text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? []))
}
