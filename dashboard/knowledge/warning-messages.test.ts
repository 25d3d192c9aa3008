import { sourceWarning, sourceWarnings, type SourceWarningCode } from '@groundwork/api/source-types'
import { expect, test } from 'vitest'
import { warningMessage } from './warning-messages.ts'

const codes = Object.keys(sourceWarnings) as SourceWarningCode[]
const other = warningMessage('What a former version wrote.')

/** Returns a value for each name in the sentence of a warning. */
const valuesOf = (code: SourceWarningCode): Record<string, string> =>
  Object.fromEntries(Array.from(sourceWarnings[code].matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, `a ${name}. (b), C`]))

test.each(codes)('has a message for the warning %s, with its values', (code) => {
  const message = warningMessage(sourceWarning(code, valuesOf(code)))
  expect(message).not.toBe(other)
  expect(message).not.toMatch(/undefined|EMBEDDINGS_|CHROMIUM_PATH|maxPages/)
})

test('shows no text of the API, also of an unknown warning', () => {
  expect(other).toBe('Part of the content could not be read.')
  expect(warningMessage(sourceWarning('attachment_left_out', { name: 'a.pdf', reason: 'The reason: is left out: raw.' }))).toBe(
    'The attachment “a.pdf” could not be read and was skipped.',
  )
  expect(warningMessage(sourceWarning('ocr_off', { noun: 'Pages', pages: '2, 5 to 9', verb: 'are' }))).toMatch(/: 2, 5 to 9\.$/)
})
