import { expect, test } from 'vitest'
import { checkTests, copyOfChangedFiles, follow, guides } from './contributor-guides.ts'

test.each(guides)('the changes of %s apply to the repository', async (guide) => {
  const commands = await follow(await copyOfChangedFiles(guide), guide)
  expect(commands.filter((command) => command.startsWith(checkTests))).not.toEqual([])
})
