import { expect, test } from 'vitest'
import { checkTests, copyOfRepository, follow, guides, run } from './contributor-guides.ts'

// One copy for all guides: types, generated files and the tests that several guides name are checked once.
test('after the changes of all guides, their commands succeed', { timeout: 900_000 }, async () => {
  const folder = await copyOfRepository()
  const commands = new Set<string>()
  for (const guide of guides) for (const command of await follow(folder, guide)) commands.add(command)
  const tests = [...commands].filter((command) => command.startsWith(checkTests) && !command.includes(' -t '))
  const generators = [...commands].filter((command) => command.startsWith('npm '))
  for (const command of new Set([...generators, ...commands])) if (!tests.includes(command)) await run(folder, command)
  const files = new Set(tests.flatMap((command) => command.slice(checkTests.length).split(' ')))
  expect(await run(folder, checkTests + [...files].join(' '))).toContain(' passed')
})
