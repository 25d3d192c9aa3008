import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { guideNames } from './guides.ts'

test.each(guideNames)('there is a guide %s', (name) => expect(existsSync(join(import.meta.dirname, '../../docs', `${name}.md`))).toBe(true))
