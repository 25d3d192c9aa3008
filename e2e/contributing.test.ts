import { expect, test } from 'vitest'
import { checkTests, copyOfRepository, follow, guides } from './contributor-guides.ts'

test.each(guides)('the changes of %s apply to the repository', { timeout: 600_000 }, async (guide) => {
  const commands = await follow(await copyOfRepository(), guide)
  expect(commands.filter((command) => command.startsWith(checkTests))).not.toEqual([])
})
